#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# check-games.sh GAMES [ENGINE [OUT]]: plays the engine against itself with fastchess under its strictest rules.
#   check-games.sh 400                        ./palimpsest, 400 games in each way, logs in .data/check-games
# The ways: one thread, two threads, MultiPV 4, and tablebases if the shared data have them; all games are played to the
# end. Every warning of fastchess is an error: illegal moves, lines that continue after a draw, announced mates whose line
# is too short or does not end in mate. This script also checks what fastchess does not: that best and ponder move are the
# first and second move of the best line, and that the other MultiPV lines with a mate score are complete.
# Environment: TC (1+0.01), NODES (in place of time), CONCURRENCY (1), SEED (20261121), BOOK (default: the shared one).
# Each move may take a second too long, because the machine may be busy. The status is 0 if nothing is wrong.
# Needs fastchess on the PATH and openings: see fastchess.sh.
set -eu
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/usage.sh"
. "$(dirname "$0")/fastchess.sh"

[ $# -ge 1 ] && [ "$1" -ge 2 ] 2> /dev/null || usage
need_program "${2:-./palimpsest}"
games=$1 engine=$(realpath "${2:-./palimpsest}") out=${3:-.data/check-games}
need_fastchess
shared=${PALIMPSEST_SHARED:-../shared}
find_book book-uho-4060-v4-30k.epd
ways=(Threads=1 Threads=2 MultiPV=4)
[ -d "$shared/syzygy/tables" ] && ways+=("SyzygyPath=$(realpath "$shared/syzygy/tables")")
limits=("tc=${TC:-1+0.01}" timemargin=1000)
[ -z "${NODES:-}" ] || limits=(tc=inf "nodes=$NODES")
mkdir -p "$out"
out=$(realpath "$out")
hold_folder "$out"
cd "$out" # fastchess writes a file here when it stops early
end_at_signals INT

# Reads the log of all output, separately for each game (a thread of fastchess) and side; prints errors, then how much was
# checked.
check='
    function complain(what) { print way ": " what ": " $0; bad++ }
    / ---> info .* pv / {
        split($0, side, " ---> "); who = side[1]; sub(/^[^<]*/, "", who)
        n = split(side[2], word, " "); at = rank = mate = bound = 0
        for (i = 1; i <= n && at == 0; i++) {
            if (word[i] == "multipv") rank = word[i + 1]
            if (word[i] == "mate") mate = word[i + 1]
            if (word[i] ~ /bound$/) bound = 1
            if (word[i] == "pv") at = i
        }
        lines++
        wanted = mate > 0 ? 2 * mate - 1 : -2 * mate
        if (mate != 0 && !bound) {
            mates++
            if (n - at != wanted) complain("a mating line is not complete")
        }
        if (rank <= 1) { first[who] = word[at + 1]; second[who] = n > at + 1 ? word[at + 2] : "" }
    }
    / ---> bestmove / {
        split($0, side, " ---> "); who = side[1]; sub(/^[^<]*/, "", who)
        split(side[2] " ", word, " "); moves++
        if (word[2] != first[who]) complain("the best move is not the first of the line, " first[who])
        if (word[4] != second[who]) complain("the move to ponder on is not the second, " second[who])
        first[who] = second[who] = "none"
    }
    END {
        printf "%s: %d moves, %d lines, %d of them to mate: %d wrong\n", way, moves, lines, mates, bad
        exit bad > 0 || moves == 0
    }'

status=0
echo "== fastchess --compliance"
attend fastchess --compliance "$engine" "" > "$out/compliance.txt" 2>&1 && tail -1 "$out/compliance.txt" ||
    { cat "$out/compliance.txt"; status=1; }
for way in "${ways[@]}"; do
    echo "== $way"
    log=$out/${way%%=*}-${way##*[=/]}
    found=0
    attend fastchess \
        -engine "cmd=$engine" name=white "option.$way" -engine "cmd=$engine" name=black "option.$way" \
        -each "${limits[@]}" option.Hash=16 -strict -check-mate-pvs \
        -openings "file=$book" format=epd order=random -srand "${SEED:-20261121}" \
        -games 2 -repeat -rounds $((games / 2)) -concurrency "${CONCURRENCY:-1}" \
        -config "outname=$out/config.json" -pgnout "file=$log.pgn" append=false \
        -log "file=$log.log" level=trace engine=true append=false \
        > "$log.txt" 2>&1 || found=1
    grep -iE '^\[(WARN|ERR|FATAL)|warning|illegal' "$log.log" && found=1
    grep -o '^Finished game.*' "$log.txt" | sed 's/.*{\(.*\)}.*/\1/' | sort | uniq -c
    awk -v way="$way" "$check" "$log.log" || found=1
    [ $found = 0 ] && rm "$log.log" || status=1
done
[ $status = 0 ] && echo "check-games: nothing wrong" || echo "check-games: FAILED, see $out"
exit $status
