# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by scripts that play games: what they need, fastchess and openings. Without it they end with a message and status 2.
# A signal that ends such a script also ends the program that it runs.
# fastchess is free software: git clone https://github.com/Disservin/fastchess; make -C fastchess; put it on the PATH.

end_without() { # WHAT
    echo "$(basename "$0"): $1" >&2
    exit 2
}

# need_fastchess: fastchess must be on the PATH.
need_fastchess() {
    command -v fastchess > /dev/null ||
        end_without "fastchess is not on the PATH: build it from https://github.com/Disservin/fastchess"
}

# find_book FILE: sets `book` to the full path of the openings: $BOOK or, if it is not set, FILE of the shared data.
find_book() {
    book=${BOOK:-${PALIMPSEST_SHARED:-../shared}/data/$1}
    [ -r "$book" ] ||
        end_without "cannot read the openings '$book': set BOOK to an EPD file (scripts/README.md says which)"
    book=$(realpath "$book")
}

# hold_folder FOLDER [WHAT]: no other script may write to it until this one ends, or releases it; otherwise the other one ends
# with a message that this one WHAT (runs) in the folder. Has no effect on systems without flock.
declare -A locks=()
hold_folder() {
    local lock
    command -v flock > /dev/null && [ -z "${locks[$1]:-}" ] || return 0
    exec {lock}> "$1/lock"
    flock -n "$lock" || end_without "another $(basename "$0") ${2:-runs} in $1"
    locks[$1]=$lock
}

# release_folders: ends what hold_folder() began.
release_folders() {
    local lock
    for lock in ${locks[@]+"${locks[@]}"}; do exec {lock}>&-; done
    locks=()
}

digest() { sha256sum < "$1" | cut -c 1-16; } # FILE

# name_networks OPTION...: prints the options in a line, with the checksum of a network in place of its path: another
# network may get the same name.
name_networks() {
    local option line=
    for option; do
        [[ $option != EvalFile=* || ! -r ${option#*=} ]] || option=EvalFile:$(digest "${option#*=}")
        line+=" $option"
    done
    echo "${line# }"
}

# is_limit TC: whether TC is a limit for match.sh.
is_limit() { [[ $1 =~ ^(nodes=[1-9][0-9]*|([1-9][0-9]*/)?[0-9]+(\.[0-9]+)?(\+[0-9]+(\.[0-9]+)?)?)$ ]]; }

# need_pairs GAMES: ends the script if it is not an even number, at least 2.
need_pairs() {
    [[ $1 =~ ^[1-9][0-9]*$ ]] && (($1 % 2 == 0)) ||
        end_without "GAMES must be even and at least 2: each opening is played with both colours"
}

# attend COMMAND...: runs a program and waits for it. It runs in the background, because bash acts on a signal only after a
# command in the foreground, and in a process group of its own: Ctrl-C then reaches only the script, which passes it on. The
# second signal would end palimpsest-train without a checkpoint.
attend() {
    set -m
    "$@" < /dev/null &
    set +m
    wait $!
}

# attend_logged FILE COMMAND...: the same, and adds the output of COMMAND to FILE.
attend_logged() {
    set -m
    "${@:2}" < /dev/null | tee -a "$1" &
    set +m
    wait $!
}

# end_at_signals SIGNAL: a signal that ends the script first ends the command of attend(), by SIGNAL: TERM or, for fastchess,
# INT, because it saves its state only then. Ctrl-Z has no effect: it would stop only the script.
end_at_signals() {
    trap "{ kill -$1 \$(jobs -p) || :; wait; } 2> /dev/null; exit 130" INT TERM HUP
    trap '' TSTP
}
