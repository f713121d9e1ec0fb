#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# spsa.sh ENGINE PARAMETERS OUT [NAME=VALUE ...]: tunes search parameters by games (simultaneous perturbation
# stochastic approximation: Spall 1992; the step sizes are those of fishtest). Every batch of games moves each parameter by
# its step, up or down at random, plays this engine against one with all steps reversed, and moves the parameters a little
# towards the winner.
#   ENGINE is a `make tune` build; PARAMETERS a file of lines as its command `tunables` prints them: name, int, start,
#   minimum, maximum, step and learning rate at the end of the run; OUT a folder that keeps the values of every batch, so
#   that the same command continues after an interruption.
#   ./palimpsest-tune tunables | grep -E '^(rfp|lmr)_' > .data/rfp-lmr
#   spsa.sh ./palimpsest-tune .data/rfp-lmr .data/spsa-1 PAIRS=5000
# NAMEs and defaults: PAIRS (5000 pairs of games in all), BATCH (8 pairs in each batch), LIMIT (nodes=10000; or a
#   time control, 1+0.01), RATE (each parameter's own), SEED (20261121), CONCURRENCY (all processors), BOOK, OPTIONS (of
#   both sides, such as "nodestime=250 Threads=2").
# RATE=0 measures only: every parameter stays one step above or below its start, at random. The result is the Elo of each
# step up against the step down, all from the same games (Fisher 1935: a factorial design). To compare 700 with 900, start
# at 800 with a step of -100: a positive Elo then speaks for 700. A switch (0 or 1) starts at 0.5 with a step of 0.5.
# Only an independent match (sprt.sh) proves that the result is a gain. sprt/plot-spsa.gp draws the values.
# Needs fastchess on the PATH and openings: see fastchess.sh.
set -euo pipefail
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/usage.sh"
. "$(dirname "$0")/fastchess.sh"

