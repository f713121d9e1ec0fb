#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/release/test.sh [short]: tests the archives that scripts/release/build.sh left in build/release, as users would:
# every engine of every archive must have the same bench and perft, pass recorded UCI sessions, refuse a processor that is
# too old, and start in time. qemu-user emulates other processors, wine runs the programs for Windows, also the tools;
# without them these checks are skipped. Then the Debian package is built, installed, used in xboard and removed, and
# profiled builds must have the same bench. `make release-test` calls it. "short" leaves out what takes minutes: only one
# engine runs the whole bench, all others a part of it, the package has one engine with little optimisation in place of one
# for each level, and the program for Windows is tested as two of its levels (it may lack the others, see build.sh).
set -uo pipefail
. "$(dirname "$0")/../usage.sh"
[ -z "${1:-}" ] || [ "$1" = short ] || usage
cd "$(dirname "$0")/../.." || exit 1
out=$PWD/build/release
shared=$(realpath "${PALIMPSEST_SHARED:-../shared}")
short=${1:-}
. scripts/checks.sh
export WINEPREFIX=${WINEPREFIX:-$PWD/build/wine} WINEDEBUG=-all
PART='16 1 9' # hash, threads, depth of the part of the bench
part=none
# wine's server would run for some time after the last program, so end it.
trap 'command -v wineserver > /dev/null && wineserver -k 2> /dev/null; rm -rf "$work"' EXIT

[ ! -d "$shared/syzygy/tables" ] || ln -s "$shared/syzygy/tables" "$work/tables"

# Makes a program NAME that runs COMMAND with its own arguments.
wrap() { # NAME COMMAND
    printf '#!/bin/sh\nexec %s "$@"\n' "$2" > "$work/$1"
    chmod +x "$work/$1"
}

# ENGINE ARGUMENT...
nodes() { "$1" bench "${@:2}" 2> /dev/null | sed -n 's/^Nodes searched *: *//p'; }
counts() { # NUMBER ENGINE ARGUMENT...
    local said
    said=$(nodes "${@:2}")
    echo "${said:-nothing}, not $1"
    [ -n "$said" ] && [ "$said" = "$1" ]
}

# Perft of positions with all special moves (the unit tests have more).
knows_the_rules() {
    local kiwipete='r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
    local promotions='n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1'
    local said
    said=$("$1" 'perft 5' "perft 4 $kiwipete" "perft 5 $promotions")
    echo "$said" | tail -20
    for count in 4865609 4085603 3605103; do
        grep -qE "(^|[^0-9])$count([^0-9]|$)" <<< "$said" || return 1
    done
}

# Prints the level chosen, as `cpu` shows it.
chosen() { "$@" cpu 2> /dev/null | sed -n 's/^Chosen: \([^,]*\),.*/\1/p'; }
chooses() { [ "$(chosen "${@:2}")" = "$1" ]; }

# Asked for an engine that the processor cannot run, the program must print one line on stderr, nothing on stdout, and
# end with status 3.
refuses_v3() {
    local status=0
    PALIMPSEST_ARCH=x86-64-v3 "$1" bench > "$work/stdout" 2> "$work/stderr" || status=$?
    cat "$work/stderr"
    [ $status = 3 ] && [ ! -s "$work/stdout" ] && [ "$(wc -l < "$work/stderr")" = 1 ] &&
        grep -q 'cannot run' "$work/stderr"
}
refuses_a_wrong_name() {
    local status=0
    PALIMPSEST_ARCH=8086 "$1" bench > "$work/stdout" 2> "$work/stderr" || status=$?
    [ $status = 1 ] && [ ! -s "$work/stdout" ] && grep -q '8086' "$work/stderr"
}

# A start up to `readyok` must take less than 20 times the processor time of a start of `cat`, because that time depends on the
# machine (measured: 6 to 8 times, 17 to 24 ms; 10 to 15 times beside programs with sanitizers, which need much memory). One of
# three tries must show it, because of what else the machine does.
processor_ms() { # PROGRAM: that of 20 starts
    local TIMEFORMAT='%3U %3S'
    {
        time for _ in $(seq 20); do
            echo isready | "$1" > "$work/ready" 2> /dev/null
        done
    } 2>&1 | awk '{ print ($1 + $2) * 1000 }'
}
starts_fast() {
    measure_start "$1" || measure_start "$1" || measure_start "$1"
}
measure_start() {
    local of_cat ours
    of_cat=$(processor_ms cat)
    ours=$(processor_ms "$1")
    grep -qx readyok "$work/ready" &&
        awk -v ours="$ours" -v cat="$of_cat" 'BEGIN {
            printf "a start takes %.1f ms, %.1f times one of cat\n", ours / 20, ours / cat
            exit ours >= 20 * cat
        }'
}

