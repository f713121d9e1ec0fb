// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Strictly legal move generation. Every generator writes at most MAX_MOVES moves from `moves` on
 * and returns how many; the order is fixed. Noisy and quiet moves are disjoint and together are the
 * legal moves (see pos_is_noisy()). */

#include "chess/position.h"

/* All legal moves. */
int gen_legal(const Position *pos, Move *moves);

/* Legal captures without underpromotions, and queen promotions. In check: those of them that are
 * evasions. */
int gen_noisy(const Position *pos, Move *moves);

/* All other legal moves: quiet moves, castling, and every underpromotion. */
int gen_quiet(const Position *pos, Move *moves);

/* The number of legal moves, without making a list. */
int gen_count(const Position *pos);

/* True when any legal move exists: not mate, not stalemate. */
bool gen_any(const Position *pos);

/* True exactly when gen_legal() would contain `move`; any 16-bit value may be asked. */
bool gen_is_legal(const Position *pos, Move move);
