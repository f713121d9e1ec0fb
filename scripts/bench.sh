#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/bench.sh [ENGINE]: fails unless the engine's bench counts as many nodes as the last commit
# that tells ("Bench: N" in its message) says it does.
set -eu
cd "$(dirname "$0")/.."
engine=${1:-./palimpsest}

told=$(git log --format=%B 2> /dev/null | sed -n 's/^Bench: *\([0-9][0-9]*\) *$/\1/p' | head -1)
counted=$("$engine" bench 2> /dev/null | sed -n 's/^Nodes searched *: *\([0-9][0-9]*\) *$/\1/p')
if [ -z "$counted" ]; then
    echo "bench: $engine counted nothing" >&2
    exit 1
elif [ -z "$told" ]; then
    echo "bench: $counted, and no commit says what it should be"
elif [ "$told" != "$counted" ]; then
    echo "bench: $counted, but the last commit that tells says $told" >&2
    exit 1
else
    echo "bench: $counted, as committed"
fi
