// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Seeded random games, standard and Chess960, from openings, crowded middlegames and endgames:
 * positions for tests that compare the engine with a slow model. */

#include "base/rng.h"
#include "chess/position.h"

typedef struct {
    Position pos;
    Rng rng;
    bool chess960; // whether the game began from a Chess960 position
} Walk;

/* Begins a game; the seed decides where it starts and all its moves. */
void walk_start(Walk *walk, uint64_t seed);

/* Plays a random legal move and returns it; MOVE_NONE when the game is over. */
Move walk_step(Walk *walk);
