#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/cluster/measure.sh ENGINE [DEPTH [POSITIONS [PROCESSES...]]]: measures how fast 1, 2, ... processes of ENGINE, a
# palimpsest-mpi, reach a depth (default: depth 18, 50 positions, 1 and 2 processes). Prints for each number of processes the
# seconds and million nodes in all, and the speed-up: the geometric mean over the positions. Positions come from the shared
# data, or else from `genfens`. Options for mpirun, such as --hostfile hosts: in MPIRUN. THREADS=N, HASH=MiB of each process.
# Only meaningful on machines that do nothing else.
set -euo pipefail
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/../usage.sh"
[ $# -ge 1 ] || usage
need_program "$1"
engine=$(realpath "$1")
depth=${2:-18} positions=${3:-50}
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- 1 2
cd "$(dirname "$0")/../.."
shared=${PALIMPSEST_SHARED:-../shared}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
read -ra options <<< "${MPIRUN:-}"
run=(mpirun --oversubscribe --bind-to none ${options[@]+"${options[@]}"})
[ "$(id -u)" != 0 ] || run+=(--allow-run-as-root)

book=$shared/data/middlegames-500.epd
if [ -f "$book" ]; then # spread over the whole file
    awk -v n="$positions" -v all="$(wc -l < "$book")" 'int(NR * n / all) > int((NR - 1) * n / all) {
        print $1, $2, $3, $4, "0 1" }' "$book" > "$work/fens"
else
    "${run[@]}" -np 1 "$engine" "genfens $positions seed 1 book None" | sed -n 's/^info string genfens //p' > "$work/fens"
fi

# One line for each position: milliseconds and nodes to reach the depth.
search_all() { # PROCESSES
    {
        printf 'setoption name Threads value %s\nsetoption name Hash value %s\n' "${THREADS:-1}" "${HASH:-64}"
        while read -r fen; do
            printf 'ucinewgame\nisready\nposition fen %s\ngo depth %s\nwait\n' "$fen" "$depth"
        done < "$work/fens"
        echo quit
    } | "${run[@]}" -np "$1" "$engine" | awk '
        / nodes .* time / { for (i = 1; i < NF; i++) { if ($i == "nodes") nodes = $(i + 1); if ($i == "time") ms = $(i + 1) } }
        /^bestmove/ { print (ms > 0 ? ms : 1), nodes }'
}
echo "$(wc -l < "$work/fens") positions to depth $depth, Threads ${THREADS:-1}, Hash ${HASH:-64} in each process"
echo "processes  seconds  million nodes  speed-up"
for processes; do
    search_all "$processes" > "$work/$processes"
    paste -d ' ' "$work/$1" "$work/$processes" | awk -v n="$processes" '
        { ms += $3; nodes += $4; ratio += log($1 / $3) }
        END { printf "%9d %8.1f %14.1f %9.2f\n", n, ms / 1000, nodes / 1e6, exp(ratio / NR) }'
done
