// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Random openings: the standard array or a Chess960 array, then a few random plies
 * (chess/randommove.h), so that games differ. */

#include <stdatomic.h>

#include "base/rng.h"
#include "datagen/game.h"
#include "engine/single.h"

enum { OPENING_PLIES_MAX = 32 };

typedef struct {
    int plies;            // random plies, or one more, so that either side moves first;
                          // below OPENING_PLIES_MAX
    int chess960_percent; // of the games; in half of them the two sides have different arrays
} OpeningOptions;

/* Starts game `number` and plays a random opening, balanced or not. False when the opening ended
 * the game. */
bool opening_draw(SelfplayGame *game, uint32_t number, Rng *rng, const OpeningOptions *options);

/* Repeats opening_draw() until the opening is level by single_is_level(); about a fifth are not.
 * Checks `*stop` (may be NULL) before each opening and returns false when it is true. */
bool opening_find(SelfplayGame *game, uint32_t number, Rng *rng, const OpeningOptions *options,
                  Single *single, const atomic_bool *stop);
