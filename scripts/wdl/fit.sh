#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fit.sh GAMES...: fits the model of centipawns and UCI_ShowWDL to games. Prints the quality of the fit and the
# coefficients for src/eval/winrate.c, and draws scripts/wdl/wdl.svg if gnuplot is installed.
#   GAMES are PGN files of fastchess or Cute Chess with scores in comments, or files of palimpsest-datagen.
#   scripts/check-games.sh 200 && scripts/wdl/fit.sh .data/check-games/*.pgn
# Scores in PGN are centipawns by the coefficients of this program; PAWN=N: N internal units a pawn instead (100 in
# versions that printed internal units).
# Use games of the engine against itself, with its default network and a clock: the chances depend on the players.
# Games without adjudication are best. 300 games give the score of 50% wins to +- 15 units (100 centipawns are some 180),
# four times as many give half that error. With fewer than 100 games the fit may be refused.
# Method: P(win) = 1 / (1 + exp((half - score) / spread)), half and spread quadratic in the material on the board
# (both sides, pawn 1, pieces 3 3 5 9, 17..78). Maximum likelihood over all scored positions, each counted for both
# sides; errors by the jackknife, over 16 groups of whole games. Mate scores are left out.
# scripts/wdl/README.md names the games behind the coefficients in the source.
set -eu
. "$(dirname "$0")/../usage.sh"

[ $# -ge 1 ] || usage
games=()
for file; do games+=("$(realpath -e "$file")"); done
cd "$(dirname "$0")/../.."
make -s tools
data=$(mktemp)
trap 'rm -f "$data"' EXIT
./palimpsest-datagen --wdl --pawn "${PAWN:-0}" --figure "$data" "${games[@]}"
if command -v gnuplot > /dev/null; then
    gnuplot -c scripts/wdl/plot.gp "$data" scripts/wdl/wdl.svg
    echo "figure: scripts/wdl/wdl.svg"
else
    echo "no figure: gnuplot is not installed"
fi
