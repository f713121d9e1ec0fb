#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tools-test.sh FOLDER ENGINE: tests the tools in FOLDER, and ENGINE with a network of theirs: makes games, trains a
# network, runs each experiment of the laboratory, judge-by-engine.py, move-loss.py, speed.sh and bench.sh, all very small.
# The last line is "N passed, N failed, N skipped".
set -u
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/usage.sh"
[ $# = 2 ] || usage
need_program "$1/palimpsest-datagen"
need_program "$2"
bin=$(cd "$1" && pwd)
engine=$(realpath "$2")
scripts=$(dirname "$(realpath "$0")")
judge=$scripts/judge-by-engine.py
. "$scripts/checks.sh"
cd "$work" || exit 1

datagen="$bin/palimpsest-datagen" train="$bin/palimpsest-train" lab="$bin/palimpsest-lab"
options=(--out games --threads 2 --soft 50 --hard 200 --seed 7 --eval bootstrap)
play() { "$datagen" "${options[@]}" "$@"; }
grown() { [ "$(wc -c < games)" -gt "$1" ]; } # BYTES
killed() { # after it has added games
    local pid size
    size=$(wc -c < games)
    "$datagen" "${options[@]}" --games 100000 & pid=$!
    soon grown "$size" && kill -9 $pid || return 1
    wait $pid 2> /dev/null
    [ $? = 137 ]
}
count() { "$datagen" --stats "$1" | sed -n 's/^games *\([0-9]*\):.*/\1/p'; }
limited() { timeout 60 "$@"; }
unheard() { "$@" 2>&-; }
to_full() { "$@" > /dev/full; }

check "games are played" ends 0 "" play --games 40
check "the games can be replayed" ends 0 "" "$datagen" --verify games
check "the games are counted" ends 0 "^games +40:" "$datagen" --stats games
check "a run is killed" ends 0 "" killed
total=$(($(count games) + 200)) # how many games the killed run played depends on the machine
check "the killed run is continued" ends 0 "" play --games $total
check "the file of the killed and continued run is intact" ends 0 "" "$datagen" --verify games
"$datagen" --out games2 --games 40 --soft 50 --hard 200 --seed 8 --eval bootstrap 2> /dev/null
head -c 3000 games > games3
check "files of different seeds are merged" ends 0 "^merged: $((total + 40)) games; skipped 0 duplicates" "$datagen" --merge merged games games2
check "a file of the same seed is refused" ends 1 "games3: all of its [0-9]+ games are duplicates; was it made with the --seed" \
    "$datagen" --merge twice games games3
check "then there is no file" ends 1 "" test -e twice
check "the win, draw and loss model is fitted to the games" ends 0 "^\{\{[0-9.]+, [0-9., -]+\}, \{[0-9.]+, [0-9., -]+\}\}$" \
    "$datagen" --wdl games --figure figure.txt
check "the fit is written as a figure" ends 0 "[0-9]" cat figure.txt
check "the fit needs games" ends 1 "too few" "$datagen" --wdl /dev/null
for ((i = 0; i < 200; i++)); do
    printf '[Result "1-0"]\n\n1. e4 {+0.10/5} e5 {-0.10/5} 2. Nf3 {+0.20/5} 1-0\n\n'
done > games.pgn
check "PGN is read as a whole from a pipe" ends 1 "^games +200$" "$datagen" --wdl <(cat games.pgn)
check "the tools' own games are refused in a pipe" ends 1 "fd/[0-9]+: only PGN can be read from a pipe" \
    "$datagen" --wdl <(cat games)
small_file() { (ulimit -f 1 && "$@"); }
check "a file that grows beyond its limit ends with a message" ends 1 "cannot be written" small_file \
    "$datagen" --out limited --games 400 --threads 1 --soft 50 --hard 200 --seed 8 --eval bootstrap
printf 'x' >> games
check "extra bytes at the end of a file are reported" ends 1 "" "$datagen" --verify games
check "a malformed option is refused" ends 2 "soft" "$datagen" --out games --games 1 --soft many
check "a missing option is refused" ends 2 "" "$datagen" --games 1
check "games are played without an error stream" ends 0 "" \
    unheard "$datagen" --out unheard --games 10 --soft 50 --hard 200 --seed 9 --eval bootstrap
check "the progress is not in their file" ends 0 "^unheard: 10 games, .* 0 damaged" "$datagen" --verify unheard

check "a network is trained" ends 0 "" "$train" --out a.nnue --epochs 2 --threads 2 games
check "the network is exported again on another scale" ends 0 "" \
    "$train" --out a.nnue --epochs 2 --threads 2 --resume --output-scale 0.9 games
check "a second run begins with the weights of the first" ends 0 "" \
    "$train" --out b.nnue --epochs 1 --threads 2 --init a.nnue.ckpt --lr 0.0001 games
check "a run begins with the weights of a network" ends 0 "" \
    "$train" --out b.nnue --epochs 1 --threads 2 --init a.nnue --lr 0.0001 games
check "a run cannot overwrite the network it begins with" ends 1 "--init" \
    "$train" --out a.nnue --epochs 1 --init a.nnue games
check "positions may be on disk" ends 0 "positions to train on are on disk" \
    "$train" --out e.nnue --epochs 1 --threads 2 --on-disk games
check "a run cannot begin with its own checkpoint" ends 1 "--init" \
    "$train" --out a.nnue --epochs 1 --init a.nnue.ckpt games
check "nor overwrite its games" ends 1 "games2: would be overwritten" "$train" --out games2 --epochs 1 games games2
check "nor the network that filters its positions" ends 1 "--quiet-eval: would be overwritten" \
    "$train" --out a.nnue --epochs 1 --quiet-within 60 --quiet-eval a.nnue games
"$datagen" --out one --games 1 --threads 1 --soft 50 --hard 200 --seed 12 > answer 2>&1
check "a file of one game has none to train on" ends 1 "all games are held out" "$train" --out g.nnue --epochs 1 one
check "but with nothing held out" ends 0 "^epoch 1/1: loss [0-9.]+, rate " "$train" --out g.nnue --epochs 1 --held-out 0 one
check "a file that cannot be read is named once" ends 1 "^palimpsest-datagen: none: [^:]*$" \
    "$datagen" --label --number 40 labels.epd none
check "a resumed run needs a checkpoint" ends 1 "without --resume" "$train" --out none.nnue --epochs 1 --resume games
"$train" --out part.nnue --epochs 2 --stop-after-batches 1 games > answer 2>&1
check "an unfinished run is named before the games are read" ends 1 "part.nnue.ckpt: holds an unfinished run" \
    "$train" --out part.nnue none
check "a network is rescaled" ends 0 "^network [0-9a-f]{8}: scale of the output 720$" "$train" --rescale a.nnue 2 twice.nnue
"$train" --rescale twice.nnue 0.5 once.nnue > answer
check "rescaled back, it is the same" cmp a.nnue once.nnue
check "the scale has a limit" ends 1 "not 1 to 4000$" "$train" --rescale twice.nnue 9 far.nnue
check "a network that cannot be written is named" ends 1 "none/far.nnue: cannot be written" "$train" --rescale a.nnue 2 none/far.nnue
check "only networks and empty files are replaced by networks" ends 1 "^palimpsest-train: games2: is another kind of file" \
    "$train" --rescale a.nnue 2 games2
check "a network is not replaced by its own rescaled copy" ends 1 "^palimpsest-train: a.nnue: is the network to rescale" \
    "$train" --rescale "$work/a.nnue" 2 a.nnue
check "another network may be" ends 0 "scale of the output 360$" "$train" --rescale a.nnue 1 once.nnue
check "quiet positions are labelled" ends 0 "^labels\.epd: [0-9]+ of [0-9]+ positions labelled(; the games have no more, spread evenly over the piece counts)?$" \
    "$datagen" --label --number 40 --nodes 300 --threads 2 labels.epd games
check "games are not overwritten by labels" ends 1 "^palimpsest-datagen: games2: is another kind of file" \
    "$datagen" --label --number 40 --nodes 300 games2 games
check "they are intact" ends 0 "" "$datagen" --verify games2
check "a run cannot overwrite the positions it is judged on" ends 1 "--judge-on: would be overwritten" \
    "$train" --out labels.epd --epochs 1 --judge-on labels.epd games
check "the network is judged on them" ends 0 "^[0-9]+ positions: error 0\.[0-9]+ " "$train" --judge a.nnue labels.epd
head -n 6 labels.epd > begun.epd
check "not on the first ones only" ends 1 "begun.epd: 5 of [0-9]+ positions: continue palimpsest-datagen --label" \
    "$train" --judge a.nnue begun.epd
if command -v python3 > /dev/null; then
    printf '%s\n' '#!/bin/sh' "printf 'id author M\\374ller\\n'" \
        "exec sed -u -n 's/^uci\$/uciok/p; s/^isready/readyok/p; /^go/q'" > other
    chmod +x other
    cp labels.epd own.epd
    check "another engine scores the positions" ends 0 "" python3 "$judge" label "$engine" 300 labels.epd scored.epd
    check "its scores are labels" ends 0 "^[0-9]+ positions: error 0\.[0-9]+ " "$train" --judge a.nnue scored.epd
    check "its errors are measured" ends 0 "^depth 1: [0-9]+ positions.* absolute error 0\.[0-9]+, mean" \
        python3 "$judge" depths "$engine" 1 scored.epd
    check "an engine that ends is named" ends 1 "the engine ended after: position" \
        python3 "$judge" label ./other 300 own.epd own.epd
    check "it costs no labels" cmp labels.epd own.epd
    check "an option needs a value" ends 1 "Hash: is not NAME=VALUE" python3 "$judge" static "./other Hash" labels.epd
    check "an unknown option is named" ends 1 "has no option Hesh" python3 "$judge" static "$engine Hesh=1" scored.epd
    check "so is an option that fails" ends 1 "EvalFile: 'none.nnue' cannot be opened" \
        python3 "$judge" static "$engine EvalFile=none.nnue" scored.epd
    check "the number of nodes is a number" ends 2 "label ENGINE NODES LABELS OUT" \
        python3 "$judge" label ./other many labels.epd scored.epd
    check "labels that cannot be written are named" ends 1 "^judge-by-engine.py: .*none/scored.epd" \
        python3 "$judge" label "$engine" 9 labels.epd none/scored.epd
    for script in judge-by-engine move-loss; do
        check "$script.py --help succeeds" ends 0 "^$script.py .*ENGINE" python3 "$scripts/$script.py" --help
    done
    echo "MultiPV, int, 20, 1, 39, 19, 0" > levels
    printf '%s\n' "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -" \
        "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq -" \
        "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq -" \
        "rnbqk2r/ppppppbp/5np1/8/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq -" > openings.epd
    move_loss() { timeout --preserve-status -s INT "$1" python3 "$scripts/move-loss.py" "$engine" "$2" openings.epd loss \
        GAMES=8 NODES=2000 LABEL=20000 "RUNS=$3"; }
    measure() { move_loss 60 "${1:-levels}" "${2:-80}"; }
    check "an option that shortens the search loses points" ends 0 "^MultiPV +1 -> +39 +-[0-9]+\.[0-9]+$" measure
    interrupted() { move_loss 2 levels 10000000; }
    check "this can be interrupted" ends 1 "the same command continues$" interrupted
    runs=$(wc -l < loss/runs)
    check "it continues" ends 0 "^$((runs + 1)) runs " measure levels $((runs + 1))
    echo "MultiPV, int, 3, 1, 4, 1, 0" > levels
    check "the folder is for one measurement" ends 1 "was begun with other settings" measure
    beside_another() { (flock 8 && measure) 8> loss/lock; }
    check "and for one run at a time" ends 1 "another move-loss.py runs in loss" beside_another
    check "a file without parameters is named" ends 1 "labels.epd has no line of a parameter" measure labels.epd
    rm -r loss
    echo "MultiPV, int, 256, 255, 257, 1, 0" > levels
    check "a value that the engine refuses is named" ends 1 "MultiPV: 257 is out of range" measure
else
    skip "the labels of other engines: there is no python3"
fi
check "a network is judged after each epoch" ends 0 \
    "^epoch 1/1: loss 0.* M positions/s, on labels 0\.[0-9]+, 0:00 left$" \
    "$train" --out d.nnue --epochs 1 --threads 2 --judge-on labels.epd games
check "the engine loads the network" ends 0 "^Network: " \
    "$engine" "setoption name EvalFile value $work/a.nnue" eval "go depth 6"
annotate() { "$engine" "setoption name EvalFile value $1" "annotate game.pgn analysed.pgn depth 2"; }
echo "1. e4 e5 *" > game.pgn
check "it analyses games" ends 0 "^Annotated games : 1$" annotate "$work/a.nnue"
check "another network does not continue its analysis" ends 1 "this limit and network: name another file" annotate ""
check "the engine searches with the network" ends 0 "^bestmove" "$engine" "setoption name EvalFile value $work/a.nnue" "go depth 8"
check "the network plays the next generation" ends 0 "" \
    "$datagen" --out next --games 10 --soft 50 --hard 200 --eval a.nnue --threads 1
head -c 1000 a.nnue > short.nnue
check "a result that cannot be written is a failure" ends 1 "cannot be written" to_full "$train" --judge a.nnue labels.epd
check "also of games" ends 1 "cannot be written" to_full "$datagen" --stats games
check "also of the laboratory" ends 1 "cannot be written" to_full "$lab" --help
check "half a network is refused and the old one is kept" ends 1 "error: EvalFile: .* the network stays as it was" \
    "$engine" "setoption name EvalFile value $work/short.nnue"
check "training without games is refused" ends 1 "" "$train" --out c.nnue nothing-there

check "perft with a table of whole keys is exact" ends 0 "4865609" "$lab" perft --key 64 --depth 5 --hash 16
check "no torn entry is accepted" ends 0 "folded" limited "$lab" torn --operations 2000000 --lock folded
printf '%s\n' 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -' \
    'r2q1rk1/ppp2ppp/2npbn2/4p3/4P3/2NPBN2/PPP2PPP/R2Q1RK1 w - -' > two.epd
check "the experiment of 1994" ends 0 "" limited "$lab" replacement --positions two.epd --max-depth 4 --csv r.csv --jobs 2
check "an unknown scheme is refused, with the names of all" ends 2 "^--schemes TwoDeep,Oldest: not a list of schemes.*: TwoDeep .*Thompson.* Old" \
    "$lab" replacement --positions two.epd --schemes TwoDeep,Oldest --csv r.csv
check "a scheme named twice is refused" ends 2 "^--schemes Old,old: not a list of schemes" \
    "$lab" replacement --positions two.epd --schemes Old,old --csv r.csv
check "one unknown scheme is refused in the same way" ends 2 "^--scheme Oldest: not one of the schemes: .*Thompson.* Old" \
    "$lab" reads --scheme Oldest --csv r.csv
while read -r option value expected; do
    check "$option $value is refused, with what it takes" ends 2 "^$option $value: $expected" \
        "$lab" replacement --positions two.epd --csv r.csv "$option" "$value"
done <<'END'
--sizes 8,0 not up to 32 different numbers from 1 to 1048576, with commas between$
--stamping maybe not off, on or both$
--history lost not kept, aged or cleared$
--min-depth 9 more than --max-depth 8$
END
check "a dry run counts the observations and makes no file" ends 0 "^1244 observations, 0 of them from the file" \
    eval '"$lab" replacement --positions two.epd --dry-run --csv dry.csv && [ ! -e dry.csv ]'
check "a size that is asked for has all depths" ends 0 "^14 observations, 0 of them from the file" \
    "$lab" replacement --positions two.epd --dry-run --sizes 8 --min-depth 8 --stamping off --no-reference
check "the report takes as many table sizes as a run" ends 0 " 32K$" \
    limited "$lab" replacement --positions two.epd --schemes New --stamping off --max-depth 3 --sizes "$(seq -s, 32)" --csv sizes.csv
check "the report of that experiment" ends 0 "TwoBig1" "$lab" replacement --positions two.epd --report r.csv
grep -v '^[^,]*,New,8,stamped,.*,0,[34],2,' r.csv > unfinished.csv # as an interrupted run leaves it
check "a report says that a run is not finished" ends 0 "^Unfinished, and so counted as not measured: 2 sums over these positions$" \
    "$lab" replacement --report unfinished.csv
complete() { "$lab" replacement --report r.csv > complete && ! grep -i unfinished complete; }
check "but not that a finished one is" complete
{ head -1 r.csv; for suite in {10..50}; do echo "000000$suite,New,8,cleared,cleared,0,0,7,1,1,1,1,0,a2a3"; done; } > suites.csv
check "a report has all sets of positions" ends 0 "suite 00000050" "$lab" replacement --report suites.csv
{ head -1 r.csv; echo "00000010,Newest,8,cleared,cleared,0,0,7,1,1,1,1,0,a2a3"; } > malformed.csv
check "a report of malformed rows is refused" ends 1 "^malformed row: 00000010,Newest" "$lab" replacement --report malformed.csv
check "the file has all its observations" ends 0 "TwoBig1" "$lab" replacement --positions two.epd --max-depth 4 --csv r.csv --joined
check "a shard of that experiment says how the whole is reported" ends 0 "^part 2 of 2 is complete, .* --joined$" \
    "$lab" replacement --positions two.epd --max-depth 4 --csv part.csv --shard 2/2
check "but not those of another depth" ends 1 "observations are missing" \
    "$lab" replacement --positions two.epd --max-depth 5 --csv r.csv --joined
printf '%s id "A.1";\n' "$(head -1 two.epd)" > game.epd
printf '%s id "A.2";\n' "$(tail -1 two.epd)" >> game.epd
check "nor those of positions of one game" ends 0 "observations, 0 of them from the file" \
    "$lab" replacement --positions game.epd --max-depth 4 --csv r.csv --dry-run
check "the shards of the experiment on two bounds must be whole, too" ends 1 "39 of 78 observations are missing" \
    eval 'limited "$lab" bounds --positions two.epd --depth 4 --sizes 1 --shard 1/2 --csv b.csv > /dev/null;
          "$lab" bounds --positions two.epd --depth 4 --sizes 1 --joined --csv b.csv'
check "the experiment on offline algorithms" ends 0 "Optimum" \
    limited "$lab" optimal --positions two.epd --depth 4 --sizes 1 --jobs 2
check "a mean names the positions that it leaves out" ends 0 "^Limit .* without 2 of 2 positions" \
    limited "$lab" optimal --positions two.epd --depth 1 --sizes 1
# Not SIGINT, which may be ignored from the start. --foreground: once, because a second signal ends a program at once.
interrupted() { timeout --foreground --preserve-status 2 "$lab" "$@" --positions two.epd --jobs 1; }
check "an interrupted run says how to resume" ends 130 "^interrupted; the same command resumes from i.csv$" \
    interrupted optimal --depth 12 --csv i.csv
check "but not without a file" ends 130 "^interrupted; a run without --csv cannot be resumed$" interrupted optimal --depth 12
schemes=$("$engine" help replacement | sed -n 's/.*(TwoDeep; \(.*\))$/\1/p' | wc -w)
today() { limited "$lab" optimal --search today --positions two.epd --depth 6 --sizes 1 --eval bootstrap --csv "$@"; }
today_joined() { cat t1.csv t2.csv > t.csv && cp t.csv before.csv && today t.csv && cmp t.csv before.csv; }
check "the same with the search of the engine, half of it" ends 0 "^part 1 of 2 is complete, .* --joined$" today t1.csv --shard 1/2
check "the other half" ends 0 "" today t2.csv --shard 2/2
check "both files together are the whole" ends 0 "Optimum" today_joined
check "joined shards are complete" ends 0 "Optimum" today t.csv --joined
check "a shard alone is not" ends 1 "^t1.csv: $((schemes + 8)) of $((2 * schemes + 16)) observations are missing, and 0 rows" today t1.csv --joined
half=$((4 * schemes)) whole=$((8 * schemes))
joined_with() { # OPTION...: a second shard that was made with these options
    rm -f m2.csv
    limited "$lab" modern --positions two.epd --depth 4 --eval bootstrap --shard 2/2 --csv m2.csv "$@" > /dev/null
    cat m1.csv m2.csv > m.csv
    "$lab" modern --positions two.epd --depth 4 --eval bootstrap --joined --csv m.csv
}
check "a shard says how the whole is reported" ends 0 "^part 1 of 2 is complete, $half of $whole observations; .* --joined$" \
    "$lab" modern --positions two.epd --depth 4 --eval bootstrap --shard 1/2 --csv m1.csv
check "two shards are joined" ends 0 "$whole observations: $whole from the file, 0 made" joined_with
check "a shard with another depth is refused" ends 1 "$half of $whole observations are missing, and $half rows have other settings" \
    joined_with --depth 5
check "a shard with another network is refused" ends 1 "$half of $whole observations are missing, and $half rows" joined_with --eval a.nnue
check "the file of another experiment is refused" ends 1 "m1.csv: the first line must be" \
    limited "$lab" reads --positions two.epd --depth 4 --eval bootstrap --csv m1.csv
sed 's/,cutoffs$/,killers/' m1.csv | cat m1.csv - > mixed.csv
check "and so is its header among the rows" ends 1 "a header of another experiment: .*killers" \
    "$lab" modern --positions two.epd --depth 4 --eval bootstrap --joined --csv mixed.csv
for experiment in modern optimal bounds replacement; do
    check "$experiment says how to name other positions" ends 1 "^none.epd: .*; --positions names another file$" \
        "$lab" $experiment --positions none.epd
done
check "a search that does not exist is refused" ends 2 "^--search yesterday: not alibaba or today$" "$lab" optimal --search yesterday
check "an evaluation has no effect on ALIBABA" ends 2 "^--eval: has no effect without --search today$" \
    "$lab" optimal --positions two.epd --eval bootstrap
check "sums over positions have no effect without a report" ends 2 "^--summed: has no effect without --report$" \
    "$lab" replacement --positions two.epd --summed 2 --dry-run
check "a dry run has no effect on joined shards" ends 2 "^--dry-run: has no effect with --joined$" \
    "$lab" replacement --positions two.epd --csv r.csv --joined --dry-run
check "nor on a report" ends 2 "^--dry-run: has no effect with --report$" "$lab" replacement --report r.csv --dry-run
check "nor has a shard" ends 2 "^--shard: has no effect with --report$" "$lab" replacement --report r.csv --shard 1/2
for experiment in modern optimal bounds; do
    check "$experiment needs a file for a shard, whose results would be lost" ends 2 "^--shard: has no effect without --csv$" \
        "$lab" $experiment --positions two.epd --shard 1/2
done
for experiment in modern optimal bounds replacement; do
    check "$experiment joins all shards, not one" ends 2 "^--shard: has no effect with --joined$" \
        "$lab" $experiment --positions two.epd --csv m.csv --joined --shard 1/2
done
check "a depth that this search cannot have is refused" ends 2 "^--depth 99: more than" "$lab" optimal --depth 99
check "the experiment on two bounds in an entry" ends 0 "MTD" \
    limited "$lab" bounds --positions two.epd --depth 4 --sizes 1 --jobs 2
check "the experiment on replacement schemes in the engine" ends 0 "Thompson" \
    limited "$lab" modern --positions two.epd --depth 6 --eval bootstrap --jobs 2
check "the experiment on reads" ends 0 "one-move" limited "$lab" reads --positions two.epd --depth 6 --eval bootstrap --jobs 2
check "the experiment on short keys" ends 0 "^  48 +[0-9.]+ +- +- +[0-9]" \
    limited "$lab" keybits --positions two.epd --depth 6 --hash 1 --eval bootstrap
check "the experiment on search instability" ends 0 "control" \
    limited "$lab" census --positions two.epd --depth 7 --eval bootstrap --csv c.csv
check "all bits are compared: other positions are not tested for" ends 0 "cause: other position +not tested$" \
    "$lab" census --positions two.epd --depth 7 --eval bootstrap --csv c.csv --joined
columns_differ() { [ -s "$1" ] && [ -z "$(head -n 1 "$1" | tr , '\n' | sort | uniq -d)" ]; }
for file in r.csv b.csv m.csv c.csv; do
    check "no two columns of $file have one name" columns_differ $file
done
check "with fewer bits they are" ends 0 "cause: other position +[0-9]+ +[0-9]+ " \
    limited "$lab" census --positions two.epd --depth 7 --eval bootstrap --bits 16
limited "$lab" lesson --positions two.epd --depth 1 --judge 1 --eval bootstrap --csv l.csv > answer
awk -F, -v OFS=, 'NR > 1 { $11 = 9; $12 = $3 == 1 ? 31000 : 200 } { print }' l.csv > falls.csv
check "a fall to a mate score does not rule the mean of the falls" ends 0 "^Mouse +2 +2 +[0-9.]+ +1100$" \
    "$lab" lesson --positions two.epd --depth 1 --judge 1 --eval bootstrap --csv falls.csv --joined
check "the experiment on many writers" ends 0 "^TwoDeep +2 " \
    limited "$lab" writers --positions two.epd --depth 4 --eval bootstrap --threads 1,2 --tables 1 --forced --csv w.csv
check "that experiment resumes from its file" ends 0 "$half observations: $half from the file, 0 made" \
    limited "$lab" writers --positions two.epd --depth 4 --eval bootstrap --threads 1,2 --tables 1 --forced --csv w.csv
joined_on() { # PROCESSORS OPTION...: joins rows of a machine with so many processors
    awk -F, -v OFS=, -v n="$1" 'NR > 1 { $11 = n } { print }' w.csv > other.csv
    shift
    "$lab" writers --positions two.epd --depth 4 --eval bootstrap --threads 1,2 --tables 1 --forced --csv other.csv --joined "$@"
}
check "results of another machine are reported" ends 0 "^results of a machine with 77 processors; on this machine a store takes " \
    joined_on 77 --processors 77
check "but not as those of this one" ends 1 "$half of $half observations are missing" joined_on 77
check "a search has the processors that there are" ends 2 "^--processors: has no effect without --joined$" \
    "$lab" writers --processors 2
check "other searches would disturb the races" ends 2 "^--jobs 2: " "$lab" writers --jobs 2
check "a list of threads that is no list is refused" ends 2 "threads" "$lab" writers --threads 1,x

cat > crashing << 'END'
#!/bin/bash
while read -r line; do
    case $line in
        uci) echo uciok ;;
        go*) kill -SEGV $$ ;;
        quit) exit ;;
    esac
done
END
chmod +x crashing
measured() { BOOK=two.epd "$scripts/speed.sh" 50 1 "$@"; }
check "the speed of an engine is measured" ends 0 "^/.* [0-9.]+ [0-9.]+ [-0-9.]+$" measured "$engine"
check "an engine that crashes is named" ends 1 "^speed.sh: './crashing' ended during the search, with status 139" \
    measured "$engine" ./crashing

committed() { mkdir -p checkout/scripts && cp "$scripts"/{bench,usage}.sh checkout/scripts && checkout/scripts/bench.sh --committed; }
in_clone() { # where bench.txt can only be what a user wrote
    echo "Bench: 1" > checkout/bench.txt
    git init -q checkout && git -C checkout -c user.name=A -c user.email=a@b commit -q --allow-empty -m $'search: prune\n\nBench: 2'
    committed
}
check "without commits and bench.txt no bench is known" ends 1 '^bench: no commit message has a line Bench: N' committed
check "a clone has its bench in the commits" ends 0 '^2$' in_clone
print_counts
