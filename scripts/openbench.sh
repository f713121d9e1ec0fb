#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/openbench.sh: tests the last commit as a worker of OpenBench would use it. Clones it; builds the default target
# with gcc, with clang and with a network in EVALFILE; reads the bench; makes openings; checks that a build for tuning has
# each tunable as an option. Makes its own games and network. Takes minutes. The last line is "N passed, N failed, N skipped".
set -u
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/usage.sh"
[ $# = 0 ] || usage
cd "$(dirname "$0")/.." || exit 1
. scripts/checks.sh
tree=$work/clone
git clone -q --no-hardlinks . "$tree" || exit 1
cd "$tree" || exit 1

# Reads the bench by the rules of OpenBench's client: stdout and stderr together, last line first, in lower case, with a
# blank for every other character than letters and digits. Prints the nodes if nodes and speed were found, otherwise nothing.
bench_of() {
    "$@" 2>&1 | tac | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9]/ /g' | awk '
        function number_in(text) { match(text, /[0-9]+/); return substr(text, RSTART, RLENGTH) }
        nodes == "" && match($0, /[0-9]+ +nodes|nodes +[0-9]+|nodes searched +[0-9]+/) {
            nodes = number_in(substr($0, RSTART, RLENGTH)) }
        nps == "" && match($0, /[0-9]+ +nps|nps +[0-9]+|nodes second +[0-9]+/) {
            nps = number_in(substr($0, RSTART, RLENGTH)) }
        END { if (nodes > 0 && nps > 0) print nodes }'
}

# Adjudication must have the same limits as in match.sh, in centipawns of the win model (src/uci/README.md).
adjudicates_as_matches() {
    local limits
    limits=$(sed -n 's/.*-resign \(movecount=[0-9]* score=[0-9]*\) .* -draw \([a-z0-9= ]*[0-9]\) .*/win \1\ndraw \2/p' scripts/match.sh)
    echo "$limits"
    [ "$(wc -l <<< "$limits")" = 2 ] && [ "$limits" = "$(sed -n 's/^ *"\([a-z]*\)_adj" *: "\(m.*\)".*/\1 \2/p' scripts/openbench.json |
        sort -ru)" ]
}

# What a worker in Windows would run: the sources of Windows, and a program that needs no library of the compiler.
# scripts/release/test.sh compiles for Windows and looks at the libraries.
builds_for_windows() {
    make -n V=1 EXE=ob-windows CC=gcc OS=Windows_NT BUILD=windows > commands
    grep -q -e ' -static .*-o windows/[^ ]*/palimpsest\.exe ' commands && grep -q 'src/base/file_windows\.c' commands &&
        ! grep -q '_posix\.c' commands
}

has_bench() { [ -n "$(bench_of "$@")" ]; }
fails() { ! "$@"; }
same_bench() { # PROGRAM PROGRAM [ARGUMENT OF BENCH...]
    [ "$(bench_of "./$1" bench "${@:3}")" = "$(bench_of "./$2" bench "${@:3}")" ]
}

# counts_openings N COMMAND...: the command must print N openings of six fields.
counts_openings() {
    local wanted=$1
    shift
    [ "$("$@" | grep -cE '^info string genfens [^ ]+ [wb] [^ ]+ [^ ]+ [0-9]+ [0-9]+$')" = "$wanted" ]
}

# Every tunable must be a spin with the same default and range. The build must have no other additional options.
lists_tunables() {
    ./ob-tune t | awk -F', ' '{ print "option name " $1 " type spin default " $3 " min " $4 " max " $5 }' > tunables
    ./ob-tune uci | grep '^option' > tune-options
    ./ob-gcc uci | grep '^option' > usual-options
    [ -s tunables ] && cat usual-options tunables | sort | cmp - <(sort tune-options)
}

tunable_counts() {
    local usual changed
    usual=$(bench_of ./ob-tune 'bench 16 1 8' quit)
    changed=$(bench_of ./ob-tune 'setoption name rfp_margin value 60' 'bench 16 1 8' quit)
    [ -n "$usual" ] && [ -n "$changed" ] && [ "$usual" != "$changed" ]
}

quick='EXTRA_CFLAGS=-O1 -fno-lto' # for the builds whose speed does not matter
part='16 1 10'                    # hash, threads, depth of a part of the bench, enough for a comparison
check "gcc builds the default target" make -j EXE=ob-gcc CC=gcc
check "the bench of gcc can be read" has_bench ./ob-gcc bench
check "clang builds the default target" make -j EXE=ob-clang CC=clang
check "the bench of clang is the same" same_bench ob-gcc ob-clang $part
check "openings are made without a book" counts_openings 8 ./ob-gcc "genfens 8 seed 1234567 book None " quit
printf '%s\n' 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - hmvc 2; fmvn 3;' > book.epd
check "openings are made from a book" counts_openings 3 ./ob-gcc "genfens 3 seed 9 book book.epd " quit

check "tools are built" make -j tools "$quick"
check "games are made" ./palimpsest-datagen --out games --games 200 --soft 50 --hard 200 --seed 1 --eval bootstrap
check "a network is made" ./palimpsest-train --out a.nnue --epochs 1 games
check "the network is built in" make -j EXE=ob-net CC=gcc EVALFILE="$tree/a.nnue" "$quick"
check "export_net writes the network" ./ob-net export_net b.nnue
check "the exported network is the same" cmp a.nnue b.nnue
check "the bench with the network can be read" has_bench ./ob-net "bench $part" quit
check "the same network by option has the same bench" [ "$(bench_of ./ob-net "bench $part" quit)" = \
    "$(bench_of ./ob-gcc "setoption name EvalFile value a.nnue" "bench $part" quit)" ]
check "a missing network fails the build" fails make -j EXE=ob-none EVALFILE="$tree/none.nnue" "$quick"

check "a build for tuning is made" make -j engine MODE=tune EXE=ob-tune "$quick"
check "the build for tuning has each tunable as an option" lists_tunables
check "the build for tuning has the same bench" same_bench ob-gcc ob-tune $part
check "a changed tunable changes the bench" tunable_counts

check "adjudication has the limits of match.sh" adjudicates_as_matches
check "the default target is made for Windows" builds_for_windows

print_counts
