#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/results.sh [--check [FOLDER]]: rewrites the results pages from their CSV files: the tables between the lines
# `<!-- results: NAME -->` and `<!-- end -->`, the reports of palimpsest-lab, the figures, and rows and checksums in scripts/results/manifest.tsv. The
# engine, date and command of a CSV file are entered there by hand. `make results` calls this script.
#   --check: changes nothing and compares, in this repository or its copy in FOLDER: rows and checksums of the CSV files,
#   the CSV files of each figure, reports, tables, that columns.md names all columns, and each number in the text of the pages. The number must be, with the word
#   after it, in scripts/results/given.tsv, which says where it comes from. `make results-check` and `make test` do this.
#   LAB=FILE in the environment: palimpsest-lab, for the claims of 1994 (./palimpsest-lab).
# scripts/results/README.md says how to add a table or a figure. Needs Python 3.8.
set -uo pipefail
. "$(dirname "$0")/usage.sh"
[ $# = 0 ] || { [ $# -le 2 ] && [ "$1" = --check ]; } || usage
shopt -s lastpipe
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
export LAB=${LAB:-$(dirname "$here")/palimpsest-lab}
checking=
[ "${1:-}" != --check ] || { checking=1; shift; }
cd "${1:-$here/..}" || exit 1
[ -x "$LAB" ] || { echo "results.sh: $LAB is missing: make tools" >&2; exit 1; }
command -v python3 > /dev/null || { echo "results.sh: python3 is missing" >&2; exit 1; }
manifest=scripts/results/manifest.tsv
pages=(scripts/lab/results/README.md scripts/lab/results/optimal.md scripts/lab/results/census.md
    scripts/lab/results/bounds.md scripts/lab/results/writers.md scripts/lab/results/lesson.md src/learning/README.md
    src/tt/README.md)
reports=(scripts/lab/results/replacement.md scripts/lab/results/replacement-middlegames.md) # of palimpsest-lab
. "$here/checks.sh"
make_results() { python3 "$here/results/main.py" "$@"; } # tables, reports and figures

sum_of() { cat "$@" 2> /dev/null | sha256sum | cut -c 1-16; }
rows_of() { echo $(($(wc -l < "$1") - 1)); }

# The CSV files of the manifest, and the figures with the CSV files they show.
csv_files() { awk -F '\t' '$1 ~ /\.csv$/ { print $1 }' "$manifest"; }
figures() { awk -F '\t' '$1 ~ /\.svg$/ { print $1 "\t" $6 }' "$manifest"; }

# Prints the numbers in the text of page $1, each with the next word, one a line: not in tables of results, code, links
# and comments.
numbers() {
    awk '/^<!-- results: / { skipping = 1 } /^<!-- end -->/ { skipping = 0; next } skipping || /^    / { next }
        /^```/ { code = !code; next } code { next }
        { gsub(/`[^`]*`/, ""); gsub(/\]\([^)]*\)/, "]"); gsub(/<!--.*-->/, ""); sub(/`[^`]*$/, ""); gsub(/[|*()]/, " ")
          gsub(/ +/, " "); printf "%s ", $0 }' "$1" |
        grep -oE '[0-9]+([.,][0-9]+)*%?( ?[^] 0-9"]+)?' | sed 's/[.,;: ]*$//' | sort -u
}

text_agrees() {
    local wrong
    wrong=$(comm -23 <(numbers "$1") <(awk -F '\t' -v page="$1" '$1 == page { print $2 }' scripts/results/given.tsv | sort -u))
    [ -z "$wrong" ] || { printf '%s: not in scripts/results/given.tsv:\n%s\n' "$1" "$wrong"; return 1; }
}

same() { [ "$2" = "$3" ] || { echo "$1: $2, the manifest says $3"; return 1; }; }

csv_agrees() {
    local row
    row=$(awk -F '\t' -v file="$1" '$1 == file' "$manifest")
    same "rows of $1" "$(rows_of "$1")" "$(cut -f 2 <<< "$row")" && same "checksum of $1" "$(sum_of "$1")" "$(cut -f 3 <<< "$row")"
}

figure_agrees() { # FIGURE SOURCES
    same "checksum of $1" "$(sum_of "$1")" "$(awk -F '\t' -v file="$1" '$1 == file { print $3 }' "$manifest")" &&
        same "data of $1" "$(sum_of $2)" "$(awk -F '\t' -v file="$1" '$1 == file { print $2 }' "$manifest")"
}

report_agrees() { diff "$1" "$work/made/$1"; }
page_agrees() { diff "$1" "$work/made/$1" && text_agrees "$1"; }
published_runs_are_complete() {
    scripts/lab/repeat.sh replacement scripts/lab/results/replacement.csv --dry-run 2>&1 |
        awk '$1 != $3 { print; missing = 1 } END { exit missing || NR != 5 }' # "N observations, N of them from the file"
}
every_csv_is_listed() {
    find nets scripts -name '*.csv' | sort | diff - <(csv_files | sort)
}

columns_are_explained() { # those of the laboratory
    head -qn 1 scripts/lab/results/*.csv | tr ',' '\n' | sort -u |
        comm -23 - <(grep -oE '`[a-z0-9_ ]+`' scripts/lab/results/columns.md | tr -d '\`' | sort -u) | sed 's/$/: not in columns.md/' |
        (! grep .)
}

if [ "$checking" ]; then
    check "every CSV file is in the manifest" every_csv_is_listed
    check "columns.md explains every column" columns_are_explained
    for file in $(csv_files); do check "rows and checksum of $file" csv_agrees "$file"; done
    figures | while IFS=$'\t' read -r figure sources; do
        check "$figure shows its CSV files" figure_agrees "$figure" "$sources"
    done
    make_results pages "$work/made" "${reports[@]}" "${pages[@]}" # those that it cannot make are missing below
    for report in "${reports[@]}"; do check "the report ${report##*/}" report_agrees "$report"; done
    if [ -r "${PALIMPSEST_SHARED:-../shared}/data/kasparov-short-1994.epd" ]; then
        check "repeat.sh names all runs of replacement.csv" published_runs_are_complete
    else
        skip "the runs of replacement.csv: no positions in ${PALIMPSEST_SHARED:-../shared}"
    fi
    for page in "${pages[@]}"; do check "tables and numbers of $page" page_agrees "$page"; done
    print_counts
    exit
fi

drawn=
if command -v gnuplot > /dev/null; then
    drawn=1
    make_results figures $(figures | cut -f 1) || exit 1
else
    echo "skipped: the figures (gnuplot is not installed)"
fi
while IFS=$'\t' read -r file rows sum rest; do
    case $file in
    *.csv) rows=$(rows_of "$file") sum=$(sum_of "$file") ;;
    *.svg) [ ! "$drawn" ] || { sum=$(sum_of "$file") rows=$(sum_of $(cut -f 3 <<< "$rest")); } ;;
    esac
    printf '%s\t%s\t%s\t%s\n' "$file" "$rows" "$sum" "$rest"
done < "$manifest" > "$work/manifest" && cat "$work/manifest" > "$manifest"
status=0
make_results pages "$work/made" "${reports[@]}" "${pages[@]}" || status=1
for page in "${reports[@]}" "${pages[@]}"; do
    [ ! -e "$work/made/$page" ] || cat "$work/made/$page" > "$page"
done
for page in "${pages[@]}"; do text_agrees "$page" || status=1; done
exit $status
