#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/learning/learns.sh [ENGINE [GAMES [NODES]]]: shows that ENGINE (./palimpsest) learns. An opponent with eight times
# NODES (4000) a move finds a line that wins against ENGINE while position learning is off. Then both play GAMES (10) with
# each policy: the opponent repeats the line, and after it both have NODES a move. Everything is deterministic; each game
# is a new process. The status is 0 if ENGINE loses the same game every time with learning off, and deviates after the
# first loss with each policy. CSV=FILE in the environment: also appends a row for each game to FILE.
set -u
. "$(dirname "$0")/../usage.sh"
here=$(cd "$(dirname "$0")" && pwd)
need_program "${1:-./palimpsest}"
engine=$(realpath "${1:-./palimpsest}")
games=${2:-10}
nodes=${3:-4000}
csv=${CSV:-/dev/null}
[ "$csv" = /dev/null ] || [ -s "$csv" ] || echo policy,nodes,game,result,game_id,parts_at_ply > "$csv"
work=$(mktemp -d)
referee=$engine
. "$here/game.sh"
trap 'end_players; rm -rf "$work"' EXIT

# Openings for the preparation; the first one that the opponent wins is used.
openings=("e2e4 e7e5" "d2d4 d7d5" "e2e4 c7c5" "d2d4 g8f6" "c2c4 e7e5" "e2e4 e7e6")

# Plays one game with policy $1, or with learning off.
play() {
    start_player learner "$engine"
    if [ "$1" != off ]; then
        tell learner "setoption name MemoryPolicy value $1"
        tell learner "setoption name MemoryFile value $work/$1.db"
        tell learner "setoption name Memory value learn"
    fi
    tell learner isready
    await learner '^readyok$'
    start_player opponent "$here/opponent.sh" "$engine" "$nodes" "$work/prepared"
    play_game learner opponent "$nodes" "$nodes" "$opening"
    end_player learner
    end_player opponent
}

# Whether the engine loses the first game on the prepared line with learning off and, from an empty file, with each policy.
first_game_is_lost() {
    local policy
    for policy in off Bebe Mouse Crafty; do
        play "$policy"
        rm -f "$work/$policy.db"*
        [ "$result" = 0-1 ] || return 1
    done
}

# Writes a short line, after which the opponent wins the first game with NODES a move, to the file `prepared`; sets
# $opening.
prepare() {
    local length won_line
    for opening in "${openings[@]}"; do
        start_player learner "$engine"
        start_player opponent "$engine"
        play_game learner opponent "$nodes" $((8 * nodes)) "$opening"
        end_player learner
        end_player opponent
        [ "$result" = 0-1 ] || continue
        won_line=($moves)
        for length in 16 24 32 48 64; do
            echo "${won_line[*]:0:length}" > "$work/prepared"
            first_game_is_lost && return
        done
    done
    fail "no line was won against the engine: give it fewer nodes"
}

# Prints the first ply, counted from 0, at which the games $1 and $2 differ, or nothing if they are the same.
parting() {
    local a=($1) b=($2) i
    for ((i = 0; i < ${#a[@]} || i < ${#b[@]}; i++)); do
        [ "${a[i]:-}" = "${b[i]:-}" ] || { echo $i; return; }
    done
}

# Plays $2 games with policy $1 and prints the table's line; fails if the result is not the expected one.
show() {
    local policy=$1 count=$2 game lost=0 drawn=0 won=0 first= after= at verdict=ok
    local -A distinct=()
    for ((game = 1; game <= count; game++)); do
        play "$policy"
        case $result in 0-1) lost=$((lost + 1)) ;; 1-0) won=$((won + 1)) ;; *) drawn=$((drawn + 1)) ;; esac
        distinct[$moves]=1
        at=
        [ -z "$first" ] || at=$(parting "$first" "$moves")
        [ -z "$first" ] || [ -n "$after" ] || after=${at:-never}
        echo "$policy,$nodes,$game,$result,$(game_id "$moves"),$at" >> "$csv"
        [ -n "$first" ] || [ "$result" != 0-1 ] || first=$moves
    done
    if [ "$policy" = off ]; then
        [ $lost = "$count" ] && [ ${#distinct[@]} = 1 ] || verdict='does not lose the same game every time'
    else
        # The engine has White, so it deviates at an even ply.
        [ -n "$after" ] && [ "$after" != never ] && [ $((after % 2)) = 0 ] || verdict='does not deviate after a loss'
    fi
    [ "$after" = never ] || [ -z "$after" ] || after="at its move $((after / 2 + 1))"
    printf '%-8s %5d %5d %5d %5d %9d   %-14s %s\n' "$policy" "$count" $lost $drawn $won ${#distinct[@]} \
        "${after:-}" "$verdict"
    [ "$verdict" = ok ]
}

prepare
echo "Prepared: $(cat "$work/prepared")"
echo "memory   games  lost drawn   won different   deviates"
status=0
show off $((games < 3 ? games : 3)) || status=1
for policy in Bebe Mouse Crafty; do
    show $policy "$games" || status=1
done
exit $status
