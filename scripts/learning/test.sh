#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/learning/test.sh ENGINE: checks that ENGINE learns (learns.sh) and survives faults (faults.sh), with few games;
# with PALIMPSEST_SLOW set, with many. Prints lines "N passed, N failed, N skipped"; the status is 0 if nothing failed.
set -u
. "$(dirname "$0")/../usage.sh"
here=$(cd "$(dirname "$0")" && pwd)
[ $# = 1 ] || usage
need_program "$1"
. "$here/../checks.sh"
if "$1" compiler | grep -q 'built without SQLite'; then
    skip "position learning and its faults: the engine was built without it"
    print_counts
    exit
fi
slow=${PALIMPSEST_SLOW:+yes}
status=0
if "$here/learns.sh" "$1" "$([ -n "$slow" ] && echo 10 || echo 2)"; then
    echo "1 passed, 0 failed, 0 skipped"
else
    echo "0 passed, 1 failed, 0 skipped"
    status=1
fi
"$here/faults.sh" "$1" $([ -n "$slow" ] && echo 200 3 || echo 5 1) || status=1
exit $status
