// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Basic types: colours, pieces, squares, moves, keys. Squares are numbered a1 = 0, b1 = 1 ... h8 =
 * 63. A piece is type * 2 + colour, so its 12 values index tables without gaps. */

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t Bitboard; // bit s: square s is in the set
typedef uint64_t Key;      // Zobrist key (Zobrist 1970)
typedef uint16_t Move;     // see move_make()

enum { WHITE, BLACK, COLOR_NB };
typedef int Color;

enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, PIECE_TYPE_NB };
typedef int PieceType;

// clang-format off
enum {
    W_PAWN, B_PAWN, W_KNIGHT, B_KNIGHT, W_BISHOP, B_BISHOP,
    W_ROOK, B_ROOK, W_QUEEN, B_QUEEN, W_KING, B_KING, PIECE_NB,
    NO_PIECE = PIECE_NB
};
enum {
    A1, B1, C1, D1, E1, F1, G1, H1, A2, B2, C2, D2, E2, F2, G2, H2, A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4, A5, B5, C5, D5, E5, F5, G5, H5, A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7, A8, B8, C8, D8, E8, F8, G8, H8, SQ_NB, SQ_NONE = SQ_NB
};
// clang-format on
typedef int Piece;
typedef int Square;

/* Castling rights, one bit each. The bit number is the index into Position.castling_rook. */
enum { WHITE_OO = 1, WHITE_OOO = 2, BLACK_OO = 4, BLACK_OOO = 8, CASTLING_NB = 16 };

/* A move has 16 bits. From the lowest: 6 for the origin, 6 for the target, 2 for the promotion
 * piece (knight to queen), 2 for the kind. Castling is encoded as king takes own rook, in standard
 * chess too. */
enum { MOVE_NONE = 0, MOVE_NULL = 65 }; // a1a1 and b1b1, never legal
enum {
    KIND_NORMAL = 0,
    KIND_PROMOTION = 1 << 14,
    KIND_EN_PASSANT = 2 << 14,
    KIND_CASTLING = 3 << 14
};

/* Room for the moves of any position that a FEN can set up. A side has at most 15 men and a king.
 * A queen on an empty board has at most 27 moves, any other man fewer: a pawn at most 12 (three
 * target squares, four promotion pieces). The king has at most 8 moves and 2 castlings. That bounds
 * the moves by LEGAL_MOVES_MAX; behind them is room for one more step of the generator (movegen.h).
 * In games the largest known number is 218. */
enum { LEGAL_MOVES_MAX = 15 * 27 + 8 + 2, MAX_MOVES = 448 };

static inline Piece piece_make(Color c, PieceType t)
{
    return t * 2 + c;
}

static inline PieceType piece_type(Piece p)
{
    return p >> 1;
}

static inline Color piece_color(Piece p)
{
    return p & 1;
}

static inline Square square_make(int file, int rank)
{
    return rank * 8 + file;
}

static inline int file_of(Square s)
{
    return s & 7;
}

static inline int rank_of(Square s)
{
    return s >> 3;
}

/* All castling rights of `c`. */
static inline int castling_rights(Color c)
{
    return c == WHITE ? WHITE_OO | WHITE_OOO : BLACK_OO | BLACK_OOO;
}

/* The rank from the view of `c`: 0 is its back rank. */
static inline int relative_rank(Color c, Square s)
{
    return rank_of(s) ^ (c == BLACK ? 7 : 0);
}

/* The square from the view of `c`: for Black, ranks are mirrored. */
static inline Square relative_square(Color c, Square s)
{
    return s ^ (c == BLACK ? 56 : 0);
}

/* Square difference of one pawn step. */
static inline int pawn_push(Color c)
{
    return c == WHITE ? 8 : -8;
}

static inline Move move_make(Square from, Square to, int kind)
{
    return (Move)(from | to << 6 | kind);
}

static inline Move move_promotion(Square from, Square to, PieceType t)
{
    return (Move)(from | to << 6 | (t - KNIGHT) << 12 | KIND_PROMOTION);
}

static inline Square move_from(Move m)
{
    return m & 63;
}

/* Target square; for castling the square of the rook. */
static inline Square move_to(Move m)
{
    return m >> 6 & 63;
}

/* One of the KIND_ values. */
static inline int move_kind(Move m)
{
    return m & (3 << 14);
}

/* Piece type after promotion; valid for KIND_PROMOTION only. */
static inline PieceType move_promoted(Move m)
{
    return (m >> 12 & 3) + KNIGHT;
}

/* Whether the bits of the promotion piece are used. In a legal move other than a promotion they are
 * 0. */
static inline bool move_has_promoted(Move m)
{
    return (m >> 12 & 3) != 0;
}

/* Whether the first `count` moves include `move`. */
static inline bool moves_contain(const Move *moves, int count, Move move)
{
    for (int i = 0; i < count; i++)
        if (moves[i] == move)
            return true;
    return false;
}
