#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tools_session.sh FOLDER ENGINE: the tools in FOLDER and the engine on the way from games to a network and
# through each experiment of the laboratory, all very small. The last line is "N passed, N failed".
set -u
if [ $# != 2 ] || [ ! -x "$1/palimpsest-datagen" ] || [ ! -x "$2" ]; then
    echo "usage: $0 FOLDER ENGINE" >&2
    exit 2
fi
bin=$(cd "$1" && pwd)
engine=$(realpath "$2")
results=$(dirname "$(realpath "$0")")/lab/results
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/checks.sh"
cd "$work" || exit 1

# COMMAND... ends with the exit STATUS and says a line like REGEX, which may be empty.
ends() { # STATUS REGEX COMMAND...
    local status=$1 regex=$2
    shift 2
    "$@" > answer 2>&1
    local got=$?
    cat answer
    [ $got = "$status" ] || { echo "status $got, not $status"; return 1; }
    [ -z "$regex" ] || grep -qE -e "$regex" answer || { echo "no line like '$regex'"; return 1; }
}

datagen="$bin/palimpsest-datagen" train="$bin/palimpsest-train" lab="$bin/palimpsest-lab"
options=(--out games --threads 2 --soft 50 --hard 200 --seed 7 --eval bootstrap)
play() { "$datagen" "${options[@]}" "$@"; }
killed() {
    "$datagen" "${options[@]}" --games 100000 &
    sleep 0.5
    kill -9 $!
    wait $! 2> /dev/null
    return 0
}
limited() { timeout 60 "$@"; }

check "games are played" ends 0 "" play --games 40
check "they can be replayed" ends 0 "" "$datagen" --verify games
check "and counted" ends 0 "^games +40:" "$datagen" --stats games
check "a killed run" ends 0 "" killed
check "is gone on with" ends 0 "" play --games 400
check "and has lost nothing but the game in hand" ends 0 "" "$datagen" --verify games
check "chances of winning are fitted to them" ends 0 "^\{\{[0-9.]+, [0-9., -]+\}, \{[0-9.]+, [0-9., -]+\}\}$" \
    "$datagen" --wdl games --figure figure.txt
check "and drawn" ends 0 "[0-9]" cat figure.txt
check "which takes games" ends 1 "too few" "$datagen" --wdl /dev/null
printf 'x' >> games
check "a file with something after its end is told" ends 1 "" "$datagen" --verify games
check "an option that makes no sense is refused" ends 2 "soft" "$datagen" --out games --games 1 --soft many
check "so is a missing one" ends 2 "" "$datagen" --games 1

check "a network is trained" ends 0 "" "$train" --out a.nnue --epochs 2 --threads 2 games
check "and exported again on another scale" ends 0 "" \
    "$train" --out a.nnue --epochs 2 --threads 2 --resume --output-scale 0.9 games
check "the engine takes it" ends 0 "^Network: " \
    "$engine" "setoption name EvalFile value $work/a.nnue" eval "go depth 6"
check "and searches by it" ends 0 "^bestmove" "$engine" "setoption name EvalFile value $work/a.nnue" "go depth 8"
check "the next generation is played by it" ends 0 "" \
    "$datagen" --out next --games 10 --soft 50 --hard 200 --eval a.nnue --threads 1
head -c 1000 a.nnue > short.nnue
check "half a network is refused and the old one stays" ends 1 "error: EvalFile: .* the old one stays" \
    "$engine" "setoption name EvalFile value $work/short.nnue"
check "a training without games is refused" ends 1 "" "$train" --out c.nnue nothing-there

check "perft through a table with whole keys is exact" ends 0 "4865609" "$lab" perft --key 64 --depth 5 --hash 16
check "no torn entry is accepted" ends 0 "folded" limited "$lab" torn --operations 2000000 --lock folded
printf '%s\n' 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -' \
    'r2q1rk1/ppp2ppp/2npbn2/4p3/4P3/2NPBN2/PPP2PPP/R2Q1RK1 w - -' > two.epd
check "the experiment of 1994" ends 0 "" limited "$lab" replacement --positions two.epd --max-ply 4 --csv r.csv --jobs 2
check "and its report" ends 0 "TwoBig1" "$lab" replacement --positions two.epd --report r.csv
same_report() {
    "$lab" replacement --report "$results/replacement.csv" --markdown | diff - "$results/replacement.md"
}
check "the committed report is that of the committed observations" ends 0 "" same_report
check "schemes in the playing engine" ends 0 "Thompson" \
    limited "$lab" modern --suite two.epd --depth 6 --eval bootstrap --jobs 2
check "rules of reading the table" ends 0 "one-move" limited "$lab" reads --suite two.epd --depth 6 --eval bootstrap --jobs 2
check "short keys" ends 0 "48" limited "$lab" keybits --suite two.epd --depth 6 --hash 1 --eval bootstrap

print_counts
