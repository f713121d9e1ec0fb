#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/release/libraries.sh FOLDER: puts what a release links into FOLDER, unless it is there:
#   fathom, sqlite   sources of Fathom (Syzygy tablebases) and SQLite (position learning)
#   musl             a C library for ARM: with it a static program also runs on phones, see README.md
# They come from Debian's archive (DEBIAN_MIRROR=url: another mirror) and never become part of this repository. Each file
# must have its SHA-256 sum. One line says what could not be had; the status is 0 even then.
set -eu
. "$(dirname "$0")/../usage.sh"
[ $# = 1 ] || usage
folder=$1
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
mkdir -p "$folder"
work=$(mktemp -d "$folder/new-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP # dash does not run the line before after a signal
missing=

# Downloads FILE of the archive to $work/file. A bare Debian has neither curl nor wget, but the helper of apt.
download() {
    if [ -x /usr/lib/apt/apt-helper ]; then
        /usr/lib/apt/apt-helper -o Acquire::http::Timeout=10 -o Acquire::Retries=1 download-file "$mirror/$1" "$work/file"
    elif command -v curl; then
        curl -fsSL --connect-timeout 10 -o "$work/file" "$mirror/$1"
    else
        wget -q -T 10 -t 2 -O "$work/file" "$mirror/$1"
    fi
} > "$work/log" 2>&1

# get NAME FILE SUM: makes the folder NAME from FILE, by calling unpack_NAME in an empty folder.
get() {
    [ ! -d "$folder/$1" ] || return 0
    mkdir "$work/$1"
    if download "$2" && echo "$3  $work/file" | sha256sum -c --status && (cd "$work/$1" && "unpack_$1" ../file); then
        mv "$work/$1" "$folder/$1"
    else
        missing="$missing $1"
    fi
}
unpack_fathom() { tar -xzf "$1" --strip-components=1 && [ -s src/tbprobe.c ] && [ -s LICENSE ]; }

# Debian's source package of sqlite3 does not have SQLite as one file, that of a Perl module has it.
unpack_sqlite() { tar -xzf "$1" --strip-components=1 --wildcards '*/sqlite3.[ch]' && [ -s sqlite3.c ]; }

# The paths in the specs, which make gcc use musl, become relative to the folder where make runs.
unpack_musl() {
    if command -v dpkg-deb > /dev/null; then dpkg-deb -x "$1" .; else ar p "$1" data.tar.xz | tar -xJf -; fi
    mv usr/include/* include && mv usr/lib/* lib && mv usr/share/doc/musl-dev/copyright . && rm -r usr
    sed "s,/usr/\(include\|lib\)/aarch64-linux-musl,$folder/musl/\1,g" lib/musl-gcc.specs > gcc.specs
}

pool=pool/main
get fathom $pool/f/fathom/fathom_1.0%2bgit.20190811.97fb5c.orig.tar.gz \
    389c12b2b2142ae38eea183dbb0ee1e9097bea2af23720d020bed23ef6e4339c
get sqlite $pool/libd/libdbd-sqlite3-perl/libdbd-sqlite3-perl_1.76.orig.tar.gz \
    0a33a7a935be63371071dbe600cfaefa67cd971b67580a917bbf6ebaf723c584
get musl $pool/m/musl/musl-dev_1.2.5-3.1~deb13u1_arm64.deb \
    384ea029e3694baac696d3993d93246f9a4b3741c493697e1ceb7256d8820748
[ -z "$missing" ] || echo "Not from $mirror, the release is built without:$missing" >&2
