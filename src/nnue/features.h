// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Which inputs of the network a position sets: one for each piece, seen from either side with that
 * side's pawns going up the board. The only definition; engine and trainer use it. */

#include "chess/position.h"
#include "nnue/arch.h"

/* True when the view of a side whose king stands on `king` is seen in a mirror (files a and h
 * exchanged), so that the king always stands on files a to d. */
static inline bool feature_mirrored(Square king)
{
    return NNUE_MIRRORED && file_of(king) >= 4;
}

/* The input that `piece` on `s` sets in the view of `perspective`: 0..NNUE_INPUTS-1. */
static inline int feature_index(Color perspective, bool mirrored, Piece piece, Square s)
{
    const int enemy = piece_color(piece) != perspective;
    return enemy * 384 + piece_type(piece) * 64 + (relative_square(perspective, s) ^ 7 * mirrored);
}

/* The output for a board with so many pieces, kings included (2..32): 0..NNUE_BUCKETS-1. */
static inline int feature_bucket(int pieces)
{
    return (pieces - 2) * NNUE_BUCKETS / 32;
}
