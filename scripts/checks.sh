# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the scripts that try what was built: counts what holds and what does not. It needs $work, a folder.
passed=0
failed=0

# check CLAIM COMMAND...: the command must succeed; what it says is shown when it does not.
check() {
    local claim=$1
    shift
    if "$@" > "$work/said" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $claim:"
        tail -n 5 "$work/said"
    fi
}

# skip WHAT: tells what could not be tried, and why.
skip() { echo "skipped: $1"; }

# The last line of such a script; succeeds when all was well.
tell_checks() {
    echo "$passed passed, $failed failed"
    [ $failed = 0 ]
}
