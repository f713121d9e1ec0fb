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
    int plies;            // number of random plies, less than OPENING_PLIES_MAX; half of the games
                          // have one more, so that Black makes the first searched move
    int chess960_percent; // share of games with Chess960 arrays; half of these have a different
                          // random array for each side
} OpeningOptions;

/* Starts game `number` and plays a random opening, without a test for balance. False when the game
 * is over after the opening. */
bool opening_draw(SelfplayGame *game, uint32_t number, Rng *rng, const OpeningOptions *options);

/* Repeats opening_draw() until single_is_level() accepts the opening; it rejects about a fifth.
 * Checks `*stop` (may be NULL) before each opening; returns false when `*stop` is true. */
bool opening_find(SelfplayGame *game, uint32_t number, Rng *rng, const OpeningOptions *options,
                  Single *single, const atomic_bool *stop);
