#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/bench.sh [ENGINE]: fails unless the bench of ENGINE (./palimpsest) counts as many nodes as the newest line
# "Bench: N" in a commit message. scripts/bench.sh --committed: only prints that number.
set -eu
. "$(dirname "$0")/usage.sh"
[ $# -le 1 ] || usage
engine=${1:-}
[ ! -e "$engine" ] || engine=$(realpath "$engine")
cd "$(dirname "$0")/.."
engine=${engine:-./palimpsest}

# The archive of the sources of a release has no commits, but bench.txt.
committed=$(if [ -e .git ]; then git log --format=%B; else cat bench.txt 2> /dev/null; fi | sed -n 's/^Bench: *\([0-9][0-9]*\) *$/\1/p' | head -1)
if [ -z "$committed" ]; then
    echo "bench: no commit message has a line Bench: N (is this a shallow clone?)" >&2
    exit 1
elif [ "$engine" = --committed ]; then
    echo "$committed"
    exit
fi
counted=$("$engine" bench 2> /dev/null | sed -n 's/^Nodes searched *: *\([0-9][0-9]*\) *$/\1/p')
if [ -z "$counted" ]; then
    echo "bench: $engine printed no node count" >&2
    exit 1
elif [ "$committed" != "$counted" ]; then
    echo "bench: $counted, but the newest Bench line of a commit message has $committed" >&2
    exit 1
else
    echo "bench: $counted, as in the commit message"
fi
