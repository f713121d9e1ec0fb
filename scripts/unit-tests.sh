#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# unit-tests.sh PROGRAM: runs the suites of the unit tests (tests/suites.h), each in its own process, as many at the same
# time as there are cores; then the suites that measure time, one after another, with three tries each. Each output is
# shown when its suite ends; a suite that ends early has failed. Environment: that of libcheck; WITHOUT=suite leaves one out.
# The last line is "N passed, N failed, N skipped"; the status is 0 if none failed.
set -uo pipefail
. "$(dirname "$0")/usage.sh"
[ $# = 1 ] || usage
need_program "$1"
program=$(realpath "$1")
list=$(dirname "$0")/../tests/suites.h
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run_suite() { # NAME TRIES
    local said counts status=0
    said=$(CK_RUN_SUITE=$1 "$program" 2>&1) || status=$?
    counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \3 \2/p' <<< "$said")
    [ "$counts" != "0 0 0" ] && [ -n "$counts" ] && [ $((status != 0)) = $((${counts##* } != 0)) ] || counts="0 0 1"
    echo "$counts" > "$work/$1"
    [ "${counts##* }" = 0 ] || echo "$([ "$2" -gt 1 ] && echo 'again' || echo FAILED): $1 (status $status)"
    grep -vE '^(Running suite|100%:|[0-9]+ passed, )' <<< "$said"
    [ "${counts##* }" = 0 ] || [ "$2" = 1 ] || run_suite "$1" $(($2 - 1))
}
export -f run_suite
export program work

run_suites() { # JOBS MARK TRIES
    sed -n "s/^$2(\(.*\))$/\1/p" "$list" | grep -vxF -e "${WITHOUT:-}" | xargs -P "$1" -I{} bash -c "run_suite {} $3 || :"
}
run_suites "$(nproc)" SUITE 1
run_suites 1 SUITE_ALONE 3
cat "$work"/* | awk '{ passed += $1; skipped += $2; failed += $3 }
    END { print passed + 0 " passed, " failed + 0 " failed, " skipped + 0 " skipped"; exit failed > 0 || !passed }'
