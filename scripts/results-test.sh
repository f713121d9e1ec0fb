#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# results-test.sh FOLDER: checks the results pages (scripts/results.sh --check) with the palimpsest-lab in FOLDER, that
# the check notices altered numbers, scripts/lab/sum-games.sh, and that figures leave out incomplete results.
# The last line is "N passed, N failed, N skipped".
set -u
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/usage.sh"
[ $# = 1 ] || usage
need_program "$1/palimpsest-lab"
LAB=$(realpath "$1/palimpsest-lab")
export LAB
cd "$(dirname "$0")/.." || exit 1
. scripts/checks.sh

printf '# a comment\n \n\t\r\n\t# another\n' > "$work/games.epd"
printf 'position id A.%s; c0 "in game 1";\n' 1 2 >> "$work/games.epd"
printf 'position id "B.%s";\n' 1 2 >> "$work/games.epd"
printf 'position id "C-D 1994 move %s";\n' 1 2 >> "$work/games.epd"
printf 'position\n%.0s' 1 2 >> "$work/games.epd"
head -n 1 scripts/lab/results/replacement.csv > "$work/rows.csv"
row=abc,Deep,8,cleared,kept,0,0,4
printf '%s\n' $row,1,10,20,30,5,e2e4 $row,2,1,2,3,-5,d2d4 $row,2,1,2,3,-5,d2d4 $row,{3,5,6,7,8},1,1,1,0,a2a3 >> "$work/rows.csv"
sums() {
    scripts/lab/sum-games.sh "$work/games.epd" "$work/rows.csv" | tail -n +2 |
        diff - <(printf '%s,0,-\n' $row,1,11,22,33 $row,3,2,2,2 $row,4,1,1,1 $row,5,1,1,1)
}
check "rows of whole games are summed, repeated rows once, games with missing positions not" sums

# Prints a file without all rows of a cell, or without one of them: the figures are the same.
without_cell() { grep -v -- "$2" "$1"; }
without_row() { awk -v cell="$2" '!($0 ~ cell && !found++)' "$1"; }
draw_replacement() { gnuplot -e "csv='$1'; out='$2'" scripts/lab/plot-replacement.gp; }
draw() { gnuplot -c "scripts/lab/plot-$1.gp" "$2" "$3"; }
leaves_out() { # FILE CELL PLOT...: the figure, with one row of the cell missing, is that without the cell and not that of the file
    local file=scripts/lab/results/$1 cell=$2
    shift 2
    without_cell "$file" "$cell" > "$work/cell.csv"
    without_row "$file" "$cell" > "$work/row.csv"
    "$@" "$work/cell.csv" "$work/cell.svg" && "$@" "$work/row.csv" "$work/row.svg" && "$@" "$file" "$work/whole.svg" &&
        cmp "$work/cell.svg" "$work/row.svg" && ! cmp -s "$work/row.svg" "$work/whole.svg"
}
one_set() { # PLOT...: positions of another set, after those of the first, do not count
    awk -F, -v OFS=, 'NR > 1 { $1 = "00000001"; if ($2 == "None") $10 *= 2; print }' scripts/lab/results/replacement.csv |
        cat scripts/lab/results/replacement.csv - > "$work/sets.csv"
    "$@" "$work/sets.csv" "$work/sets.svg" && "$@" scripts/lab/results/replacement.csv "$work/whole.svg" &&
        cmp "$work/sets.svg" "$work/whole.svg"
}
if command -v gnuplot > /dev/null; then
    check "a figure leaves out sizes with missing positions" leaves_out replacement.csv ',Big1,64,cleared,cleared,0,0,7,' draw_replacement
    check "a figure leaves out depths with missing positions" leaves_out replacement.csv ',TwoBig1,1024,stamped,cleared,0,0,6,' draw depth
    check "also when the searches without a table lack some" leaves_out replacement.csv ',None,0,cleared,cleared,0,0,6,' draw depth
    check "the figure on bounds does, too" leaves_out bounds.csv '^fda94800,7,[0-9]*,PVS,64,Deep,single,' draw bounds
    check "a figure shows one set of positions" one_set draw_replacement
    check "so does that by depth" one_set draw depth
else
    skip "the figures: there is no gnuplot"
fi

# Runs the command in the head of perft-trial.c, but for the name of the program.
build_trial() {
    eval "$(sed -n '/^ \*   gcc/,/\*\// { s/^ \*//; s/ \*\/$//; p; }' scripts/lab/perft-trial.c | sed "s:-o perft-trial:-o '$work/trial':")"
}
if [ -e build/native-release-gcc/src/chess/play.o ] && command -v gcc > /dev/null; then
    check "the trial of perft is built as its head says" ends 0 "" build_trial
    check "and needs three arguments" ends 2 "" "$work/trial"
else
    skip "the trial of perft: there are no objects of make tools"
fi

if ! command -v python3 > /dev/null; then
    skip "the results pages: there is no python3"
    print_counts
    exit
fi

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
check "a page names a table that does not exist" alter scripts/lab/results/optimal.md 's/results: optimal_live/results: optimal_dead/'
check "a table has no end" alter scripts/lab/results/census.md '/^<!-- end -->/d'
# The copy has no program of the laboratory, so without shared data, which one check reads with it.
PALIMPSEST_SHARED=$work/none scripts/results.sh --check "$copy" > "$work/altered" 2> "$work/causes"
grep '^FAILED' "$work/altered" | sed 's/:$//' | sort > "$work/named"
cat > "$work/expected" <<'END'
FAILED: rows and checksum of scripts/lab/results/reads.csv
FAILED: rows and checksum of scripts/lab/results/torn.csv
FAILED: scripts/lab/results/modern.svg shows its CSV files
FAILED: tables and numbers of scripts/lab/results/README.md
FAILED: tables and numbers of scripts/lab/results/census.md
FAILED: tables and numbers of scripts/lab/results/optimal.md
FAILED: tables and numbers of src/learning/README.md
FAILED: tables and numbers of src/tt/README.md
END
check "the check names each altered file and no other" diff "$work/expected" "$work/named"
check "the missing table is named" grep -q 'there is no table optimal_dead' "$work/causes"
check "so is the missing end" grep -q 'do not form pairs' "$work/causes"

scripts/results.sh --check > "$work/real"
grep -v ' passed, ' "$work/real"
skipped=$((skipped + $(grep -c '^skipped: ' "$work/real")))
check "the pages agree with their files" grep -q ' passed, 0 failed, ' "$work/real"
print_counts
