#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/fuzz.sh [TARGET|all] [SECONDS]: builds the fuzzers (clang) and runs one target of tests/fuzz/targets.def, or all,
# for SECONDS (10) each. Prints a table: executions, executions a second, edges of the code that the inputs reached, seconds
# of processor time, findings. The inputs grow from run to run in build/fuzz/TARGET. A finding is the input in
# build/fuzz/findings; `scripts/fuzz.sh TARGET FILE` repeats it. The status is 0 without findings.
# Environment: SANITIZER=memory: looks for reads of uninitialised memory in place of wrong addresses and undefined behaviour, without
# tablebases and SQLite; FUZZ_SEED=n: random seed of libFuzzer; JOBS=n: compilers at the same time; PALIMPSEST_SHARED=folder: the
# sessions of uci probe the Syzygy tables in its folder syzygy/tables (default: ../shared; without them the commands find no tables).
set -uo pipefail
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/usage.sh"
wanted=${1:-all} seconds=${2:-10}
[[ ! -f $seconds ]] || seconds=$(realpath "$seconds")
[[ -f $seconds || $seconds =~ ^[1-9][0-9]*$ ]] || { echo "fuzz.sh: '$seconds' is neither a file nor a number of seconds" >&2; exit 2; }
cd "$(dirname "$0")/.." || exit 1
list=tests/fuzz/targets.def
mapfile -t names < <(sed -n "s/^TARGET(\(.*\), .*/\1/p" $list)
[[ $# -le 2 && " all ${names[*]} " = *" $wanted "* ]] || { print_usage >&2; echo "Targets: ${names[*]}" >&2; exit 2; }

case ${SANITIZER:-address} in
address) mode=fuzz libraries=() ;;
memory) mode=fuzz-memory libraries=(SYZYGY=no MEMORY=no) ;; # they are not built with this sanitizer
*) echo "SANITIZER is 'address' or 'memory', not '$SANITIZER'" >&2; exit 2 ;;
esac
target=build/native-$mode-clang/fuzz program=$PWD/$target
"${MAKE:-make}" -s -j"${JOBS:-$(nproc)}" CC=clang MODE=$mode ARCH=native BUILD=build ${libraries[@]+"${libraries[@]}"} $target || exit 1
mkdir -p build/fuzz/findings
TMPDIR=$(mktemp -d)
trap 'rm -rf "$TMPDIR"' EXIT
tables=$(realpath -m "${PALIMPSEST_SHARED:-../shared}/syzygy/tables")
[ -d "$tables" ] && export FUZZ_TABLES=$tables || echo "no Syzygy tables in $tables" >&2
export TMPDIR ASAN_OPTIONS=allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1

if [[ -f $seconds ]]; then
    FUZZ_TARGET=$wanted "$program" "$seconds"
    exit
fi

statistic() { sed -n "s/^stat::$1: *//p" "$TMPDIR/said"; } # NAME
run() { # TARGET
    local inputs=$PWD/build/fuzz/$1 found=$PWD/build/fuzz/findings/$1- size status=0 busy
    size=$(sed -n "s/^TARGET($1, \(.*\))/\1/p" $list)
    mkdir -p "$inputs" "$TMPDIR/seeds"
    FUZZ_TARGET=$1 FUZZ_SEEDS=$TMPDIR/seeds "$program" || return 1
    TIMEFORMAT='%U %S'
    busy=$({ time FUZZ_TARGET=$1 "$program" -max_total_time="$seconds" -max_len="$size" -timeout=20 -rss_limit_mb=2048 \
        -print_final_stats=1 -verbosity=1 -seed="${FUZZ_SEED:-0}" -dict=tests/fuzz/text.dict -artifact_prefix="$found" \
        "$inputs" "$TMPDIR/seeds" > "$TMPDIR/said" 2>&1; } 2>&1) || status=1
    printf '%-10s %11s %9s %7s %9.0f  %s\n' "$1" "$(statistic number_of_executed_units)" \
        "$(statistic average_exec_per_sec)" "$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$TMPDIR/said" | tail -n 1)" \
        "$(awk '{ print $1 + $2 }' <<< "$busy")" \
        "$(sed -n 's/.*Test unit written to .*\(findings.*\)/\1/p' "$TMPDIR/said")"
    rm -rf "$TMPDIR/seeds"
    [ $status = 0 ] || grep -vE '^(#[0-9]|INFO:|stat::|MS:|	NEW_FUNC)' "$TMPDIR/said" | head -n 60
    return $status
}

[ "$wanted" != all ] || set -- "${names[@]}"
[ "$wanted" = all ] || set -- "$wanted"
printf '%-10s %11s %9s %7s %9s  %s\n' target executions a_second edges CPU_s finding
failed=0
for name; do
    run "$name" || failed=1
done
exit $failed
