// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Random moves for openings. Draws the type of the moving piece first, by weights that favour
 * pawns, then one move of that type. The positions are more like those of real games than after
 * uniformly drawn moves (PlentyChess, pull request 227, 2024). */

#include "base/rng.h"
#include "chess/position.h"

/* Returns a random legal move. `pos` must have one. */
Move randommove_draw(const Position *pos, Rng *rng);
