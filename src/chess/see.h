// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Static exchange evaluation: the material a move wins when both sides keep capturing on its target
 * square with their least valuable attacker, and each side may stop at any time. X-ray attackers
 * are included. Pinned pieces do not capture while the pinner is in its place. A king does not
 * capture a defended piece. Promotion and en passant count for the first move only. */

#include "chess/position.h"

enum { SEE_PAWN = 100, SEE_KNIGHT = 300, SEE_BISHOP = 300, SEE_ROOK = 500, SEE_QUEEN = 900 };

/* Value of a piece type in the exchange; 0 for the king and for PIECE_TYPE_NB. */
extern const int see_value[PIECE_TYPE_NB + 1];

/* The exchange itself, for see_ge() and its tests. */
bool see_exchange(const Position *pos, Move move, int threshold);

/* True when the exchange that the legal `move` starts wins at least `threshold` for the mover. A
 * shortcut for thresholds up to 0: if the opponent attacks neither square of `move`, nothing can
 * recapture (a slider behind the moving piece already attacks its square). En passant also opens
 * the square of the captured pawn, but at worst it trades a pawn for a pawn. */
static inline bool see_ge(const Position *pos, Move move, int threshold)
{
    const Bitboard ends = bb_of(move_from(move)) | bb_of(move_to(move));
    return (threshold <= 0 && (pos->attacks[!pos->side] & ends) == 0) ||
           see_exchange(pos, move, threshold);
}
