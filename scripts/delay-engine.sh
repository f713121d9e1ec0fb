#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# delay-engine.sh MS ENGINE: runs ENGINE behind a slow connection: `go` and `bestmove` take MS milliseconds from GUI to
# engine and back, each half to one and a half times this. All other lines pass at once: a thousand delayed lines of
# information would add up. busy-match.sh uses it.
set -u
. "$(dirname "$0")/usage.sh"
[ $# = 2 ] || usage
need_program "$2"
late() { # MS WORD: copies lines, those that begin with WORD late
    while IFS= read -r line; do
        case $line in "$2"*) ms=$(($1 / 2 + RANDOM % ($1 + 1))) && sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))" ;; esac
        printf '%s\n' "$line"
    done
}
late "$1" go | "$2" | late "$1" bestmove