# All checks of one engine: NAME PROGRAM.
check_engine() {
    if [ "$short" = short ]; then
        check "$1: part of the bench" counts "$part" "$2" $PART
    else
        check "$1: bench" counts "$bench" "$2"
    fi
    check "$1: perft" knows_the_rules "$2"
}
check_sessions() { # NAME PROGRAM SESSION...
    local name=$1 program=$2 session
    shift 2
    for session; do
        check "$name: session $session" scripts/uci-session.sh "$program" "tests/session/$session.uci"
        skipped=$((skipped + $(grep -c '^skipped: ' "$work/said")))
    done
}

# Tablebases and position learning, if the program was built with them. The engine runs in $work, because programs for
# Windows have other absolute paths.
reads_tables() { # ENGINE FOLDER
    local said position='8/8/8/8/8/2k5/7R/K7 w - - 10 1'
    said=$(cd "$work" && "$1" "setoption name SyzygyPath value $2" "tb $position" "position fen $position" 'go depth 5')
    echo "$said"
    grep -q '^WDL: win, DTZ: 27,' <<< "$said" && grep -q '^info depth 5 .* tbhits [1-9]' <<< "$said" &&
        ! grep -q 'error' <<< "$said"
}
remembers() { # ENGINE
    local file='setoption name MemoryFile value learned.db' said
    rm -f "$work/learned.db"
    said=$(cd "$work" && "$1" "$file" 'setoption name MemoryPolicy value Bebe' 'setoption name Memory value learn' isready 'go depth 8' wait &&
        "$1" "$file" 'setoption name Memory value read' isready)
    echo "$said"
    grep -q "^info string position learning: 1 position in 'learned.db', mode read" <<< "$said"
}
check_libraries() { # NAME PROGRAM
    local said
    said=$("$2" compiler 2> /dev/null)
    if grep -q 'built without libfathom' <<< "$said"; then
        skip "$1: tablebases: built without Fathom"
    elif [ ! -d "$shared/syzygy/tables" ]; then
        skip "$1: tablebases: no $shared/syzygy/tables"
    else
        check "$1: reads tablebases" reads_tables "$2" tables
        mkdir -p "$work/таблицы"
        [ -e "$work/таблицы/ü" ] || ln -s "$work/tables" "$work/таблицы/ü"
        check "$1: reads tablebases in a folder beyond ASCII" reads_tables "$2" таблицы/ü
    fi
    if grep -q 'built without SQLite' <<< "$said"; then
        skip "$1: position learning: built without SQLite"
    else
        check "$1: learns positions" remembers "$2"
    fi
}

# From a mirror with an altered file of Fathom and nothing else, nothing may be taken, and one line says so.
refuses_altered_libraries() {
    local file
    file=$(sed -n 's/^get fathom $pool\([^ ]*\).*/\1/p' scripts/release/libraries.sh | sed 's/%2b/+/g')
    mkdir -p "$work/mirror/pool/main/$(dirname "$file")" && echo altered > "$work/mirror/pool/main/$file"
    DEBIAN_MIRROR=copy://$work/mirror scripts/release/libraries.sh "$work/libraries" > "$work/text" 2>&1 || return 1
    cat "$work/text"
    [ "$(wc -l < "$work/text")" = 1 ] && grep -q ': fathom sqlite musl$' "$work/text" && [ -z "$(ls "$work/libraries")" ]
}

list_levels() { sed -n "$@" -e 's/^LEVEL.[^"]*"\([^"]*\)".*/\1/p' src/uci/cpu_levels.def; } # [SED ARGUMENT...]

# Checks every level that this machine can run, by PALIMPSEST_ARCH. Status 3: it cannot. NAME PROGRAM.
check_levels() {
    local level status
    for level in $levels; do
        export PALIMPSEST_ARCH=$level
        status=0
        "$2" cpu > "$work/cpu" 2>&1 || status=$?
        if [ $status = 3 ]; then
            skip "$1 as $level: not on this processor"
            continue
        fi
        check "$1 as $level: runs" chooses "$level" "$2"
        check_engine "$1 as $level" "$2"
        [ "$short" = short ] || check_sessions "$1 as $level" "$2" compliance
    done
    unset PALIMPSEST_ARCH
}

