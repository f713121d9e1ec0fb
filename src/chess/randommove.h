// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Random moves for openings. Which piece moves is drawn first, by weights that favour pawns, then
 * which of its moves; this makes positions that look more like chess than uniform moves do
 * (PlentyChess, pull request 227, 2024). */

#include "base/rng.h"
#include "chess/position.h"

/* A random legal move, of which there must be one. */
Move randommove_draw(const Position *pos, Rng *rng);
