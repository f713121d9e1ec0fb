#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# speed.sh MS POSITIONS ENGINE...: measures how fast and how deep UCI engines search in MS milliseconds with one thread.
#   POSITIONS positions spread over a file are searched one after another, each by all engines in turn, so that all have
#   the same conditions.
#   The machine should run nothing else.
#   speed.sh 5000 20 ./palimpsest /usr/games/stockfish /usr/games/ethereal-chess
# Prints for each: millions of nodes a second; average depth of the last finished iteration; and the branching factor,
# the geometric mean of nodes(d) / nodes(d - 1) over the last six iterations.
# If an engine crashes or does not answer, the script names it and ends with status 1.
# Environment: BOOK (default: ../shared/data/middlegames-500.epd), HASH (64 MiB).
set -euo pipefail
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/usage.sh"

[ $# -ge 3 ] && [[ $1$2 =~ ^[0-9]+$ ]] && [ "$1" -gt 0 ] && [ "$2" -gt 0 ] || usage
ms=$1 wanted=$2
shift 2
book=${BOOK:-${PALIMPSEST_SHARED:-../shared}/data/middlegames-500.epd}
[ -r "$book" ] || { echo "speed.sh: cannot read '$book': set BOOK to a file of positions" >&2; exit 2; }
for engine; do
    command -v "$engine" > /dev/null || { echo "speed.sh: '$engine' is not a program" >&2; exit 2; }
    printf 'uci\nquit\n' | timeout 20 "$engine" 2> /dev/null | grep -q ^uciok || { echo "speed.sh: '$engine' is not a UCI engine" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap '' PIPE # a write to an engine that has crashed fails, but does not end this script
mkfifo "$work/in" "$work/out"

# search ENGINE FEN: prints the output up to bestmove. Ends the script if the engine crashes or does not answer.
search() {
    local line='' status=0 pid seconds=$((ms / 1000 + 30))
    (trap - PIPE && exec "$1" 2> /dev/null) < "$work/in" > "$work/out" &
    pid=$!
    exec 3> "$work/in" 4< "$work/out"
    printf '%s\n' uci "setoption name Hash value ${HASH:-64}" "setoption name Threads value 1" \
        "position fen $2" "go movetime $ms" 2> /dev/null >&3 || true
    while read -r -t "$seconds" line <&4 || { status=$? && false; } && [[ $line != bestmove* ]]; do echo "$line"; done
    if [ $status -gt 128 ]; then # the status of a timeout
        kill -9 "$pid"
        fail "$1" "$2" "printed nothing for $seconds s"
    fi
    echo quit 2> /dev/null >&3 || true
    cat <&4 > /dev/null # until it ends
    status=0
    wait "$pid" || status=$?
    exec 3>&- 4<&-
    [[ $line == bestmove* ]] || fail "$1" "$2" "ended during the search, with status $status"
    [ $status -le 128 ] || fail "$1" "$2" "crashed after the search, with status $status"
}

fail() { # ENGINE FEN WHAT
    echo "speed.sh: '$1' $3; position: $2" >&2
    exit 1
}

mapfile -t fens < <(awk 'NF >= 4 && !/^#/ { print $1, $2, $3, $4, "0 1" }' "$book")
[ "$wanted" -le ${#fens[@]} ] || wanted=${#fens[@]}
for ((i = 0; i < wanted; i++)); do
    number=0
    for engine; do
        search "$engine" "${fens[i * ${#fens[@]} / wanted]}" > "$work/$number.$i"
        number=$((number + 1))
    done
    echo "position $((i + 1)) of $wanted" >&2
done

number=0
echo "engine Mnps depth branching"
for engine; do
    awk -v engine="$engine" -v back=6 '
        function value(name,    i) { for (i = 1; i < NF; i++) if ($i == name) return $(i + 1); return "" }
        function close_file(    low) {
            low = deepest > back ? deepest - back : 1
            depths += deepest; files++
            if (at[deepest] > 0 && at[low] > 0 && deepest > low) { logs += log(at[deepest] / at[low]) / (deepest - low); grown++ }
            total_nodes += nodes; total_ms += ms
            deepest = nodes = ms = 0; delete at
        }
        FNR == 1 && NR > 1 { close_file() }
        $1 == "info" && value("nodes") != "" && value("time") != "" { nodes = value("nodes"); ms = value("time") }
        $1 == "info" && value("pv") != "" && value("nodes") != "" && !/ (lower|upper)bound / {
            deepest = value("depth") + 0; at[deepest] = value("nodes")
        }
        END {
            close_file()
            if (total_ms == 0) { print "speed.sh: " engine " printed no nodes and time" > "/dev/stderr"; exit 1 }
            printf "%s %.2f %.1f %s\n", engine, total_nodes / total_ms / 1000, depths / files,
                grown ? sprintf("%.2f", exp(logs / grown)) : "-" # none in a search of a ply or two
        }' "$work/$number".*
    number=$((number + 1))
done
