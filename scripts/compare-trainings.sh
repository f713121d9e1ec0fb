#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# compare-trainings.sh A B [NAME=VALUE ...]: compares two networks by games. Trains variants A and B, which differ only in the
# settings that A and B name, and plays a match between them.
#   A, B: `base` (the defaults), or a list joined by commas of: hidden=N buckets=N mirrored=0 marks=2 (arch.h),
#   lambda=X epochs=N positions=N hindsight=X power=X unit=X (palimpsest-train), data=FILE (games, in place of DATA)
#   compare-trainings.sh hidden=128 base
#   compare-trainings.sh data=.data/soft600,epochs=24 data=.data/soft200 LIMIT=nodes=3000
# NAMEs and defaults: DATA (the games of all generations in .data), POSITIONS (12000000), EPOCHS (8),
#   LAMBDA (0.2), SEED (1), GAMES (400), LIMIT (nodes=3000; or a time control, 1+0.01).
# Everything is kept in .data/choices; a variant found there is not trained again. While one process trains a variant, another
# that needs it is refused.
# The match needs fastchess on the PATH and openings: see fastchess.sh.
set -euo pipefail
. "$(dirname "$0")/usage.sh"
. "$(dirname "$0")/fastchess.sh"

[ $# -ge 2 ] || usage
first=$1 second=$2
shift 2
cd "$(dirname "$0")/.."
DATA=$(echo .data/gen-*/games) POSITIONS=12000000 EPOCHS=8 LAMBDA=0.2 SEED=1 GAMES=400 LIMIT=nodes=3000
for setting; do
    [[ $setting =~ ^(DATA|POSITIONS|EPOCHS|LAMBDA|SEED|GAMES|LIMIT)= ]] || usage
    declare "${setting%%=*}=${setting#*=}"
done

# Faults that would be found only after a training.
for word in ${first//,/ } ${second//,/ }; do
    [[ $word =~ ^(base|(hidden|buckets|mirrored|marks|lambda|epochs|positions|hindsight|power|unit|data)=.+)$ ]] || usage
done
need_pairs "$GAMES"
is_limit "$LIMIT" || end_without "LIMIT is such as nodes=3000 or 1+0.01, not '$LIMIT'"
need_fastchess
find_book book-uho-4060-v4-30k.epd # that of match.sh

# Reads the settings of the variant $1; sets $out to its folder, which no other process may train in until release_folders.
choose_variant() {
    local word
    flags='' more='' lambda=$LAMBDA epochs=$EPOCHS positions=$POSITIONS data=$DATA
    for word in ${1//,/ }; do
        case $word in
            base) ;;
            hidden=*) flags+=" -DNNUE_HIDDEN=${word#*=}" ;;
            buckets=*) flags+=" -DNNUE_BUCKETS=${word#*=}" ;;
            mirrored=*) flags+=" -DNNUE_MIRRORED=${word#*=}" ;;
            marks=*) flags+=" -DNNUE_MARKS=${word#*=}" ;;
            lambda=*) lambda=${word#*=} ;;
            epochs=*) epochs=${word#*=} ;;
            positions=*) positions=${word#*=} ;;
            hindsight=* | power=* | unit=*) more+=" --${word/=/ }" ;;
            data=*) data=${word#*=} ;;
        esac
    done
    local settings="lambda $lambda epochs $epochs positions $positions seed $SEED${more// --/ }"
    # With another architecture, trainer or choice of positions, the same settings give another network.
    settings+=" code $(cat src/chess/{bitboard,position}.h src/games/*.[ch] src/nnue/*.[chS] src/train/*.[ch] | sha256sum | cut -c 1-12)"
    # shellcheck disable=SC2086 # a list of files
    settings+=" data $(stat -c '%n:%s' $data | xargs)"
    out=.data/choices/$(echo "$1 $settings" | sha256sum | cut -c 1-12)
    mkdir -p "$out"
    [ -e "$out/net.nnue" ] || hold_folder "$out" "trains '$1'"
    echo "$1: $settings" > "$out/settings"
}

# Builds and trains the variant $1; sets $out to its folder.
make_variant() {
    choose_variant "$1"
    # Always rebuilt, so that both engines have the same code even if their networks were trained at different times.
    attend make -s tools engine EVALFILE= EXTRA_CFLAGS="$flags" BUILD="build/choice$(echo "$flags" | tr -d ' ')" EXE="$out/palimpsest"
    [ ! -e "$out/net.nnue" ] || return 0
    local resume=()
    [ ! -e "$out/part.nnue.ckpt" ] || resume=(--resume)
    # shellcheck disable=SC2086 # a list of files
    attend_logged "$out/training.txt" "$out/palimpsest-train" --out "$out/part.nnue" ${resume[@]+"${resume[@]}"} \
        --lambda "$lambda" --epochs "$epochs" --seed "$SEED" --max-positions "$positions" $more $data
    mv "$out/part.nnue" "$out/net.nnue"
}

end_at_signals TERM
choose_variant "$second" # another process may train it: better known before the first training
make_variant "$first"
a=$out
make_variant "$second"
b=$out
release_folders
for out in "$a" "$b"; do # otherwise the engine would use the hand-written evaluation
    if "$out/palimpsest" "setoption name EvalFile value $PWD/$out/net.nnue" | grep error >&2; then exit 1; fi
done
# A change of the engines or of GAMES makes another match. match.sh keeps two processes from the same folder, so the log there
# is of one match.
match=$a/against-$(basename "$b")-$LIMIT-$GAMES-$(digest "$a/palimpsest")
ENGINE_OPTIONS="EvalFile=$PWD/$a/net.nnue"$'\n' OPPONENT_OPTIONS="EvalFile=$PWD/$b/net.nnue"$'\n' attend scripts/match.sh \
    "$a/palimpsest" "$b/palimpsest" "$GAMES" "$LIMIT" standard "$match" > /dev/null
{
    cat "$a/settings" "$b/settings"
    tail -qn 4 "$a/training.txt" "$b/training.txt" | grep '^epoch'
    echo "$first against $second at $LIMIT:"
    grep -E '^(Elo|Games|Ptnml)' "$match/log.txt" | tail -n 3
} | tee "$a/report.txt"
