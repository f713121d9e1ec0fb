#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# commands-test.sh ENGINE: tests commands of ENGINE that work through a file (suite, annotate), and how it takes commands
# from its command line, from long scripts and from sockets.
# The last line is "N passed, N failed, N skipped".
set -u
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/usage.sh"
[ $# = 1 ] || usage
need_program "$1"
engine=$(realpath "$1")
scripts=$(dirname "$(realpath "$0")")
manual=$scripts/../src/uci/README.md
. "$scripts/checks.sh"
cd "$work" || exit 1

cat > tests.epd << 'END'
# a comment
4k3/8/8/3q4/8/8/8/3RK3 w - - bm Rxd5; id "capture";
4k3/8/8/3q4/8/8/8/3RK3 w - - am Rxd5; id "wrong";
6k1/5ppp/8/8/8/8/8/R5K1 w - - dm 1; id "mate";
4k3/8/8/3q4/8/8/8/3RK3 w - - c0 "Rxd5=9, Kf2=1"; id "points";
4k3/8/8 w - - bm Rxd5; id "no board";
4k3/8/8/3q4/8/8/8/3RK3 w - - id "nothing asked";
END
check "test positions are solved" ends 0 "^Solved +: 3 of 4 \(75\.0%\)$" "$engine" suite tests.epd depth 5 --csv tests.csv
echo 'nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - bm e4; id "960";' > 960.epd
check "Chess960 is recognised" ends 0 '"fen":"nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w GDgd - 0 1"' \
    "$engine" suite 960.epd depth 2 --json
check "the points of c0 are counted" ends 0 "^Points +: 9 of 9 " "$engine" suite tests.epd depth 5
check "faulty lines are named" ends 0 "skipped line 6: .*: 4k3/8/8 w" "$engine" suite tests.epd depth 2
check "lines that ask nothing are named" ends 0 "skipped line 7: no bm" "$engine" suite tests.epd depth 2
check "the results are in the CSV file" ends 0 "^2,capture,.*,bm Rxd5,true,Rxd5,d1d5," cat tests.csv
check "below one head" ends 0 "^1$" grep -c '^line,id,' tests.csv
check "test positions are not overwritten" ends 1 "the input cannot be the output" "$engine" suite tests.epd depth 2 --csv ./tests.epd
check "the results are objects" ends 0 '^\{"line":4,"id":"mate",.*"solved":true,.*"cp":null,"mate":1,' \
    "$engine" suite tests.epd depth 5 --json
check "a wrong answer has no moment" ends 0 '"id":"wrong",.*"solved":false,.*"found_depth":null,' "$engine" suite tests.epd depth 5 --json
check "the last object is the summary" ends 0 '^\{"summary":\{"positions":4,"solved":3,"points":9,"points_max":9,"skipped":2,' \
    "$engine" suite tests.epd depth 4 --json
summed() { # the number of positions, and what they have beyond the sum
    "$engine" suite tests.epd depth 4 --json | sed -n 's/.*"nodes":\([1-9][0-9]*\).*/\1/p' |
        awk '{ sum += last; last = $1 } END { print NR - 1, sum - last }'
}
check "its nodes are those of all positions" ends 0 "^4 0$" summed
printf '\357\273\277# a comment\n4k3/8/8/3q4/8/8/8/3RK3 w - - bm Rxd5;\n' > marked.epd
check "comments and the mark of UTF-8 are no positions" ends 0 '"positions":1,.*"skipped":0,' "$engine" suite marked.epd depth 2 --json
check "a position without a name has its line" ends 0 "^ +1/1 line 2 " "$engine" suite marked.epd depth 2
echo "# nothing" > no.epd
check "a suite without positions is an error" ends 1 "suite: 'no.epd' has no test positions" "$engine" suite no.epd --csv tests.csv
check "and leaves older results" ends 0 "^2,capture," cat tests.csv
to_pipe() { timeout 20 "$engine" suite tests.epd depth 2 --csv >(cat > piped) && soon grep -q '^2,capture,' piped; }
check "results may go to a pipe" to_pipe
check "the suite is repeated" ends 0 "^Solved +: 3 of 4" "$engine" suite tests.epd depth 4 --csv tests.csv
check "its results replace older ones" ends 0 "^1$" grep -c '^line,id,' tests.csv
echo "7k/5Q2/6K1/8/8/8/8/8 b - - dm 1;" > stalemate.epd
check "where there is no move, there is none in UCI notation" ends 0 '"move":null,"uci":null,' "$engine" suite stalemate.epd --json
mv tests.epd "my tests.epd"
check "a path may have blanks" ends 0 "^Solved +: 3 of 4" "$engine" suite "my tests.epd" depth 4
check "so may that of a command" ends 0 "^Solved +: 3 of 4" "$engine" 'suite "my tests.epd" depth 4' d
check "a missing suite is an error" ends 1 "^info string error: suite: cannot read 'nothing': No such" "$engine" suite nothing
interrupted() {
    "$engine" "$@" movetime 20000 > stopped &
    sleep 0.5
    kill -INT $!
    wait $!
    local status=$?
    cat stopped
    return $status
}
check "an interrupted suite prints its summary" ends 1 "^Solved +: .*, stopped$" interrupted suite "my tests.epd"
interrupts_all() { # also the command after it
    "$engine" 'suite "my tests.epd" movetime 20000' d > stopped &
    sleep 0.5
    kill -INT $!
    wait $!
    [ $? = 1 ] && grep -q '^Solved .*, stopped$' stopped && ! grep -q '^Fen' stopped
}
check "Ctrl-C ends all commands of a command line" interrupts_all
{
    for ((i = 0; i < 400; i++)); do echo "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;"; done
    echo "8/8/8/8/4k3/8/4P3/4K3 w - - bm Kd2;"
} > many.epd
saved() { # in its last save HashFile Auto must include what was searched after the one before
    "$engine" "setoption name HashFile value many.hash" "setoption name HashFile ReadOnly value false" \
        "setoption name HashFile Auto value true" "setoption name HashFile Interval value 1" \
        "setoption name HashFile MinDepth value 1" "suite many.epd movetime 4"
    "$engine" "hash load many.hash" "hash probe 8/8/8/8/4k3/8/4P3/4K3 w - - 0 1"
}
check "HashFile Auto saves a suite to its end" ends 0 "^Table: depth [0-9]" saved

script() { for ((i = 0; i < 2500; i++)); do printf 'position startpos moves e2e4 e7e5\ngo depth 3\n'; done; }
complete() { # a pipe holds 64 KiB, the script is longer
    script | "$engine" | awk '/^info depth/ { depth = $3 } /^bestmove/ { n++; cut += depth < 3 } END { print n, cut + 0 }'
}
check "no search of a long script is cut short" ends 0 "^2500 0$" complete
unread() { # a GUI that has crashed neither writes nor reads
    { echo go depth 100; sleep 0.3; } | timeout 20 "$engine" | head -n 1 > /dev/null
    [ "${PIPESTATUS[1]}" != 124 ]
}
check "a search ends with the program that started it" unread
ended() { { echo bench 16 1 40; sleep 1.3; echo go depth 3; } | timeout 10 "$engine" 2> /dev/null; }
check "the end of the input ends bench, whatever follows it" ends 0 "^bestmove" ended
echo "4k3/8/8/8/8/8/4P3/4K3 w K - 0 1" > repaired.epd
check "bench names what it repairs" ends 0 "^info string bench repaired.epd: position 1: castling right K dropped" \
    "$engine" bench 1 1 1 repaired.epd
if command -v python3 > /dev/null; then
    cat > over_socket.py << 'END'
import socket, subprocess, sys
ours, engines = socket.socketpair()
engine = subprocess.Popen(sys.argv[1], stdin=engines, stdout=subprocess.PIPE)
ours.sendall(sys.argv[2].encode())
ours.shutdown(socket.SHUT_WR)
print(engine.communicate()[0].decode())
END
    check "a script may come through a socket" ends 0 "^info depth 14 " python3 over_socket.py "$engine" $'go depth 14\n'
    check "also if it ends with quit" ends 0 "^info depth 14 " python3 over_socket.py "$engine" $'go depth 14\nquit\n'
else
    skip "scripts through a socket: there is no python3"
fi

cat > games.pgn << 'END'
[White "Anna"]
[Black "Bert"]
[Annotator "Carl"]

1. e4 {own} e5 2. Bc4 Nc6 3. Qh5 Nf6 $1 (3... g6 {better}) 4. Qxf7# 1-0

[Event "damaged"]
1. e4 e5 2. Ke4 *

[Event "960"]
[Variant "Chess960"]
[FEN "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1"]
1. d4 d5 2. c4 *
END
analyse() { "$engine" annotate games.pgn out.pgn depth 5 "$@"; }
check "games are analysed" ends 0 "^game 1: Anna - Bert, 1-0, 7 plies; White .*; Black [1-9] \?\?" analyse
check "a finished file is kept" ends 0 "^Finished before : 2$" analyse
check "a damaged game is named" ends 0 "skipped game 2 .*; line 7\): the move 2\. Ke4 is illegal or ambiguous" analyse
check "the author's words are kept" ends 0 "\{own\}" cat out.pgn
annotators() { grep '^\[Annotator' out.pgn | tr '\n' ' '; }
check "so is their name" ends 0 '^\[Annotator "Carl"\] \[Annotator "Palimpsest"\] $' annotators
check "a judgement has its source" ends 0 "\[%eval 0\.[0-9]+,5\] wdl [0-9/]+, search, depth 5" tr '\n' ' ' < out.pgn
check "another limit does not destroy the file" ends 1 "name another file" "$engine" annotate games.pgn out.pgn depth 6
sed '/^\[PalimpsestAnalysis/d' out.pgn > games3.pgn
check "the result is a file of games" ends 0 "^Annotated games : 2$" "$engine" annotate games3.pgn again.pgn depth 1
check "but it is not annotated twice" ends 1 "has annotated games; start from the original" "$engine" annotate out.pgn twice.pgn depth 6
cp out.pgn whole.pgn
with_options() { # for games and for several lines; an analysis uses neither
    "$engine" 'setoption name MultiPV value 3' 'setoption name UCI_LimitStrength value true' 'setoption name UCI_Elo value 600' \
        'annotate games.pgn options.pgn depth 5' && cmp whole.pgn options.pgn
}
check "options for weaker play and more lines do not change an analysis" with_options
printf '1. d4 d5 *\n' > opening.pgn
taught() { # without isready the command itself opens the file
    "$engine" "setoption name MemoryFile value taught.db" "setoption name Memory value learn" \
        "memory teach rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - e7e5 -250"
    "$engine" "setoption name MemoryFile value taught.db" "setoption name Memory value read" "annotate opening.pgn taught.pgn depth 8"
    tr '\n' ' ' < taught.pgn
}
if "$engine" compiler | grep -q 'built without SQLite'; then
    skip "learned positions in an analysis: no SQLite"
else
    check "an analysis names the learned positions that it uses" ends 0 "learned position after 1 ply, depth 245" taught
fi
check "the output cannot be a pipe" ends 1 "the output must be a file" "$engine" annotate games.pgn - depth 1
torn() { # BYTES: the file is cut there, as by a crash, and completed
    head -c "$1" whole.pgn > out.pgn
    analyse --json > /dev/null && grep -c '^\[PalimpsestAnalysis' out.pgn && tail -n 2 out.pgn
}
check "a torn tag is completed" ends 0 "^2$" torn 20
check "a torn game is completed" ends 0 "^2$" torn 500
check "a torn second game is completed" ends 0 "^2$" torn $(($(wc -c < whole.pgn) - 9))
stripped() { # the last line, which is empty, as editors do
    sed '$d' whole.pgn > out.pgn
    ends 0 "^Finished before : 2$" analyse && cmp whole.pgn out.pgn
}
check "a game whose last empty line is gone is still finished" stripped
cut_after_one() { # the same after the first game
    sed '/ 1-0$/q' whole.pgn > out.pgn
    ends 0 "^Finished before : 1$" analyse && grep -c '^\[PalimpsestAnalysis' out.pgn | grep -x 2 && grep -A 1 ' 1-0$' out.pgn | grep -x ''
}
check "and the next game is written after an empty line" cut_after_one
edited() { # words after the result of the first game, which no run writes there
    sed '0,/ 1-0$/s// 1-0 {mine}/' whole.pgn > out.pgn
    cp out.pgn edited.pgn
    ends 1 "name another file" analyse && grep -q mine out.pgn && cmp edited.pgn out.pgn
}
check "a game that its owner has edited is not written again" edited
check "moves are objects" ends 0 '^\{"game":1,"ply":6,"move":"Nf6",.*"nag":4,"played":\{"mate":1,' \
    "$engine" annotate games.pgn objects.pgn depth 5 --json
documented() { # the section JSON of the manual names every field of the objects; prints those that it does not
    {
        "$engine" suite "my tests.epd" depth 1 --json
        "$engine" annotate games.pgn fields.pgn depth 1 --json
        "$engine" 'bench 1 1 1 default depth --json' 'go depth 3' 'hash top --json' 'why e2e4 depth 1 --json' \
            'threat depth 1 --json'
    } 2> /dev/null | grep -oE '"[a-z_0-9]+":' | tr -d '":' | sort -u | grep -vx summary > fields
    sed -n '/^## JSON/,/^## OpenBench/p' "$manual" | grep -oE '`[a-z_0-9]+`' | tr -d '`' | sort -u > words
    comm -23 fields words | grep . && return 1
    [ "$(wc -l < fields)" -gt 40 ]
}
check "every field of the objects is in the manual" ends 0 "" documented
check "a file of another kind is an error" ends 1 "'tests.csv' has no sound games" "$engine" annotate tests.csv
check "and leaves no output" ends 1 "" test -e tests.csv-annotated.pgn
echo "% nothing" > nothing.pgn
check "a file without games is an error" ends 1 "'nothing.pgn' has no games" "$engine" annotate nothing.pgn
printf '1. e5 *\n' > bad.pgn
check "so is one with damaged games only" ends 1 "'bad.pgn' has no sound games" "$engine" annotate bad.pgn
printf 'Read * this * *\n' > text.md
check "so is a text that is no PGN" ends 1 "'text.md' has no sound games" "$engine" annotate text.md
printf '[Event "a"]\n' > empty.pgn
unmoved() { "$engine" annotate empty.pgn nodes 1 2>&1 > /dev/null | grep . && return 1 || :; }
check "without a move there is no progress to show" ends 0 "" unmoved
printf '[FEN "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1"]\n1. Kxe2 Kd7 1/2-1/2\n' > dead.pgn
check "a dead position is decided by the rules" ends 0 "" "$engine" annotate dead.pgn nodes 1000
check "and says so" ends 0 "1000/0, rules" cat dead-annotated.pgn
printf '[FEN "4k3/8/8/8/8/8/4P3/4K3 w K - 0 1"]\n1. e4 Kd7 *\n' > repaired.pgn
repaired() { "$engine" annotate repaired.pgn nodes 100 | tee said; [ "$(grep -c dropped said)" = 1 ]; }
check "annotate names what it repairs, once" ends 0 "^info string annotate: game 1 \(.*line 1\): castling right K dropped" repaired
check "another time is another limit" ends 0 "" "$engine" annotate dead.pgn timed.pgn movetime 1
check "which the file names" ends 1 "name another file" "$engine" annotate dead.pgn timed.pgn movetime 2
check "an interrupted analysis, too" ends 1 "^Annotated games : 0, stopped" interrupted annotate games.pgn stopped.pgn
check "the input is not overwritten" ends 1 "the input cannot be the output" "$engine" annotate games.pgn games.pgn
abandoned() {
    "$engine" annotate games.pgn killed.pgn movetime 40 > said &
    while kill -0 $! && ! grep -q 'game 1' said; do sleep 0.02; done
    kill -9 $!
    wait $! 2> /dev/null
    "$engine" annotate games.pgn killed.pgn movetime 40
}
disturbed() { # a second run finds an unfinished game of the first
    "$engine" annotate games.pgn shared.pgn movetime 5000 > said 2>&1 &
    while kill -0 $! && [ ! -e shared.pgn ]; do sleep 0.02; done
    sleep 0.2
    head -c 20 whole.pgn >> shared.pgn
    ends 1 "another program writes to 'shared.pgn'" "$engine" annotate games.pgn shared.pgn movetime 5000
    local status=$?
    kill -9 $!
    wait $! 2> /dev/null
    [ $status = 0 ] && head -c 20 whole.pgn | cmp - shared.pgn
}
cp games.pgn 'my "x" games.pgn'
check "a name may have blanks and quotes" ends 0 "^Annotated games : 2$" "$engine" annotate 'my "x" games.pgn' 'a"b' depth 1
check "also that of the result" test -s 'a"b'
ignoring() { "$engine" --bench < /dev/null; }
check "without a command UCI commands are read, with a message" ends 0 "^no command is left: reading UCI commands" ignoring
logged() { "$engine" 'setoption name Debug Log File value log.txt' 'go depth 1' && cat log.txt; }
check "commands of the command line are in the log" ends 0 "^[0-9:.]+ >> go depth 1$" logged
check "a second run does not cut the file of the first" disturbed
check "a killed run loses only the game in work" ends 0 "^Finished before : [12]$" abandoned

tables=${PALIMPSEST_SHARED:-$scripts/../../shared}/syzygy/tables
if [ ! -e "$tables/KRvK.rtbw" ] || "$engine" compiler | grep -q 'built without libfathom'; then
    skip "the tablebases without DTZ: no tables, or no libfathom"
else
    mkdir wdl
    ln -s "$(realpath "$tables")"/*.rtbw wdl
    check "without DTZ tables the outcome with the clock is unknown" ends 0 "^WDL: win$" \
        "$engine" "setoption name SyzygyPath value wdl" "tb 8/8/8/8/8/2k5/7R/K7 w - - 90 100"
    check "also as an object" ends 0 '"outcome":null' \
        "$engine" "setoption name SyzygyPath value wdl" "tb 8/8/8/8/8/2k5/7R/K7 w - - 90 100 --json"
    check "tables without sums cannot be verified" ends 1 "tb verify: there is no MD5SUMS" "$engine" tb verify wdl
    mkdir bad
    head -c 200 "$tables/KRvK.rtbw" > bad/KRvK.rtbw
    (cd bad && md5sum KRvK.rtbw > MD5SUMS && printf x >> KRvK.rtbw)
    check "an altered table is an error" ends 1 "^info string error: tb verify: KRvK.rtbw is altered" "$engine" tb verify bad
    check "the outcome without the clock is known" ends 0 "^WDL: win, with 0 plies on the clock: win$" \
        "$engine" "setoption name SyzygyPath value wdl" "tb 8/8/8/8/8/2k5/7R/K7 w - - 0 1"
fi
print_counts
