// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The evaluation of generation 0: it has one job, to make the first training games, and ends with
 * the first network. Tapered material and piece-square tables filled by rule from mobility and
 * centre control, as ALIBABA's were (Breuker, Uiterwijk, van den Herik 1994), mobility, passed
 * pawns, king safety. */

#include "chess/position.h"
#include "eval/score.h"

/* Fills the piece-square tables; built_in_init() or main() calls it once. */
void bootstrap_init(void);

/* The position from the side to move's view, internal units, within the range of evaluations.
 * Colour-blind: the mirrored position has the same value. */
Score bootstrap_eval(const Position *pos);
