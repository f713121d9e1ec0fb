#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/lint.sh: checks the layers, the house style and the format of all C sources, compiles the fuzzers, and
# runs cppcheck on src/.
# `make lint` calls this script. The status is 0 if nothing is wrong.
set -u
. "$(dirname "$0")/usage.sh"
[ $# = 0 ] || usage
cd "$(dirname "$0")/.." || exit 1
status=0
scripts/style.sh &
style=$!
scripts/layers.sh || status=1
find src tests -name '*.[ch]' -exec clang-format --dry-run -Werror {} + || status=1
# Nothing else compiles the fuzzers where there is no clang.
# shellcheck disable=SC2086 # a list of words
${CC:-gcc} -std=gnu11 -Isrc -Itests -fsyntax-only -Wall -Wextra -Werror tests/fuzz/*.c || status=1
if command -v cppcheck > /dev/null; then
    # Two combinations of macros for each file: all of those in simd.h take twice the time.
    cppcheck -j "$(nproc)" --quiet --std=c11 --error-exitcode=1 --max-configs=2 \
        --enable=warning,performance,portability --inline-suppr -Isrc src || status=1
else
    echo "skipped: cppcheck is not installed"
fi
wait $style || status=1
exit $status
