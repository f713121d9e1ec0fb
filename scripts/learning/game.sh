# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the scripts in this folder: plays reproducible games between UCI programs. Needs bash 5. The caller sets
# `work` to an empty folder and `referee` to Palimpsest, whose command `d` shows each position for the draw rules. It calls
# end_players before it exits.
#
#   start_player NAME COMMAND...   starts a UCI program
#   tell NAME TEXT                 sends it a line
#   await NAME REGEX               reads lines until one matches; sets $line to it
#   end_player NAME                sends quit and waits until it ends
#   drop_player NAME               closes the pipes of a player that has ended in another way
#   play_game WHITE BLACK NODES_WHITE NODES_BLACK OPENING
#                                  plays from the start position after the moves OPENING (may be empty), with
#                                  these nodes a move; sets result (1-0, 0-1, 1/2-1/2), reason and moves
#   game_id MOVES                  prints eight characters that differ for different games
# The script ends if a player crashes or does not answer within a minute.

declare -A to=() from=() pids=()

fail() {
    echo "${0##*/}: $*" >&2
    exit 2
}

game_id() { printf '%s' "$1" | md5sum | cut -c 1-8; }

start_player() {
    local name=$1 fd
    shift
    rm -f "$work/$name.in" "$work/$name.out"
    mkfifo "$work/$name.in" "$work/$name.out"
    "$@" < "$work/$name.in" > "$work/$name.out" 2> "$work/$name.err" &
    pids[$name]=$!
    exec {fd}> "$work/$name.in"
    to[$name]=$fd
    exec {fd}< "$work/$name.out"
    from[$name]=$fd
}

tell() { printf '%s\n' "$2" >&"${to[$1]}" 2> /dev/null || fail "$1 is gone"; }

await() {
    while IFS= read -r -t 60 -u "${from[$1]}" line; do
        [[ $line =~ $2 ]] && return
    done
    fail "$1 did not answer (waiting for $2); its last errors: $(tail -n 3 "$work/$1.err")"
}

end_player() {
    tell "$1" quit
    wait "${pids[$1]}" 2> /dev/null
    drop_player "$1"
}

drop_player() {
    local fd=${to[$1]}
    exec {fd}>&-
    fd=${from[$1]}
    exec {fd}<&-
    unset "pids[$1]" "to[$1]" "from[$1]"
}

end_players() {
    local name
    for name in "${!pids[@]}"; do
        kill -KILL "${pids[$name]}" 2> /dev/null
        wait "${pids[$name]}" 2> /dev/null
    done
}

# Asks player $1 for a move after the moves $2 with $3 nodes; sets $move, and $score in centipawns.
ask_move() {
    local last=
    tell "$1" "position startpos${2:+ moves$2}"
    tell "$1" "go nodes $3"
    while await "$1" '^(info .* score |bestmove )' && [[ $line != bestmove* ]]; do last=$line; done
    move=${line#bestmove }
    move=${move%% *}
    last=${last#* score }
    set -- $last
    score=$2
    [ "$1" = cp ] || score=$(($2 > 0 ? 30000 : -30000))
}

# Succeeds if the game is a draw by the rules after the moves $moves, and sets $reason; counts positions in `met`.
is_draw() {
    local fen fields men
    tell referee "position startpos${moves:+ moves$moves}"
    tell referee d
    await referee '^Fen: '
    fen=${line#Fen: }
    fields=($fen)
    met[${fields[*]:0:4}]=$((${met[${fields[*]:0:4}]:-0} + 1))
    men=${fields[0]//[^a-zA-Z]/}
    reason=
    [ "${fields[4]}" -lt 100 ] || reason='fifty moves'
    [ "${met[${fields[*]:0:4}]}" -lt 3 ] || reason=repetition
    case ${men^^} in KK | KKN | KNK | KKB | KBK) reason=material ;; esac
    [ -n "$reason" ]
}

# A game also ends when both players give scores of at least seven pawns for the same side on four moves in a row, and as a
# draw after 200 moves.
play_game() {
    local player nodes turn=0 lost=0 ply
    local -A met=()
    [ -n "${pids[referee]:-}" ] || start_player referee "$referee"
    moves=${5:+ $5}
    local words=($moves)
    turn=$((${#words[@]} % 2))
    for ((ply = ${#words[@]}; ply < 400; ply++)); do
        if is_draw; then
            result=1/2-1/2
            return
        fi
        if [ $turn = 0 ]; then player=$1 nodes=$3; else player=$2 nodes=$4; fi
        ask_move "$player" "$moves" "$nodes"
        if [ "$move" = '(none)' ]; then
            reason=mate result=$([ $turn = 0 ] && echo 0-1 || echo 1-0)
            [ "$score" -le -20000 ] || reason=stalemate result=1/2-1/2
            return
        fi
        moves+=" $move"
        # `lost` counts plies in a row on which White is lost; it is negative when Black is lost.
        [ $turn = 0 ] || score=$((-score))
        if [ "$score" -le -700 ]; then lost=$((lost < 0 ? 1 : lost + 1))
        elif [ "$score" -ge 700 ]; then lost=$((lost > 0 ? -1 : lost - 1))
        else lost=0; fi
        reason=adjudication
        [ $lost -lt 8 ] || { result=0-1; return; }
        [ $lost -gt -8 ] || { result=1-0; return; }
        turn=$((1 - turn))
    done
    result=1/2-1/2 reason=length
}
