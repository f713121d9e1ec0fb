#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fails on what the house style refuses and a script can see: words banned from code (comments may use
# them), long functions and files, platform tests outside base/, a missing licence line.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
bad=0
complain() { # file:line: text on stdin, one complaint each
    while IFS= read -r line; do
        echo "$1: $line"
        bad=1
    done
}

# The file without comments and with string literals emptied, line numbers kept.
code() {
    awk '{
        text = $0; kept = ""
        while (text != "") {
            if (in_comment) {
                end = index(text, "*/")
                if (end == 0) break
                text = substr(text, end + 2); in_comment = 0
            } else if (match(text, /^("([^"\\]|\\.)*"|\x27([^\x27\\]|\\.)+\x27)/)) {
                kept = kept "\"\""; text = substr(text, RLENGTH + 1)
            } else if (text ~ /^\/\//) break
            else if (text ~ /^\/\*/) { in_comment = 1; text = substr(text, 3) }
            else { kept = kept substr(text, 1, 1); text = substr(text, 2) }
        }
        print kept
    }' "$1"
}

scan() { # file title pattern
    code "$1" | grep -nE "$3" | sed "s|^|$1:|" | complain "$2"
}

shopt -s lastpipe # so that complain() runs in this shell and can set `bad`
words='goto|atoi|atol|strtok|strcpy|strcat|sprintf|gets|rand|srand|volatile'
platform='_WIN32|__linux__|__APPLE__|__unix__|__x86_64__|__aarch64__|__AVX|__SSE|__BMI|__ARM'
for file in src/*/*.[ch]; do
    scan "$file" "banned word" "(^|[^A-Za-z0-9_])($words)([^A-Za-z0-9_]|$)"
    scan "$file" "() for (void)" '^[a-z].*[a-z0-9_]\(\)( *;)?$'
    scan "$file" "dead code" '^ *# *if 0'
    case $file in
    *.c) scan "$file" "extern in a .c" '^ *extern ' ;;
    esac
    case $file in
    src/base/* | src/nnue/simd.h | src/chess/attacks.[ch]) ;;
    *) scan "$file" "platform test outside base" "^ *# *(el)?if.*($platform)" ;;
    esac
    case $file in
    src/chess/* | src/nnue/* | src/engine/*)
        scan "$file" "output below uci" '(^|[^a-z_])(printf|puts|putchar)\(|stdout'
        ;;
    esac
    case $file in
    src/base/*_posix.c | src/base/*_windows.c | src/lab/* | src/datagen/* | src/train/*) ;;
    *) scan "$file" "fopen for file_open" '(^|[^a-z_])fopen\(' ;;
    esac
    [ "$(wc -l < "$file")" -le 700 ] || echo "$file has more than 700 lines" | complain "long file"
    # A function's braces stand in column 1 and nothing else's do with `{` alone on the line.
    awk -v file="$file" '
        /^[A-Za-z].*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
        /^\{/ { start = NR }
        /^\}/ && start {
            if (NR - start - 1 > (name == "pvs" ? 150 : 60)) print file ":" start ": " name ", " NR - start - 1 " lines"
            start = 0
        }' "$file" | complain "long function"
done
for file in src/*/*.[ch] src/*/*.def tests/*.[ch] tests/*/*.[ch] scripts/*.sh scripts/*/*.sh scripts/*/*.gp; do
    head -2 "$file" | grep -qE '^(//|#) SPDX-License-Identifier: GPL-3.0-or-later$' || echo "$file" | complain "no licence line"
done
exit $bad
