#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sprt.sh NEW OLD ELO0 ELO1 TC OUT [GAMES]: a sequential test (SPRT) of a change in at most GAMES (40000) games.
#   The head of match.sh explains TC, OUT and the environment. Bounds in normalised Elo, alpha = beta = 0.05.
#   sprt.sh .data/new .data/old 0 10 1+0.01 .data/sprt-lmr 8000
set -eu
. "$(dirname "$0")/usage.sh"
[ $# -ge 6 ] || usage
SPRT="$3 $4" exec "$(dirname "$0")/match.sh" "$1" "$2" "${7:-40000}" "$5" standard "$6"
