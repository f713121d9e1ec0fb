#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/uci-session.sh ENGINE [FILE...]: plays recorded sessions against ENGINE and reports each wrong answer.
#   FILEs, if none is named: tests/session/*.uci
# Each file is played by a process of its own, as many at the same time as there are cores.
# A session file is a list of tests; each test starts a new process. Empty lines and lines that begin with # are ignored.
# REGEX is an extended regular expression; it must match (a part of) one line of output.
#   test NAME           begins a test
#   timed NAME          begins a test that can fail on a busy machine: it has three tries
#   args WORD...        command-line arguments, quoted as for the shell; only `needs`, `memory` and the like may come before
#   script TEXT         starts the engine with this text as its whole input, decoded like that of `escaped`
#   needs FILE          skips the test if the shared data do not have FILE
#   memory MIB          skips the test if less memory is available
#   linked LIBRARY      skips the test if the engine was built without LIBRARY
#   unlinked LIBRARY    skips the test if the engine was built with LIBRARY
#   send TEXT           sends a line; {shared} in TEXT means the folder of the shared data
#   escaped TEXT        sends a line after decoding \xHH, \t, \r and the like
#   knights N           sends a position in which knights have moved out and back N times
#   expect REGEX        waits up to 15 s for a line that matches; ignores the lines before it
#   keep REGEX          as expect; {kept} in later `expect` and `count` lines means the text that the first (...) matched
#   next REGEX          the next line must match
#   within MS REGEX     as expect, but within MS milliseconds after the last line sent
#   silent MS REGEX     no line may match in the next MS milliseconds
#   count N REGEX       exactly N lines of this test match so far; `count 1+ REGEX`: at least one line
#   sleep MS            waits MS milliseconds and reads the output of that time
#   close               closes the input of the engine
#   signal NAME         sends the engine a signal, such as TERM
#   exit CODE           the process must end without further input, with status CODE, within 5 s
# PATIENCE=N multiplies the times of `expect`, `keep`, `next`, `within` and `exit`, for sanitizers and other slow engines.
# A test without `exit` ends with `quit`; then the engine must end with status 0.
# Needs bash 5. The last line is "N passed, N failed, N skipped"; the status is 0 if none failed.

set -u
. "$(dirname "$0")/usage.sh"
. "$(dirname "$0")/checks.sh"
[ $# -ge 1 ] || usage
need_program "$1"
engine=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")/.." && pwd)
shift
shared=${PALIMPSEST_SHARED:-$here/../shared}
[ ! -d "$shared" ] || shared=$(cd "$shared" && pwd)
pid=
answer_ms=$((15000 * ${PATIENCE:-1}))
trap 'stop_engine; rm -rf "$work"' EXIT
trap '' PIPE # an engine that died is a failed test, not the end of this script

# The engine must react to signals even if this script runs in the background or under nohup, which ignore some.
with_signals=(env --default-signal)
"${with_signals[@]}" true 2> /dev/null || with_signals=()

# Sets $now_ms. Nothing that a test does often starts a process: on some machines that takes 5 ms.
look_at_clock() { now_ms=$((${EPOCHREALTIME/[.,]/} / 1000)); }

# Starts the engine with the given arguments; descriptor 3 is its input, 4 its output.
start_engine() {
    rm -f "$work/in" "$work/out"
    mkfifo "$work/in" "$work/out"
    (
        trap - PIPE
        cd "$work" && exec ${with_signals[@]+"${with_signals[@]}"} "$engine" "$@" <in >out 2>err
    ) &
    pid=$!
    exec 3>"$work/in" 4<"$work/out"
    lines=()
    look_at_clock
    sent_ms=$now_ms
}

# Starts the engine with $1 in a pipe that is closed behind it.
start_script() {
    rm -f "$work/out"
    mkfifo "$work/out"
    (
        trap - PIPE
        cd "$work" && exec ${with_signals[@]+"${with_signals[@]}"} "$engine" < <(printf '%b\n' "$1") >out 2>err
    ) &
    pid=$!
    exec 3>"$work/null" 4<"$work/out"
    lines=()
}

stop_engine() {
    [ -n "$pid" ] || return 0
    exec 3>&- 4<&-
    kill -KILL "$pid" 2>"$work/null"
    wait "$pid" 2>"$work/null"
    pid=
}

# Reads one line into $line; fails at the end of the output or at the time $1, in ms.
read_line() {
    local left seconds
    look_at_clock
    left=$(($1 > now_ms ? $1 - now_ms : 1))
    printf -v seconds '%d.%03d' $((left / 1000)) $((left % 1000))
    IFS= read -r -t "$seconds" -u 4 line || return 1
    lines+=("$line")
}

# Waits until the time $1 for a line that matches $2.
find_line() {
    while read_line "$1"; do
        [[ $line =~ $2 ]] && return 0
    done
    return 1
}

# The same for $1 milliseconds from now.
find_line_within() {
    look_at_clock
    find_line $((now_ms + $1)) "$2"
}

# The engine must end without further input, with status $1.
check_exit() {
    local until status
    look_at_clock
    until=$((now_ms + 5000 * ${PATIENCE:-1}))
    while kill -0 "$pid" 2>"$work/null"; do
        [ "$now_ms" -lt "$until" ] || return 1
        read_line $((now_ms + 20)) || sleep 0.005
        look_at_clock
    done
    wait "$pid"
    status=$?
    find_line_within 100 '^never a line$'
    exec 3>&- 4<&-
    pid=
    [ "$status" -eq "$1" ]
}

# Exactly $1 lines of this test must match $2 so far.
has_lines() {
    local l n=0
    for l in ${lines[@]+"${lines[@]}"}; do
        [[ $l =~ $2 ]] && n=$((n + 1))
    done
    if [ "$1" = 1+ ]; then [ $n -ge 1 ]; else [ $n -eq "$1" ]; fi
}

