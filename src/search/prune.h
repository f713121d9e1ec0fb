// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Pure decisions of the search: margins, counts and reductions from a few numbers. Nothing here
 * looks at a board. */

#include <stdbool.h>

#include "eval/score.h"

/* Fills the table of logarithms behind prune_reduction(); engine_init() calls it once. */
void prune_init(void);

/* Reverse futility: an estimate this far above beta is believed. Internal units. */
int prune_rfp_margin(int depth, bool improving);

/* Plies a null-move search is shortened by, the move itself included. */
int prune_null_reduction(int depth, Score estimate, Score beta);

/* Moves tried before late-move pruning gives up on quiet ones (1-based number of the first that is
 * not tried). */
int prune_late_move_count(int depth, bool improving);

/* Static evaluation plus what a quiet move may still gain, at the depth it would be searched to. */
Score prune_futility_value(Score eval, int lmr_depth);

/* The same for a capture of a piece worth `victim` centipawns of see.h. */
Score prune_futility_value_noisy(Score eval, int lmr_depth, int victim);

/* Exchange losses (centipawns of see.h, negative) up to which quiet and noisy moves are searched.
 */
int prune_see_quiet(int lmr_depth);
int prune_see_noisy(int depth);

/* Internal units as centipawns of see.h. */
int prune_see_of_units(Score units);

/* The late-move reduction of the `number`th move (from 1) before any adjustment, in 1/1024 ply:
 * base + ln(depth) * ln(number) / divisor. */
int prune_reduction(bool quiet, int depth, int number);
