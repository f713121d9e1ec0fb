// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Bitboards: files, ranks, shifts, and the lines through two squares. */

#include "base/bits.h"
#include "chess/types.h"

#define BB_FILE_A 0x0101010101010101ULL
#define BB_FILE_H 0x8080808080808080ULL
#define BB_RANK_1 0x00000000000000FFULL
#define BB_RANK_8 0xFF00000000000000ULL
#define BB_ALL 0xFFFFFFFFFFFFFFFFULL

extern Bitboard bb_between_table[SQ_NB][SQ_NB]; // filled by bb_init(), then constant
extern Bitboard bb_line_table[SQ_NB][SQ_NB];

/* Fills the tables. Called once, by chess_init(). */
void bb_init(void);

static inline Bitboard bb_of(Square s)
{
    return 1ULL << s;
}

static inline bool bb_has(Bitboard b, Square s)
{
    return b >> s & 1;
}

/* True when `b` has more than one square. */
static inline bool bb_many(Bitboard b)
{
    return (b & (b - 1)) != 0;
}

static inline Bitboard bb_file(int file)
{
    return BB_FILE_A << file;
}

static inline Bitboard bb_rank(int rank)
{
    return BB_RANK_1 << 8 * rank;
}

/* The rank that is number `rank` from the view of `c`: 0 is its back rank. */
static inline Bitboard bb_relative_rank(Color c, int rank)
{
    return bb_rank(c == WHITE ? rank : 7 - rank);
}

/* Squares strictly between two squares on one rank, file or diagonal; empty otherwise. */
static inline Bitboard bb_between(Square a, Square b)
{
    return bb_between_table[a][b];
}

/* The whole rank, file or diagonal through two different squares; empty when they share none. */
static inline Bitboard bb_line(Square a, Square b)
{
    return bb_line_table[a][b];
}

static inline Bitboard bb_east(Bitboard b)
{
    return (b & ~BB_FILE_H) << 1;
}

static inline Bitboard bb_west(Bitboard b)
{
    return (b & ~BB_FILE_A) >> 1;
}

/* The squares directly left and right of those of `b`. */
static inline Bitboard bb_both_sides(Bitboard b)
{
    return bb_east(b) | bb_west(b);
}

/* All squares moved one rank forward, in the direction of `c`'s pawns. */
static inline Bitboard bb_forward(Color c, Bitboard b)
{
    return c == WHITE ? b << 8 : b >> 8;
}

/* The squares of `b` and all squares in front of them, in the direction of `c`'s pawns. */
static inline Bitboard bb_fill_forward(Color c, Bitboard b)
{
    b |= bb_forward(c, b);
    b |= bb_forward(c, bb_forward(c, b));
    return b | bb_forward(c, bb_forward(c, bb_forward(c, bb_forward(c, b))));
}

/* All squares on the files of `b`. */
static inline Bitboard bb_fill_files(Bitboard b)
{
    return bb_fill_forward(WHITE, b) | bb_fill_forward(BLACK, b);
}

/* Squares attacked by the pawns `b` of colour `c`. */
static inline Bitboard bb_pawn_attacks(Color c, Bitboard b)
{
    return bb_both_sides(bb_forward(c, b));
}

/* Squares attacked by the knights `b`. */
static inline Bitboard bb_knight_attacks(Bitboard b)
{
    const Bitboard one = bb_east(b) | bb_west(b);
    const Bitboard two = bb_east(bb_east(b)) | bb_west(bb_west(b));
    return one << 16 | one >> 16 | two << 8 | two >> 8;
}

/* The diagonal through `s` that rises to the east (a1-h8 and its parallels). */
static inline Bitboard bb_rising(Square s)
{
    const int steps = (s >> 3) - (s & 7);
    return steps >= 0 ? 0x8040201008040201ULL << 8 * steps : 0x8040201008040201ULL >> -8 * steps;
}

/* The diagonal through `s` that falls to the east (a8-h1 and its parallels). */
static inline Bitboard bb_falling(Square s)
{
    const int steps = (s >> 3) + (s & 7) - 7;
    return steps >= 0 ? 0x0102040810204080ULL << 8 * steps : 0x0102040810204080ULL >> -8 * steps;
}
