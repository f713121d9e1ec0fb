// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The hand-written evaluation of generation 0. It plays the first training games, before any
 * network exists. Terms: material; piece-square tables, computed from mobility and closeness to the
 * centre as in ALIBABA (Breuker, Uiterwijk, van den Herik 1994); pawn structure, mobility, threats,
 * passed pawns and king safety. Each term is interpolated between middlegame and endgame. */

#include "chess/position.h"
#include "eval/score.h"

/* Fills the piece-square and mobility tables. built_in_init() and eval_choice_open() call it,
 * before any evaluation. */
void bootstrap_init(void);

/* Returns the evaluation for the side to move in internal units, within the range of evaluations.
 * Symmetric: exchanging the colours gives the same value. */
Score bootstrap_eval(const Position *pos);
