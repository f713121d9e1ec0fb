// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Scores in the light of what came of them: each mixed with those of the plies that followed, as
 * temporal differences do (Sutton 1988, "Learning to predict by the methods of temporal
 * differences"). A search of few nodes errs at random; the next searches, of nearly the same
 * position, err otherwise. */

#include "games/gamecode.h"

/* From the last ply with a score back to the first: `share` (0..1) of what the next ply, or after
 * the last the result, says of the points to expect, and the rest of its own. 0 changes nothing
 * but what is beyond TD_SCORE_MAX. */
enum { TD_SCORE_MAX = 3000 };
void td_targets_mix(GameRecord *game, double share);
