#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/cluster/test.sh ENGINE: tests ENGINE, a palimpsest-mpi, as two or three processes on this machine (some 15 seconds): fixed
# depth and time, answers during a search, the sum of the nodes, the end, and what happens when a process stops or dies.
# The last line is "N passed, N failed, N skipped".
set -u
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/../usage.sh"
[ $# = 1 ] || usage
need_program "$1"
. "$(dirname "$0")/../checks.sh"
if ! command -v mpirun > /dev/null; then
    skip "two processes: mpirun is missing"
    print_counts
    exit
fi
engine=$(realpath "$1")
mpi=
trap '[ -z "$mpi" ] || kill "$mpi" 2> /dev/null; rm -rf "$work"' EXIT
trap '' PIPE
run=(mpirun --oversubscribe --bind-to none)
[ "$(id -u)" != 0 ] || run+=(--allow-run-as-root)

line_of_search='^info depth ([5-9]|[1-9][0-9]) '
now_ms() { echo $((${EPOCHREALTIME/[.,]/} / 1000)); }

# start [N [ARGUMENT...]]: starts N processes (2); descriptor 3 is their input, 4 their output.
start() {
    rm -f "$work/in" "$work/out"
    mkfifo "$work/in" "$work/out"
    "${run[@]}" -np "${1:-2}" "$engine" --counts "${@:2}" < "$work/in" > "$work/out" 2> "$work/err" &
    mpi=$!
    exec 3> "$work/in" 4< "$work/out"
}
send() { printf '%s\n' "$@" >&3; }

# expect MS REGEX: a line must match within MS milliseconds; keeps it in $line.
expect() {
    local until=$(($(now_ms) + $1)) left
    while left=$((until - $(now_ms))) && [ $left -gt 0 ]; do
        IFS= read -r -t "$((left / 1000)).$(printf %03d $((left % 1000)))" -u 4 line || break
        echo "$line"
        [[ $line =~ $2 ]] && return 0
    done
    echo "no line matches '$2' within $1 ms"
    return 1
}

# ended STATUS: all must end with this status (or any but 0 for "bad") within ten seconds.
ended() {
    local until=$(($(now_ms) + 10000)) status=0
    while kill -0 "$mpi" 2> /dev/null && [ "$(now_ms)" -lt $until ]; do sleep 0.05; done
    kill -0 "$mpi" 2> /dev/null && { echo "still runs"; return 1; }
    wait "$mpi" || status=$?
    mpi=
    exec 3>&- 4<&-
    echo "status $status"
    [ "$1" = bad ] && [ $status != 0 ] || [ "$1" = $status ]
}

# The process of rank $1.
rank_pid() {
    local pid
    for pid in $(pgrep -P "$mpi"); do
        tr '\0' '\n' < "/proc/$pid/environ" | grep -qx "OMPI_COMM_WORLD_RANK=$1" && echo "$pid"
    done
}

searches_to_depth() { send isready "go depth 9" && expect 20000 '^info depth 9 ' && expect 5000 '^bestmove '; }
keeps_the_time() {
    send "position startpos moves e2e4" "go movetime 700" && expect 5000 '^bestmove ' && send isready && expect 10000 '^readyok'
}
# The vote must cost little in fast games: half of the searches of 20 ms answer within 27 ms.
answers_fast() {
    local try
    for try in 1 2 3 4 5; do fast_searches && return 0; sleep 1; done # the machine may be busy
    return 1
}
fast_searches() {
    local i begin quick=0
    send "setoption name Move Overhead value 0" "position startpos moves e2e4"
    for ((i = 0; i < 21; i++)); do
        begin=${EPOCHREALTIME/[.,]/}
        send "go movetime 20"
        while IFS= read -r -t 5 -u 4 line && [[ $line != bestmove* ]]; do :; done # expect() is too slow here
        quick=$((quick + (${EPOCHREALTIME/[.,]/} - begin < 27000)))
        sleep 0.02
    done
    echo "$quick of 21 searches of 20 ms took less than 27 ms"
    [ $quick -gt 10 ]
}
# The sum must be more than what `stats` says of the first process alone.
sums_the_nodes() {
    local sum=0
    send "go movetime 700"
    while expect 5000 '^(info .* nodes|bestmove)' && [[ $line != bestmove* ]]; do
        [[ $line =~ \ nodes\ ([0-9]+) ]] && sum=${BASH_REMATCH[1]}
    done
    send stats
    expect 10000 '^Nodes +([0-9]+)' || return 1
    [[ $line =~ ([0-9]+) ]]
    echo "together $sum, alone ${BASH_REMATCH[1]}"
    [ "$sum" -gt "${BASH_REMATCH[1]}" ]
}
answers_during_a_search() {
    send "go infinite" && expect 20000 "$line_of_search" && send isready && expect 1000 '^readyok' &&
        send stop && expect 1000 '^bestmove '
}
lives_beside_a_stopped_process() {
    local pid status=0
    send "go infinite" && expect 20000 "$line_of_search" && pid=$(rank_pid 1) && kill -STOP "$pid" || return 1
    sleep 0.2
    send stop
    expect 2000 '^bestmove ' || status=1
    kill -CONT "$pid"
    return $status
}
# The messages to that process cannot leave. The first one must sleep, and not try to send them again and again: in one
# second it may use a tenth of a second of a processor.
sleeps_beside_a_stopped_process() {
    local first other i used status=0
    first=$(rank_pid 0)
    other=$(rank_pid 1)
    kill -STOP "$other" || return 1
    for i in 1 2 3 4 5 6; do
        send "go depth 4"
        expect 2000 '^bestmove ' || status=1
    done
    sleep 0.3
    used=$(ticks_of "$first")
    sleep 1
    used=$(($(ticks_of "$first") - used))
    kill -CONT "$other"
    echo "$used ticks of $(getconf CLK_TCK) in a second"
    [ $status = 0 ] && [ $used -lt $(($(getconf CLK_TCK) / 10)) ]
}
ticks_of() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }
# Both processes must have adopted results of the other one, and refused none.
shared_results() {
    cat "$work/err"
    [ "$(grep -cE '^process [01]: .* refused 0; .* adopted [1-9]' "$work/err")" = 2 ]
}
quits() { send quit && ended 0; }
quits_beside_a_stopped_process() {
    local pid status=0
    pid=$(rank_pid 1) && kill -STOP "$pid" || return 1
    send quit
    ended 0 || status=1
    kill -CONT "$pid" 2> /dev/null
    return $status
}
ends_beside_a_stopped_process() {
    start
    send isready && expect 20000 '^readyok' && quits_beside_a_stopped_process
}
# The messages to process 2 cannot leave. Processes 0 and 1 must go on together.
three_work_beside_a_stopped_process() {
    local pid i status=0
    start 3
    send "go infinite" && expect 20000 "$line_of_search" && pid=$(rank_pid 2) && kill -STOP "$pid" || return 1
    for i in 1 2 3; do
        send stop
        expect 2000 '^bestmove ' || status=1
        send "go infinite"
        sleep 0.3
    done
    send stop
    expect 2000 '^bestmove ' || status=1
    sums_the_nodes || status=1
    kill -CONT "$pid"
    return $status
}
# Process 1 sends much and is likely to stop in the middle of a message. Process 0 must not wait for the rest.
ends_beside_an_unfinished_message() {
    OMPI_MCA_btl_vader_single_copy_mechanism=none start 2 --min-depth=1
    send "setoption name Threads value 2" "go infinite"
    expect 20000 "$line_of_search" && quits_beside_a_stopped_process
}
dies_together() {
    start
    send "go infinite"
    expect 30000 "$line_of_search" && kill -KILL "$(rank_pid 1)" && ended bad
}
says_why() {
    cat "$work/err"
    [ "$(grep -c 'noticed that process rank 1 .* exited on signal 9' "$work/err")" = 1 ]
}
# Process 1 alone has a wrong switch: both end, and it says why.
ends_with_a_fault() {
    local status=0
    timeout 30 "${run[@]}" -np 1 "$engine" : -np 1 "$engine" --min-depth=none < /dev/null > "$work/fault" 2>&1 || status=$?
    cat "$work/fault"
    echo "status $status"
    [ $status != 0 ] && [ $status != 124 ] && grep -q 'process 1: --min-depth needs' "$work/fault"
}
has_the_bench_of_one_machine() {
    local one same
    same=$("$(dirname "$engine")/palimpsest" bench 16 1 8 2> /dev/null | grep '^Nodes searched')
    one=$("${run[@]}" -np 1 "$engine" bench 16 1 8 2> /dev/null | grep '^Nodes searched')
    echo "$same; with mpirun: $one"
    [ -n "$same" ] && [ "$same" = "$one" ]
}