send_text() {
    look_at_clock
    sent_ms=$now_ms
    printf "$1" "$2" >&3 2>"$work/null"
}

# Runs one directive; fails if its condition is not met.
run_directive() {
    local verb=$1 rest=$2 first=${2%% *} second=${2#* }
    if [ -z "$pid" ] && [[ $verb != @(args|script|needs|memory|linked|unlinked|count) ]]; then
        start_engine
    fi
    case $verb in
    args) eval "start_engine $rest" ;;
    script) start_script "$rest" ;;
    needs) [ -e "$shared/$rest" ] || why_skipped="$shared/$rest is missing" ;;
    memory)
        first=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo 2>"$work/null")
        [ "${first:-0}" -ge "$rest" ] || why_skipped="needs $rest MiB of memory, available: ${first:-unknown}"
        ;;
    linked | unlinked)
        case $verb$("$engine" compiler | grep -c "built without $rest") in
        linked1) why_skipped="the engine was built without $rest" ;;
        unlinked0) why_skipped="the engine was built with $rest" ;;
        esac
        ;;
    send) send_text '%s\n' "${rest//\{shared\}/$shared}" ;;
    escaped) send_text '%b\n' "$rest" ;;
    knights) send_text 'position startpos moves%s\n' "$(printf ' g1f3 g8f6 f3g1 f6g8%.0s' $(seq "$rest"))" ;;
    expect) find_line_within $answer_ms "${rest//\{kept\}/$kept}" ;;
    keep) find_line_within $answer_ms "$rest" && kept=${BASH_REMATCH[1]} ;;
    next) look_at_clock && read_line $((now_ms + answer_ms)) && [[ $line =~ $rest ]] ;;
    within) find_line $((sent_ms + first * ${PATIENCE:-1})) "$second" ;;
    silent) ! find_line_within "$first" "$second" ;;
    count) has_lines "$first" "${second//\{kept\}/$kept}" ;;
    sleep) find_line_within "$rest" '^never a line$' || : ;;
    close) exec 3>&- ;;
    signal) kill -s "$rest" "$pid" ;;
    exit) check_exit "$rest" ;;
    *) return 1 ;;
    esac
}

# Ends the test $name, which failed at the directive $trouble, or passed so far if that is empty. $1: word for a failure.
finish_test() {
    if [ -z "$trouble" ] && [ -n "$pid" ]; then
        send_text '%s\n' quit
        check_exit 0 || trouble='quit, status 0'
    fi
    if [ -n "$trouble" ]; then
        echo "$1: $name: $trouble"
        printf '    last output: %s\n' ${lines[@]+"${lines[@]:$((${#lines[@]} > 4 ? ${#lines[@]} - 4 : 0))}"}
        [ ! -s "$work/err" ] || tail -n 20 "$work/err" | sed 's/^/    stderr: /'
    fi
    stop_engine
    [ -z "$trouble" ]
}

count_result() {
    if [ -n "$why_skipped" ]; then
        skip "$name: $why_skipped"
    elif [ -z "$trouble" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
}

# Runs the directives $steps until one fails or skips the test; $places has the file and line of each.
run_steps() {
    local i verb rest
    trouble= why_skipped= kept= lines=()
    for i in "${!steps[@]}"; do
        verb=${steps[i]%% *}
        rest=${steps[i]#"$verb"}
        if ! run_directive "$verb" "${rest# }"; then
            trouble="${places[i]}: ${steps[i]}"
            return
        fi
        [ -z "$why_skipped" ] || return
    done
}

# Runs the test that has been read: a timed one up to three times, another one once.
run_test() {
    local left=$tries word
    [ -n "$name" ] || return 0
    while [ "$left" -gt 0 ]; do
        left=$((left - 1))
        run_steps
        [ "$left" -gt 0 ] && word=again || word=FAILED
        finish_test "$word" && break
    done
    count_result
    name=
}

run_file() {
    local text number=0
    name= tries=1 steps=() places=()
    if ! grep -qE '^(test|timed) ' "$1"; then
        echo "FAILED: $1: not a session, or without tests"
        failed=$((failed + 1))
        return
    fi
    while IFS= read -r text || [ -n "$text" ]; do
        number=$((number + 1))
        case $text in
        '' | '#'*) ;;
        'test '* | 'timed '*)
            run_test
            name=${text#* } steps=() places=()
            tries=1
            [ "${text%% *}" != timed ] || tries=3
            ;;
        *)
            steps+=("$text")
            places+=("${1##*/}:$number")
            ;;
        esac
    done <"$1"
    run_test
}

# Plays each file in a process of its own, the largest first, and adds up their counts.
play_files() { # FILE...
    local file said
    ls -S "$@" | xargs -d '\n' -P "$(nproc)" -I{} bash -c '"$0" "$1" "$2" > "$3/said-${2##*/}" 2>&1 || :' \
        "$here/scripts/uci-session.sh" "$engine" {} "$work"
    for file; do
        said=$work/said-${file##*/}
        if [[ $(tail -n 1 "$said") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
            sed '$d' "$said"
            passed=$((passed + BASH_REMATCH[1]))
            failed=$((failed + BASH_REMATCH[2]))
            skipped=$((skipped + BASH_REMATCH[3]))
        else
            cat "$said"
            echo "FAILED: $file: ended early"
            failed=$((failed + 1))
        fi
    done
}

[ $# -gt 0 ] || set -- "$here"/tests/session/*.uci
if [ $# = 1 ]; then
    run_file "$1"
else
    play_files "$@"
fi
print_counts
