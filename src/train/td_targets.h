// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Training targets by temporal-difference learning (Sutton 1988, "Learning to predict by the
 * methods of temporal differences"): each score is mixed with that of the next ply. A search of few
 * nodes has random errors; the searches of the following, similar positions have other errors, so
 * the mean is more accurate. */

#include "games/gamecode.h"

enum { TD_SCORE_MAX = 3000 }; // scores are clamped to this range, internal units

/* Replaces the scores of `game`, from the last ply back to the first after the opening. Both parts
 * of the mixture are expected points: `share` (0..1) of the new value of the next ply, or of the
 * game's result after the last ply, and 1 - `share` of the ply's own score. A share of 0 only
 * clamps. */
void td_targets_mix(GameRecord *game, double share);