has_all_files() { # FOLDER PROGRAM
    local file
    for file in "$2" COPYING README.txt logo-100x50.bmp logo-130x65.bmp licences; do
        [ -s "$1/$file" ] || { echo "no $file"; return 1; }
    done
    ! grep -n '@' "$1/README.txt" && grep -q "$bench" "$1/README.txt"
}
has_share() { # FOLDER
    local file files
    files=$(scripts/install.sh --list) || return 1
    for file in $files; do
        [ -s "$1/$file" ] || { echo "no $file"; return 1; }
    done
}
unpack() { # ARCHIVE
    case $1 in
    *.zip) unzip -q "$1" -d "$work" ;;
    *) tar -xzf "$1" -C "$work" ;;
    esac
}
has_sums() { (cd "$out" && sha256sum -c SHA256SUMS); }
sources_know_bench() { # ARCHIVE
    mkdir "$work/sources" && tar -xzf "$1" -C "$work/sources" --strip-components=1 &&
        [ "$("$work/sources/scripts/bench.sh" --committed)" = "$bench" ]
}
needs_no_library() { readelf -d "$1" > "$work/dynamic" && ! grep NEEDED "$work/dynamic"; }

check_linux() {
    local folder=$1 level
    local engine=$folder/palimpsest
    check "linux: files" has_all_files "$folder" palimpsest
    check "linux: files to install" has_share "$folder"
    check "linux: needs no library" needs_no_library "$engine"
    check "linux: bench" counts "$bench" "$engine"
    part=$(nodes "$engine" $PART)
    check_levels linux "$engine"
    check "linux: a wrong name is refused" refuses_a_wrong_name "$engine"
    check_sessions linux "$engine" compliance clients
    check_libraries linux "$engine"
    [ "$short" = short ] || check_sessions linux "$engine" arguments corners hash probe
    check "linux: starts fast" starts_fast "$engine"
    cat "$work/said"
    if ! command -v qemu-x86_64 > /dev/null; then
        skip "other processors: no qemu-x86_64"
        return
    fi
    for level in qemu64:x86-64 Nehalem:x86-64-v2 Haswell:x86-64-v3 EPYC:x86-64-v3-magic; do
        wrap "${level%:*}" "qemu-x86_64 -cpu ${level%:*} $engine"
        check "linux: ${level%:*} runs ${level#*:}" chooses "${level#*:}" "$work/${level%:*}"
    done
    check "linux: Nehalem cannot run x86-64-v3" refuses_v3 "$work/Nehalem"
}

# Android kills apps that make certain system calls; glibc makes some of them at the start of a program or of a thread.
runs_on_phones() {
    qemu-aarch64 -strace "$1" 'setoption name Threads value 2' 'go depth 5' > "$work/stdout" 2> "$work/calls"
    grep '^bestmove' "$work/stdout" && grep -q 'mmap(' "$work/calls" &&
        ! grep -oE 'rseq|set_robust_list|clone3|faccessat2|openat2|statx' "$work/calls"
}
is_position_independent() { readelf -h "$1" | grep 'DYN (Position-Independent'; }

check_arm() {
    check "aarch64: files" has_all_files "$1" palimpsest
    check "aarch64: files to install" has_share "$1"
    check "aarch64: needs no library" needs_no_library "$1/palimpsest"
    if ! command -v qemu-aarch64 > /dev/null; then
        skip "aarch64: no qemu-aarch64"
        return
    fi
    wrap arm "qemu-aarch64 $1/palimpsest"
    check_engine aarch64 "$work/arm"
    check_sessions aarch64 "$work/arm" compliance
    check_libraries aarch64 "$work/arm"
    if grep -q Android "$1/README.txt"; then
        check "aarch64: is position-independent" is_position_independent "$1/palimpsest"
        check "aarch64: calls nothing that Android forbids" runs_on_phones "$1/palimpsest"
    else
        skip "aarch64: phones: built without musl"
    fi
}

# The output must have no carriage returns: some GUIs read them as part of the move.
ends_lines_alike() {
    "$1" 'go depth 1' > "$work/lines" && grep -q '^bestmove ....$' "$work/lines" && ! grep -q $'\r' "$work/lines"
}

