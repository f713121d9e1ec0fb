#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/march.sh ARCH COMPILER: prints the flags with which COMPILER compiles for the processor ARCH, which is a level of
# src/uci/cpu_levels.def, `native` for this machine, or a value of -march. For `native` there may be no flags.
set -u
. "$(dirname "$0")/usage.sh"
[ $# -ge 2 ] || usage
arch=$1
shift
flags=$(sed -n "s/^LEVEL(.*\"$arch\",.*\"\(.*\)\")\$/\1/p" "$(dirname "$0")/../src/uci/cpu_levels.def")
if [ -z "$flags" ]; then
    case $arch/$(uname -m) in
    native/x86_64 | native/i686 | native/amd64) flags=-march=native ;;
    native/*) # compilers for RISC-V do not know the processor
        # shellcheck disable=SC2086 # words, also those of the compiler
        if $* -mcpu=native -fsyntax-only -xc /dev/null 2> /dev/null; then flags=-mcpu=native; fi
        ;;
    *) flags=-march=$arch ;;
    esac
fi
# gcc before 13 does not know AMD's processors with AVX-512 and tunes for znver3. Such code keeps integers in vector registers
# where it lacks others, and moving them there and back is slow.
# shellcheck disable=SC2086 # words, also those of the compiler
case $* in
*gcc*)
    if $* $flags -dM -E -xc /dev/null 2> /dev/null | grep -q AVX512VNNI &&
        $* $flags -Q --help=target 2> /dev/null | grep -q 'mtune=.*znver3'; then
        flags="$flags -mtune=icelake-server"
    fi
    ;;
esac
echo "$flags"
