// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The inputs of the network. Each piece sets one input in each side's view of the board. In its own
 * view a side plays up the board. Engine and trainer share this definition. */

#include "nnue/marks.h"

/* Returns true if the view of a side with its king on `king` is mirrored (files a and h exchanged).
 * Mirroring puts the king on files a to d. */
static inline bool feature_mirrored(Square king)
{
    return NNUE_MIRRORED && file_of(king) >= 4;
}

/* Returns the input of a marked piece (marks.h) on `s` in the view of `perspective`,
 * 0..NNUE_INPUTS-1. */
static inline int feature_index(Color perspective, bool mirrored, int marked, Square s)
{
    const Piece piece = marked & ~MARKS;
    const int enemy = piece_color(piece) != perspective;
    const int place =
        enemy * 384 + piece_type(piece) * 64 + (relative_square(perspective, s) ^ 7 * mirrored);
    return marked / MARK_DEFENDED * NNUE_PLACES + place;
}

/* Returns the output (0..NNUE_BUCKETS-1) for a board with `pieces` pieces: 2..32, kings and pawns
 * included. */
static inline int feature_bucket(int pieces)
{
    return (pieces - 2) * NNUE_BUCKETS / 32;
}
