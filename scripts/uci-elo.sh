#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# uci-elo.sh GAMES [LEVEL...]: plays the levels of UCI_Elo against an engine of known strength. Prints the measured Elo of
# each level, and a straight line fitted to them, which shows the error of the table in src/search/strength.c.
#   uci-elo.sh 100                       1400 1700 2000 2300 2600 2850 against stockfish, 100 games each
#   ANCHOR=toga2 ANCHOR_ELO=2700 uci-elo.sh 40 2600        against an engine without levels
#   ANCHOR=./palimpsest ANCHOR_LEVEL=2300 uci-elo.sh 100 2500 2700      against a level of known strength
# Environment: ENGINE (./palimpsest), ANCHOR (the opponent: stockfish; apt-get install stockfish), ANCHOR_ELO: the
#   Elo of an opponent without levels, ANCHOR_LEVEL: the UCI_Elo of an opponent with levels, ANCHOR_LIMIT: its limit in
#   the words of fastchess, TC (60+0.6), CONCURRENCY (1), SEED (20261121), BOOK (default: the shared one), OUT (.data/strength).
# Without ANCHOR_ELO and ANCHOR_LEVEL, stockfish plays at the Skill Level nearest to the tested level, not at that UCI_Elo:
# its authors measured the Skill Levels on the scale of CCRL's blitz list when 15.1 was new, and found the error of UCI_Elo
# large (https://github.com/official-stockfish/Stockfish/pull/4341).
# A busy machine does not change the result, because neither side uses its clock: our level is a number of nodes, and
# stockfish chooses its move at depth Skill Level + 1, where this script stops it.
# Needs fastchess on the PATH and openings: see fastchess.sh.
set -eu
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/usage.sh"
. "$(dirname "$0")/fastchess.sh"

[ $# -ge 1 ] && [ "$1" -ge 2 ] 2> /dev/null || usage
games=$1
shift
[ $# -ge 1 ] || set -- 1400 1700 2000 2300 2600 2850
need_fastchess
engine=$(realpath "${ENGINE:-./palimpsest}")
anchor=$(command -v "${ANCHOR:-stockfish}" || ls "/usr/games/${ANCHOR:-stockfish}" 2> /dev/null) ||
    { echo "uci-elo.sh: cannot find ${ANCHOR:-stockfish}" >&2; exit 2; }
anchor=$(realpath "$anchor")
find_book book-8moves-v3-10k.epd

# Elo of Skill Levels 0 to 14; 1 and 2 are interpolated.
skills=(1320 1460 1600 1742 1923 2204 2363 2500 2596 2703 2788 2856 2923 2973 3025)

# The Skill Level nearest to one of our levels.
skill_for() { # level
    local i nearest=0
    for i in "${!skills[@]}"; do
        [ $(((skills[i] - $1) ** 2)) -ge $(((skills[nearest] - $1) ** 2)) ] || nearest=$i
    done
    echo $nearest
}

# Elo of the anchor of a level.
anchor_elo() { # level
    echo "${ANCHOR_ELO:-${ANCHOR_LEVEL:-${skills[$(skill_for "$1")]}}}"
}

# Sets options and limit of the anchor.
prepare_anchor() { # level
    local skill
    skill=$(skill_for "$1")
    options=() limit=tc=${TC:-60+0.6}
    if [ -n "${ANCHOR_LEVEL:-}" ]; then
        options=(option.UCI_LimitStrength=true "option.UCI_Elo=$ANCHOR_LEVEL")
    elif [ -z "${ANCHOR_ELO:-}" ]; then
        options=("option.Skill Level=$skill") limit=depth=$((skill + 1))
    fi
    limit=${ANCHOR_LIMIT:-$limit}
}

# Plays one level.
play() { # level
    prepare_anchor "$1"
    attend fastchess \
        -engine "cmd=$engine" name=level "tc=${TC:-60+0.6}" option.UCI_LimitStrength=true "option.UCI_Elo=$1" \
        -engine "cmd=$anchor" name=anchor "tc=${TC:-60+0.6}" "$limit" ${options[@]+"${options[@]}"} \
        -each timemargin=5000 option.Hash=16 -openings "file=$book" format=epd order=random -srand "${SEED:-20261121}" \
        -games 2 -repeat -rounds $((games / 2)) -concurrency "${CONCURRENCY:-1}" -recover \
        -startup-ms 60000 -draw movenumber=60 movecount=8 score=6 -resign movecount=5 score=600 twosided=true \
        -pgnout "file=$1.pgn" append=false > "$1.txt" 2>&1
}

# Prints wins, losses and draws from the last summary of the log.
result() { # level
    sed -n 's/^Games: \([0-9]*\), Wins: \([0-9]*\), Losses: \([0-9]*\), Draws: \([0-9]*\).*/\2 \3 \4/p' "$1.txt" | tail -1
}

"$(dirname "$0")/engine-options.sh" "$engine" UCI_LimitStrength=true "${@/#/UCI_Elo=}" || exit 2
for level; do
    prepare_anchor "$level"
    "$(dirname "$0")/engine-options.sh" "$anchor" ${options[@]+"${options[@]#option.}"} || exit 2
done

# Reads lines "level, Elo of the anchor, wins, losses, draws" and prints `rows` of them, or a `fit` to them.
summary() { # rows|fit
    awk -v part="$1" '
        function elo(s) { return -400 * log(1 / s - 1) / log(10) }
        NF == 5 {
            n = $3 + $4 + $5; s = ($3 + $5 / 2) / n
            spread = sqrt(($3 * (1 - s) ^ 2 + $4 * s ^ 2 + $5 * (0.5 - s) ^ 2) / n / n)
            if (spread < 0.5 / n) spread = 0.5 / n          # all games had the same result
            s = s < 0.5 / n ? 0.5 / n : s > 1 - 0.5 / n ? 1 - 0.5 / n : s
            slope = 400 / log(10) / (s * (1 - s))           # Elo per point of score
            measured = $2 + elo(s); error = 1.96 * spread * slope
            if (part == "rows") printf "%5d  %6d  %5d  %4.1f %%  %6.0f +- %.0f\n", $1, $2, n, 100 * s, measured, error
            w = 1 / error ^ 2; W += w; X += w * $1; Y += w * measured; XX += w * $1 * $1; XY += w * $1 * measured; levels++
        }
        END {
            D = W * XX - X * X
            if (part == "fit" && levels > 1 && D > 0)
                printf "fit: measured = %.0f + %.2f * (level - 2000)\n", (Y + (W * XY - X * Y) / D * (2000 * W - X)) / W, (W * XY - X * Y) / D
        }'
}

mkdir -p "${OUT:-.data/strength}"
cd "${OUT:-.data/strength}"
hold_folder "$PWD"
end_at_signals INT
echo "level  anchor  games  score    measured"
lines='' status=0
for level; do
    play "$level" || :
    found=$(result "$level")
    if [ -n "$found" ]; then
        line="$level $(anchor_elo "$level") $found"
        summary rows <<< "$line"
        lines+=$line$'\n'
    else
        echo "uci-elo.sh: no result for $level" >&2
        status=1
    fi
done
summary fit <<< "$lines"
exit $status
