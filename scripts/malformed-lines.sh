#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# malformed-lines.sh ENGINE [FILE]: after each malformed line of FILE, and after `stop`, ENGINE must still answer `isready`.
#   FILE (data/bad-uci-a.tsv of the shared data) has three columns: id, line, what is wrong; \xHH, \t and the like are decoded
# The lines become a session for uci-session.sh; each is a test in a process of its own.
# The last line is "N passed, N failed, N skipped".
set -u
. "$(dirname "$0")/usage.sh"
if [ $# -lt 1 ] || [ $# -gt 2 ]; then usage; fi
need_program "$1"
scripts=$(dirname "$0")
file=${2:-${PALIMPSEST_SHARED:-$scripts/../../shared}/data/bad-uci-a.tsv}
. "$scripts/checks.sh"
if [ ! -r "$file" ]; then
    skip "malformed lines: no $file"
    print_counts
    exit
fi
awk -F '\t' '!/^(#|$)/ {
    print "test " $1 " (" $3 ")"
    print "escaped " $2
    print "send stop\nsend isready\nexpect ^readyok$"
}' "$file" > "$work/malformed.uci"
"$scripts/uci-session.sh" "$1" "$work/malformed.uci"
