# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by test scripts: runs checks and counts them. The caller has set $work, a folder for temporary files.
passed=0
failed=0
skipped=0

# check CLAIM COMMAND...: passes if the command succeeds; otherwise its last lines are shown.
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

# ends STATUS REGEX COMMAND...: succeeds if COMMAND ends with STATUS and prints a line that matches REGEX (if that is not
# empty). Shows what it prints, and what is wrong.
ends() {
    local wanted=$1 regex=$2 status=0
    shift 2
    "$@" > "$work/answer" 2>&1 || status=$?
    cat "$work/answer"
    [ $status = "$wanted" ] || { echo "status $status, not $wanted"; return 1; }
    [ -z "$regex" ] || grep -qE -e "$regex" "$work/answer" || { echo "no line matches '$regex'"; return 1; }
}

# skip TEXT: counts a check as skipped; TEXT names it and says why it cannot run here.
skip() {
    skipped=$((skipped + 1))
    echo "skipped: $1"
}

# print_counts: prints the counts, the last line of a test script; succeeds if no check failed.
print_counts() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $failed = 0 ]
}

# sum_counts FILE: prints the sum of all lines of FILE that are "N passed, N failed, N skipped".
sum_counts() {
    awk '/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { passed += $1; failed += $3; skipped += $5 }
        END { print "All tests: " passed + 0 " passed, " failed + 0 " failed, " skipped + 0 " skipped" }' "$1"
}
