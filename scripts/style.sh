#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# style.sh: checks some rules of the house style: words banned from code (comments may contain them), long functions and
# files, platform tests outside base/, output below the programs, missing licence lines, folders of src/ whose README.md
# is missing or lists other files than the folder has, types of a header that another file defines again,
# scripts without --help or that scripts/README.md does not name, tables of pages without a heading, links to sections that do not
# exist, a README.md of more than 1,200 words. The status is 0 if nothing is wrong.
set -uo pipefail
. "$(dirname "$0")/usage.sh"
[ $# = 0 ] || usage
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
complain() { # TITLE: prints each line of standard input as a complaint
    while IFS= read -r line; do
        echo "$1: $line"
        bad=1
    done
}

# Prints the code of the files, without comments and with empty literals, as lines "file:number:<tab>code".
code() { # FILE...
    awk 'FNR == 1 { in_comment = 0 }
    {
        text = $0; kept = ""
        while (text != "") {
            if (in_comment) {
                end = index(text, "*/")
                if (end == 0) break
                text = substr(text, end + 2); in_comment = 0
            } else if (!match(text, /["\x27\/]/)) {
                kept = kept text; text = ""
            } else {
                kept = kept substr(text, 1, RSTART - 1); text = substr(text, RSTART)
                if (match(text, /^("([^"\\]|\\.)*"|\x27([^\x27\\]|\\.)+\x27)/)) {
                    kept = kept "\"\""; text = substr(text, RLENGTH + 1)
                } else if (text ~ /^\/\//) break
                else if (text ~ /^\/\*/) { in_comment = 1; text = substr(text, 3) }
                else { kept = kept substr(text, 1, 1); text = substr(text, 2) }
            }
        }
        print FILENAME ":" FNR ":\t" kept
    }' "$@"
}

# scan TITLE PATTERN [FILES [EXCEPT]]: complains about lines of $work/code whose code, which begins after the tab, has the
# pattern; only in files whose path begins with the pattern FILES, and not with EXCEPT.
scan() {
    grep -E "$2" "$work/code" | grep -E "^(${3:-src})" | grep -vE "^(${4:-/})" | tr -d '\t' | complain "$1"
}

# Prints the types that the files define, sorted: the name, a blank, the file.
types() { # FILE...
    grep -HE '^(\} |typedef )' "$@" | sed -nE '
        s/^([^:]*):\} ([A-Z][A-Za-z0-9]*);.*/\2 \1/p
        s/^([^:]*):typedef [^()]*\(\*([A-Z][A-Za-z0-9]*)\).*/\2 \1/p
        s/^([^:]*):typedef [^;([]*[ *]([A-Z][A-Za-z0-9]*)(;|\[|\(| __attribute__).*/\2 \1/p' | LC_ALL=C sort -u
}

shopt -s lastpipe # complain() runs in this shell and can set `bad`
# GNU make before 4.3, such as that of macOS, takes a # in a call of a function for the start of a comment.
grep -nE '^[A-Za-z_]+ *:?= .*\$\(shell .*#[^ ]' Makefile | complain "Makefile: write \$(HASH) in a function"
layers=$(sed -n 's/^LAYERS := //p' Makefile)
words='goto|atoi|atol|strtok|strcpy|strcat|sprintf|gets|rand|srand|volatile'
platform='_WIN32|__linux__|__APPLE__|__unix__|__x86_64__|__aarch64__|__AVX|__SSE|__BMI|__ARM'
mapfile -t sources < <(find src -name '*.[ch]' | sort)
if [ ${#sources[@]} = 0 ] || [ -z "$layers" ]; then
    echo "style.sh: no sources, or no LAYERS in the Makefile" >&2
    exit 1
fi
code "${sources[@]}" > "$work/code"
tab=$'\t'
scan "banned word" "[^A-Za-z0-9_]($words)([^A-Za-z0-9_]|$)"
scan "() for (void)" "$tab[a-z].*[a-z0-9_]\(\)( *;)?$"
scan "dead code" "$tab *# *if 0"
scan "extern in a .c" "$tab *extern " '[^:]*\.c:'
scan "platform test outside base" "$tab *# *(el)?if.*($platform)" '' 'src/(base/|nnue/simd\.h:|chess/attacks\.[ch]:)'
scan "output below the programs" '[^a-z_]((printf|puts|putchar)\(|stdout)' "src/(${layers// /|})/" 'src/base/file\.c:' # redirects stdout
scan "fopen for file_open" '[^a-z_]fopen\(' '' 'src/(base/[^:]*_(posix|windows)\.c:|lab/|datagen/|train/)'
# Only a function has a `{` alone in column 1. The node of the search, pvs(), may be longer.
awk 'FNR == 1 { start = 0 }
    /^[A-Za-z].*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
    /^\{/ { start = FNR }
    /^\}/ && start {
        if (FNR - start - 1 > (name == "pvs" ? 150 : 60))
            print FILENAME ":" start ": " name ", " FNR - start - 1 " lines"
        start = 0
    }' "${sources[@]}" | complain "too long"
# The README of a folder of src/ names each of its files, without suffix and system, and no file that does not exist.
# A folder within a folder may leave that to the README above.
for folder in src/*/; do
    readme=${folder}README.md
    if [ ! -s "$readme" ]; then
        echo "$folder" | complain "no README.md"
        continue
    fi
    find "$folder" \( -name '*.[chS]' -o -name '*.def' \) | sort | while IFS= read -r file; do
        name=${file##*/}
        name=${name%.*}
        name=${name%_posix}
        name=${name%_windows}
        name=${name%_web}
        grep -qE "[\`/]$name(\.[a-z]+|\.\[ch])?\`" "$readme" || echo "$readme: $file"
    done | complain "file missing in README.md"
    grep -oE '`[A-Za-z0-9_*/]+\.(c|h|S|def)`' "$readme" | tr -d '\`' | sort -u | while IFS= read -r name; do
        case $name in
        *[*[:upper:]]*) ;; # a pattern or a placeholder
        *) [ -e "$name" ] || [ -n "$(find src -path "*/$name" -print -quit)" ] || echo "$readme: $name" ;;
        esac
    done | complain "no such file"
done
# A name that one header gives to a type means nothing else in any other file.
mapfile -t headers < <(find src -name '*.h')
mapfile -t units < <(find src -name '*.c')
LC_ALL=C join <(types "${headers[@]}") <(types "${units[@]}") | complain "type of a header in a .c"
types "${headers[@]}" | cut -d ' ' -f 1 | uniq -d | complain "type in two headers"
for file in scripts/*; do
    [ ! -d "$file" ] || file=$file/
    grep -qF "${file#scripts/}" scripts/README.md || echo "$file"
done | complain "missing in scripts/README.md"
grep -rlE --include='*.sh' '^#!.*sh$' scripts | xargs grep -L '/usage\.sh"$' | complain "no --help" # see usage.sh
mapfile -t pages < <(find README.md nets scripts src tests -name node_modules -prune -o -name '*.md' -print | sort)
# A table without the line below its heading is shown as text.
awk '!/^\|/ { rows = 0; next } ++rows == 2 && !/^\|[-:| ]+\|$/ { print FILENAME ":" FNR - 1 }' "${pages[@]}" |
    complain "table without heading"
# Links to a section: the heading in lower case, without punctuation, with hyphens for blanks. install-test.sh checks the files.
grep -oE '\]\([^):]*#[^)]+\)' "${pages[@]}" | sed 's/\](//; s/)$//' | while IFS=':#' read -r page path section; do
    [ -n "$path" ] && path=$(realpath -m --relative-to=. "$page/../$path") || path=$page
    echo "$path#$section $page"
done | sort > "$work/links"
awk '/^#+ / { text = tolower($0); sub(/^#+ /, "", text); gsub(/\]\([^)]*\)/, "", text); gsub(/[^a-z0-9_ -]/, "", text)
    gsub(/ /, "-", text); print FILENAME "#" text }' "${pages[@]}" | sort -u | join -v 1 "$work/links" - | complain "no such section"
[ "$(wc -w < README.md)" -le 1200 ] || echo "README.md has more than 1200 words" | complain "long text"
grep -hoE '^Suite \*suite_[a-z0-9_]+\(void\)$' -r tests --include='*.c' | sed 's/.*suite_\(.*\)(.*/\1/' | sort |
    comm -23 - <(sed -n 's/^SUITE\(_ALONE\)*(\(.*\)).*/\2/p' tests/suites.h | sort) | complain "suite missing in tests/suites.h"
find src tests scripts .ci \( -name '*.[chS]' -o -name '*.def' -o -name '*.sh' -o -name '*.py' -o -name '*.gp' -o -path .ci/run \) |
    sort > "$work/files"
xargs wc -l < "$work/files" | awk '$2 != "total" && $1 > ($2 == "src/search/search.c" ? 1000 : 700) { print $2 ": " $1 " lines" }' |
    complain "too long"
xargs grep -HnE '^(//|#) SPDX-License-Identifier: GPL-3.0-or-later$' < "$work/files" | sed -nE 's/:[12]:.*//p' | sort |
    comm -23 "$work/files" - | complain "no licence line" # it is the first or the second line
exit $bad
