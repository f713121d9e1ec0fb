#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fit.sh GAMES...: fits the chances that UCI_ShowWDL shows to games: prints how well they fit and the coefficients,
# which belong into src/eval/winrate.c, and draws scripts/wdl/wdl.svg, where gnuplot is there.
#   GAMES are PGN by fastchess or Cute Chess with scores in its comments, or files of palimpsest-datagen.
#   scripts/strict.sh 200 && scripts/wdl/fit.sh .data/strict/*.pgn
# Take games of the engine with itself, with the network it ships and on a clock: what a score is worth depends on
# who plays on from it. Games without adjudication are best. 300 games give half the wins to +- 15 units (a pawn shown
# is 100), four times as many half of that. With fewer than 100 the fit may be refused.
# Method: P(win) = 1 / (1 + exp((half - score) / spread)), half and spread quadratic in the material on the board
# (both sides, pawn 1, pieces 3 3 5 9, 17..78). Maximum likelihood over all scored positions, each counted for either
# side; the errors are of whole games, by leaving out one of 16 groups in turn. Scores of mate are left out.
# Which games the coefficients in the source are from is said in scripts/wdl/README.md.
set -eu
usage() { sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }

[ $# -ge 1 ] || usage
games=()
for file; do games+=("$(realpath -e "$file")"); done
cd "$(dirname "$0")/../.."
make -s tools
data=$(mktemp)
trap 'rm -f "$data"' EXIT
./palimpsest-datagen --wdl --figure "$data" "${games[@]}"
if command -v gnuplot > /dev/null; then
    gnuplot -c scripts/wdl/plot.gp "$data" scripts/wdl/wdl.svg
    echo "figure: scripts/wdl/wdl.svg"
else
    echo "no figure, for want of gnuplot"
fi