# A path with characters beyond ASCII must be written and read.
knows_utf8() {
    local name='ладья ♜ é.nnue' said
    mkdir -p "$work/папка"
    said=$(cd "$work/папка" && "$1" "export_net $name" "setoption name EvalFile value $name" eval)
    echo "$said"
    [ -s "$work/папка/$name" ] && cmp -s "$work/папка/$name" nets/default.nnue && ! grep -q error <<< "$said"
}

# The tools, which no archive for Windows has.
builds_tools() {
    "${MAKE:-make}" tools MODE=debug CC=x86_64-w64-mingw32-gcc ARCH=x86-64 BUILD=build/release-tools \
        EXE="$work/tools/palimpsest.exe" || return 1
    local tool
    for tool in datagen train lab; do wrap "$tool" "wine $work/tools/palimpsest-$tool.exe"; done
}
tools_know_utf8() (
    name='ладья ♜ é'
    mkdir -p "$work/папка" && cd "$work/папка" &&
        "$work/datagen" --games 4 --soft 50 --hard 200 --threads 1 --out "$name.games" && [ -s "$name.games" ] &&
        "$work/train" --epochs 1 --held-out 0 --threads 1 --out "$name.nnue" "$name.games" && [ -s "$name.nnue" ] &&
        "$work/lab" perft --key 64 --depth 3 --hash 1 --csv "$name.csv" && [ -s "$name.csv" ]
)
check_windows_tools() {
    check "windows: the tools can be built" builds_tools
    [ -x "$work/lab" ] || return
    check "windows: paths beyond ASCII in the tools" tools_know_utf8
}

# Tests src/base itself. Some of it, such as files that another process has open, shows in no output of the engine.
passes_windows_test() {
    local renamed # functions of Windows that the test replaces; without WINBASEAPI the linker looks for them in the program
    renamed=$(sed -n 's/^[A-Z]* WINAPI \([A-Za-z]*\)(.*/-D\1=test_\1/p' scripts/release/windows_test.c)
    # shellcheck disable=SC2086 # a list of words
    mkdir "$work/base" && x86_64-w64-mingw32-gcc -std=gnu11 -O1 -D__USE_MINGW_ANSI_STDIO=1 -D_FILE_OFFSET_BITS=64 -static \
        -DWINBASEAPI= $renamed -Isrc -o "$work/windows-test.exe" scripts/release/windows_test.c \
        src/base/{clock,file,file_windows,interrupt,strbuf,thread,wide_windows}.c -lpthread &&
        (cd "$work/base" && wine ../windows-test.exe)
}

