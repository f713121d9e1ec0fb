// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Seeded random games, standard and Chess960, from openings, middlegames and endgames. They provide
 * positions for tests that compare the engine with a slow model. */

#include "base/rng.h"
#include "chess/position.h"

typedef struct {
    Position pos;
    Rng rng;
    bool chess960; // whether the game began from a Chess960 position
} Walk;

/* Starts a game; the seed determines its start position and all its moves. */
void walk_start(Walk *walk, uint64_t seed);

/* Plays a random legal move and returns it; MOVE_NONE when the game is over. */
Move walk_step(Walk *walk);
