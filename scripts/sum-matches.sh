#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sum-matches.sh FOLDER...: adds up the results of matches that match.sh played into these folders, for instance on several
# machines, and prints Elo with its 95% interval. Refuses matches of different engines, options, networks, limits,
# variants or openings, matches with equal seeds (they play the same openings), and sequential tests: a test that stops at a
# good moment has no unbiased result.
set -euo pipefail
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/usage.sh"

[ $# -ge 1 ] || usage
fail() { echo "sum-matches.sh: $1" >&2; exit 1; }

# setting FOLDER NAME: prints what the folder says of it.
setting() { sed -n "s/^$2: //p" "$1/conditions.txt"; }

# counts FOLDER...: prints the game pairs of each match with 0, half a point, 1, one and a half and 2 points for the engine.
counts() {
    local -A folder_of_seed=()
    local folder name mine first seed pairs played
    for folder; do
        [ -r "$folder/conditions.txt" ] && [ -r "$folder/log.txt" ] || fail "$folder: is not a match of match.sh"
        [ "$(setting "$folder" sprt)" = none ] || fail "$folder: is a sequential test; its result cannot be added to others"
        for name in engine opponent engine_options opponent_options limit variant book; do
            mine=$(setting "$folder" $name) first=$(setting "$1" $name)
            [ "$mine" = "$first" ] || fail "$folder: other $name: $mine, not $first as in $1"
        done
        seed=$(setting "$folder" seed)
        [ -z "${folder_of_seed[$seed]:-}" ] || fail "$folder: has the same seed as ${folder_of_seed[$seed]}"
        folder_of_seed[$seed]=$folder
        pairs=$(sed -n 's/^Ptnml(0-2): \[\([0-9, ]*\)\].*/\1/p' "$folder/log.txt" | tail -n 1)
        [ -n "$pairs" ] || fail "$folder: has no result"
        played=$(awk -F, '{ print 2 * ($1 + $2 + $3 + $4 + $5) }' <<< "$pairs")
        [ "$played" -ge "$(setting "$folder" games)" ] || echo "$folder: is not finished: $played games" >&2
        echo "$pairs"
    done
}

pairs=$(counts "$@")
awk -F, '
    function elo(share) { return 400 * log(share / (1 - share)) / log(10) }
    { for (i = 1; i <= 5; i++) { count[i] += $i; pairs += $i; points += $i * (i - 1) / 4 } }
    END {
        mean = points / pairs
        for (i = 1; i <= 5; i++) square += count[i] * ((i - 1) / 4 - mean) ^ 2
        error = 1.959964 * sqrt(square / pairs / pairs)
        if (mean - error > 0 && mean + error < 1)
            printf "Elo: %.2f +/- %.2f\n", elo(mean), (elo(mean + error) - elo(mean - error)) / 2
        else
            print "Elo: too one-sided for an estimate"
        printf "Games: %d, Points: %.1f (%.2f %%)\n", 2 * pairs, 2 * points, 100 * mean
        printf "Ptnml(0-2): [%d, %d, %d, %d, %d]\n", count[1], count[2], count[3], count[4], count[5]
    }' <<< "$pairs"
