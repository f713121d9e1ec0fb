// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Legal move generation. Each generator writes the moves to `moves` and returns their number. The
 * array has room for MAX_MOVES; behind the last move it may be overwritten (bitlist.h). The order
 * of gen_legal() must not change, because game files depend on it. Every legal move is either noisy
 * or quiet (pos_is_noisy()). */

#include "chess/position.h"

/* All legal moves. */
int gen_legal(const Position *pos, Move *moves);

/* Legal captures except underpromotions, and all legal queen promotions. */
int gen_noisy(const Position *pos, Move *moves);

/* All other legal moves, among them castling and underpromotions. */
int gen_quiet(const Position *pos, Move *moves);

/* Number of legal moves; faster than gen_legal(). */
int gen_count(const Position *pos);

/* True when there is a legal move: neither mate nor stalemate. */
bool gen_any(const Position *pos);

/* True when `move` is legal. Any 16-bit value is allowed. */
bool gen_is_legal(const Position *pos, Move move);
