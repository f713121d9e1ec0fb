#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# install_session.sh ENGINE: checks which files `make install` installs for ENGINE, that the manual page has no errors and
# lists every command and option, that `make uninstall` removes everything, and that `make help` lists every target
# and variable. The last line is "N passed, N failed, N skipped".
set -u
if [ $# != 1 ] || [ ! -x "$1" ]; then
    echo "usage: $0 ENGINE" >&2
    exit 2
fi
given=$(realpath "$1")
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
engine=$work/palimpsest # with one more byte, so that it differs from every build
cp "$given" "$engine" && echo >> "$engine"
. scripts/checks.sh

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
    sed -n '/^\.PHONY:/,/[^\]$/p' Makefile | tr -s ' \t\\' '\n\n\n' | grep -vxF -e .PHONY: -e FORCE -e '' |
        each_is_in "$work/targets"
}
help_has_all_variables() {
    make -s help | sed -n '/^Variables/,$p' | grep -oE '[A-Z_]+=' > "$work/variables"
    sed -n '/^EXE/,/^CC/s/^\([A-Z_]*\) *=.*/\1=/p' Makefile | each_is_in "$work/variables"
}

root="$work/root dir/opt/pal"
check "make install" make_it install
check "make install installs four files" files_are \
    "./opt/pal/bin/palimpsest ./opt/pal/share/doc/palimpsest/COPYING ./opt/pal/share/doc/palimpsest/README.md ./opt/pal/share/man/man6/palimpsest.6"
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
check "a second install changes nothing" make_it install
check "make uninstall" make_it uninstall
check "make uninstall leaves no file" files_are ""
check "make help lists every target" help_has_all_targets
check "make help lists every variable" help_has_all_variables

print_counts
