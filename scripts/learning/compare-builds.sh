#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/learning/compare-builds.sh ENGINE OTHER: checks that ENGINE with position learning off and OTHER, a build without
# position learning, print the same, except times, in a part of the bench and in a game limited by nodes and depth. The
# status is 0 if they do.
set -eu
. "$(dirname "$0")/../usage.sh"
[ $# = 2 ] || usage
need_program "$1"
need_program "$2"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the output of ENGINE $1 in a game and the nodes of a part of the bench. Each command waits for the end of the
# search, because a command during a search would cause differences.
converse() {
    local moves= ply line
    coproc ENGINE { exec "$1"; }
    for ((ply = 0; ply < 60; ply++)); do
        printf 'position startpos%s\ngo %s\n' "${moves:+ moves$moves}" \
            "$([ $((ply % 3)) = 0 ] && echo depth 7 || echo nodes 5000)" >&"${ENGINE[1]}"
        while IFS= read -r line <&"${ENGINE[0]}"; do
            printf '%s\n' "$line" | sed -E 's/ (nps|time) [0-9]+//g'
            [[ $line != bestmove* ]] || break
        done
        line=${line#bestmove }
        [ "$line" != '(none)' ] || break
        moves+=" ${line%% *}"
    done
    echo quit >&"${ENGINE[1]}"
    "$1" bench 16 1 8 2> /dev/null | grep searched
}

converse "$1" > "$work/a" 2> "$work/a.err"
converse "$2" > "$work/b" 2> "$work/b.err"
[ "$(grep -c bestmove "$work/a")" -ge 20 ] || { echo "the game was too short for a comparison"; exit 1; }
cmp "$work/a" "$work/b" && echo "the same in $(wc -l < "$work/a") lines"
