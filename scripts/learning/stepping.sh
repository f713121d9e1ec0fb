#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/learning/stepping.sh ENGINE [DEPTH] [GAMES] [HASH]: measures how much of an analysis is kept after ten plies back and ten forward.
#   Six positions of each game, two plies apart, are analysed to DEPTH (15) with a table of HASH (16) MiB: the last one
#   first, then back to the first one, then forward again. In three ways: `forgets` sends ucinewgame before each
#   position, as some GUIs do; `ages` does not; `keeps` sends it, too, but with UCI_AnalyseMode. A line for each of GAMES
#   (20) games: nodes of the first search of the last position, and of its search after the trip. Then the sums, with the
#   share that was searched again, for the last position and for all five on the way forward. The seconds are processor
#   time; a busy machine hardly changes them or the nodes. (Linux) CSV=FILE in the environment: also appends a row for
#   each game and way to FILE.
#   scripts/learning/stepping.sh ./palimpsest 15 20 16
# The games are those of ../shared/data/middlegames-500.epd (or $PALIMPSEST_SHARED).
set -euo pipefail
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/../usage.sh"

[ $# -ge 1 ] || usage
need_program "$1"
engine=$(realpath "$1") depth=${2:-15} games=${3:-20} hash=${4:-16}
suite=${PALIMPSEST_SHARED:-$(dirname "$0")/../../../shared}/data/middlegames-500.epd
[ -r "$suite" ] || { echo "stepping.sh: $suite is missing" >&2; exit 2; }

csv=${CSV:-/dev/null}
[ "$csv" = /dev/null ] || [ -s "$csv" ] || echo "depth,hash_mib,way,game,first_nodes,again_nodes,first_all_nodes,\
again_all_nodes,first_ms,again_ms,first_all_ms,again_all_ms" > "$csv"

# Processor time of the engine's threads, in ms.
processor_ms() {
    cat /proc/"$ENGINE_PID"/task/*/schedstat | awk '{ ns += $1 } END { printf "%d", ns / 1e6 }'
}

# Searches one position; sets $nodes and $ms.
analyse() { # way fen
    local line before
    before=$(processor_ms)
    [ "$1" = ages ] || echo ucinewgame >&"${ENGINE[1]}"
    printf 'position fen %s 0 1\ngo depth %s\n' "$2" "$depth" >&"${ENGINE[1]}"
    nodes=0
    while read -r -u "${ENGINE[0]}" line; do
        case $line in
        info*' nodes '*)
            nodes=${line#* nodes } nodes=${nodes%% *}
            ;;
        bestmove*)
            ms=$(($(processor_ms) - before))
            return
            ;;
        esac
    done
    echo "stepping.sh: the engine has ended" >&2
    exit 1
}

# Analyses the positions $fens of one game; prints nodes and ms of the last position, first and again, and of all five.
trip() { # way
    local i line first_all=0 again_all=0 first_all_ms=0 again_all_ms=0
    coproc ENGINE { exec "$engine"; }
    echo "setoption name Hash value $hash" >&"${ENGINE[1]}"
    [ "$1" != keeps ] || echo "setoption name UCI_AnalyseMode value true" >&"${ENGINE[1]}"
    echo isready >&"${ENGINE[1]}"
    until [ "${line:-}" = readyok ]; do read -r -u "${ENGINE[0]}" line || exit 1; done
    for i in 5 4 3 2 1 0; do
        analyse "$1" "${fens[i]}"
        [ "$i" != 5 ] || local first=$nodes first_ms=$ms
        [ "$i" = 0 ] || { first_all=$((first_all + nodes)); first_all_ms=$((first_all_ms + ms)); }
    done
    for i in 1 2 3 4 5; do
        analyse "$1" "${fens[i]}"
        again_all=$((again_all + nodes)) again_all_ms=$((again_all_ms + ms))
    done
    echo "$first $nodes $first_all $again_all $first_ms $ms $first_all_ms $again_all_ms"
    echo quit >&"${ENGINE[1]}"
    wait "$ENGINE_PID" 2> /dev/null || :
}

# Six positions of each game, from its fifth on: name, a tab, FEN.
positions=$(awk -F '; |;$|"' '{ split($0, w, " "); game = substr($2, 1, 4); n[game]++
    if (n[game] > 5 && n[game] <= 11) print game "\t" w[1], w[2], w[3], w[4] }' "$suite")
names=$(cut -f 1 <<< "$positions" | uniq | head -n "$games")

printf '%-6s  %23s  %23s  %23s\n' game 'forgets: first, again' 'ages: first, again' 'keeps: first, again'
for name in $names; do
    mapfile -t fens < <(sed -n "s/^$name\t//p" <<< "$positions")
    for way in forgets ages keeps; do
        row="$way $name $(trip "$way")"
        echo "$row"
        echo "$depth,$hash,${row// /,}" >> "$csv"
    done
done | awk '
    { for (i = 3; i <= 10; i++) sum[$1, i] += $i }
    { row = row sprintf("  %11d %11d", $3, $4) }
    $1 == "keeps" { printf "%-6s%s\n", $2, row; fflush(); row = "" }
    function share(way, part, whole) { return 100 * sum[way, part] / (sum[way, whole] > 0 ? sum[way, whole] : 1) }
    END {
        split("forgets ages keeps", ways, " ")
        for (i = 1; i <= 3; i++) {
            w = ways[i]
            printf "%-8s the last position: %d nodes, then %d (%.1f%%); %.1f s, then %.1f s (%.1f%%)\n", w,
                sum[w, 3], sum[w, 4], share(w, 4, 3), sum[w, 7] / 1000, sum[w, 8] / 1000, share(w, 8, 7)
            printf "%-8s all on the way:    %d nodes, then %d (%.1f%%); %.1f s, then %.1f s (%.1f%%)\n", w,
                sum[w, 5], sum[w, 6], share(w, 6, 5), sum[w, 9] / 1000, sum[w, 10] / 1000, share(w, 10, 9)
        }
    }'
