#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# install-test.sh ENGINE: checks which files `make install` installs for ENGINE, that the manual page has no errors and
# lists every command and option, that bash and zsh complete them, that `make uninstall` removes everything, that
# `make help` lists every target and variable, how make treats flags and file names of a packager, and which goals wait for
# which. The last line is "N passed, N failed, N skipped".
set -u
. "$(dirname "$0")/usage.sh"
[ $# = 1 ] || usage
need_program "$1"
given=$(realpath "$1")
cd "$(dirname "$0")/.." || exit 1
. scripts/checks.sh
engine=$work/palimpsest # with one more byte, so that it differs from every build
cp "$given" "$engine" && echo >> "$engine"

# EXE exists, so make must install it and build nothing.
make_it() { make -s EXE="$engine" DESTDIR="$work/root dir" PREFIX=/opt/pal "$@"; }
files() { (cd "$work/root dir" && find . ! -type d | sort | xargs); }
files_are() { [ "$(files)" = "$1" ] || { files; false; }; }
# File $1 must contain every line of standard input, between blanks.
each_is_in() {
    local word missing=0 lines=0
    while IFS= read -r word; do
        lines=$((lines + 1))
        { echo; cat "$1"; } | tr -s ' \n' '  ' | grep -qF -e " $word " || { echo "missing: $word"; missing=1; }
    done
    [ $lines -gt 3 ] && [ $missing = 0 ]
}
page() { groff -man -Tascii -P-c -rLL=500n "$root/share/man/man6/palimpsest.6" | sed 's/.\x08//g' > "$work/page"; }
is_clean() { groff -man -ww -Tascii "$1" 2>&1 > "$work/null" | tee "$work/warnings" && [ ! -s "$work/warnings" ]; }
has_all_options() { "$engine" uci | sed -n 's/^option name \(.*\) type .*/\1/p' | each_is_in "$1"; }
# Every line of `help`: commands with their arguments, options with their values.
has_all_of_help() { "$engine" help | sed '/^[^ ]/d; s/^ *//' | each_is_in "$1"; }
help_has_all_targets() {
    make -s help | sed -n '/^Targets/,/^Variables/s/^  \([a-z-]*\) .*/\1/p' > "$work/targets"
    sed -n 's/^\([a-z][a-z -]*\):.*/\1/p' Makefile | tr ' ' '\n' | grep -vxF -e level -e chooser | # parts of `universal`
        each_is_in "$work/targets"
}
help_has_all_variables() {
    make -s help | sed -n '/^Variables/,$p' | grep -oE '[A-Z_]+=' > "$work/variables"
    {
        sed -n '/^EXE/,/^CC/s/^\([A-Z_]*\) *=.*/\1=/p' Makefile
        sed -n 's/^$(foreach name,\([A-Z_ ]*\),.*/\1/p' Makefile | tr ' ' '\n' | sed 's/$/=/'
    } | each_is_in "$work/variables"
}
# plan VARIABLE=VALUE...: what make would run, and its messages.
plan() { make -n V=1 engine BUILD="$work/build" "$@" 2>&1; }
# plans REGEX COMMAND...: a line that COMMAND prints must match.
plans() { "${@:2}" > "$work/plan"; tail -n 3 "$work/plan"; grep -qE -e "$1" "$work/plan"; }
refuses_junk() {
    local object=$work/build/native-release-gcc/src/nnue/embed.o
    echo junk > "$work/junk.nnue"
    ! make CC=gcc BUILD="$work/build" EVALFILE="$work/junk.nnue" "$object" > "$work/plan" 2>&1
    cat "$work/plan"
    grep -q "junk.nnue is not a network" "$work/plan" && [ ! -e "$object" ]
}

# Before each script these targets run DEPS, which must not happen here.
only_prints() {
    make -kn DEPS="touch '$work/ran' && false" BUILD="$work/build" EXE="$work/dry" \
        mpi run test unit-tests fuzz release deb web > "$work/plan" 2>&1
    [ ! -e "$work/ran" ] && grep -q 'scripts/release/build.sh' "$work/plan"
}

# completes TEXT WORD...: the shell completes the last word to TEXT, its choices sorted and between blanks.
completes_in_bash() {
    local said
    said=$(bash -c '. "$1"; shift; COMP_WORDS=(palimpsest "$@") COMP_CWORD=$#; _palimpsest; printf "%s\n" "${COMPREPLY[@]}"' \
        bash "$root/share/bash-completion/completions/palimpsest" "${@:2}" | sort | xargs)
    echo "$said"
    [ "$said" = "$1" ]
}
# The functions of zsh that show choices here print them.
completes_in_zsh() {
    local said
    said=$(zsh -fc 'compadd() { shift; print -l -- "$@"; }; _files() { print FILES; }
        _describe() { local -a all=("${(@P)2}"); print -l -- "${all[@]%%:*}"; }
        file=$1; shift; words=(palimpsest "$@") CURRENT=$#words; . $file' \
        zsh "$root/share/zsh/site-functions/_palimpsest" "${@:2}" 2>&1 | sort | xargs)
    echo "$said"
    [ "$said" = "$1" ]
}
# Commands in the order of `help`, sorted, with the two options of the command line.
all_commands() {
    { "$engine" help | sed -n '/^Options/q; s/^  \([^ ][^ ]*\).*/\1/p'; printf '%s\n' --help --version; } | sort | xargs
}
# All values of a combo option: the words after "var" in the list of options.
values_of() { "$engine" uci | sed -n "s/^option name $1 type combo//p" | grep -oE 'var [^ ]*' | cut -c5- | sort | xargs; }
check_completion() { # SHELL
    local completes=completes_in_$1
    check "$1 completes every command" "$completes" "$(all_commands)" ''
    check "$1 completes the values of an option" "$completes" "$(values_of Replacement)" setoption name Replacement value ''
    check "$1 completes names of options with blanks" "$completes" Overhead setoption name Move ''
}
installed() { (cd "$root" && find . -type f -size +0 | sed 's:^\./::' | sort); }
is_complete() {
    { scripts/install.sh --list && printf '%s\n' bin/palimpsest share/doc/palimpsest/{COPYING,README.md}; } | sort > "$work/list"
    [ "$(wc -l < "$work/list")" = 8 ] && installed | grep -v '^share/doc/palimpsest/.*/' | diff "$work/list" -
}
# The pages lead to pages and pictures, and to at most three of the sources, which are not installed.
links_lead_somewhere() {
    local page link count=0
    while IFS=: read -r page link; do
        count=$((count + 1))
        [ -f "$(dirname "$page")/$link" ] || echo "$page: $link"
    done < <(grep -roE '\]\([^)#:]+[)#]' "$root/share/doc/palimpsest" --include='*.md' | sed 's/\](//; s/.$//') > "$work/dead"
    cat "$work/dead"
    [ $count -gt 200 ] && [ "$(wc -l < "$work/dead")" -le 3 ] && ! grep -vE '\.[ch]$' "$work/dead"
}
# xboard reads the program from the second line; a desktop hides the entry if xboard is missing.
registers() {
    [ "$(sed -n 1p "$root/share/games/plugins/uci/palimpsest.eng")" = "plugin spec 0.0" ] &&
        [ -x "$root/bin/$(sed -n 2p "$root/share/games/plugins/uci/palimpsest.eng")" ] &&
        grep -q '^Exec=xboard .*-fcp palimpsest$' "$root/share/applications/palimpsest.desktop"
}

without_arguments() { ! scripts/install.sh > "$work/plan" 2>&1 && cat "$work/plan" && grep -q '^scripts/install.sh ENGINE' "$work/plan"; }

root="$work/root dir/opt/pal"
check "without arguments the usage is printed" without_arguments
check "make install" make_it install
check "make install installs all files" is_complete
check "the links of the installed pages lead to installed files" links_lead_somewhere
check "xboard and desktops can find the engine" registers
if command -v desktop-file-validate > /dev/null; then
    check "the desktop entry is valid" desktop-file-validate "$root/share/applications/palimpsest.desktop"
else
    skip "a valid desktop entry: desktop-file-validate is not installed"
fi
check "the installed engine is the given one" cmp "$engine" "$root/bin/palimpsest"
check "the installed engine runs" "$root/bin/palimpsest" go depth 1
if command -v groff > /dev/null; then
    check "the manual page gives no warnings" is_clean "$root/share/man/man6/palimpsest.6"
    check "the manual page can be formatted" page
    check "the manual page has every option" has_all_options "$work/page"
    check "the manual page has every line of help" has_all_of_help "$work/page"
else
    skip "the manual page: groff is not installed"
fi
check_completion bash
check "bash completes a command in quotes" completes_in_bash "setoption name Clear Hash" '"setoption name Cl'
if command -v zsh > /dev/null; then
    check_completion zsh
else
    skip "completion in zsh: zsh is not installed"
fi
check "a second install changes nothing" make_it install
check "make uninstall" make_it uninstall
check "make uninstall leaves no file" files_are ""
check "make help lists every target" help_has_all_targets
check "make help lists every variable" help_has_all_variables
check "flags of the command line follow those of the Makefile" plans ' -O3 .*-DNDEBUG .* -DX -O1 .*uci\.c$' \
    plan CFLAGS=-O1 CPPFLAGS=-DX
check "also flags of the environment" plans ' -O3 .*-DNDEBUG .* -DX -O1 .*uci\.c$' env CFLAGS=-O1 CPPFLAGS=-DX make -n V=1 \
    engine BUILD="$work/build"
check "flags for the linker are used" plans ' -s .*-o [^ ]*/palimpsest ' plan LDFLAGS=-s
check "a program for Windows needs no library, with any flags" plans ' -static -s .*-o [^ ]*/palimpsest\.exe ' \
    plan OS=Windows_NT LDFLAGS=-s
check "objcopy is that of the compiler, without its version" plans '^x-mingw32-objcopy ' make -n V=1 level ARCH=x86-64 \
    CC=x-mingw32-gcc-12-posix BUILD="$work/build"
check "the tools for Windows are programs, too" plans 'cp -f .*/palimpsest-lab\.exe$' make -n V=1 tools OS=Windows_NT \
    EXE="$work/palimpsest.exe" BUILD="$work/build"
check "so are those of other modes" plans 'cp -f .*/palimpsest-debug\.exe$' make -n debug OS=Windows_NT \
    EXE="$work/palimpsest.exe" BUILD="$work/build"
check "EXE with a blank is refused" plans 'EXE must not contain blanks: a b' plan EXE='a b'
check "EVALFILE with a blank is refused" plans 'EVALFILE must not contain blanks: a b' plan EVALFILE='a b'
check "SYZYGY is yes or no" plans 'SYZYGY must be yes or no: YES' plan SYZYGY=YES
check "MEMORY is yes or no" plans 'MEMORY must be yes or no: 0' plan MEMORY=0
check "an unknown mode leads to the list of modes" plans 'MODE=quick does not exist: .*make help' plan MODE=quick
check "a file that is no network is not built in" refuses_junk
check "make -n runs no script" only_prints
plans_the_same() { # in a temporary folder with a blank, and nothing is left in it
    mkdir -p "$work/a b"
    [ "$(TMPDIR="$work/a b" plan)" = "$(plan)" ] && [ -z "$(ls -A "$work/a b")" ]
}
check "the name of the temporary folder may have blanks" plans_the_same
in_order() { make -n DEPS=false lint test install BUILD="$work/build" | grep -oE 'scripts/(lint|test|install)\.sh' | xargs; }
check "goals are made in the order of the command line" plans '^scripts/lint.sh scripts/test.sh scripts/install.sh$' in_order

make_here() { MAKEFLAGS='' make --no-print-directory "$@"; } # whatever the make that calls this script was told
printf '#!/bin/sh\nexec %s $UPDATE "$@"\n' "${CC:-gcc}" > "$work/update"
chmod +x "$work/update"
compiled() { # FLAG of the compiler: what is compiled now
    UPDATE=$1 make_here CC="$work/update" EXTRA_CFLAGS=-O0 BUILD="$work/updated" \
        "$work/updated/native-release-update/src/base/rng.o"
}
compiles_again() { compiled -DV=1 && [ -z "$(compiled -DV=1)" ] && [ -n "$(compiled -DV=2)" ]; }
check "a new version of the compiler compiles everything again" compiles_again
head -c 1000 nets/default.nnue > "$work/older"
head -c 1001 nets/default.nnue > "$work/newer"
touch -d 2020-01-01 "$work/older"
embeds() { # NETWORK: what is compiled if the link to the network leads to it
    ln -sf "$work/$1" "$work/link"
    make_here CC=gcc EVALFILE="$work/link" BUILD="$work/embedded" \
        "$work/embedded/native-release-gcc/src/nnue/embed.o"
}
embeds_again() { embeds newer && [ -z "$(embeds newer)" ] && [ -n "$(embeds older)" ]; }
check "another network of the same name is built in, also an older one" embeds_again
mkdir "$work/other"
printf '#!/bin/sh\necho riscv64\n' > "$work/other/uname"
cat > "$work/other/cc" << 'END'
#!/bin/sh
case " $* " in *'=native '*) exit 1 ;; esac
END
chmod +x "$work/other/uname" "$work/other/cc"
flags_elsewhere() { PATH=$work/other:$PATH scripts/march.sh native "$1"; } # COMPILER
elsewhere() { [ -z "$(flags_elsewhere cc)" ] && [ "$(flags_elsewhere true)" = -mcpu=native ]; }
check "a compiler that knows no native processor gets no flags for it" elsewhere
mkdir "$work/fathom"
echo '#include "tbchess.c"' > "$work/fathom/tbprobe.c"
fathom() {
    make_here CC=gcc FATHOM="$work/fathom" BUILD="$work/foreign" \
        "$work/foreign/native-release-gcc/tbprobe.o"
}
follows_fathom() { # its tbprobe.c includes other files
    echo 'int a;' > "$work/fathom/tbchess.c" && fathom && [ -z "$(fathom)" ] &&
        sleep 0.01 && echo 'int b;' > "$work/fathom/tbchess.c" && [ -n "$(fathom)" ]
}
check "a changed file of Fathom is compiled again" follows_fathom

