// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Random openings: the standard starting position or one of Chess960, then a few random plies, so
 * that games differ. The plies are either any legal moves (chess/randommove.h), or drawn by their
 * scores. The latter give openings as players choose them: developed pieces and sound pawn
 * structures. */

#include <stdatomic.h>

#include "base/rng.h"
#include "datagen/game.h"
#include "engine/single.h"

enum { OPENING_PLIES_MAX = 32 };

typedef struct {
    int plies;            // number of random plies, less than OPENING_PLIES_MAX; half of the games
                          // have one more, so that Black makes the first searched move
    int chess960_percent; // share of Chess960 games; half of these have a different
                          // random array for each side
    int half;             // internal units; a move is half as likely as another whose score is
                          // better by this. 0: any legal move
} OpeningOptions;

enum { OPENING_WEIGHT_MAX = 1 << 20 };

/* How likely a move is drawn that scores `loss` >= 0 internal units less than the best one:
 * OPENING_WEIGHT_MAX halved for each `half` units, with straight lines between. */
uint32_t opening_weight(int loss, int half);

/* Starts game `number` and plays a random opening, without a test for balance. False when the game
 * is over after the opening. `single` scores the moves, after single_new_game(); it may be NULL if
 * options->half is 0. */
bool opening_draw(SelfplayGame *game, uint32_t number, Rng *rng, const OpeningOptions *options,
                  Single *single);

/* Repeats opening_draw() until single_is_balanced() accepts the opening; it rejects about a fifth.
 * Checks `*stop` (may be NULL) before each opening; returns false when `*stop` is true. */
bool opening_find(SelfplayGame *game, uint32_t number, Rng *rng, const OpeningOptions *options,
                  Single *single, const atomic_bool *stop);
