#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/memory/faults.sh [ENGINE [KILLS [GAMES]]]: what may happen to an engine (./palimpsest) that learns: kill
# -9 at KILLS (20) random instants, a full disk, a folder and a file that must not be written to, two engines with
# one file and GAMES (3). Nothing that was committed may be lost, nothing false may be there, and the game goes on.
# (Damaged and foreign files, locks and the clock are the unit tests' affair.) The last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
engine=$(realpath "${1:-./palimpsest}")
kills=${2:-20}
games=${3:-3}
[ -x "$engine" ] || { sed -n '3,7s/^# //p' "$0" >&2; exit 2; }
work=$(mktemp -d)
referee=$engine
. "$here/game.sh"
trap 'end_players; rm -rf "$work"' EXIT
. "$here/../checks.sh"

# Starts the engine as $1 with the memory file $2; $3... comes before its name.
start_learning() {
    local name=$1 file=$2
    shift 2
    start_player "$name" "$@" "$engine"
    tell "$name" "setoption name MemoryFile value $file"
    tell "$name" "setoption name Memory value learn"
    tell "$name" isready
    await "$name" '^(readyok|info string (position learning|error).*)$'
    opened=$line
    [ "$line" = readyok ] || await "$name" '^readyok$'
}

# Reads the positions in the file $1 into $listed, with an engine process; fails when some are damaged.
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

# Positions of random games, which the engine makes itself.
positions() {
    "$engine" "genfens $1 seed $2 book None plies 12" | sed -n 's/^info string genfens //p'
}

# Learns one position after the other, and keeps in $committed those that are in the file for certain.
learn_until_killed() {
    local fen until=$1
    committed=()
    for fen in "${fens[@]}"; do
        if [ "${EPOCHREALTIME/[.,]/}" -ge "$until" ]; then
            # In the midst of something: a search, or the writing of what the last one taught.
            tell victim "position fen $fen"
            tell victim "go depth $((RANDOM % 4 + 4))"
            break
        fi
        tell victim "position fen $fen"
        tell victim "go depth 4"
        await victim '^bestmove'
        # Not isready: for an instant after the best move that is still answered as during a search, at once.
        tell victim wait
        tell victim d
        await victim '^(Fen: |info string error)'
        [[ $line = Fen:* ]] || fail "the victim complains: $line"
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
        # One more per round at most: what was written when the kill came.
        [ ${#there[@]} -le $((${#before[@]} + round)) ] || false=$((false + 1))
    done
    echo "kill -9: $kills kills, ${#before[@]} positions committed, ${#listed[@]} in the file, $lost lost"
    check "kill -9 loses nothing committed" [ $lost = 0 ]
    check "after kill -9 nothing false is there" [ $false = 0 ]
}

# ---- disks ----

# Plays on after what was done to the disk: moves must come, and a complaint like $1 just once.
plays_on() {
    local complaints=0 fen
    for fen in "${fens[@]:0:150}"; do
        tell learner "position fen $fen"
        tell learner "go depth 4"
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
    check "a full disk is told once and the game goes on" [ $? = 0 ]
    end_player learner
    list_file "$work/full.db" && [ ${#listed[@]} -gt 0 ]
    check "what was written before the disk was full is there" [ $? = 0 ]
}

# Mounts a small disk where that is allowed, so that it is the real thing.
test_small_disk() {
    mkdir "$work/small"
    if ! mount -t tmpfs -o size=44k none "$work/small" 2> /dev/null; then
        echo "skipped: a disk of 44 KiB: mounting is not allowed"
        return
    fi
    mapfile -t fens < <(positions 200 1002)
    start_learning learner "$work/small/m.db"
    plays_on '^info string error: MemoryFile: .*full.* no more positions are written$'
    check "a small disk is told once and the game goes on" [ $? = 0 ]
    end_player learner
    list_file "$work/small/m.db" && [ ${#listed[@]} -gt 0 ]
    check "what was written before the small disk was full is there" [ $? = 0 ]
    umount "$work/small"
}

# Root may write everywhere.
somebody=()
[ "$(id -u)" != 0 ] || somebody=(setpriv --reuid=65534 --regid=65534 --clear-groups)

test_read_only() {
    if [ ${#somebody[@]} -gt 0 ] && ! "${somebody[@]}" test -x "$engine" 2> /dev/null; then
        echo "skipped: read-only files: cannot become another user who may run the engine"
        return
    fi
    mkdir "$work/fixed"
    chmod 755 "$work"
    mapfile -t fens < <(positions 3 1003)
    start_learning learner "$work/fixed/m.db"
    tell learner "position fen ${fens[0]}"
    tell learner "go depth 4"
    await learner '^bestmove [a-h]'
    end_player learner
    chmod 555 "$work/fixed"
    chmod 444 "$work/fixed/m.db"
    start_learning learner "$work/fixed/m.db" "${somebody[@]}"
    [[ $opened == *' is read-only: '*'; 1 positions loaded, nothing is learned' ]]
    check "a file that must not be written to is read" [ $? = 0 ]
    tell learner "position fen ${fens[1]}"
    tell learner "go depth 4"
    await learner '^bestmove [a-h]'
    end_player learner
    start_learning learner "$work/fixed/other.db" "${somebody[@]}"
    [[ $opened == *' cannot be '*'; position learning is off' ]]
    check "a folder that must not be written to leaves the memory off" [ $? = 0 ]
    tell learner "position fen ${fens[1]}"
    tell learner "go depth 4"
    await learner '^bestmove [a-h]'
    end_player learner
    chmod 755 "$work/fixed"
}

# ---- two at once ----

# Both sides of some games learn into one file; together they have met so many positions.
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
        play_game one two 600 600 "${openings[game % ${#openings[@]}]}"
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
