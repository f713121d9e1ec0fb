#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/deps.sh COMPILER build|test|release|release-test|deb|lint...: installs the missing packages for these purposes
# on Debian and systems derived from it. On other systems it lists what is missing and fails.
set -eu
compiler=$1
shift

missing=
optional=
want() { missing="$missing $*"; }
have() { command -v "$1" > /dev/null; }

for purpose; do
    case $purpose in
    build)
        have "$compiler" || want "$(basename "$compiler" | sed 's/^\(.*-linux-gnu\)-\(gcc\)$/\2-\1/')"
        [ -e /usr/include/stdio.h ] || ! have dpkg || want libc6-dev
        # Optional: the engine can be built without these, and SYZYGY=no MEMORY=no does not need them.
        [ -e /usr/include/tbprobe.h ] || [ "${SYZYGY:-}" = no ] || ! have dpkg || optional="$optional libfathom-dev"
        [ -e /usr/include/sqlite3.h ] || [ "${MEMORY:-}" = no ] || ! have dpkg || optional="$optional libsqlite3-dev"
        ;;
    test)
        have pkg-config || want pkg-config
        pkg-config --exists check 2> /dev/null || want check
        have groff || want groff-base
        ;;
    release)
        have aarch64-linux-gnu-gcc || want gcc-aarch64-linux-gnu
        [ -e /usr/aarch64-linux-gnu/include/stdio.h ] || want libc6-dev-arm64-cross
        have x86_64-w64-mingw32-gcc || want gcc-mingw-w64-x86-64-posix
        have zip || want zip
        ;;
    release-test)
        have qemu-aarch64 || want qemu-user
        have wine || want wine64 wine
        have unzip || want unzip
        have readelf || want binutils
        [ -x /usr/games/xboard ] || want xboard
        [ -x /usr/games/polyglot ] || want polyglot
        have Xvfb || want xvfb
        ;;
    deb)
        have dh || want debhelper
        have lintian || want lintian
        have fakeroot || want fakeroot
        ;;
    lint)
        have clang-format || want clang-format
        have cppcheck || want cppcheck
        have nm || want binutils
        ;;
    *)
        echo "deps.sh: unknown purpose: $purpose" >&2
        exit 2
        ;;
    esac
done
[ -n "$missing$optional" ] || exit 0

as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
if ! have apt-get || { [ -n "$as_root" ] && ! have sudo; }; then
    [ -z "$optional" ] || echo "Not installed; the engine is built without:$optional" >&2
    [ -n "$missing" ] || exit 0
    echo "Please install:$missing" >&2
    exit 1
fi
missing="$missing$optional"
echo "Installing:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086 # a list of words
$as_root apt-get install -y -qq $missing