# A false compiler makes programs in no time: the given one, which `install` starts, and after it the flags. The program
# that measures a profile does nothing.
cat > "$work/cc" << END
#!/bin/sh
case " \$* " in *' -c '*) compiles=yes ;; *) compiles= ;; esac
all=\$*
while [ \$# -gt 0 ]; do [ "\$1" != -o ] || out=\$2; shift; done
: > "\$out"
program=$given
case \$all in *-fprofile-generate*) program=$(type -P true) ;; esac
[ -n "\$compiles" ] || { cat "\$program" && echo "\$all"; } > "\$out"
chmod +x "\$out"
END
chmod +x "$work/cc"
at_once() { make -s -j2 CC="$work/cc" BUILD="$work/parallel" EXE="$work/made" DESTDIR="$work/later" PREFIX=/usr "$@" 2>&1; }
installs_what_it_makes() { at_once "$@" && cmp "$work/made" "$work/later/usr/bin/palimpsest"; }
cleans_first() { at_once engine && at_once clean engine && [ -x "$work/made" ]; }
installs_after() { at_once engine && installs_what_it_makes "$@"; }
installs_profiled() { installs_what_it_makes "$@" && tail -n 1 "$work/made" | grep -e -fprofile-use; }
removes_at_last() { at_once engine clean CPPFLAGS=-DX && [ ! -e "$work/made" ]; }
check "install waits for the engine, also with several jobs" installs_after engine install CPPFLAGS=-DX
check "everything waits for clean, also with several jobs" cleans_first
check "clean and install make the engine again" installs_after clean install
check "clean waits for what comes before it" removes_at_last
for goals in "engine clean all" "engine clean engine"; do # nothing would make the engine again
    # shellcheck disable=SC2086 # a list of words
    check "'make $goals' is refused" ends 2 "clean must be the first goal or the last" at_once $goals
done
# shellcheck disable=SC2086 # a list of words
check "a compiler for 32 bits is refused with a clear message" ends 1 "needs a compiler for a 64-bit processor" \
    ${CC:-gcc} -U__SIZEOF_INT128__ -fsyntax-only -Isrc src/base/bits.h
check "install builds the engine if it is missing" installs_what_it_makes install
check "but not after a goal that makes another" installs_profiled clean pgo install
rm "$work/made"
check "also if there was none before" installs_profiled pgo install

print_counts
