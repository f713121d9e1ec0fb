#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/learning/faults.sh [ENGINE [KILLS [GAMES]]]: tests position learning of ENGINE (./palimpsest) under faults:
# kill -9 at KILLS (20) random moments, a full disk, a read-only folder and file, and two engines that play GAMES (3)
# with one file. No committed position may be lost, no false one may appear, and the engine must continue to play. (The unit
# tests cover damaged and foreign files, locks and the clock.) The last line is "N passed, N failed, N skipped".
set -u
. "$(dirname "$0")/../usage.sh"
here=$(cd "$(dirname "$0")" && pwd)
need_program "${1:-./palimpsest}"
engine=$(realpath "${1:-./palimpsest}")
kills=${2:-20}
games=${3:-3}
. "$here/../checks.sh"
referee=$engine
. "$here/game.sh"
trap 'end_players; rm -rf "$work"' EXIT

# Starts the engine as player $1 that learns into the file $2; $3... is a command that runs it. Sets $opened to its message.
start_learning() {
    local name=$1 file=$2
    shift 2
    start_player "$name" "$@" "$engine"
    tell "$name" "setoption name MemoryFile value $file"
    tell "$name" "setoption name MemoryPolicy value Bebe" # keeps every root
    tell "$name" "setoption name Memory value learn"
    tell "$name" isready
    await "$name" '^(readyok|info string (position learning|error).*)$'
    opened=$line
    [ "$line" = readyok ] || await "$name" '^readyok$'
}

# Sets $listed to the positions in the file $1, as read by a new process; fails if some are damaged.
list_file() {
    start_player reader "$engine"
    tell reader "setoption name MemoryFile value $1"
    tell reader "setoption name Memory value read"
    tell reader isready
    await reader '^info string '
    opened=$line
    await reader '^readyok$'
    tell reader "memory list 1000000"
    tell reader isready
    listed=()
    while await reader . && [ "$line" != readyok ]; do listed+=("$line"); done
    end_player reader
    [[ $opened == 'info string position learning: '* && $opened != *damaged* ]]
}

# ---- kill -9 ----

# Prints $1 positions of random games with seed $2, made by the engine.
positions() {
    "$engine" "genfens $1 seed $2 book None plies 12" | sed -n 's/^info string genfens //p'
}

# Learns one position after another until the time $1 in us, then kills the engine. Sets $committed to the positions that
# are certainly in the file.
learn_until_killed() {
    local fen until=$1
    committed=()
    for fen in "${fens[@]}"; do
        if [ "${EPOCHREALTIME/[.,]/}" -ge "$until" ]; then
            # Kill the engine during a search, or while it writes the last position.
            tell victim "position fen $fen"
            tell victim "go depth $((RANDOM % 4 + 9))"
            break
        fi
        tell victim "position fen $fen"
        tell victim "go depth 9"
        await victim '^bestmove'
        # Not isready: just after bestmove, the engine may still answer it at once, as during a search.
        tell victim wait
        tell victim d
        await victim '^(Fen: |info string error)'
        [[ $line = Fen:* ]] || fail "the engine reported an error: $line"
        committed+=("${fen% * *}")
    done
    local nap=$((RANDOM % 6000))
    read -r -t "0.00$(printf '%04d' $nap)" -u "${from[victim]}" line
    kill -KILL "${pids[victim]}"
    wait "${pids[victim]}" 2> /dev/null
    drop_player victim
}

