#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# generation.sh N [NAME=VALUE ...]: makes generation N of the network: games, training, and a match.
#   1. games:     self-play with the parent network (N = 0: with the hand-written evaluation)
#   2. training:  on all game files of this and earlier generations, from scratch
#   3. unit:      rescales the output of the network, so that 50% of games are won at the same score as in
#                 generation 0. scripts/wdl/README.md has that score for longer games
#   4. match:     against the parent, paired openings; needs fastchess on the PATH and openings: see fastchess.sh
#   5. report:    .data/gen-N/report.txt, ready for nets/history.md
# The same command continues after an interruption and skips the steps that are done.
# For other settings choose another N or empty .data/gen-N (its `games` may stay).
#   generation.sh 0
#   generation.sh 0 POSITIONS=300000 EPOCHS=8 GAMES=40 SHARED_GAMES=no        only a try, in minutes: the network is weak
#   generation.sh 3 PARENT=.data/gen-2/net.nnue POSITIONS=30000000 LAMBDA=0.2
# NAMEs and defaults: PARENT (the network of N - 1), POSITIONS (20000000: to play in this generation),
#   SOFT, HARD (200, 1000 nodes per move), SEED (1000 + N), EPOCHS (30), LAMBDA (0.1), HINDSIGHT (0.8), LR (0.001),
#   GAMES (400; 0: no match), TC (2+0.02), THREADS (all cores), DATA (more game files, besides those of ../shared/games),
#   SHARED_GAMES (yes; no: without those),
#   UNIT (the score at which 50% of games are won; default: that of generation 0, which measures it), FIRST (0: the first
#   generation to train on),
#   OPENING_PLIES, OPENING_HALF, WIN_SCORE (8, 0, 1500: see --help of palimpsest-datagen),
#   TREE (0: tree nodes to keep of each search, and to learn from), TREE_DEPTH (3 plies), TREE_SCALE (1: --tree-scale),
#   HIDDEN, PARENT_HIDDEN (neurons of the new network and of its parent; default: src/nnue/arch.h).
set -euo pipefail
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/usage.sh"
. "$(dirname "$0")/fastchess.sh"

fail() { echo "generation.sh: $*" >&2; exit 1; }
half_won() { "$out/palimpsest-datagen" --stats "$1" | sed -n 's/^wins .*: a = \([0-9.]*\) .*/\1/p'; }

[[ ${1:-} =~ ^(0|[1-9][0-9]{0,5})$ ]] || usage # 08 would be an octal number
n=$1
shift
cd "$(dirname "$0")/.."
PARENT=.data/gen-$((n - 1))/net.nnue
POSITIONS=20000000 SOFT=200 HARD=1000 SEED=$((1000 + n)) EPOCHS=30 LAMBDA=0.1 HINDSIGHT=0.8 LR=0.001
GAMES=400 TC=2+0.02 THREADS=$(nproc) DATA='' UNIT='' FIRST=0 TREE=0 TREE_DEPTH=3 TREE_SCALE=1
SHARED_GAMES=yes
OPENING_PLIES=8 OPENING_HALF=0 WIN_SCORE=1500
HIDDEN=$(sed -n 's/^#define NNUE_HIDDEN \([0-9]*\).*/\1/p' src/nnue/arch.h) PARENT_HIDDEN=''
names=" PARENT POSITIONS SOFT HARD SEED EPOCHS LAMBDA HINDSIGHT LR GAMES TC THREADS DATA UNIT FIRST HIDDEN PARENT_HIDDEN TREE TREE_DEPTH TREE_SCALE SHARED_GAMES OPENING_PLIES OPENING_HALF WIN_SCORE "
for setting; do
    name=${setting%%=*}
    [[ $setting = *=* && $names = *" $name "* ]] || usage
    declare "$name=${setting#*=}"
done

