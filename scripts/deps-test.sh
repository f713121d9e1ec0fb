#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# deps-test.sh: checks what deps.sh installs and says, with and without packages, network and root, on an imitation of
# Debian that has a few programs and a false apt-get. The last line is "N passed, N failed, N skipped".
set -u
. "$(dirname "$0")/usage.sh"
[ $# = 0 ] || usage
cd "$(dirname "$0")/.." || exit 1
. scripts/checks.sh
mkdir "$work/bin" "$work/headers"
for program in basename cut dirname env grep head mktemp rm sed sh; do ln -s "$(command -v $program)" "$work/bin/$program"; done

# The false program NAME prints its arguments to the file $work/calls and then runs TEXT.
fake() { # NAME TEXT
    printf '#!/bin/sh\necho "%s $*" >> "%s/calls"\n%s\n' "$1" "$work" "$2" > "$work/bin/$1"
    chmod +x "$work/bin/$1"
}
fake dpkg ''
fake apt-get ''
fake id 'echo 0'

# deps STATUS COMPILER PURPOSE...: runs deps.sh; fails if its status is another one.
deps() {
    local status=0 wanted=$1
    shift
    rm -f "$work/calls"
    PATH=$work/bin HEADERS=$work/headers scripts/deps.sh "$@" > "$work/text" 2>&1 || status=$?
    cat "$work/text"
    [ $status = "$wanted" ]
}
# Like deps; the last line must be TEXT, and there must be no other but the one that says what is installed.
says() { # TEXT STATUS COMPILER PURPOSE...
    deps "${@:2}" && [ "$(grep -v '^Installing: ' "$work/text")" = "$1" ]
}
installs() { deps 0 "${@:2}" && grep -qxF "apt-get install -y -qq --no-install-recommends $1" "$work/calls"; }
installs_nothing() { deps 0 "$@" && ! grep -q apt-get "$work/calls"; }

both='libfathom-dev libsqlite3-dev'
also="for tablebases and position learning also: $both"
without="The engine is built without tablebases and position learning, which needs: $both"
check "what is missing is installed without recommended packages" installs "gcc libc6-dev $both" gcc build
check "the name of a package is found from its compiler" installs "gcc-aarch64-linux-gnu libc6-dev $both" \
    aarch64-linux-gnu-gcc build
check "also that for Windows" installs "gcc-mingw-w64-x86-64-posix libc6-dev $both" x86_64-w64-mingw32-gcc build
check "the program for several machines needs OpenMPI" installs "pkg-config libopenmpi-dev openmpi-bin procps" gcc mpi

no_release='echo "E: The repository x does not have a Release file." >&2; exit 100'
fake apt-get "[ \"\$1\" != update ] || { $no_release; }"
check "one broken repository keeps no package away" installs "gcc libc6-dev $both" gcc build
fake apt-get "$no_release"
check "if nothing else helps, it is named" says \
    "The repository x does not have a Release file. Please install: gcc libc6-dev; $also" 1 gcc build
fake apt-get '[ "$1" = update ] || { echo "E: Failed to fetch x" >&2; echo "E: Unable to fetch" >&2; exit 100; }'
check "offline, one line says what is missing" says "Failed to fetch x. Please install: gcc libc6-dev; $also" 1 gcc build
fake apt-get 'exit 100'
check "a silent failure is reported" says "Packages cannot be installed. Please install: gcc libc6-dev; $also" 1 gcc build
touch "$work/headers/stdio.h"
fake gcc ''
check "offline, the engine is built without the libraries" says "Packages cannot be installed. $without" 0 gcc build
touch "$work/headers/sqlite3.h"
check "only the missing part is named" says "Packages cannot be installed. The engine is built without tablebases, which\
 needs: libfathom-dev" 0 gcc build
SYZYGY=no check "a library that is not wanted is not missing" installs_nothing gcc build
rm "$work/headers/sqlite3.h"

fake id 'echo 1000'
check "without root, one line says so" says "Only root can install packages. $without" 0 gcc build
fake sudo 'exec "$@"'
fake apt-get ''
check "sudo installs" installs "$both" gcc build
rm "$work/bin/gcc"
fake apt-get 'case "$*" in *libfathom-dev*) echo "E: Unable to locate package libfathom-dev" >&2; exit 100 ;; esac'
check "an unknown library does not keep the compiler away" installs gcc gcc build
rm "$work/bin/apt-get"
check "without apt-get, one line says what is missing" says "No apt-get here. Please install: gcc; $also" 1 gcc build
touch "$work/headers/sqlite3.h" "$work/headers/tbprobe.h"
fake gcc ''
check "nothing is said if nothing is missing" says '' 0 gcc build

# A cross compiler finds the headers of this machine, but no libraries.
printf '#!/bin/sh\nfor a; do case $a in -lfathom | -lsqlite3) exit 1 ;; esac; done\nexec %s "$@"\n' "${CC:-gcc}" > "$work/cross"
chmod +x "$work/cross"
builds_without_libraries() { "${MAKE:-make}" -n engine CC="$work/cross" BUILD="$work/build" | grep -qF 'SYZYGY=no MEMORY=no'; }
check "with a compiler that cannot link the libraries the engine is built without them" builds_without_libraries
print_counts
