#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# busy-match.sh ENGINE OPPONENT GAMES TC [OUT]: plays a match on a machine that is kept busy, and counts games lost on time.
#   busy-match.sh ./palimpsest /usr/games/stockfish 200 1+0.01           games and logs in .data/busy
# Environment, each 0 for none:
#   BUSY=8         processes that compute all the time, every other one at low priority
#   PAUSES=1       a running engine is stopped for 50 to 300 ms (SIGSTOP), every 0.7 s on average
#   DELAY=0        ms that `go` and `bestmove` take from GUI to engine and back (delay-engine.sh)
#   CONCURRENCY=2  games at the same time; more than processors are a load, too
# Both engines suffer alike. The status is 1 if ENGINE lost a game on time.
# Needs fastchess on the PATH and openings: see fastchess.sh.
set -euo pipefail
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/usage.sh"
. "$(dirname "$0")/fastchess.sh"

if [ $# -lt 4 ] || [ $# -gt 5 ]; then usage; fi
engine=$(realpath "$1") opponent=$(realpath "$2") games=$3 tc=$4 out=${5:-.data/busy}
need_fastchess
find_book book-uho-4060-v4-30k.epd
mkdir -p "$out"
hold_folder "$out"
rm -f "$out/games.pgn"

connect() { # ENGINE NAME: prints what fastchess needs to start it
    if [ "${DELAY:-0}" = 0 ]; then echo "cmd=$1"; else
        printf '#!/bin/bash\nexec "%s/delay-engine.sh" %d "%s"\n' "$(dirname "$(realpath "$0")")" "$DELAY" "$1" > "$out/$2"
        chmod +x "$out/$2"
        echo "cmd=$(realpath "$out/$2")"
    fi
}

# The command lines of both engines, as an extended regular expression (-s 0: not those of other sessions on this machine).
engines=$(printf '%s\n' "$engine" "$opponent" | sed 's/[][\.*^$+?(){}|]/\\&/g' | paste -s -d '|')

is_playing() { kill -0 $$ 2> /dev/null; } # false after kill -9 of this script

# Stops one running engine after the other.
pause_engines() {
    while is_playing && sleep "0.$((RANDOM % 900 + 100))"; do
        pid=$(pgrep -s 0 -x -f "$engines" | shuf -n 1) || continue
        kill -STOP "$pid" 2> /dev/null || continue
        sleep "0.$(printf '%03d' $((RANDOM % 250 + 50)))"
        kill -CONT "$pid" 2> /dev/null || true
    done
}

helpers=()
for ((i = 0; i < ${BUSY:-8}; i++)); do
    nice -n $((i % 2 * 19)) bash -c "while kill -0 $$ 2> /dev/null; do :; done" & helpers+=($!)
done
if [ "${PAUSES:-1}" = 1 ]; then pause_engines & helpers+=($!); fi
[ ${#helpers[@]} = 0 ] || disown "${helpers[@]}" # end_at_signals() would wait for them
trap 'kill "${helpers[@]}" 2> /dev/null || true; pkill -CONT -s 0 -x -f "$engines" || true' EXIT
end_at_signals INT

attend fastchess -engine "$(connect "$engine" new)" name=new option.Hash=16 -engine "$(connect "$opponent" old)" name=old \
    option.Hash=16 -each "tc=$tc" -openings "file=$book" format=epd order=random -srand "${SEED:-20261121}" \
    -games 2 -repeat -rounds $((games / 2)) -concurrency "${CONCURRENCY:-2}" -force-concurrency -recover \
    -config "outname=$out/config.json" -pgnout "file=$out/games.pgn" -log "file=$out/warnings.log" level=warn > "$out/log.txt"

# Who lost on time: the side to move when the flag fell, which is the side that lost.
awk -F '"' '
    /^\[White /  { white = $2 }
    /^\[Black /  { black = $2 }
    /^\[Result / { loser = $2 == "1-0" ? black : $2 == "0-1" ? white : "none"; games++ }
    /^\[Termination "time forfeit"/ { lost[loser]++ }
    END {
        printf "%d games: lost on time %d, the opponent %d\n", games, lost["new"], lost["old"]
        exit games == 0 || lost["new"] > 0
    }' "$out/games.pgn"
