// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The hand-written evaluation of generation 0. It plays the first training games, before any
 * network exists. Terms: material and piece-square tables that rules derive from mobility and
 * centre control, as in ALIBABA (Breuker, Uiterwijk, van den Herik 1994), interpolated between
 * middlegame and endgame; pawn structure, mobility, threats, passed pawns and king safety. */

#include "chess/position.h"
#include "eval/score.h"

/* Fills the piece-square tables. built_in_init() or main() calls it once, before any evaluation. */
void bootstrap_init(void);

/* Returns the evaluation for the side to move in internal units, within the range of evaluations.
 * Symmetric: exchanging the colours gives the same value. */
Score bootstrap_eval(const Position *pos);
