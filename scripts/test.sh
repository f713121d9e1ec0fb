#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/test.sh ENGINE MODE: builds the engine, which is ENGINE (the path that `make EXE=` has), the tools and the unit
# tests (in MODE: test, asan or tsan), and runs unit tests, UCI sessions (recorded and random), the sessions of the tools,
# and the check of the results pages. The last line is "All tests: N passed, N failed, N skipped". The status is 0 if none failed.
# `make test` calls this script.
set -uo pipefail
. "$(dirname "$0")/usage.sh"
[ $# = 2 ] || usage
engine=$1 mode=$2
cd "$(dirname "$0")/.." || exit 1
make=${MAKE:-make}
. scripts/checks.sh
status=0

# run COMMAND...: shows what it prints and adds it to $log; remembers a failure.
log=$work/log
run() { "$@" 2>&1 | tee -a "$log" || { status=1; echo "FAILED: $*"; }; }

"$make" engine || exit 1
run "$make" unit-tests TEST_MODE="$mode"
"$make" tools || exit 1
mpi=$(dirname "$engine")/palimpsest-mpi # made by `make mpi`, if at all
[ ! -x "$mpi" ] || "$make" "$mpi" || exit 1
run scripts/uci-session.sh "$engine"
# These scripts use one core each, so some of them run beside the others, in a process group that ends with this script.
set -m
(
    status=0 log=/dev/null # not $log, because both rows would write to it at once
    run scripts/malformed-lines.sh "$engine"
    run scripts/syzygy-oracle.sh "$engine"
    run scripts/learning/test.sh "$engine"
    run scripts/results-test.sh "$(dirname "$engine")"
    run scripts/matches-test.sh
    run scripts/install-test.sh "$engine"
    exit $status
) < /dev/null > "$work/said" 2>&1 &
set +m
beside=$!
trap 'kill -- -$beside 2> /dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
run scripts/sessions/test.sh "$engine"
run scripts/lichess/test.sh "$engine"
run scripts/tools-test.sh "$(dirname "$engine")" "$engine"
run scripts/commands-test.sh "$engine"
run scripts/deps-test.sh
run scripts/generation-test.sh
wait $beside || status=1
tee -a "$log" < "$work/said"
[ ! -x "$mpi" ] || run scripts/cluster/test.sh "$mpi" # measures games with a clock
sum_counts "$log"
exit $status
