// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Which pieces are attacked and which are defended. With NNUE_THREATS the network has other inputs
 * for each of the four cases, so its evaluation sees hanging pieces without a search. Engine and
 * trainer share this definition. */

#include "chess/position.h"
#include "nnue/arch.h"

/* A marked piece is a Piece plus these marks. */
enum { MARK_DEFENDED = 16, MARK_ATTACKED = 32, MARKS = MARK_DEFENDED | MARK_ATTACKED };

/* Sets of squares with a piece of either colour. */
typedef struct {
    Bitboard attacked; // by an enemy piece
    Bitboard defended; // by a piece of the same colour
} Threats;

/* Returns the threats on the board; both sets are empty if the network does not know threats.
 * Pinned pieces attack and defend, too. Reads only `attacks` and `by_color` of `pos`. */
static inline Threats threats_of(const Position *pos)
{
    if (!NNUE_THREATS)
        return (Threats){0};
    const Bitboard white = pos->attacks[WHITE], black = pos->attacks[BLACK];
    return (Threats){.attacked = (white & pos->by_color[BLACK]) | (black & pos->by_color[WHITE]),
                     .defended = (white & pos->by_color[WHITE]) | (black & pos->by_color[BLACK])};
}

/* Returns `piece`, which stands on `s`, with its marks. */
static inline int threats_mark(const Threats *threats, Piece piece, Square s)
{
    return piece + (bb_has(threats->defended, s) ? MARK_DEFENDED : 0) +
           (bb_has(threats->attacked, s) ? MARK_ATTACKED : 0);
}
