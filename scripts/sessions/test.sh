#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/sessions/test.sh ENGINE: the short form of the random sessions and of the faults in this folder, some
# 15 seconds; with PALIMPSEST_SLOW set, all faults, half a minute more. Skips all without python3. The last line is
# "N passed, N failed, N skipped"; the status is 0 if none failed.
set -u
. "$(dirname "$0")/../usage.sh"
[ $# = 1 ] || usage
need_program "$1"
engine=$(realpath "$1")
cd "$(dirname "$0")" || exit 1
. ../checks.sh
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 7))' 2> "$work/no"; then
    skip "random sessions and faults: python3 is missing"
    print_counts
    exit
fi
check "the rules of the model" python3 rules.py 3000
check "random sessions" python3 sessions.py "$engine" --seed 1 --count 8 --no-shrink --slow 5
check "long games and odd positions" python3 games.py "$engine"
faults="log_that_nobody_reads suite_at_a_signal_with_a_full_pipe
    fifos few_descriptors closed_streams output_nobody_can_read full_pipe signals one_failing_allocation auto_at_a_signal_during_a_save"
[ -z "${PALIMPSEST_SLOW:-}" ] || faults= # all
check "faults" python3 faults.py "$engine" $faults
skipped=$((skipped + $(grep -c '^skipped: ' "$work/said")))
print_counts
