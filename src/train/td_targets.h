// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Training targets by temporal-difference learning (Sutton 1988, "Learning to predict by the
 * methods of temporal differences"): each score is mixed with the score of the next ply. The score
 * of a short search has a random error. The next positions are similar, but their searches have
 * other errors, so the mean is more accurate. */

#include "games/gamecode.h"

enum { TD_SCORE_MAX = 3000 }; // scores are clamped to this range, internal units

/* Replaces the scores of all plies of `game` after the opening, from the last ply backwards. In
 * expected points (points.h), as in the loss, a new score is `share` (0..1) times the new score of
 * the next ply, plus 1 - `share` times the ply's own score. After the last ply, the result of the
 * game is the next score. Across plies without a score, the share is raised to the power of the
 * number of plies. A share of 0 only clamps the scores. */
void td_targets_mix(GameRecord *game, double share, double unit);