# Faults that would be found only after the games.
must_be() { # WHAT REGEX NAME...
    local name
    for name in "${@:3}"; do [[ ${!name} =~ ^$2$ ]] || fail "$name is $1, not '${!name}'"; done
}
must_be "a number" '(0|[1-9][0-9]*)' POSITIONS SOFT HARD SEED EPOCHS GAMES THREADS FIRST OPENING_PLIES OPENING_HALF WIN_SCORE TREE TREE_DEPTH
must_be "a number" "$number" LR TREE_SCALE
must_be "a number" "($number|)" UNIT
must_lie() { # LEAST MOST NAME...
    local name
    for name in "${@:3}"; do
        awk -v x="${!name:-$1}" -v least="$1" -v most="$2" 'BEGIN { exit !(least <= x && x <= most) }' ||
            fail "$name is from $1 to $2, not '${!name}'"
    done
}
must_lie 1 100000 EPOCHS # as in palimpsest-train --help
must_lie 0.000002 1 LR # at least --lr-end
must_lie 0 9007199254740991 SEED
must_lie 0 "$n" FIRST
must_lie 1 10000 UNIT
must_lie 0.05 4 TREE_SCALE
must_lie 1 1e12 POSITIONS THREADS
is_limit "$TC" || fail "TC is such as 2+0.02 or nodes=10000, not '$TC'"
must_be "from 0 to 1" '(0|1|0?\.[0-9]+|1\.0*)' LAMBDA HINDSIGHT
must_be "yes or no" '(yes|no)' SHARED_GAMES
((HARD >= SOFT)) || fail "HARD is less than SOFT"
[ "$n" != 0 ] || [ "$PARENT" = .data/gen--1/net.nnue ] || fail "PARENT has no effect in generation 0"
((GAMES % 2 == 0)) || fail "GAMES must be even: each opening is played with both colours"
[ "$TREE" != 0 ] || [ "$TREE_DEPTH $TREE_SCALE" = "3 1" ] || fail "TREE_DEPTH and TREE_SCALE have no effect without TREE"
[ "$n" != 0 ] || [ -n "$UNIT" ] || [ "$SOFT $HARD $OPENING_PLIES $OPENING_HALF $WIN_SCORE" = "200 1000 8 0 1500" ] ||
    fail "in generation 0 other SOFT, HARD, OPENING_... or WIN_SCORE need a UNIT: step 3 measures networks in games of the defaults"
out=.data/gen-$n
first=.data/gen-0
eval=$PARENT
[ "$n" = 0 ] && eval=bootstrap
[ "$eval" = bootstrap ] || [ -r "$eval" ] || fail "no parent network $eval (PARENT=...)"
[ "$n" = 0 ] || [ -n "$UNIT" ] || [ -e "$first/unit" ] || [ -e "$first/games" ] ||
    fail "no $first/games to measure the unit in (UNIT=...)"
# Prints the files of games besides those of the generations, one a line.
list_more_games() {
    local file
    for file in "${PALIMPSEST_SHARED:-../shared}"/games/*; do
        [ "$SHARED_GAMES" = no ] || [ ! -e "$file" ] || [ "${file##*/}" = SHA256SUMS ] || printf '%s\n' "$file"
    done
    # shellcheck disable=SC2086 # a list of words
    [ -z "$DATA" ] || printf '%s\n' $DATA
}
has_begun() { [ -e "$out/raw.nnue" ] || [ -e "$out/raw.nnue.ckpt" ]; } # the training
magic=$(sed -n 's/^#define GAMECODE_MAGIC "\(.*\)"$/\1/p' src/games/gamecode.h) # the first bytes of a file of games
has_begun || list_more_games | while IFS= read -r file; do
    [ -r "$file" ] || fail "cannot read the games '$file' (DATA, SHARED_GAMES)"
    [ "$(head -c ${#magic} "$file" 2> /dev/null | tr -d '\0')" = "$magic" ] ||
        fail "'$file' is not a file of games (DATA, SHARED_GAMES)"
