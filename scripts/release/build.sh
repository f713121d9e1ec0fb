#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/release/build.sh [linux|arm|windows...]: builds the archives of a release (default: all three) in build/release:
# one for each system and one of the sources, with SHA256SUMS; build/release/tree has their contents. Reproducible: the
# same sources and compilers give the same bytes. `make release` calls it. FEW_WINDOWS_LEVELS=yes: the program for Windows
# has only two of the levels, for quick tests.
set -euo pipefail
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/../usage.sh"
for target; do
    case $target in linux | arm | windows) ;; *) usage ;; esac
done
cd "$(dirname "$0")/../.."
make=${MAKE:-make}
version=$(scripts/version.sh)
out=$PWD/build/release
tree=build/release/tree # relative, because make takes no path with blanks
targets=${*:-linux arm windows}
# The time of the commit, for the dates in archives; the files of the archive of the sources have it, too.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2> /dev/null || date -r COPYING +%s)}
export SOURCE_DATE_EPOCH

# FATHOM=folder and SQLITE=folder on the command line of make replace these sources.
libraries=build/libraries
scripts/release/libraries.sh $libraries
fathom=${FATHOM:-$(ls -d $libraries/fathom/src 2> /dev/null || :)}
sqlite=${SQLITE:-$(ls -d $libraries/sqlite 2> /dev/null || :)}
memory=$([ -n "$sqlite" ] && echo yes || echo no)
syzygy=$([ -n "$fathom" ] && echo yes || echo no)

make_it() {
    "$make" --no-print-directory BUILD=build/release-objects FATHOM="$fathom" SYZYGY=$syzygy SQLITE="$sqlite" \
        MEMORY=$memory "$@"
}

# Sets $lacks for the README.
set_lacks() {
    case $syzygy$memory in
    yesyes) lacks='nothing.' ;;
    noyes) lacks='tablebases (Syzygy).' ;;
    yesno) lacks='position learning.' ;;
    nono) lacks='tablebases (Syzygy) and position learning.' ;;
    esac
    [ "$lacks" = nothing. ] || lacks+=' A program built on your own machine can have both: "make run" in the sources.'
}

# add_licences FOLDER PACKAGE...: copies the licences of linked libraries.
add_licences() {
    local folder=$1 package
    shift
    mkdir -p "$folder/licences"
    for package; do
        cp "/usr/share/doc/$package/copyright" "$folder/licences/$package.txt" 2> /dev/null ||
            { echo "no /usr/share/doc/$package/copyright; the archive must contain it" >&2; return 1; }
    done
}

# Copies the licences of the libraries compiled from sources to the folder $1. SQLite needs none.
add_source_licences() {
    [ -z "$fathom" ] || find -L "$fathom" "$fathom/.." -maxdepth 1 -name LICENSE -exec cp {} "$1/licences/fathom.txt" \; -quit
    [ -z "$fathom" ] || [ -s "$1/licences/fathom.txt" ] || { echo "no LICENSE in $fathom, nor above" >&2; return 1; }
    [ -z "$sqlite" ] || echo 'SQLite is in the public domain.' > "$1/licences/sqlite.txt"
}

# add_files FOLDER: adds all files but the program and the licences of libraries; the README gets $system, $start, $what
# and $lacks.
add_files() {
    local folder=$1 title="Palimpsest $version for $system"
    cp COPYING "$folder"
    "$out/logo" 100 50 "$folder/logo-100x50.bmp"
    "$out/logo" 130 65 "$folder/logo-130x65.bmp"
    awk -v VERSION="$version" -v SYSTEM="$system" -v UNDERLINE="${title//?/=}" -v START="$start" -v WHAT="$what" \
        -v LACKS="$lacks" -v BENCH="$bench" '
        BEGIN {
            RS = ""; ORS = "\n\n"; count = split("VERSION SYSTEM UNDERLINE START WHAT LACKS BENCH", names, " ")
            value["VERSION"] = VERSION; value["SYSTEM"] = SYSTEM; value["UNDERLINE"] = UNDERLINE
            value["START"] = START; value["WHAT"] = WHAT; value["LACKS"] = LACKS; value["BENCH"] = BENCH
        }
        {
            for (i = 1; i <= count; i++) gsub("@" names[i] "@", value[names[i]])
            if (NR == 1) { print; next } # the title
            text = line = ""
            words = split($0, word, /[ \n]+/)
            for (i = 1; i <= words; i++) {
                if (line != "" && length(line " " word[i]) > 79) { text = text line "\n"; line = word[i] }
                else line = line (line == "" ? "" : " ") word[i]
            }
            print text line
        }' scripts/release/README.txt > "$folder/README.txt"
    chmod -R u+rw,go=rX "$folder" # whatever the umask
    find "$folder" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
}

# add_share FOLDER PROGRAM: adds what `make install` puts in share/, made from what PROGRAM prints, if it runs here.
add_share() {
    "$2" --version > /dev/null 2>&1 || { echo "The archive for $system has no manual page: $2 does not run here" >&2; return 0; }
    scripts/install.sh --share "$2" "$1"
    start+=' To install it for all users, copy palimpsest to /usr/local/bin and the folder share to /usr/local: then xboard'
    start+=' (with -autoInstall all) and the menu of the desktop show the engine, "man palimpsest" is its manual, and bash and'
    start+=' zsh complete its commands.'
}

