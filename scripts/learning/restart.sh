#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/learning/restart.sh ENGINE [DEPTH] [POSITIONS] [HASH]: measures what a hash file saves after a restart.
#   The first process searches each of POSITIONS (20, one a game) to DEPTH (18) with a table of HASH (64) MiB and saves
#   the table. The second loads the file and searches to DEPTH again, the third loads it and searches to DEPTH + 1, the
#   fourth searches to DEPTH + 1 without the file. A line for each position: nodes and seconds of the first; nodes,
#   seconds and share of the time of the second; nodes and seconds of the third and the fourth. Then the sums. The
#   seconds are processor time of the whole process, with start, loading and saving. A busy machine hardly changes them
#   or the nodes. CSV=FILE in the environment: also appends a row for each position to FILE.
#   scripts/learning/restart.sh ./palimpsest 18 20 64
# The positions are those of ../shared/data/middlegames-500.epd (or $PALIMPSEST_SHARED).
set -euo pipefail
export LC_ALL=C # awk: decimal points
shopt -s inherit_errexit
. "$(dirname "$0")/../usage.sh"

[ $# -ge 1 ] || usage
need_program "$1"
engine=$(realpath "$1") depth=${2:-18} positions=${3:-20} hash=${4:-64}
suite=${PALIMPSEST_SHARED:-$(dirname "$0")/../../../shared}/data/middlegames-500.epd
[ -r "$suite" ] || { echo "restart.sh: $suite is missing" >&2; exit 2; }
csv=${CSV:-/dev/null}
[ "$csv" = /dev/null ] || [ -s "$csv" ] || echo "depth,hash_mib,game,nodes,seconds,again_nodes,again_seconds,deeper_nodes,\
deeper_seconds,no_file_nodes,no_file_seconds,file_bytes" > "$csv"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'

# Runs a process with these commands; prints the nodes of its last search and the seconds it took.
run() {
    { time "$engine" "setoption name Hash value $hash" "$@" > "$work/said"; } 2> "$work/times"
    if grep error "$work/said" >&2; then return 1; fi
    awk '/ nodes / { for (i = 1; i < NF; i++) if ($i == "nodes") nodes = $(i + 1) }
        END { printf "%d ", nodes }' "$work/said"
    awk '{ printf "%.3f ", $1 + $2 }' "$work/times"
}

# The ninth position of each game: name, a tab, FEN.
awk -F '"' '{ split($0, w, " "); game = substr($2, 1, 4)
    if (++n[game] == 9) print game "\t" w[1], w[2], w[3], w[4] }' "$suite" | head -n "$positions" > "$work/positions"

printf '%-6s %10s %7s   %10s %7s %6s   %10s %7s   %10s %7s\n' \
    game "depth $depth" s again s share "depth $((depth + 1))" s "no file" s
while IFS=$'\t' read -r game fen; do
    root="position fen $fen 0 1" deeper="go depth $((depth + 1))"
    first=$(run "$root" "go depth $depth" "hash save $work/file")
    again=$(run "hash load $work/file" "$root" "go depth $depth")
    with_file=$(run "hash load $work/file" "$root" "$deeper")
    without=$(run "$root" "$deeper")
    row=$(echo $game $first $again $with_file $without $(stat -c %s "$work/file"))
    echo "$row"
    echo "$depth,$hash,${row// /,}" >> "$csv"
done < "$work/positions" | awk '
    { share = 100 * $5 / $3; worst = share > worst ? share : worst }
    { printf "%-6s %10d %7.2f   %10d %7.2f %5.1f%%   %10d %7.2f   %10d %7.2f\n", $1, $2, $3, $4, $5, share, $6, $7, $8, $9 }
    { fflush(); for (i = 2; i <= 10; i++) sum[i] += $i }
    END {
        printf "again: %d nodes of %d, %.2f s of %.2f s (%.1f%%, at worst %.1f%%)\n",
            sum[4], sum[2], sum[5], sum[3], 100 * sum[5] / sum[3], worst
        printf "one ply deeper: %d nodes with the file, %d without (%.0f%%); %.1f s, %.1f s (%.0f%%)\n",
            sum[6], sum[8], 100 * sum[6] / sum[8], sum[7], sum[9], 100 * sum[7] / sum[9]
        printf "the files: %.2f MB each\n", sum[10] / NR / 1048576
    }'