done
if [ "$GAMES" -gt 0 ] && [ ! -e "$out/match.txt" ]; then
    if command -v fastchess > /dev/null; then
        find_book book-uho-4060-v4-30k.epd # that of match.sh: better now than after the training
    else
        echo "There will be no match, because fastchess is not on the PATH." >&2
    fi
fi
mkdir -p "$out"
hold_folder "$out"
end_at_signals TERM

# Do not mix files that were made with other settings.
settings=$eval
[ "$eval" = bootstrap ] || settings+=" sha256 $(digest "$eval")"
settings+=" soft $SOFT hard $HARD seed $SEED positions $POSITIONS epochs $EPOCHS lambda $LAMBDA hindsight $HINDSIGHT lr $LR"
PARENT_HIDDEN=${PARENT_HIDDEN:-$HIDDEN}
settings+=" first $FIRST hidden $HIDDEN unit ${UNIT:-of generation 0}"
[ "$TREE" = 0 ] || settings+=" tree $TREE depth $TREE_DEPTH scale $TREE_SCALE"
[ "$OPENING_PLIES $OPENING_HALF" = "8 0" ] || settings+=" opening plies $OPENING_PLIES half $OPENING_HALF"
[ "$WIN_SCORE" = 1500 ] || settings+=" win score $WIN_SCORE"
[ "$SHARED_GAMES" = yes ] || settings+=" shared games $SHARED_GAMES"
[ -z "$DATA" ] || settings+=" data $DATA"
[ ! -s "$out/settings" ] || [ "$(cat "$out/settings")" = "$settings" ] ||
    fail "$out was started with other settings: $(cat "$out/settings")
not with: $settings"
echo "$settings" > "$out/settings"
# The match may come later: GAMES=0 has none.
match="$GAMES games at $TC"
if [ "$GAMES" -gt 0 ] && [ -e "$out/match.txt" ] && [ -e "$out/match.settings" ]; then
    played=$(cat "$out/match.settings")
    [ "$played" = "$match" ] || fail "$out has a match of $played: delete $out/match.txt to play another"
fi

# Builds the programs for networks of NEURONS in FOLDER, so that builds elsewhere do not change them during this run.
build() { # NEURONS FOLDER
    [ ! -e "$2/built" ] || return 0
    attend make -s tools engine EVALFILE= EXTRA_CFLAGS="-DNNUE_HIDDEN=$1" BUILD="build/generation-$1" EXE="$2/palimpsest"
    touch "$2/built"
}
old=$out
[ "$PARENT_HIDDEN" = "$HIDDEN" ] || old=$out/parent
build "$PARENT_HIDDEN" "$old"
build "$HIDDEN" "$out"

echo "== $n.1 games"
play=(--threads "$THREADS" --soft "$SOFT" --hard "$HARD" --opening-plies "$OPENING_PLIES" --opening-half "$OPENING_HALF"
    --win-score "$WIN_SCORE")
[ "$TREE" = 0 ] || play+=(--tree "$TREE" --tree-depth "$TREE_DEPTH")
attend "$old/palimpsest-datagen" "${play[@]}" --out "$out/games" --positions "$POSITIONS" --seed "$SEED" --eval "$eval"

# The unit: the score at which half of the games of generation 0 were won. Training converts scores to expected points
# with it, and each network is rescaled to it. A UNIT given to generation 0 is that of all later generations, because its
# games may have other settings than those in which step 3 measures networks.
if [ "$n" = 0 ] && [ -n "$UNIT" ]; then echo "$UNIT" > "$first/unit"; fi
[ -n "$UNIT" ] || [ -s "$first/unit" ] || half_won "$first/games" > "$first/unit"
UNIT=${UNIT:-$(cat "$first/unit")}
[ -n "$UNIT" ] || fail "too few games to find where 50% are won"

