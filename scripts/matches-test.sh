#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# matches-test.sh: checks the scripts that play matches and add up their results, with a false fastchess and false engines:
# match.sh, sum-matches.sh, spsa.sh, uci-elo.sh, learning/elo.sh, check-games.sh, busy-match.sh and delay-engine.sh.
# The last line is "N passed, N failed, N skipped".
set -u
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/usage.sh"
[ $# = 0 ] || usage
cd "$(dirname "$0")/.." || exit 1
. scripts/checks.sh
echo "8/8/8/8/8/8/8/8 w - -" > "$work/book.epd"

# A fastchess that plays nothing: the result depends on the seed. With seed 9 it is interrupted.
mkdir "$work/bin"
cat > "$work/bin/fastchess" <<'END'
#!/bin/bash
case " $* " in
*" -config file="*" outname="*"config.json ") echo "Ptnml(0-2): [1, 2, 3, 4, 1], WL/DD Ratio: 1.00" ;;
*" -srand 1 "*) echo "Ptnml(0-2): [9, 0, 0, 0, 0], early"; echo "Ptnml(0-2): [1, 2, 3, 4, 0], WL/DD Ratio: 1.00" ;;
*" -srand 2 "*) echo "Ptnml(0-2): [0, 1, 2, 3, 4], WL/DD Ratio: 1.00" ;;
*" -srand 9 "*) exit 0 ;;
*) echo "Ptnml(0-2): [0, 0, 0, 0, 5], WL/DD Ratio: 1.00" ;;
esac
echo "Finished match"
END
chmod +x "$work/bin/fastchess"
# A false engine FILE with the options NAME.
offers() { # FILE NAME...
    { printf '#!/bin/sh\n# %s\n' "$(basename "$1")"; printf 'echo "option name %s type string"\n' "${@:2}"; } > "$1"
    chmod +x "$1"
}
spins() { echo "echo 'option name $2 type spin default $3 min $3 max $4'" >> "$1"; } # FILE NAME LEAST MOST
offers "$work/engine" Hash Threads EvalFile "Move Overhead"
spins "$work/engine" UCI_Elo 600 2850
offers "$work/opponent" Hash
plays() { # FOLDER SEED VARIABLE=VALUE...: a match with these settings
    local folder=$1 seed=$2 opponent=$work/opponent limit=1+0.01 variant=standard
    shift 2
    [ $# = 0 ] || local "$@"
    env PATH="$work/bin:$PATH" SEED="$seed" BOOK="${book:-$work/book.epd}" ENGINE_OPTIONS="${mine:-}" OPPONENT_OPTIONS="${theirs:-}" \
        SPRT="${sprt:-}" scripts/match.sh "$work/engine" "$opponent" "${games:-20}" "$limit" "$variant" "$work/$folder" > /dev/null
}
sum_of() { scripts/sum-matches.sh "${@/#/$work/}" 2>&1; } # FOLDER...
sums_to() { # REGEX FOLDER...
    sum_of "${@:2}" > "$work/sum" || { cat "$work/sum"; return 1; }
    cat "$work/sum"
    tr '\n' ' ' < "$work/sum" | grep -qE "$1"
}
refuses() { # REGEX FOLDER...
    ! sum_of "${@:2}" > "$work/sum" || { cat "$work/sum"; return 1; }
    cat "$work/sum"
    grep -qE "$1" "$work/sum"
}
refused_with() { # REGEX VARIABLE=VALUE...: a match that differs from match `a` in one setting
    rm -rf "$work/other"
    plays other 2 "${@:2}" && refuses "$1" a other
}
plays a 1
plays b 2
check "the last result of a match counts" sums_to '^Elo: 0\.00 \+/- [0-9.]+ Games: 20, Points: 10\.0 \(50\.00 %\) Ptnml\(0-2\): \[1, 2, 3, 4, 0\] $' a
check "two matches are added up" sums_to 'Games: 40, Points: 25\.0 \(62\.50 %\) Ptnml\(0-2\): \[1, 3, 5, 7, 4\]' a b
check "a match is not counted twice" refuses 'a: has the same seed as .*/a' a b a
plays same 1
check "nor are matches of one seed" refuses 'same: has the same seed' a same
check "another engine is refused" refused_with 'other opponent: ' opponent=scripts/match.sh
check "another limit is refused" refused_with 'other limit: tc=1\+0.02, not tc=1\+0.01' limit=1+0.02
check "another variant is refused" refused_with 'other variant: frc' variant=frc
check "other options are refused" refused_with 'other engine_options: Hash=16 Move Overhead=5 Threads=2' mine=Threads=2
check "other options of the opponent are refused" refused_with 'other opponent_options: Hash=16 Hash=1' theirs=Hash=1
check "another match in a folder is refused" ends 2 "match.sh: $work/a has another match" plays a 2
longer() { games=22 plays a 1; }
check "so is a longer one" ends 2 "match.sh: $work/a has another match" longer
check "and leaves the first one" sums_to '^Elo: 0\.00 .* Games: 20,' a
check "the same match begins again" plays a 1
echo '{}' > "$work/a/config.json"
echo 'Games: 10, Wins: 5, Losses: 5, Draws: 0' > "$work/a/log.txt"
goes_on() { plays a 1 && grep -q '^Games: 10,' "$work/a/log.txt" && tail -n 2 "$work/a/log.txt" | grep -q '^Ptnml(0-2): \[1, 2, 3, 4, 1\]'; }
check "it goes on if it was interrupted" goes_on
begins_again() { plays a 1 && ! grep -q '^Games: ' "$work/a/log.txt" && [ ! -e "$work/a/config.json" ]; }
for end in 'Games: 20, Wins: 9, Losses: 7, Draws: 4' 'SPRT ([0.00, 10.00]) completed - H1 was accepted'; do
    echo '{}' > "$work/a/config.json"
    echo "$end" > "$work/a/log.txt"
    check "but begins again if it was finished: $end" begins_again
done
beside_a_match() { (flock 8 && plays a 1) 8> "$work/a/lock"; }
check "but not while it runs" ends 2 'another match.sh runs in ' beside_a_match
for limit in 1+0,01 1+ nodes=0 nodes= 1:0; do
    check "a TC of $limit is refused" ends 2 "match.sh: TC is such as" plays wrong 1 "limit=$limit"
done
lacks_option() { ! plays lacking 1 mine=Thraeds=2 && [ ! -e "$work/lacking/log.txt" ]; }
check "an option that the engine lacks is refused" lacks_option
for value in 599 2851 0x800 ""; do
    check "a UCI_Elo of '$value' is refused" ends 1 "option 'UCI_Elo' is from 600 to 2850, not '$value'$" \
        scripts/engine-options.sh "$work/engine" Threads=1 "UCI_Elo=$value"
done
check "one in its range is not" scripts/engine-options.sh "$work/engine" UCI_Elo=600 uci_elo=2850
levels() { # NAME=VALUE LEVEL...: uci-elo.sh with this setting
    env PATH="$work/bin:$PATH" BOOK="$work/book.epd" ENGINE="$work/levels" ANCHOR="$work/levels" OUT="$work/strength" \
        "$1" scripts/uci-elo.sh 2 "${@:2}"
}
offers "$work/levels" Hash UCI_LimitStrength
spins "$work/levels" UCI_Elo 600 2850
check "uci-elo.sh refuses a level that the engine lacks" ends 2 "'UCI_Elo' is from 600 to 2850, not '500'$" levels ANCHOR_ELO=2000 1000 500
check "it refuses one that the anchor lacks" ends 2 "'UCI_Elo' is from 600 to 2850, not '3000'$" levels ANCHOR_LEVEL=3000 1000
check "it refuses an anchor without levels" ends 2 "no option 'Skill Level'$" levels ANCHOR_ELO= 1000
says_book() { ! plays lacking 1 "book=$work/none.epd" 2> "$work/said-book" && grep -q "none.epd': set BOOK to an EPD file" "$work/said-book"; }
check "missing openings are named" says_book
check "other openings are refused" refused_with 'other book: ' book=scripts/match.sh
printf 'one' > "$work/one.nnue"
printf 'two' > "$work/two.nnue"
printf 'one' > "$work/one-again.nnue"
plays one 1 "mine=EvalFile=$work/one.nnue"
plays two 2 "mine=EvalFile=$work/two.nnue"
plays again 2 "mine=EvalFile=$work/one-again.nnue"
check "another network is refused" refuses 'two: other engine_options: ' one two
check "the same network may be in another file" sums_to 'Games: 40' one again
printf 'one' > "$work/one more.nnue"
plays blank 2 "mine=EvalFile=$work/one more.nnue"$'\n'
check "and in one with blanks in its path" sums_to 'Games: 40' one blank
plays lines 2 "mine=Threads=2"$'\n'"Move Overhead=20"
check "options may be one to a line" grep -qx 'engine_options: Hash=16 Move Overhead=5 Threads=2 Move Overhead=20' "$work/lines/conditions.txt"
plays tested 3 "sprt=0 10"
check "sequential tests are not added up" refuses 'tested: is a sequential test' tested
plays cut 9
check "a match without a result is refused" refuses 'cut: has no result' a cut
check "a folder without a match is refused" refuses 'nothing: is not a match of match.sh' a nothing
cp -r "$work/b" "$work/short"
sed -i 's/^games: .*/games: 30/' "$work/short/conditions.txt"
check "an unfinished match counts and is named" sums_to 'short: is not finished: 20 games .*Games: 40' a short

# A run of spsa.sh ends when it cannot rename its state, as if it were killed there, and is continued.
mkdir "$work/spsa-bin" "$work/no-mv"
printf '#!/bin/sh\necho "Games: 16, Wins: 9, Losses: 7, Draws: 0"\n' > "$work/spsa-bin/fastchess"
printf '#!/bin/sh\nexit 1\n' > "$work/no-mv/mv"
chmod +x "$work/spsa-bin/fastchess" "$work/no-mv/mv"
echo 'a, int, 10, 0, 20, 2, 0.1' > "$work/parameters"
offers "$work/tunable" a
tunes() { # FOLDER [SETTING]: with the programs of this folder
    env PATH="$1:$work/spsa-bin:$PATH" scripts/spsa.sh "$work/tunable" "$work/parameters" "$work/spsa" \
        PAIRS=16 BATCH=8 RATE=0 BOOK="$work/book.epd" "${@:2}"
}
counts_once() { ! tunes "$work/no-mv" && tunes "$work/spsa-bin" && [ "$(wc -l < "$work/spsa/design.csv")" = 2 ]; }
check "a batch of spsa.sh that is repeated counts once" counts_once
one_batch() { rm -rf "$work/spsa" && tunes "$work/spsa-bin" PAIRS=8 | grep -xE 'a [-+][0-9.]+ \+- unknown'; }
check "one batch of spsa.sh has no interval" one_batch

for setting in RATE=0,002 RATE=-1 RATE=. PAIRS=0 PAIRS=1e3 BATCH= BATCH=08 SEED=x; do
    check "spsa.sh refuses $setting" ends 2 "spsa.sh: ${setting%%=*} is a number" tunes "$work/spsa-bin" "$setting"
done
for rate in 0. .00 0e-3; do
    check "a RATE of $rate is 0" ends 0 '^a [-+][0-9.]+ \+- ' tunes "$work/spsa-bin" PAIRS=8 "RATE=$rate"
done
moves() { rm -rf "$work/spsa" && tunes "$work/spsa-bin" RATE="$1" SEED=0 | grep -E '^a,10,([0-9]|1[1-9]|20)$'; }
for rate in 0.5 .5 5e-1; do
    check "a RATE of $rate moves the parameter" moves $rate
done
beside_another() { (flock 8 && tunes "$work/spsa-bin" RATE=.5 SEED=0) 8> "$work/spsa/lock"; }
check "a second spsa.sh in a folder is refused" ends 2 'another spsa.sh runs in ' beside_another
offers "$work/tunable"
spins "$work/tunable" a 1 20
rm -rf "$work/spsa"
check "a parameter with a larger range than its option is refused" ends 1 "option 'a' is from 1 to 20, not '0'" tunes "$work/spsa-bin"
check "and leaves no folder" [ ! -e "$work/spsa" ]
offers "$work/tunable" a

# A fastchess whose engine `new` loses a game from each of the openings $LOST.
mkdir "$work/elo-bin"
cat > "$work/elo-bin/fastchess" <<'END'
#!/bin/bash
for word; do [[ $word != file=*.pgn ]] || pgn=${word#file=}; done
for fen in $LOST; do printf '[White "new"]\n[FEN "%s"]\n[Result "0-1"]\n\n1. e4\n\n' "$fen"; done > "$pgn"
END
chmod +x "$work/elo-bin/fastchess"
offers "$work/learner" Hash UCI_AnalyseMode
gains() { # GAMES [LOST]: learning/elo.sh with its file
    env PATH="$work/elo-bin:$PATH" LOST="${2:-a}" MEMORIES=table-1 BOOK="$work/book.epd" WORK="$work/elo" \
        scripts/learning/elo.sh "$work/learner" "$work/elo.csv" "$1" 10 2
}
gain_is() { # REGEX LOST: what it prints of a new file
    rm -f "$work/elo.csv" # it would not play again
    ends 0 "$1" gains 2 "$2"
}
check "a memory may lose every game" gain_is '^table-1 +0\.0 of 2 points, Elo: too one-sided for an estimate, 1024 KiB$' 'a b'
check "one opening has no interval" gain_is '^table-1 +0\.0 of 1 points, Elo: too few openings' a

check "a match is not played again" ends 0 '0\.0 of 1 points' gains 2
awk -F , -v OFS=, 'NR == 1; /^Bebe,4000,10,/ { $1 = "table-1"; $2 = 10; $3 = 2; print }' scripts/learning/results/elo.csv > "$work/elo.csv"
check "ten openings have the interval of the results page" ends 0 '579\.0 of 1000 points, Elo \+55 \[\+24, \+88\]' gains 2
check "one of another length is refused" ends 2 'elo.csv has matches of another engine, book or number of games' gains 4
echo "# another engine" >> "$work/learner"
check "so is one of another engine" ends 2 'elo.csv has matches of another engine, book or number of games' gains 2
sed -i 2,\$d "$work/elo.csv"
echo "my notes" > "$work/notes"
notes() { env PATH="$work/elo-bin:$PATH" BOOK="$work/book.epd" scripts/learning/elo.sh "$work/learner" "$work/notes" 2 10 2; }
check "a file of one other line is refused" ends 2 'notes has matches of another' notes
check "a file without matches is for any" ends 0 '0\.0 of 1 points' gains 4
rm "$work/elo.csv.settings"
check "matches of an unknown engine are refused" ends 2 'elo.csv has matches of another engine, book or number of games' gains 4

# A fastchess that plays for a minute, and saves its state at SIGINT.
mkdir "$work/long-bin"
cat > "$work/long-bin/fastchess" <<END
#!/bin/bash
trap 'echo "Games: 16, Wins: 9, Losses: 7, Draws: 0"; kill \$!; exit' INT
echo \$\$ > "$work/playing"
sleep 60 & wait
END
chmod +x "$work/long-bin/fastchess"
ends_its_matches() { # SIGNAL COMMAND...
    ends_by "$1" env PATH="$work/long-bin:$PATH" BOOK="$work/book.epd" "${@:2}"
}
rm -f "$work/elo.csv"
check "learning/elo.sh ends its matches when a signal ends it" ends_its_matches TERM env MEMORIES=table-1 WORK="$work/elo" \
    scripts/learning/elo.sh "$work/learner" "$work/elo.csv" 2 10 2
check "so does match.sh" ends_its_matches TERM scripts/match.sh "$work/engine" "$work/opponent" 2 1+0.01 standard "$work/ended"
check "and its match is saved and logged" grep -q ^Games: "$work/ended/log.txt"
check "so does spsa.sh" ends_its_matches TERM scripts/spsa.sh "$work/tunable" "$work/parameters" "$work/spsa-ended" \
    BOOK="$work/book.epd"
check "and its batch is saved, but does not count" grep -q "pairs 0" "$work/spsa-ended/state"
check "so does check-games.sh" ends_its_matches TERM scripts/check-games.sh 2 "$work/engine" "$work/checked"
check "so does uci-elo.sh" ends_its_matches TERM env ENGINE="$work/levels" ANCHOR="$work/levels" ANCHOR_ELO=2000 \
    OUT="$work/strength" scripts/uci-elo.sh 2 1000
for signal in TERM INT HUP; do
    check "so does busy-match.sh, by SIG$signal" ends_its_matches $signal env BUSY=2 \
        scripts/busy-match.sh "$work/engine" "$work/opponent" 2 1+0.01 "$work/busy-ended"
done
refuses_second() { # OUT COMMAND...: refused while another one holds this folder
    (flock 8 && ends 2 "another .*\.sh runs in " env PATH="$work/long-bin:$PATH" BOOK="$work/book.epd" "${@:2}") 8> "$1/lock"
}
check "a second learning/elo.sh in a folder is refused" refuses_second "$work/elo/10-2" env MEMORIES=table-1 WORK="$work/elo" \
    scripts/learning/elo.sh "$work/learner" "$work/elo.csv" 2 10 2
check "so is a second check-games.sh" refuses_second "$work/checked" scripts/check-games.sh 2 "$work/engine" "$work/checked"
check "so is a second uci-elo.sh" refuses_second "$work/strength" env ENGINE="$work/levels" ANCHOR="$work/levels" ANCHOR_ELO=2000 \
    OUT="$work/strength" scripts/uci-elo.sh 2 1000
check "so is a second busy-match.sh" refuses_second "$work/busy-ended" scripts/busy-match.sh "$work/engine" "$work/opponent" 2 \
    1+0.01 "$work/busy-ended"
leaves_no_load() { # after kill -9, busy-match.sh leaves only its fastchess
    local script gone=0
    rm -f "$work/playing"
    set -m # a group of its own
    env PATH="$work/long-bin:$PATH" BOOK="$work/book.epd" BUSY=2 \
        scripts/busy-match.sh "$work/engine" "$work/opponent" 2 1+0.01 "$work/busy-killed" & script=$!
    set +m
    soon [ -s "$work/playing" ] || return 1
    kill -KILL $script
    soon is_empty $script || gone=1
    kill -- -$script || :
    kill -INT "$(cat "$work/playing")"
    return $gone
}
check "busy-match.sh leaves no load behind after kill -9" leaves_no_load

# A fastchess that ends at Ctrl-C with status 1, as after a match with errors.
mkdir "$work/caught-bin"
cat > "$work/caught-bin/fastchess" <<END
#!/bin/bash
[ "\$1" != --compliance ] || exit 0
trap 'kill \$!; exit 1' INT
echo \$\$ | tee "$work/playing" >> "$work/matches"
sleep 60 & wait
END
chmod +x "$work/caught-bin/fastchess"
interrupted() { # COMMAND...: sends it Ctrl-C in its match; it starts no other match
    rm -f "$work/matches"
    ends_by -INT env PATH="$work/caught-bin:$PATH" BOOK="$work/book.epd" "$@" && [ "$(wc -l < "$work/matches")" = 1 ]
}
check "Ctrl-C ends check-games.sh" interrupted scripts/check-games.sh 2 "$work/engine" "$work/games"

# A match that engines with unusual names play behind slow connections: its fastchess starts both, and `new` loses on time.
mkdir "$work/busy-bin" "$work/c++ (1)"
cat > "$work/busy-bin/fastchess" <<'END'
#!/bin/bash
for word; do
    case $word in
    cmd=*) printf 'uci\ngo\n' | "${word#cmd=}" || exit 1 ;;
    file=*.pgn) printf '[White "new"]\n[Result "0-1"]\n[Termination "time forfeit"]\n' > "${word#file=}" ;;
    esac
done
END
chmod +x "$work/busy-bin/fastchess"
printf '#!/bin/sh\nsed s/go/bestmove/\n' > "$work/c++ (1)/engine"
chmod +x "$work/c++ (1)/engine"
is_lost_on_time() {
    ends 1 '^1 games: lost on time 1, the opponent 0$' env PATH="$work/busy-bin:$PATH" BOOK="$work/book.epd" BUSY=1 PAUSES=1 \
        DELAY=40 scripts/busy-match.sh "$work/c++ (1)/engine" "$work/c++ (1)/engine" 2 1+0.01 "$work/busy" &&
        [ "$(grep -cx bestmove "$work/busy/log.txt")" = 2 ]
}
check "a busy machine counts games lost on time" is_lost_on_time
is_late() {
    local start=${EPOCHREALTIME/[.,]/}
    printf 'uci\ngo\nquit\n' | scripts/delay-engine.sh 200 "$work/c++ (1)/engine" > "$work/late" &&
        [ "$(xargs < "$work/late")" = 'uci bestmove quit' ] && [ $((${EPOCHREALTIME/[.,]/} - start)) -ge 200000 ]
}
check "a slow connection delays go and bestmove, and keeps the order" is_late
print_counts
