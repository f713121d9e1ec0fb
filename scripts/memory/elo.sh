#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/memory/elo.sh [ENGINE [GAMES [NODES [OPPONENT_NODES [OPENINGS]]]]]: measures the gain from position learning when
# openings repeat. ENGINE (./palimpsest) plays GAMES (200) against itself without learning, from the first OPENINGS (10)
# of ten openings, each with both colours; NODES (1000) a move against OPPONENT_NODES (default: NODES). One match with
# learning off and one with each policy, two matches at a time. The same command gives the same games. CSV=FILE in the
# environment: also appends a row for each game to FILE.
set -u
here=$(cd "$(dirname "$0")" && pwd)
engine=$(realpath "${1:-./palimpsest}")
games=${2:-200}
nodes=${3:-1000}
other_nodes=${4:-$nodes}
opening_count=${5:-10}
[ -x "$engine" ] || { sed -n '3,7s/^# //p' "$0" >&2; exit 2; }
csv=${CSV:-/dev/null}
[ "$csv" = /dev/null ] || [ -s "$csv" ] || echo policy,nodes,opponent_nodes,openings,game,points,game_id > "$csv"
all=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null; wait; rm -rf "$all"' EXIT

openings=(
    "e2e4 e7e5 g1f3 b8c6 f1b5" "e2e4 e7e5 g1f3 b8c6 f1c4" "e2e4 c7c5 g1f3 d7d6 d2d4"
    "e2e4 c7c5 b1c3 b8c6 g2g3" "e2e4 e7e6 d2d4 d7d5 b1c3" "e2e4 c7c6 d2d4 d7d5 e4e5"
    "d2d4 d7d5 c2c4 e7e6 b1c3" "d2d4 d7d5 c2c4 c7c6 g1f3" "d2d4 g8f6 c2c4 g7g6 b1c3"
    "c2c4 e7e5 b1c3 g8f6 g1f3"
)

# Plays a match with policy $1 in its own folder. Writes a line "points moves" for each game to the file games: the points
# of the learner, and all moves.
match() {
    work=$all/$1
    referee=$engine
    mkdir "$work"
    . "$here/game.sh"
    trap 'end_players' EXIT
    start_player learner "$engine"
    start_player opponent "$engine"
    if [ "$1" != off ]; then
        tell learner "setoption name MemoryPolicy value $1"
        tell learner "setoption name MemoryFile value $work/memory.db"
        tell learner "setoption name Memory value learn"
    fi
    local game opening points
    for ((game = 0; game < games; game++)); do
        opening=${openings[game / 2 % opening_count]}
        for player in learner opponent; do
            tell $player ucinewgame
            tell $player isready
            await $player '^readyok$'
        done
        if [ $((game % 2)) = 0 ]; then
            play_game learner opponent "$nodes" "$other_nodes" "$opening"
        else
            play_game opponent learner "$other_nodes" "$nodes" "$opening"
        fi
        case $result in 1-0) points=1 ;; 0-1) points=0 ;; *) points=0.5 ;; esac
        [ $((game % 2)) = 0 ] || points=$(case $points in 1) echo 0 ;; 0) echo 1 ;; *) echo 0.5 ;; esac)
        echo "$points $moves" >> "$work/games"
        echo "$1,$nodes,$other_nodes,$opening_count,$((game + 1)),$points,$(game_id "$moves")" >> "$csv"
        [ $((game % 20)) != 19 ] || echo "$1: $((game + 1)) of $games games" >&2
    done
    end_player learner
    end_player opponent
}

# Prints the table's line of policy $1: points of both sides, Elo with its 95% interval (as if games were independent),
# the number of different games, and the learner's points in each quarter of the match.
report() {
    awk -v name="$1" -v games="$games" -v quarter=$(((games + 3) / 4)) '
        { n++; sum += $1; squares += $1 * $1; won += $1 == 1; drawn += $1 == 0.5; q[int((n - 1) / quarter)] += $1
          points = $1; $1 = ""; if (!($0 in seen)) { seen[$0]; different++ } }
        function elo(share) { share = share < 0.001 ? 0.001 : share > 0.999 ? 0.999 : share
                              return -400 * log(1 / share - 1) / log(10) }
        END { mean = sum / n; error = 1.96 * sqrt((squares / n - mean * mean) / n)
              printf "%-8s %5d %5d %5d  %7.1f %8.1f   %+5.0f [%+.0f, %+.0f]  %9d   %5.1f %5.1f %5.1f %5.1f\n", name, won,
                  drawn, n - won - drawn, sum, n - sum, elo(mean), elo(mean - error), elo(mean + error),
                  different, q[0], q[1], q[2], q[3] }' "$all/$1/games"
}

start=$SECONDS
(match off) & one=$!
(match Bebe) & other=$!
wait $one || exit 2
(match Mouse) & one=$!
wait $other || exit 2
(match Crafty) & other=$!
wait $one || exit 2
wait $other || exit 2
echo "$games games at $nodes nodes a move against $other_nodes, $opening_count openings, in $((SECONDS - start)) s"
echo "memory     won drawn  lost  learner opponent     Elo             different   by quarters of the match"
for policy in off Bebe Mouse Crafty; do report $policy; done
