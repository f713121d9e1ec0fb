// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Static exchange evaluation: what a move gains when both sides go on capturing on its target
 * square with their least valuable attacker and may stop when they like. X-rays are seen; a pinned
 * piece stays out while its pinner stands; a king does not capture a defended piece. Promotions and
 * en passant of the first move are counted. */

#include "chess/position.h"

enum { SEE_PAWN = 100, SEE_KNIGHT = 300, SEE_BISHOP = 300, SEE_ROOK = 500, SEE_QUEEN = 900 };

/* Value of a piece type in the exchange; 0 for the king and for PIECE_TYPE_NB. */
extern const int see_value[PIECE_TYPE_NB + 1];

/* True when the exchange that legal `move` starts is worth at least `threshold` to the mover. */
bool see_ge(const Position *pos, Move move, int threshold);
