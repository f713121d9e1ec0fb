#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# match.sh ENGINE OPPONENT GAMES TC VARIANT OUT: plays a paired match with fastchess and prints Elo with its interval.
#   OPPONENT is any UCI engine; TC is seconds+increment, or nodes=N for N nodes a move; VARIANT is standard,
#   frc or dfrc; OUT is a folder for games and log. With nodes=N fastchess calls the match "600+10": no clock decides it.
#   match.sh ./palimpsest /usr/games/glaurung 400 2+0.02 standard .data/glaurung
# Environment: ENGINE_OPTIONS, OPPONENT_OPTIONS ("Hash=1 Threads=2"; text with a line break has one option a line, which
#   may have blanks), CONCURRENCY (2), SEED (20261121),
#   BOOK (default: the one of ../shared/data for the variant), SPRT ("0 10": a sequential test that stops when it has
#   decided between these two values of normalised Elo; alpha = beta = 0.05; sprt.sh sets it).
# OUT/conditions.txt names all that the result depends on; sum-matches.sh reads it to add up matches of different seeds. The
# same match in the same OUT goes on if it was interrupted, with the programs and CONCURRENCY of the first start (after kill -9 from
# the last 20 games on; games.pgn may then have some games twice), and begins again if it is finished; another match is refused.
# At 1+X s, ENGINE has a Move Overhead of 5 ms; with SPRT, OPPONENT has the same.
# Needs fastchess on the PATH and openings: see fastchess.sh.
set -euo pipefail
. "$(dirname "$0")/usage.sh"
. "$(dirname "$0")/fastchess.sh"

[ $# -eq 6 ] || usage
engine=$1 opponent=$2 games=$3 tc=$4 variant=$5 out=$6
need_pairs "$games"
is_limit "$tc" || { echo "match.sh: TC is such as 1+0.01 or nodes=10000, not '$tc'" >&2; exit 2; }
need_fastchess

rules=()
case $variant in
    standard) find_book book-uho-4060-v4-30k.epd ;;
    frc) find_book book-frc-3moves-2k.epd; rules=(-variant fischerandom) ;;
    dfrc) find_book book-dfrc-4852-5k.epd; rules=(-variant fischerandom) ;;
    *) usage ;;
esac

# The default overhead of 10 ms is too large for very fast games.
overhead=() limit=("tc=$tc")
case $tc in
    1+*) overhead=("option.Move Overhead=5") ;;
    nodes=*) limit=("$tc" tc=600+10) ;;
esac

# Prints options as words of fastchess, one a line.
words() {
    case $1 in
        *$'\n'*) printf '%s\n' "$1" ;;
        *) printf '%s\n' "$1" | tr -s ' \t' '\n' ;;
    esac | sed -n 's/^./option.&/p'
}
mapfile -t mine < <(words "${ENGINE_OPTIONS:-}")
mapfile -t theirs < <(words "${OPPONENT_OPTIONS:-}")
"$(dirname "$0")/engine-options.sh" "$engine" ${mine[@]+"${mine[@]#option.}"} || exit 1
"$(dirname "$0")/engine-options.sh" "$opponent" ${theirs[@]+"${theirs[@]#option.}"} || exit 1

sequential=()
if [ -n "${SPRT:-}" ]; then
    theirs=(${overhead[@]+"${overhead[@]}"} ${theirs[@]+"${theirs[@]}"})
    sequential=(-sprt "elo0=${SPRT% *}" "elo1=${SPRT#* }" alpha=0.05 beta=0.05 model=normalized)
fi

# With nodestime the engines count the time themselves: a busy machine must not lose a game.
[[ ${ENGINE_OPTIONS:-} != *nodestime=* || ${OPPONENT_OPTIONS:-} != *nodestime=* ]] || limit+=(timemargin=600000)

options() { name_networks Hash=16 "${@#option.}"; }

conditions="engine: $(digest "$engine")
opponent: $(digest "$opponent")
engine_options: $(options ${overhead[@]+"${overhead[@]}"} ${mine[@]+"${mine[@]}"})
opponent_options: $(options ${theirs[@]+"${theirs[@]}"})
limit: ${limit[0]}
variant: $variant
book: $(digest "$book")
sprt: ${SPRT:-none}
games: $games
seed: ${SEED:-20261121}"
[ ! -e "$out/conditions.txt" ] || [ "$(cat "$out/conditions.txt")" = "$conditions" ] ||
    { echo "match.sh: $out has another match ($out/conditions.txt); choose another folder" >&2; exit 2; }
mkdir -p "$out"
hold_folder "$out"
echo "$conditions" > "$out/conditions.txt"
# Whether the match was interrupted: fastchess has saved its state, and the log has no result of all games.
is_interrupted() {
    [ -s "$out/config.json" ] && [ -s "$out/log.txt" ] && ! grep -q '^SPRT .* completed' "$out/log.txt" &&
        [ "$(sed -n 's/^Games: \([0-9]*\),.*/\1/p' "$out/log.txt" | tail -n 1)" != "$games" ]
}

end_at_signals INT
if is_interrupted; then
    attend_logged "$out/log.txt" fastchess -config "file=$out/config.json" "outname=$out/config.json"
    exit
fi
rm -f "$out"/{games.pgn,warnings.log,log.txt,config.json} # new games would be added to them
attend_logged "$out/log.txt" fastchess \
    -engine "cmd=$(realpath "$engine")" name=new option.Hash=16 ${overhead[@]+"${overhead[@]}"} ${mine[@]+"${mine[@]}"} \
    -engine "cmd=$(realpath "$opponent")" name=old option.Hash=16 ${theirs[@]+"${theirs[@]}"} \
    -each "${limit[@]}" ${rules[@]+"${rules[@]}"} \
    -openings "file=$book" format=epd order=random -srand "${SEED:-20261121}" \
    -games 2 -repeat -rounds $((games / 2)) -concurrency "${CONCURRENCY:-2}" -recover \
    -resign movecount=4 score=400 twosided=true -draw movenumber=40 movecount=8 score=8 \
    -ratinginterval 20 -report penta=true ${sequential[@]+"${sequential[@]}"} \
    -config "outname=$out/config.json" -pgnout "file=$out/games.pgn" \
    -log "file=$out/warnings.log" level=warn
