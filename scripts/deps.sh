#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/deps.sh COMPILER build|test|release|release-test|deb|web|web-test|lint|figures|fuzz|mpi...: installs the missing packages for
# these purposes, without the packages that they only recommend, on Debian and systems derived from it. On other systems,
# without network or without root, one line says what is missing and what the engine will lack; it fails unless it can do
# without.
# HEADERS=folder: where to look for headers (/usr/include).
set -eu
. "$(dirname "$0")/usage.sh"
[ $# -ge 1 ] || usage
compiler=$1
headers=${HEADERS:-/usr/include}
shift

missing=
optional=
want() { missing="$missing $*"; }
have() { command -v "$1" > /dev/null; }

for purpose; do
    case $purpose in
    build)
        have "$compiler" || want "$(basename "$compiler" | sed 's/^\(.*-linux-gnu\)-\(gcc\)$/\2-\1/; s/^x86_64-w64-mingw32-gcc$/gcc-mingw-w64-x86-64-posix/')"
        [ -e "$headers/stdio.h" ] || ! have dpkg || want libc6-dev
        # Optional: the engine can be built without these, and SYZYGY=no MEMORY=no does not need them.
        [ -e "$headers/tbprobe.h" ] || [ "${SYZYGY:-}" = no ] || ! have dpkg || optional="$optional libfathom-dev"
        [ -e "$headers/sqlite3.h" ] || [ "${MEMORY:-}" = no ] || ! have dpkg || optional="$optional libsqlite3-dev"
        ;;
    test)
        have pkg-config || want pkg-config
        pkg-config --exists check 2> /dev/null || want check
        have groff || want groff-base
        have python3 || want python3
        ;;
    release)
        have aarch64-linux-gnu-gcc || want gcc-aarch64-linux-gnu
        [ -e /usr/aarch64-linux-gnu/include/stdio.h ] || want libc6-dev-arm64-cross
        have x86_64-w64-mingw32-gcc || want gcc-mingw-w64-x86-64-posix
        have qemu-aarch64 || want qemu-user # runs the ARM program, which prints its manual page
        have zip || want zip
        ;;
    release-test)
        have qemu-aarch64 || want qemu-user
        have wine || want wine64 wine
        have unzip || want unzip
        have readelf || want binutils
        [ -x /usr/games/xboard ] || want xboard xfonts-100dpi
        [ -x /usr/games/polyglot ] || want polyglot
        have Xvfb || want xvfb
        ;;
    deb)
        have dh || want debhelper
        have g++ || want build-essential # dpkg-buildpackage asks for it
        have lintian || want lintian
        have fakeroot || want fakeroot
        ;;
    web)
        have emcc || want emscripten
        have node || want nodejs
        have npm || want npm
        ;;
    web-test)
        have chromium || want chromium
        ;;
    mpi)
        have pkg-config || want pkg-config
        [ -e "$headers/mpi.h" ] || pkg-config --exists mpi-c 2> /dev/null || want libopenmpi-dev
        have mpirun || want openmpi-bin
        have pgrep || want procps
        ;;
    fuzz)
        have clang || want clang
        ls "$(clang -print-runtime-dir 2> /dev/null)"/libclang_rt.fuzzer* > /dev/null 2>&1 || want libclang-rt-dev
        ;;
    lint)
        have clang-format || want clang-format
        have cppcheck || want cppcheck
        have nm || want binutils
        ;;
    figures) have gnuplot || want gnuplot-nox ;;
    *)
        echo "deps.sh: unknown purpose: $purpose" >&2
        exit 2
        ;;
    esac
done
[ -n "$missing$optional" ] || exit 0

# Prints the one line; $1: why nothing can be installed.
give_up() {
    parts=
    case $optional in *fathom*) parts=' tablebases' ;; esac
    case $optional in *sqlite*) parts="$parts${parts:+ and} position learning" ;; esac
    if [ -n "$missing" ]; then
        echo "$1. Please install:$missing${parts:+; for$parts also:$optional}" >&2
        exit 1
    fi
    echo "$1. The engine is built without$parts, which needs:$optional" >&2
    exit 0
}

as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
have apt-get || give_up "No apt-get here"
[ -z "$as_root" ] || have sudo || give_up "Only root can install packages"
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
trap 'exit 130' INT TERM HUP # dash does not run the line before after a signal
install() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" 2>> "$errors"
}
echo "Installing:$missing$optional" >&2
$as_root apt-get update -qq 2> "$errors" || : # of one broken repository; the others may have the packages
# shellcheck disable=SC2086 # lists of words
if install $missing $optional; then
    exit 0
elif [ -n "$missing" ] && [ -n "$optional" ] && install $missing; then # such as a system without libfathom-dev
    missing=
fi
give_up "$(sed -n 's/^E: *//p' "$errors" | sed 's/\.$//;q' | cut -c-160 | grep . || echo "Packages cannot be installed")"
