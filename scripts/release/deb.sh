#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/release/deb.sh [single]: builds a Debian package of this working tree in build/deb and checks it with lintian;
# fails on errors of lintian. "single" packs one engine in place of one for each level of x86-64, which takes a fifth of
# the time, for tests. `make deb` calls it.
set -euo pipefail
. "$(dirname "$0")/../usage.sh"
[ -z "${1:-}" ] || [ "$1" = single ] || usage
cd "$(dirname "$0")/../.."
version=$(scripts/version.sh)
date=$(git log -1 --format=%cD 2> /dev/null || date -R -r COPYING)
maintainer=$(sed -n 's/^Maintainer: //p' scripts/release/debian/control)
out=$PWD/build/deb
tree=$out/palimpsest-$version
rm -rf "$out"
mkdir -p "$tree"
list_files() { # without git: all, as in the archive of the sources
    git ls-files -z --cached --others --exclude-standard 2> /dev/null || find . -path ./build -prune -o -type f -print0
}
list_files | tar --null -T - --ignore-failed-read -cf - 2> /dev/null | tar -xf - -C "$tree"
cp -R scripts/release/debian "$tree/debian"
printf 'palimpsest (%s) unstable; urgency=medium\n\n  * Built from the sources.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$date" > "$tree/debian/changelog"
unset MAKEFLAGS MFLAGS MAKELEVEL
(cd "$tree" && dpkg-buildpackage -b -us -uc -rfakeroot -j"$(nproc)" ${1:+-Ppkg.palimpsest.$1}) > "$out/log" 2>&1 ||
    { tail -30 "$out/log"; exit 1; }
rm -rf "$tree"
(cd "$out" && lintian --allow-root --fail-on error ./*.changes) # lintian takes no path beyond ASCII
ls -l "$out"/*.deb
