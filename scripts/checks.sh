# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by test scripts: runs checks and counts them, and makes $work, a folder for temporary files that the end of the
# script removes. A script with another trap for EXIT sets it afterwards and removes the folder there.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
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

soon() { # COMMAND...: whether it succeeds within ten seconds
    for _ in {1..100}; do
        ! "$@" || return 0
        sleep 0.1
    done
    return 1
}

# ends_by SIGNAL COMMAND...: succeeds if the signal ends the script COMMAND with status 130, and with it the false program that
# the script runs, which has written its process number to $work/playing. No process of the group of the script remains.
# -SIGNAL sends the signal to the whole group, as Ctrl-C does.
ends_by() {
    local signal=${1#-} group='' script status=0
    [ "$1" = "$signal" ] || group=-
    shift
    rm -f "$work/playing"
    set -m # a group of its own
    env --default-signal=INT "$@" > "$work/answer" 2>&1 & script=$!
    set +m
    soon [ -s "$work/playing" ] || { cat "$work/answer"; echo "it does not begin"; kill $script 2> /dev/null; return 1; }
    kill -"$signal" -- $group$script
    soon is_over || { echo "its program goes on"; return 1; }
    wait $script || status=$?
    [ $status = 130 ] || { echo "status $status"; return 1; }
    soon is_empty $script || { echo "some of its processes go on"; return 1; }
}
is_over() { ! kill -0 "$(cat "$work/playing")" 2> /dev/null; }
is_empty() { ! pgrep -g "$1" > /dev/null; } # GROUP

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