# In the model one process is as fast as one, and a slower network never faster.
models_many_machines() {
    "$(dirname "$0")/model.sh" | awk '{ print }
        $1 == 1 { ok += $4 == 1 && $6 == 1 && $7 == 0 }
        $1 > 1 { all++; sane += $4 <= $5 && $5 <= $6 && $6 <= $1 && $6 <= ($1 in last ? last[$1] : $1) }
        { last[$1] = $6 }
        END { exit !(ok == 3 && all == 30 && sane == 30) }'
}

start
check "go depth" searches_to_depth
check "go movetime, and then isready" keeps_the_time
if [ "$(nproc)" -gt 1 ]; then
    check "the answers in a fast game" answers_fast
else
    skip "the answers in a fast game: this machine has one processor"
fi
check "the nodes are those of both processes" sums_the_nodes
check "isready and stop during a search" answers_during_a_search
check "stop beside a process that stands still" lives_beside_a_stopped_process
check "sleep beside a process that stands still" sleeps_beside_a_stopped_process
check "quit" quits
check "each process adopts results of the other" shared_results
check "quit beside a process that stands still" ends_beside_a_stopped_process
check "quit beside a process that stands still in a search" ends_beside_an_unfinished_message
check "three processes, and one stands still" three_work_beside_a_stopped_process
check "quit of three processes" quits
check "a killed process ends the program" dies_together
check "one line says so" says_why
check "a fault of one process ends the program" ends_with_a_fault
check "the model" models_many_machines
for fault in thread=32 threads threads=many; do
    check "the model without the value $fault" ends 2 "^model.sh: $fault: " "$(dirname "$0")/model.sh" "$fault"
done
if [ -x "$(dirname "$engine")/palimpsest" ]; then
    check "bench in one process" has_the_bench_of_one_machine
else
    skip "bench in one process: there is no palimpsest beside $1"
fi
print_counts