# Plays 20 games of $1 against $2, the engine for this system, with fastchess. A move may take half a second too long,
# because the machine may be busy.
plays_games() {
    local pgn=$work/games.pgn
    "$2" 'genfens 10 seed 7 book None' | sed -n 's/^info string genfens //p' > "$work/openings.epd"
    fastchess -engine cmd="$1" name=windows -engine cmd="$2" name=linux -each tc=2+0.05 timemargin=500 option.Hash=8 \
        -openings file="$work/openings.epd" format=epd -rounds 10 -games 2 -repeat -concurrency 1 -pgnout file="$pgn" \
        -srand 7 -config outname="$work/config.json" || return 1
    grep '^\[Result' "$pgn" | sort | uniq -c
    [ "$(grep -c '^\[Result "[01]' "$pgn")" = 20 ] &&
        ! grep -iE 'Termination "(abandoned|time forfeit|illegal|unterminated|stalled)' "$pgn"
}

# Every Windows has these libraries; those of the compiler must be in the program. Not user32.dll, nor shell32.dll, which
# loads it: see src/base/interrupt.h.
needs_only_windows() {
    x86_64-w64-mingw32-objdump -p "$1" | sed -n 's/.*DLL Name: //p' > "$work/libraries"
    [ -s "$work/libraries" ] && ! grep -viE '^(kernel32|msvcrt|advapi32|ntdll|api-ms-win.*)\.dll$' "$work/libraries"
}

check_windows() {
    local levels=$levels
    [ "$short" != short ] || levels=$(list_levels -e '/^#ifndef/,/^#endif/d') # those of FEW_LEVELS=yes
    check "windows: files" has_all_files "$1" palimpsest.exe
    check "windows: needs only libraries of Windows" needs_only_windows "$1/palimpsest.exe"
    if ! command -v wine > /dev/null; then
        skip "windows: no wine"
        return
    fi
    wine wineboot -i > /dev/null 2>&1
    wrap windows "wine $1/palimpsest.exe"
    check "windows: src/base" passes_windows_test
    check_levels windows "$work/windows"
    check "windows: a wrong name is refused" refuses_a_wrong_name "$work/windows"
    check_sessions windows "$work/windows" compliance
    check_libraries windows "$work/windows"
    [ "$short" = short ] || check_sessions windows "$work/windows" clients corners
    check "windows: lines end as elsewhere" ends_lines_alike "$work/windows"
    check "windows: paths beyond ASCII" knows_utf8 "$work/windows"
    check_windows_tools
    if [ "$short" = short ]; then
        return
    elif command -v fastchess > /dev/null; then
        check "windows: 20 games" plays_games "$work/windows" "$linux/palimpsest"
    else
        skip "windows: 20 games: no fastchess"
    fi
}

# Installs the package and removes it; only root can.
install_package() {
    dpkg -i "$1" && [ -x /usr/games/palimpsest ] && [ -e /usr/share/man/man6/palimpsest.6.gz ] &&
        [ -e /usr/share/bash-completion/completions/palimpsest ] && [ -e /usr/share/games/plugins/uci/palimpsest.eng ]
}
remove_package() { dpkg -r palimpsest && [ ! -e /usr/games/palimpsest ]; }

check_package() {
    local package
    if ! command -v dh > /dev/null || ! command -v lintian > /dev/null; then
        skip "package: no debhelper or lintian"
        return
    fi
    check "package: builds, and lintian finds no error" env ${short:+DEB_BUILD_OPTIONS=noopt} scripts/release/deb.sh ${short:+single}
    package=$(find build/deb -name 'palimpsest_*.deb')
    [ -n "$package" ] || return
    if [ "$(id -u)" != 0 ]; then
        skip "package: only root can install it"
        return
    elif dpkg-query -s palimpsest > /dev/null 2>&1; then
        skip "package: one is installed already"
        return
    fi
    check "package: installs" install_package "$package"
    check "package: bench" counts "$bench" /usr/games/palimpsest
    if [ -x /usr/games/xboard ] && [ -x /usr/games/polyglot ] && command -v Xvfb > /dev/null; then
        check "package: plays in xboard" scripts/release/xboard.sh /usr/games/palimpsest
    else
        skip "package: plays in xboard: no xboard, polyglot or Xvfb"
    fi
    check "package: is removed" remove_package
}

# `make pgo` with compiler $1 and its profile reader $2 must give the same bench.
check_profiled() {
    if ! command -v "$1" > /dev/null || ! command -v "$("$1" -print-prog-name="$2")" > /dev/null; then
        skip "pgo with $1: no $1 or no $2"
        return
    fi
    check "pgo with $1" "${MAKE:-make}" pgo CC="$1" EXE="$work/pgo-$1" BUILD="build/release-pgo-$1"
    check "pgo with $1: bench" counts "$bench" "$work/pgo-$1"
}

levels=$(list_levels)
bench=$(scripts/bench.sh --committed) || exit 1
check "SHA256SUMS" has_sums
if [ -x /usr/lib/apt/apt-helper ]; then
    check "altered or missing libraries are left out, in one line" refuses_altered_libraries
else
    skip "altered libraries: no apt-helper"
fi
for archive in "$out"/*-source.tar.gz; do
    [ ! -e "$archive" ] || check "the archive of the sources knows the bench" sources_know_bench "$archive"
done
linux=
for archive in "$out"/*linux-x86-64.tar.gz "$out"/*aarch64.tar.gz "$out"/*.zip; do
    [ -e "$archive" ] || continue
    check "$(basename "$archive") unpacks" unpack "$archive"
    folder=$work/$(basename "$archive" | sed 's/\.tar\.gz$//; s/\.zip$//')
    case $archive in
    *linux-x86-64*) linux=$folder && check_linux "$folder" ;;
    *aarch64*) check_arm "$folder" ;;
    *) check_windows "$folder" ;;
    esac
done
check_package
if [ "$short" != short ]; then
    check_profiled gcc cc1
    check_profiled clang llvm-profdata
fi
print_counts && [ $passed -gt 1 ]
