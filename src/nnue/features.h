// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The inputs of the network. Each piece sets one input in each side's view of the board. In its own
 * view a side plays up the board. Engine and trainer share this definition. */

#include "nnue/marks.h"

/* Horizontal mirroring: returns true if the view of a side with its king on `king` exchanges files
 * a and h, b and g, and so on. So the king is always on files a to d, and half of the king
 * positions suffice in training. */
static inline bool feature_mirrored(Square king)
{
    return NNUE_MIRRORED && file_of(king) >= 4;
}

/* The two parts of feature_index(): of the piece, and of its square. */
static inline int feature_of_piece(Color perspective, int marked)
{
    const Piece piece = marked & ~MARKS;
    const int enemy = piece_color(piece) != perspective;
    return marked / MARK_DEFENDED * NNUE_PIECE_SQUARES + enemy * 384 + piece_type(piece) * 64;
}

static inline int feature_of_square(Color perspective, bool mirrored, Square s)
{
    return relative_square(perspective, s) ^ 7 * mirrored;
}

/* Returns the input of a marked piece (marks.h) on `s` in the view of `perspective`,
 * 0..NNUE_INPUTS-1. */
static inline int feature_index(Color perspective, bool mirrored, int marked, Square s)
{
    return feature_of_piece(perspective, marked) + feature_of_square(perspective, mirrored, s);
}

/* Returns the output bucket (0..NNUE_BUCKETS-1) for a board with `pieces` pieces: 2..32, kings and
 * pawns included. */
static inline int feature_bucket(int pieces)
{
    return (pieces - 2) * NNUE_BUCKETS / 32;
}