test_kills() {
    local round lost=0 false=0 line fen
    local -A before=()
    for ((round = 1; round <= kills; round++)); do
        mapfile -t fens < <(positions 200 $round)
        start_learning victim "$work/kill.db"
        learn_until_killed $((${EPOCHREALTIME/[.,]/} + RANDOM * 8))
        list_file "$work/kill.db" || false=$((false + 1))
        local -A there=()
        for line in "${listed[@]}"; do there["${line%%  *}"]=1; done
        for fen in "${committed[@]}"; do before["$fen"]=1; done
        for fen in "${!before[@]}"; do [ -n "${there[$fen]:-}" ] || lost=$((lost + 1)); done
        # At most one more position per round: the one that was being written.
        [ ${#there[@]} -le $((${#before[@]} + round)) ] || false=$((false + 1))
    done
    echo "kill -9: $kills kills, ${#before[@]} positions committed, ${#listed[@]} in the file, $lost lost"
    check "positions were committed before the kills" [ ${#before[@]} -gt 0 ]
    check "kill -9 loses nothing committed" [ $lost = 0 ]
    check "kill -9 leaves no false position" [ $false = 0 ]
}

# ---- disks ----

# Searches on with a full disk: the engine must print moves, and exactly one line that matches $1.
plays_on() {
    local complaints=0 fen
    for fen in "${fens[@]:0:150}"; do
        tell learner "position fen $fen"
        tell learner "go depth 9"
        while await learner . && [[ $line != bestmove* ]]; do
            [[ ! $line =~ $1 ]] || complaints=$((complaints + 1))
        done
        [[ $line =~ ^bestmove\ [a-h][1-8][a-h][1-8] ]] || return 1
        tell learner wait
        tell learner d
        while await learner . && [[ $line != Fen:* ]]; do
            [[ ! $line =~ $1 ]] || complaints=$((complaints + 1))
        done
    done
    [ $complaints = 1 ]
}

test_full_disk() {
    local limited='trap "" XFSZ; ulimit -f 24; exec "$0"' # KiB
    mapfile -t fens < <(positions 200 1001)
    start_learning learner "$work/full.db" bash -c "$limited"
    plays_on '^info string error: MemoryFile: .* no more positions are written$'
    check "a full disk is reported once and the game continues" [ $? = 0 ]
    end_player learner
    list_file "$work/full.db" && [ ${#listed[@]} -gt 0 ]
    check "positions written before the disk was full are kept" [ $? = 0 ]
}

# The same with a real file system of 44 KiB, if mounting is allowed.
test_small_disk() {
    mkdir "$work/small"
    if ! mount -t tmpfs -o size=44k none "$work/small" 2> /dev/null; then
        skip "a disk of 44 KiB: no right to mount one"
        return
    fi
    mapfile -t fens < <(positions 200 1002)
    start_learning learner "$work/small/m.db"
    plays_on '^info string error: MemoryFile: .*full.* no more positions are written$'
    check "a full small disk is reported once and the game continues" [ $? = 0 ]
    end_player learner
    list_file "$work/small/m.db" && [ ${#listed[@]} -gt 0 ]
    check "positions written before the small disk was full are kept" [ $? = 0 ]
    umount "$work/small"
}

# Root may write everywhere, so these tests run as nobody.
somebody=()
[ "$(id -u)" != 0 ] || somebody=(setpriv --reuid=65534 --regid=65534 --clear-groups)

learn_and_end() { # FEN
    tell learner "position fen $1"
    tell learner "go depth 9"
    await learner '^bestmove [a-h]'
    end_player learner
}

test_read_only() {
    if [ ${#somebody[@]} -gt 0 ] && ! "${somebody[@]}" test -x "$engine" 2> /dev/null; then
        skip "read-only files: cannot run the engine as another user"
        return
    fi
    mkdir "$work/fixed"
    chmod 755 "$work"
    mapfile -t fens < <(positions 3 1003)
    start_learning learner "$work/fixed/m.db"
    learn_and_end "${fens[0]}"
    chmod 555 "$work/fixed"
    chmod 444 "$work/fixed/m.db"
    start_learning learner "$work/fixed/m.db" ${somebody[@]+"${somebody[@]}"}
    [[ $opened == *' is read-only: '*'; 1 position loaded, nothing is learned' ]]
    check "a read-only file is read" [ $? = 0 ]
    learn_and_end "${fens[1]}"
    start_learning learner "$work/fixed/other.db" ${somebody[@]+"${somebody[@]}"}
    [[ $opened == *' cannot be '*'; position learning is off' ]]
    check "in a read-only folder, position learning is switched off" [ $? = 0 ]
    learn_and_end "${fens[1]}"
    chmod 755 "$work/fixed"
}

# ---- two at once ----

# Both players of some games learn into one file. $met counts the positions in which they had to move; the file must hold
# more than half as many.
test_two() {
    local game words met=0
    start_learning one "$work/two.db"
    start_learning two "$work/two.db"
    for ((game = 0; game < games; game++)); do
        for player in one two; do
            tell $player ucinewgame
            tell $player isready
            await $player '^readyok$'
        done
        play_game one two 2000 2000 "${openings[game % ${#openings[@]}]}"
        words=($moves)
        met=$((met + ${#words[@]} - 4))
    done
    end_player one
    end_player two
    list_file "$work/two.db" && [ ${#listed[@]} -gt $((met / 2)) ]
    check "two engines learn into one file: ${#listed[@]} positions of $met moves" [ $? = 0 ]
    echo "two engines, one file: ${#listed[@]} positions of $met moves"
}
openings=("e2e4 e7e5 g1f3 b8c6" "d2d4 d7d5 c2c4 e7e6" "c2c4 c7c5 b1c3 b8c6")

test_kills
test_full_disk
test_small_disk
test_read_only
test_two
print_counts