echo "== $n.2 training"
shopt -s nullglob
data=()
for file in .data/gen-*/games; do
    generation=${file#.data/gen-}
    generation=${generation%/games}
    [[ $generation =~ ^[0-9]+$ ]] || continue
    [ "$generation" -lt "$FIRST" ] || [ "$generation" -gt "$n" ] || data+=("$file")
done
readarray -t -O ${#data[@]} data < <(list_more_games)
# A training that has begun keeps its list of files, even if more files exist now.
has_begun || printf '%s\n' "${data[@]}" > "$out/data"
[ ! -e "$out/data" ] || readarray -t data < "$out/data"
train=("$out/palimpsest-train" --epochs "$EPOCHS" --lambda "$LAMBDA" --lr "$LR" --seed "$SEED"
    --threads $((THREADS < 256 ? THREADS : 256)) # the most that the trainer takes
    --unit "$UNIT" --hindsight "$HINDSIGHT")
[ "$TREE" = 0 ] || train+=(--tree 1 --tree-scale "$TREE_SCALE")
if [ ! -e "$out/raw.nnue" ]; then
    rm -f "$out"/{unit-games,net.nnue,match.txt}
    resume=()
    [ ! -e "$out/raw.nnue.ckpt" ] || resume=(--resume)
    attend_logged "$out/training.txt" "${train[@]}" --out "$out/raw.nnue" ${resume[@]+"${resume[@]}"} "${data[@]}"
fi

echo "== $n.3 unit"
# The last thing that this step makes is net.nnue.
if [ ! -e "$out/net.nnue" ] || [ ! -s "$out/unit.txt" ]; then
    # Always as generation 0 played: the factor depends on the strength of play and on the openings.
    attend "$out/palimpsest-datagen" --threads "$THREADS" --soft 200 --hard 1000 --out "$out/unit-games" --games 4000 --seed $((SEED + 500)) --eval "$out/raw.nnue"
    found=$(half_won "$out/unit-games")
    [ -n "$found" ] || fail "too few games to find where 50% are won"
    factor=$(awk "BEGIN { printf \"%.4f\", $UNIT / $found }")
    # Export the float model again, so that nothing is rounded twice.
    cp "$out/raw.nnue.ckpt" "$out/net.part.nnue.ckpt"
    attend "${train[@]}" --out "$out/net.part.nnue" --resume --output-scale "$factor" "${data[@]}" > "$out/export.txt"
    ! grep '^epoch' "$out/export.txt" ||
        fail "$out/raw.nnue.ckpt does not belong to $out/raw.nnue: delete raw.nnue to continue the training"
    echo "50% won at $found units, at $UNIT in generation 0: rescaled by $factor" | tee "$out/unit.txt"
    mv "$out/net.part.nnue.ckpt" "$out/net.nnue.ckpt"
    mv "$out/net.part.nnue" "$out/net.nnue"
fi

if [ "$GAMES" -gt 0 ] && [ ! -e "$out/match.txt" ] && command -v fastchess > /dev/null; then
    echo "== $n.4 match"
    parent=
    [ "$eval" = bootstrap ] || parent="EvalFile=$(realpath "$eval")"$'\n'
    rm -rf "$out/match" # perhaps of an earlier network
    ENGINE_OPTIONS="EvalFile=$PWD/$out/net.nnue"$'\n' OPPONENT_OPTIONS=$parent attend scripts/match.sh \
        "$out/palimpsest" "$old/palimpsest" "$GAMES" "$TC" standard "$out/match" > "$out/match.part"
    echo "$match" > "$out/match.settings"
    mv "$out/match.part" "$out/match.txt"
elif [ "$GAMES" -gt 0 ] && [ ! -e "$out/match.txt" ]; then
    echo "skipped: the match: fastchess is not installed"
fi

{
    echo "generation $n: parent $settings"
    echo "data: ${data[*]}"
    tail -n 4 "$out/training.txt"
    cat "$out/unit.txt"
    [ ! -e "$out/export.txt" ] || tail -n 2 "$out/export.txt" | sed 's/net\.part\.nnue$/net.nnue/'
    sha256sum "$out/net.nnue"
    [ ! -e "$out/match.txt" ] || grep -E '^(Elo|Games|Ptnml)' "$out/match.txt" | tail -n 3
} | tee "$out/report.txt"
