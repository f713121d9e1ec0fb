#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/release/nps.sh [RUNS]: compares the speed of the Linux program in build/release with a build for this machine
# (-march=native): RUNS (15) runs of bench of each, in turns, so that both have the same conditions. The best run of each
# counts. Fails if the released program is more than 1% slower. The machine must run nothing else.
set -euo pipefail
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/../usage.sh"
[[ ${1:-15} =~ ^[0-9]+$ ]] || usage
cd "$(dirname "$0")/../.."
runs=${1:-15}
released=$(ls build/release/tree/*-linux-x86-64/palimpsest)
native=$PWD/build/release/native
"${MAKE:-make}" -s engine SYZYGY=no LDFLAGS='-static -s' EXE="$native" BUILD="$PWD/build/release-objects" > /dev/null

nps() { "$1" bench 2> /dev/null | sed -n 's/^Nodes\/second *: *//p'; }
best() { sort -n "$1" | tail -1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for _ in $(seq "$runs"); do
    nps "$released" >> "$work/released"
    nps "$native" >> "$work/native"
done
"$released" cpu | grep '^Chosen'
awk -v released="$(best "$work/released")" -v native="$(best "$work/native")" 'BEGIN {
    share = 100 * (released / native - 1)
    printf "released %d nps, -march=native %d nps: %+.2f%%\n", released, native, share
    exit share < -1 }'