pack_tar() {
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$tree" -cf - "$1" |
        gzip -9n > "$out/$1.tar.gz"
}

# The README for Windows has CR LF line ends.
pack_zip() {
    (cd "$tree" && rm -f "$out/$1.zip" && find "$1" -type f | LC_ALL=C sort | TZ=UTC zip -q -X -9 "$out/$1.zip" -@)
}

build_linux() {
    local name=palimpsest-$version-linux-x86-64 sqlite=$sqlite memory=$memory
    # Debian has a static library of SQLite for this system, which needs no compilation.
    if [ -z "${SQLITE:-}" ] && [ -e "$(gcc -print-file-name=libsqlite3.a)" ] && [ -e /usr/include/sqlite3.h ]; then
        sqlite='' memory=yes
    fi
    mkdir -p "$tree/$name"
    make_it universal LDFLAGS='-static -s' EXE="$tree/$name/palimpsest"
    system='Linux on x86-64'
    start='Unpack the archive anywhere, and add the file palimpsest to your chess program as a UCI engine. It needs nothing else.'
    what='one program for every 64-bit processor of Intel and AMD; at the start it chooses the fastest code for the processor.'
    what+=' The environment variable PALIMPSEST_ARCH overrides the choice; the command cpu lists its values.'
    add_share "$tree/$name" "$tree/$name/palimpsest"
    set_lacks
    add_licences "$tree/$name" libc6 "gcc-$(gcc -dumpversion)-base"
    [ "$memory$sqlite" != yes ] || add_licences "$tree/$name" libsqlite3-0
    add_source_licences "$tree/$name"
    add_files "$tree/$name"
    pack_tar "$name"
}

# With musl the program also runs on phones; without it the program has the C library of Debian.
build_arm() {
    local name=palimpsest-$version-linux-aarch64 specs=$libraries/musl/gcc.specs
    local flags=(LDFLAGS='-static-pie -s' EXTRA_CFLAGS="${EXTRA_CFLAGS:-} -specs=$specs")
    [ -e $specs ] || flags=(LDFLAGS='-static -s')
    mkdir -p "$tree/$name"
    make_it engine CC=aarch64-linux-gnu-gcc ARCH=armv8-a "${flags[@]}" EXE="$tree/$name/palimpsest"
    system='Linux on 64-bit ARM'
    start='Unpack the archive anywhere, and add the file palimpsest to your chess program as a UCI engine. It needs nothing else.'
    what='a program for every 64-bit ARM processor, such as that of a Raspberry Pi 3 or later with a 64-bit system.'
    if [ -e $specs ]; then
        system+=' and Android'
        start+=' On Android, DroidFish shows the engines that are in its folder DroidFish/uci.'
    fi
    printf '#!/bin/sh\nexec qemu-aarch64 "%s" "$@"\n' "$tree/$name/palimpsest" > "$out/run" && chmod +x "$out/run"
    add_share "$tree/$name" "$out/run"
    set_lacks
    add_licences "$tree/$name" "gcc-$(gcc -dumpversion)-base"
    if [ -e $specs ]; then cp $libraries/musl/copyright "$tree/$name/licences/musl.txt"; else add_licences "$tree/$name" libc6; fi
    add_source_licences "$tree/$name"
    add_files "$tree/$name"
    pack_tar "$name"
}

build_windows() {
    local name=palimpsest-$version-windows-x86-64
    mkdir -p "$tree/$name"
    make_it universal CC=x86_64-w64-mingw32-gcc LDFLAGS='-static -s -Wl,--no-insert-timestamp' \
        FEW_LEVELS="${FEW_WINDOWS_LEVELS:-no}" EXE="$tree/$name/palimpsest.exe"
    system='Windows'
    start='Unpack the archive anywhere. In Arena: Engines, Install New Engine, palimpsest.exe, UCI. It needs nothing else.'
    what='one program for every 64-bit processor of Intel and AMD; at the start it chooses the fastest code for the processor.'
    what+=' The environment variable PALIMPSEST_ARCH overrides the choice; the command cpu lists its values.'
    set_lacks
    add_licences "$tree/$name" mingw-w64-common gcc-mingw-w64-base
    add_source_licences "$tree/$name"
    add_files "$tree/$name"
    sed -i 's/$/\r/' "$tree/$name/README.txt"
    touch -d "@$SOURCE_DATE_EPOCH" "$tree/$name/README.txt"
    pack_zip "$name"
}

rm -rf "$out"
mkdir -p "$tree"
gcc -O2 -o "$out/logo" scripts/release/logo.c -lm
bench=$(scripts/bench.sh --committed)
for target in $targets; do "build_$target"; done
if [ -e .git ]; then
    [ -z "$(git status --porcelain)" ] ||
        echo "build.sh: warning: the programs have changes that the archive of the sources, the last commit, lacks" >&2
    git archive --format=tar --prefix="palimpsest-$version/" --add-virtual-file="palimpsest-$version/bench.txt:Bench: $bench
" HEAD | gzip -9n > "$out/palimpsest-$version-source.tar.gz"
else
    echo "build.sh: no archive of the sources: this folder is not a clone" >&2
fi
rm -f "$out/logo" "$out/run"
(cd "$out" && shopt -s nullglob && sha256sum -- *.tar.gz *.zip > SHA256SUMS)
ls -l "$out"
