#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/learning/opponent.sh ENGINE NODES [LINES]: a deterministic UCI program with prepared lines. While a game from the
# start position follows a line of the file LINES (moves such as e2e4, one game a line), it plays the next move of that
# line at once; otherwise it plays the best move of ENGINE after NODES nodes. Works in any GUI or match program.
set -u
. "$(dirname "$0")/../usage.sh"
[ $# -ge 2 ] || usage
need_program "$1"
nodes=$2
lines=()
if [ $# -ge 3 ]; then mapfile -t lines < "$3" || exit 2; fi
coproc ENGINE { exec "$1"; }
exec {to}>&"${ENGINE[1]}" {from}<&"${ENGINE[0]}"

# Prints the output of the engine up to a line that begins with $1.
relay() {
    local said
    while IFS= read -r said <&"$from"; do
        printf '%s\n' "$said"
        [[ $said != "$1"* ]] || return
    done
    exit 1
}

# Prints the prepared move after the moves played, or nothing.
prepared() {
    local line rest
    [ -n "$played" ] || return
    for line in "${lines[@]}"; do
        if [[ "$line " == "${played#-} "* || $played = - ]]; then
            rest=${line#"${played#-}"}
            rest=${rest# }
            printf '%s' "${rest%% *}"
            return
        fi
    done
}

played= # "-": the start position; "": something else
while IFS= read -r text; do
    case $text in
    'position startpos'*)
        played=-
        [[ $text != *' moves '* ]] || played=${text#* moves }
        ;;
    position*) played= ;;
    esac
    case $text in
    go*)
        move=$(prepared)
        if [ -n "$move" ]; then
            printf 'info depth 1 score cp 0 nodes 1 pv %s\nbestmove %s\n' "$move" "$move"
        else
            echo "go nodes $nodes" >&"$to"
            relay bestmove
        fi
        ;;
    isready) echo "$text" >&"$to"; relay readyok ;;
    uci) echo "$text" >&"$to"; relay uciok ;;
    quit) break ;;
    *) printf '%s\n' "$text" >&"$to" ;;
    esac
done
echo quit >&"$to"
wait
