#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# syzygy-oracle.sh ENGINE [FILE]: the command `tb` of ENGINE must answer as FILE says, a table of positions with WDL, DTZ,
# outcome with the fifty-move rule, and moves with their ranks.
#   FILE (syzygy/oracle.tsv of the shared data) is beside the folder `tables` and a README.txt that describes its columns
# The last line is "N passed, N failed, N skipped".
set -u
. "$(dirname "$0")/usage.sh"
if [ $# -lt 1 ] || [ $# -gt 2 ]; then usage; fi
need_program "$1"
engine=$(realpath "$1")
scripts=$(dirname "$0")
file=${2:-${PALIMPSEST_SHARED:-$scripts/../../shared}/syzygy/oracle.tsv}
. "$scripts/checks.sh"

# Rows of the table and answers of `tb` are converted to one form: number of the row, WDL, DTZ, outcome, then all moves
# sorted by name, each with WDL, DTZ and rank, then the best moves.
form='
    function sorted(words,    n, i, j, word, list) {
        n = split(words, list, " ")
        for (i = 2; i <= n; i++) {
            word = list[i]
            for (j = i; j > 1 && list[j - 1] > word; j--) list[j] = list[j - 1]
            list[j] = word
        }
        words = ""
        for (i = 1; i <= n; i++) words = words " " list[i]
        return words
    }
    function print_row(id) {
        print id, wdl, dtz, outcome, "moves" sorted(moves), "best" sorted(best)
        wdl = dtz = outcome = "-"; moves = best = ""
    }
    BEGIN {
        digit["loss"] = -2; digit["blessed loss"] = -1; digit["draw"] = 0; digit["cursed win"] = 1; digit["win"] = 2
        wdl = dtz = outcome = "-"
    }'
rows() {
    awk -F '\t' "$form"'
        NR > 1 {
            wdl = $6; dtz = $7
            if ($5 == "yes") { outcome = $8; moves = $12; best = $10 }
            print_row(NR - 1)
        }' "$file"
}
answers() {
    {
        echo "setoption name SyzygyPath value $(dirname "$file")/tables"
        awk -F '\t' 'NR > 1 { print "tb " $4; print "isready" }' "$file"
    } | "$engine" | awk "$form"'
        function after(text) { return substr($0, index($0, text) + length(text)) }
        /^WDL: / {
            split(substr($0, 6), part, ","); wdl = digit[part[1]]
            if (/DTZ: /) { split(after("DTZ: "), part, ","); dtz = part[1] }
            if (/clock: /) outcome = digit[after("clock: ")]
        }
        /^  / {
            if (moves == "") first = $3
            if ($3 > last && moves != "") moves = moves " unsorted"
            last = $3
            moves = moves " " $1 ":" digit[$6 ($7 == "" ? "" : " " $7)] ":" $5 ":" $3
            if ($3 == first) best = best " " $1
        }
        /^readyok$/ { print_row(++row) }'
}
equal() { diff <(rows) <(answers) > "$work/differences" || { head -n 4 "$work/differences"; false; }; }

if [ ! -r "$file" ]; then
    skip "the tablebase oracle: no $file"
elif "$engine" compiler | grep -q 'built without libfathom'; then
    skip "the tablebase oracle: the engine was built without libfathom"
else
    check "tb of $(($(wc -l < "$file") - 1)) positions" equal
fi
print_counts
