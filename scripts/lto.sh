#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/lto.sh COMPILER: prints the flags for link-time optimisation with COMPILER, or nothing if no flags work. This
# depends on the compiler and on the linkers that are installed.
. "$(dirname "$0")/usage.sh"
[ $# -ge 1 ] || usage
program=$(mktemp)
trap 'rm -f "$program"' EXIT
trap 'exit 130' INT TERM HUP # dash does not run the line before after a signal
for flags in -flto=auto '-flto -fuse-ld=lld' -flto; do
    # shellcheck disable=SC2086 # words, also those of the compiler
    if echo 'int main(void) { return 0; }' | $* $flags -x c - -o "$program" 2> /dev/null; then
        echo "$flags"
        exit
    fi
done
