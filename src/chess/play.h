// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Moving from one position to the next by writing a new one: there is no unmake to get wrong. */

#include "chess/position.h"

/* Writes to `after` the position reached when `move`, legal in `before`, is played, all keys and
 * checkers included. The two must not alias. */
void pos_play(Position *after, const Position *before, Move move);

/* Writes to `after` the position with the turn passed. `before` must not be in check; the two must
 * not alias. */
void pos_play_null(Position *after, const Position *before);
