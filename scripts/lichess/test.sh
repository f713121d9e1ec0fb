#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/lichess/test.sh ENGINE: tests external.py with ENGINE and a server in place of lichess. The last line is
# "N passed, N failed, N skipped".
set -u
. "$(dirname "$0")/../usage.sh"
[ $# = 1 ] || usage
need_program "$1"
. "$(dirname "$0")/../checks.sh"
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2> /dev/null; then
    skip "the bridge to lichess: there is no Python 3.8 or later"
    print_counts
    exit
fi
PYTHONDONTWRITEBYTECODE=1 timeout 100 python3 "$(dirname "$0")/test_external.py" "$1" 2>&1
