#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/release/xboard.sh ENGINE: plays a short game of ENGINE against itself in xboard with polyglot, on an invisible
# screen. Fails unless the game ends in mate, which the position forces. Needs xboard, polyglot and Xvfb.
set -euo pipefail
. "$(dirname "$0")/../usage.sh"
[ $# = 1 ] || usage
PATH=$PATH:/usr/games
engine=$(realpath "$1")
work=$(mktemp -d)
screen=
end() {
    [ -z "$screen" ] || { kill "$screen" && wait "$screen"; } 2> /dev/null || :
    rm -rf "$work"
}
trap end EXIT

mkfifo "$work/display"
Xvfb -displayfd 3 -screen 0 1024x768x24 -nolisten tcp 3> "$work/display" 2> "$work/errors" &
screen=$!
read -r -t 20 number < "$work/display"

# White mates in two by force.
echo '7k/8/5K2/8/8/8/8/R7 w - - 0 1' > "$work/start.fen"
cd "$work"
HOME=$work DISPLAY=:$number timeout 120 xboard -mg 1 -matchPause 0 -popupExitMessage false \
    -fUCI -fcp "$engine" -sUCI -scp "$engine" -searchDepth 5 -lpf "$work/start.fen" -lpi 1 -sgf "$work/game.pgn" \
    > "$work/said" 2>&1 || { tail -5 "$work/said"; exit 1; }
cat "$work/game.pgn"
grep -q '^\[Result "1-0"\]' "$work/game.pgn" && grep -q '#' "$work/game.pgn"
