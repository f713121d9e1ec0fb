#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# restart.sh ENGINE [DEPTH] [POSITIONS] [HASH]: what a hash file saves after a restart.
#   Each of POSITIONS (20, one a game) is searched to DEPTH (17) with a table of HASH (64) MiB, which is saved to
#   a file. Another process loads the file and searches to DEPTH again, then one ply deeper; a third one goes to
#   that depth without the file. A line a position: nodes and ms at first; nodes, ms with the loading included,
#   and share of the first time with the file; nodes to DEPTH + 1 with the file and without. Then the sums.
#   Nodes do not depend on how busy the machine is.
#   restart.sh ./palimpsest 17 20 64
# The positions are those of ../shared/data/middlegames-500.epd (or $PALIMPSEST_SHARED).
set -eu

usage() { sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }

[ $# -ge 1 ] && [ -x "$1" ] || usage
engine=$(realpath "$1") depth=${2:-17} positions=${3:-20} hash=${4:-64}
suite=${PALIMPSEST_SHARED:-$(dirname "$0")/../../../shared}/data/middlegames-500.epd
[ -r "$suite" ] || { echo "restart.sh: $suite is not there" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Runs a process with these commands; prints nodes and ms of each search, then the ms of what was loaded.
search() {
    "$engine" "setoption name Hash value $hash" "$@" | awk '
        function after(word,   i) { for (i = 1; i < NF; i++) if ($i == word) return $(i + 1) }
        / nodes / { nodes = after("nodes"); ms = after("time") }
        /^bestmove/ { printf "%d %d ", nodes, ms }
        /^info string hash load/ { load = 1000 * $(NF - 1) }
        /error/ { print > "/dev/stderr" }
        END { print load + 0 }'
}

# The ninth position of each game: name, a tab, FEN.
awk -F '"' '{ split($0, w, " "); game = substr($2, 1, 4)
    if (++n[game] == 9) print game "\t" w[1], w[2], w[3], w[4] }' "$suite" | head -n "$positions" > "$work/positions"

printf '%-6s %10s %8s   %10s %8s %6s   %12s %12s\n' game first ms again ms share "deeper with" without
while IFS=$'\t' read -r game fen; do
    root="position fen $fen 0 1"
    first=$(search "$root" "go depth $depth" "hash save $work/file")
    again=$(search "hash load $work/file" "$root" "go depth $depth" "go depth $((depth + 1))")
    fresh=$(search "$root" "go depth $((depth + 1))")
    echo "$game $first $again $fresh $(stat -c %s "$work/file")"
done < "$work/positions" | awk '
    { again_ms = $6 + $9; share = 100 * again_ms / $3 }
    { printf "%-6s %10d %8d   %10d %8d %5.1f%%   %12d %12d\n", $1, $2, $3, $5, again_ms, share, $7, $10; fflush() }
    { first += $2; first_ms += $3; again += $5; all_again_ms += again_ms; with += $7; without += $10; bytes += $13 }
    share > worst { worst = share }
    END {
        printf "again: %.2f%% of the nodes, %.2f%% of the time with the loading; at worst %.1f%%\n",
            100 * again / first, 100 * all_again_ms / first_ms, worst
        printf "one ply deeper: %d nodes with the file, %d without (%.0f%%)\n", with, without, 100 * with / without
        printf "the files: %.2f MB each\n", bytes / NR / 1048576
    }'
