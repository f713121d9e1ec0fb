// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Playing moves by copy-make: each move writes a new position, so there is no unmake. */

#include "chess/position.h"

/* Writes to `after` the position after `move`, which must be legal in `before`. Updates all keys
 * and checkers. The two positions must not alias. */
void pos_play(Position *after, const Position *before, Move move);

/* Plays the legal `move` in `pos` itself. */
static inline void pos_advance(Position *pos, Move move)
{
    const Position before = *pos;
    pos_play(pos, &before, move);
}

/* Writes to `after` the position after a null move. `before` must not be in check. The two
 * positions must not alias. */
void pos_play_null(Position *after, const Position *before);
