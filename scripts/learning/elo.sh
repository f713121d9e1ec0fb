#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/learning/elo.sh ENGINE CSV [GAMES [NODES [OPENINGS]]]: measures the gain from remembering earlier games when
# openings repeat. ENGINE with position learning plays GAMES (1000) against itself without it, from OPENINGS (100) openings in
# turn, each with both colours, at NODES (4000) a move: one match with each policy, two at a time. Adds to the file CSV a line
# for each policy and opening, with the points of the learning engine and the size in KiB of what it has kept, and prints its
# Elo; its 95% interval is between openings. Without learning both games of a pair would be the same: +0. A match that has its
# lines in the file is not played again. CSV.settings notes engine, BOOK and GAMES: a file of others is refused.
# Environment: MEMORIES ("Bebe Mouse Crafty"): policies of learning, or table-N, a table of N MiB that is kept from game to
# game as by a hash file; BOOK (as in scripts/match.sh, which needs fastchess); WORK (.data/learning): folder for the games.
set -euo pipefail
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/../usage.sh"
. "$(dirname "$0")/../fastchess.sh"
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] && [ $# -le 5 ] || usage
need_program "$1"
engine=$(realpath "$1") csv=$2 games=${3:-1000} nodes=${4:-4000} openings=${5:-100}
need_fastchess
find_book book-uho-4060-v4-30k.epd
work=${WORK:-.data/learning}/$nodes-$openings
read -ra memories <<< "${MEMORIES:-Bebe Mouse Crafty}"

mkdir -p "$work"
work=$(realpath "$work")
hold_folder "$work"
set -m # each match is a process group, which ends as a whole
trap 'for job in $(jobs -p); do kill -- -"$job" 2> /dev/null || :; done' EXIT
trap 'exit 130' INT TERM HUP

# Evenly over the whole book.
awk -v n="$openings" '{ line[NR] = $0 } END { for (i = 0; i < n; i++) print line[1 + int(i * NR / n)] }' "$book" > "$work/openings.epd"

# One game at a time, so that every game uses the positions learned in all games before it.
match() {
    local options="Memory=learn"$'\n'"MemoryPolicy=$1"$'\n'"MemoryFile=$work/$1/memory.db"
    [ "${1%%-*}" != table ] || options="Hash=${1#*-} UCI_AnalyseMode=true"
    rm -rf "${work:?}/$1"
    mkdir "$work/$1"
    ENGINE_OPTIONS=$options CONCURRENCY=1 BOOK=$work/openings.epd \
        "$here/../match.sh" "$engine" "$engine" "$games" "nodes=$nodes" standard "$work/$1" > /dev/null
}

# Prints the lines of the CSV file for memory $1. Openings are numbered as they first appear.
sum_up() {
    local kib
    case $1 in table-*) kib=$((${1#*-} * 1024)) ;; *) kib=$(du -k --apparent-size "$work/$1/memory.db" | cut -f 1) ;; esac
    awk -F '"' -v row="$1,$nodes,$openings" -v kib="$kib" '
        /^\[White "/ { learner_is_white = $2 == "new" }
        /^\[FEN "/ { if (!($2 in number)) number[$2] = ++n; at = number[$2] }
        /^\[Result "/ { result = $2 }
        /^$/ && result != "" { games[at]++; points[at] += result == "1/2-1/2" ? 0.5 : (result == "1-0") == learner_is_white; result = "" }
        END { for (i = 1; i <= n; i++) print row "," i "," games[i] "," points[i] "," kib }' "$work/$1/games.pgn"
}

report() {
    awk -F, -v memory="$1" '
        function elo(share) { return -400 * log(1 / share - 1) / log(10) }
        # The factor of a 95% interval by Student, as in src/lab/ratio.c.
        function student(f, z) {
            z = 1.959964
            return f == 1 ? 12.706 : f == 2 ? 4.303 : z + z * (z^2 + 1) / 4 / f + z * ((5 * z^2 + 16) * z^2 + 3) / 96 / f^2 + \
                z * (((3 * z^2 + 19) * z^2 + 17) * z^2 - 15) / 384 / f^3
        }
        { n++; sum += $6; games += $5; share[n] = $6 / $5; mean += share[n] }
        END { mean /= n
              for (i = 1; i <= n; i++) square += (share[i] - mean) ^ 2
              error = n > 1 ? student(n - 1) * sqrt(square / (n - 1) / n) : 0
              if (n < 2)
                  gain = "Elo: too few openings for an estimate"
              else if (mean - error > 0 && mean + error < 1)
                  gain = sprintf("Elo %+.0f [%+.0f, %+.0f]", elo(mean), elo(mean - error), elo(mean + error))
              else
                  gain = "Elo: too one-sided for an estimate"
              printf "%-8s %6.1f of %d points, %s, %d KiB\n", memory, sum, games, gain, $7 }'
}

header=memory,nodes,openings,opening,games,points,kib
settings="engine $(digest "$engine"), book $(digest "$book"), $games games"
if [ ! -s "$csv" ] || [ "$(cat "$csv")" = $header ]; then
    echo $header > "$csv"
    echo "$settings" > "$csv.settings"
elif [ ! -e "$csv.settings" ] || [ "$(cat "$csv.settings")" != "$settings" ]; then
    echo "elo.sh: $csv has matches of another engine, book or number of games, or no $csv.settings; choose another file" >&2
    exit 2
fi
# Each match adds its lines as soon as it ends. One that has lines is not played again: so the same command goes on
# after an interruption.
is_done() { grep -q "^$1,$nodes,$openings," "$csv"; }
matches=()
for memory in "${memories[@]}"; do
    ! is_done "$memory" || continue
    [ "$(jobs -rp | wc -l)" -lt 2 ] || wait -n || :
    { match "$memory" && sum_up "$memory" > "$work/$memory/lines" && cat "$work/$memory/lines" >> "$csv"; } & matches+=($!)
done
failed=0
for pid in ${matches[@]+"${matches[@]}"}; do
    wait "$pid" || failed=1
done
for memory in "${memories[@]}"; do
    ! is_done "$memory" || grep "^$memory,$nodes,$openings," "$csv" | report "$memory"
done
exit $failed
