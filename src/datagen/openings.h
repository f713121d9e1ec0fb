// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Where games begin: the standard array or a Chess960 one, then a few random plies
 * (chess/randommove.h), so that no two games are alike. */

#include <stdatomic.h>

#include "base/rng.h"
#include "datagen/game.h"
#include "engine/single.h"

enum { OPENING_PLIES_MAX = 32 };

typedef struct {
    int plies; // so many or one more, for either side to be on the move; <= OPENING_PLIES_MAX
    int chess960_percent; // games from a Chess960 array; in half of them each side has its own
} OpeningOptions;

/* Starts game `number` in `game` and plays an opening on it, whatever it is worth. False when the
 * game was over before it had begun. */
bool opening_draw(SelfplayGame *game, uint32_t number, Rng *rng, const OpeningOptions *options);

/* The same until there is one that is not over, and level by single_is_level(): about a fifth are
 * not. False when `*stop` (NULL: never), at which it looks before each, is true. */
bool opening_find(SelfplayGame *game, uint32_t number, Rng *rng, const OpeningOptions *options,
                  Single *single, const atomic_bool *stop);
