#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# results-test.sh FOLDER: checks the results pages (scripts/results.sh --check) with the palimpsest-lab in FOLDER, that
# the check notices altered numbers, and the scripts that add up results: scripts/lab/sum-games.sh, scripts/sum-matches.sh,
# scripts/spsa.sh and scripts/learning/elo.sh.
# The last line is "N passed, N failed, N skipped".
set -u
export LC_ALL=C # awk: decimal points
[ $# = 1 ] && [ -x "$1/palimpsest-lab" ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
LAB=$(realpath "$1/palimpsest-lab")
export LAB
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. scripts/checks.sh

# alter FILE SED-COMMAND: changes a file of the copy.
alter() { sed -i "$2" "$copy/$1" && ! cmp -s "$1" "$copy/$1"; }

# One alteration of each kind, in one copy: the check names these files and no others.
copy=$work/copy
mkdir -p "$copy"
cp -r --parents scripts/results scripts/lab/results scripts/learning/results scripts/cluster nets/cost.* src/learning/README.md src/tt/README.md "$copy"
check "a number in a table is altered" alter src/tt/README.md '/results: restart/,/end/s/ply deeper with the file | \([0-9]\)/ply deeper with the file | 9\1/'
check "a number in the text is altered" alter src/learning/README.md 's/from 100 openings/from 7654321 openings/'
check "a count in a CSV file is altered" alter scripts/lab/results/torn.csv '2s/500000037/500000038/'
check "a row of a CSV file is lost" alter scripts/lab/results/reads.csv '$d'
check "a figure is altered" alter scripts/lab/results/modern.svg '1,20s/<svg/<swg/'
scripts/results.sh --check "$copy" > "$work/altered"
grep '^FAILED' "$work/altered" | sed 's/:$//' | sort > "$work/named"
cat > "$work/expected" <<'END'
FAILED: rows and checksum of scripts/lab/results/reads.csv
FAILED: rows and checksum of scripts/lab/results/torn.csv
FAILED: scripts/lab/results/modern.svg shows its CSV files
FAILED: tables and numbers of scripts/lab/results/README.md
FAILED: tables and numbers of src/learning/README.md
FAILED: tables and numbers of src/tt/README.md
END
check "the check names each altered file and no other" diff "$work/expected" "$work/named"

printf 'position id "A.%s";\n' 1 2 > "$work/games.epd"
printf 'position id "B.%s";\n' 1 2 >> "$work/games.epd"
head -n 1 scripts/lab/results/replacement.csv > "$work/rows.csv"
row=abc,Deep,8,cleared,kept,0,0,4
printf '%s\n' $row,1,10,20,30,5,e2e4 $row,2,1,2,3,-5,d2d4 $row,2,1,2,3,-5,d2d4 $row,3,1,1,1,0,a2a3 >> "$work/rows.csv"
sums() { [ "$(scripts/lab/sum-games.sh "$work/games.epd" "$work/rows.csv" | tail -n +2)" = $row,1,11,22,33,0,- ]; }
check "rows of whole games are summed, repeated rows once, games with missing positions not" sums

# A fastchess that plays nothing: the result depends on the seed. With seed 9 it is interrupted.
mkdir "$work/bin"
cat > "$work/bin/fastchess" <<'END'
#!/bin/bash
case " $* " in
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
offers "$work/engine" Hash Threads EvalFile "Move Overhead"
offers "$work/opponent" Hash
plays() { # FOLDER SEED VARIABLE=VALUE...: a match with these settings
    local folder=$1 seed=$2 opponent=$work/opponent limit=1+0.01 variant=standard
    shift 2
    [ $# = 0 ] || local "$@"
    env PATH="$work/bin:$PATH" SEED="$seed" BOOK="${book:-$work/games.epd}" ENGINE_OPTIONS="${mine:-}" OPPONENT_OPTIONS="${theirs:-}" \
        SPRT="${sprt:-}" scripts/match.sh "$work/engine" "$opponent" 20 "$limit" "$variant" "$work/$folder" > /dev/null
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
lacks_option() { ! plays lacking 1 mine=Thraeds=2 && [ ! -e "$work/lacking/log.txt" ]; }
check "an option that the engine lacks is refused" lacks_option
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
sed -i '/^Finished/d' "$work/short/log.txt"
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
        PAIRS=16 BATCH=8 RATE=0 BOOK="$work/games.epd" "${@:2}"
}
counts_once() { ! tunes "$work/no-mv" && tunes "$work/spsa-bin" && [ "$(wc -l < "$work/spsa/design.csv")" = 2 ]; }
check "a batch of spsa.sh that is repeated counts once" counts_once
one_batch() { rm -rf "$work/spsa" && tunes "$work/spsa-bin" PAIRS=8 | grep -xE 'a [-+][0-9.]+ \+- unknown'; }
check "one batch of spsa.sh has no interval" one_batch

# A fastchess whose engine `new` loses a game from each of the openings $LOST.
mkdir "$work/elo-bin"
cat > "$work/elo-bin/fastchess" <<'END'
#!/bin/bash
for word; do [[ $word != file=*.pgn ]] || pgn=${word#file=}; done
for fen in $LOST; do printf '[White "new"]\n[FEN "%s"]\n[Result "0-1"]\n\n1. e4\n\n' "$fen"; done > "$pgn"
END
chmod +x "$work/elo-bin/fastchess"
offers "$work/keeper" Hash UCI_AnalyseMode
gain_is() { # REGEX LOST: what learning/elo.sh prints
    rm -f "$work/elo.csv" # it would not play again
    env PATH="$work/elo-bin:$PATH" LOST="$2" MEMORIES=table-1 BOOK="$work/games.epd" WORK="$work/elo" \
        scripts/learning/elo.sh "$work/keeper" "$work/elo.csv" 2 10 2 > "$work/gain"
    cat "$work/gain"
    grep -qE "$1" "$work/gain"
}
check "a memory may lose every game" gain_is '^table-1 +0\.0 of 2 points, Elo: too one-sided for an estimate, 1024 KiB$' 'a b'
check "one opening has no interval" gain_is '^table-1 +0\.0 of 1 points, Elo: too few openings' a

scripts/results.sh --check > "$work/real"
grep -v ' passed, ' "$work/real"
check "the pages agree with their files" grep -q ' passed, 0 failed, ' "$work/real"
print_counts