[ $# -ge 3 ] || usage
engine=$(realpath "$1") parameters=$2 out=$3
shift 3
PAIRS=5000 BATCH=8 LIMIT=nodes=10000 RATE='' SEED=20261121 CONCURRENCY=$(nproc) BOOK='' OPTIONS=''
for setting; do
    [[ $setting =~ ^(PAIRS|BATCH|LIMIT|RATE|SEED|CONCURRENCY|BOOK|OPTIONS)= ]] || usage
    declare "${setting%%=*}=${setting#*=}"
done
for name in PAIRS BATCH SEED CONCURRENCY; do
    [[ ${!name} =~ ^[1-9][0-9]{0,8}$ || $name=${!name} = SEED=0 ]] || # 08 would be an octal number
        { echo "spsa.sh: $name is a number, not '${!name}'" >&2; exit 2; }
done
[[ $RATE =~ ^($number)?$ ]] ||
    { echo "spsa.sh: RATE is a number such as 0.002, not '$RATE'" >&2; exit 2; }
[[ ! $RATE =~ ^[0.]+([eE]|$) ]] || RATE=0
need_program "$engine"
lines=$(sed '/^ *$/d' "$parameters") && [ -n "$lines" ] || { echo "spsa.sh: no parameters in '$parameters'" >&2; exit 2; }
need_fastchess
find_book book-uho-4060-v4-30k.epd
read -ra options <<< "$OPTIONS"
mapfile -t bounds < <(tr -d ' ' <<< "$lines" | awk -F, '{ printf "%s=%.0f\n%s=%.0f\n", $1, $4, $1, $5 }')
"$(dirname "$0")/engine-options.sh" "$engine" "${bounds[@]}" ${options[@]+"${options[@]}"} || exit 1

mkdir -p "$out"
hold_folder "$out"
if [ -e "$out/parameters" ] && [ "$(cat "$out/parameters")" != "$lines" ]; then
    echo "spsa.sh: $out was begun with other parameters; choose another folder" >&2
    exit 2
fi
echo "$lines" > "$out/parameters"
parameters=$out/parameters
# The folder continues only with the settings that the values of its batches depend on.
settings="engine $(sha256sum < "$engine"), book $(sha256sum < "$book"), BATCH=$BATCH LIMIT=$LIMIT RATE=$RATE SEED=$SEED OPTIONS=$(name_networks ${options[@]+"${options[@]}"})"
[ "$RATE" = 0 ] || settings+=" PAIRS=$PAIRS" # the steps depend on it
if [ -e "$out/settings" ] && [ "$(cat "$out/settings")" != "$settings" ]; then
    echo "spsa.sh: $out was begun with other settings ($out/settings); choose another folder" >&2
    exit 2
fi
echo "$settings" > "$out/settings"

# The state is a line `pairs N` and lines as in PARAMETERS, with the current values as fractions. values.csv keeps those of
# every batch.
state=$out/state
if [ ! -e "$state" ]; then
    (echo pairs; cut -d, -f1 "$parameters") | paste -sd, > "$out/values.csv"
    { echo "pairs 0"; tr -d ' ' < "$parameters"; } > "$state"
fi
limit=("tc=$LIMIT")
[[ $LIMIT != nodes=* ]] || limit=("$LIMIT" tc=600+10)
# With nodestime the engines count the time themselves: a busy machine must not lose a game.
[[ $OPTIONS != *nodestime=* ]] || limit+=(timemargin=600000)

# Prints the values of both sides of a batch: a line `name up down chance step rate` for each parameter. Fractions are
# rounded up or down at random.
draw_batch() {
    awk -F, -v seed="$SEED" -v pairs="$PAIRS" -v rate="$RATE" '
        function rounded(x) { x += rand(); return x < 0 && x != int(x) ? int(x) - 1 : int(x) }
        function within(x) { return x < $4 ? $4 : x > $5 ? $5 : x }
        /^pairs/ { split($0, word, " "); k = word[2] + 1; srand(seed + k); for (i = 0; i < 10; i++) rand(); next }
        {
            step = rate == "0" ? $6 : $6 * (pairs / k) ^ 0.101
            learning = (rate != "" ? rate : $7) * $6 ^ 2 * (1.1 * pairs / (k + 0.1 * pairs)) ^ 0.602 / step ^ 2
            chance = rand() < 0.5 ? -1 : 1
            printf "%s %d %d %d %.6f %.9f\n", $1, rounded(within($3 + step * chance)),
                rounded(within($3 - step * chance)), chance, step, learning
        }' "$state"
}

# Moves the parameters towards `up`, which won `$1` games more than it lost in this batch.
follow() {
    awk -v margin="$1" -v batch="$BATCH" '
        NR == FNR { chance[$1] = $4; step[$1] = $5; learning[$1] = $6; next }
        FNR == 1 { print "pairs", $2 + batch; FS = ","; OFS = ","; next }
        {
            $3 += learning[$1] * step[$1] * margin * chance[$1]
            $3 = $3 < $4 ? $4 : $3 > $5 ? $5 : $3
            print
        }' "$out/batch" "$state" > "$state.new"
    mv "$state.new" "$state"
}

# Prints the Elo of a step up of each parameter against a step down: a line `name Elo error` (95%).
print_elo() {
    awk -F, -v games=$((2 * BATCH)) '
        NR == FNR { for (i = 1; i < NF; i++) { x = $i * $NF / games; sum[i] += x; squares[i] += x * x }; n++; next }
        {
            mean = sum[FNR] / n; elo = 200 / log(10) * 4 # Elo per unit of (wins - losses) / games, near 0
            variance = n > 1 ? (squares[FNR] - n * mean ^ 2) / (n - 1) : 0
            error = n > 1 ? sprintf("%.1f", 1.96 * elo * sqrt((variance > 0 ? variance : 0) / n)) : "unknown"
            printf "%s %+.1f +- %s\n", $1, mean * elo, error
        }' "$out/design.csv" "$parameters"
}

end_at_signals INT
started=$SECONDS
first=$(sed -n 's/^pairs //p' "$state")
for ((done = first; done < PAIRS; done += BATCH)); do
    draw_batch > "$out/batch"
    mapfile -t up < <(awk '{ print "option." $1 "=" $2 }' "$out/batch")
    mapfile -t down < <(awk '{ print "option." $1 "=" $3 }' "$out/batch")
    attend fastchess -engine cmd="$engine" name=up "${up[@]}" -engine cmd="$engine" name=down "${down[@]}" \
        -each "${limit[@]}" option.Hash=16 ${options[@]+"${options[@]/#/option.}"} -openings file="$book" format=epd order=random -srand $((SEED + done)) \
        -games 2 -repeat -rounds "$BATCH" -concurrency "$CONCURRENCY" -ratinginterval 0 \
        -resign movecount=4 score=400 twosided=true -draw movenumber=40 movecount=8 score=8 \
        -config outname="$out/config.json" -log file="$out/warnings.log" level=warn > "$out/games"
    margin=$(sed -n 's/^Games: [0-9]*, Wins: \([0-9]*\), Losses: \([0-9]*\),.*/\1 \2/p' "$out/games" | tail -1)
    [ -n "$margin" ] || { echo "spsa.sh: no result of a batch, see $out/games" >&2; exit 1; }
    margin=$((${margin% *} - ${margin#* }))
    follow "$margin"
    # After the state: a run that is killed in between loses a row, but never has one twice.
    (cut -d' ' -f4 "$out/batch"; echo "$margin") | paste -sd, >> "$out/design.csv"
    (echo "$((done + BATCH))"; sed 1d "$state" | cut -d, -f3) | paste -sd, >> "$out/values.csv"
    printf '\r%d of %d pairs, %d min left ' $((done + BATCH)) "$PAIRS" \
        $(((SECONDS - started) * (PAIRS - done - BATCH) / (done + BATCH - first) / 60)) >&2
done
echo >&2
if [ "$RATE" = 0 ]; then
    print_elo | sort -k 2 -gr
    exit
fi
echo "name,start,now"
paste -d, <(tr -d ' ' < "$parameters" | cut -d, -f1,3) <(sed 1d "$state" | awk -F, '{ printf "%.0f\n", $3 }')
