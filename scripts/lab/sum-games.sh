#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/lab/sum-games.sh POSITIONS.epd RESULTS.csv: sums the rows of `palimpsest-lab replacement` over the positions of
# each game. As in the laboratory, a game is the part of the id before a point or the word move; without either, a position
# is a game of its own. Prints CSV with the number of the game in place of that of the position, without scores and moves.
# Games without all positions are left out.
set -eu
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/../usage.sh"
[ $# = 2 ] || usage
awk -F, -v OFS=, '
    FNR == NR && /^[ \t\r]*(#|$)/ { next } # the laboratory does not count these lines
    FNR == NR { name = match($0, /[ \t;]id[ \t]+("[^"]*"|[^";]*)/) ? substr($0, RSTART + 1, RLENGTH - 1) : ""
                sub(/^id[ \t]+"?/, "", name)
                if (!sub(/\..*/, "", name) && !sub(/ move .*/, "", name)) name = ""
                if (name == "" || name != last) games++
                last = name; game[++positions] = games; size[games]++; next }
    FNR == 1 { print; next }
    seen[$0]++ { next }
    { key = $1 OFS $2 OFS $3 OFS $4 OFS $5 OFS $6 OFS $7 OFS $8 OFS game[$9]; of[key] = game[$9]; n[key]++
      interior[key] += $10; leaf[key] += $11; quiescence[key] += $12 }
    END { for (key in n) if (n[key] == size[of[key]])
              print key, interior[key], leaf[key], quiescence[key], 0, "-" | "sort -t, -k1,8 -k9,9n" }' "$1" "$2"
