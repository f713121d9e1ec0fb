// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/breuker1994/piecesquare.h"

#include <string.h>

enum { MOBILITY_UNIT = 2, CENTRE_UNIT = 5 };

static const int MATERIAL[PIECE_TYPE_NB] = {PIECESQUARE_PAWN, 325, 325, 500, 900, 0};

#define CENTRE (1ULL << D4 | 1ULL << E4 | 1ULL << D5 | 1ULL << E5)

/* Value of the squares that a piece attacks from `s`; centre squares count more. Only the pawns of
 * the root position block lines. For pawns only attacked centre squares count; kings have no value.
 */
static int positional_value(PieceType type, Color c, Square s, Bitboard pawns)
{
    if (type == KING)
        return 0;
    if (type == PAWN)
        return CENTRE_UNIT * popcount(attacks_pawn(c, s) & CENTRE);
    const Bitboard attacks = attacks_of(type, s, pawns);
    return MOBILITY_UNIT * popcount(attacks) + CENTRE_UNIT * popcount(attacks & CENTRE);
}

void piecesquare_fill(PieceSquares *tables, const Position *root)
{
    memset(tables, 0, sizeof *tables);
    for (Piece piece = 0; piece < PIECE_NB; piece++) {
        const PieceType type = piece_type(piece);
        const Color c = piece_color(piece);
        for (Square s = 0; s < SQ_NB; s++) {
            const int value = MATERIAL[type] + positional_value(type, c, s, root->by_type[PAWN]);
            tables->values[piece][s] = (int16_t)(c == WHITE ? value : -value);
        }
    }
}

Score piecesquare_sum(const PieceSquares *tables, const Position *pos)
{
    Score value = 0;
    for (Square s = 0; s < SQ_NB; s++)
        value += tables->values[pos->board[s]][s];
    return value;
}

Score piecesquare_after_special(const PieceSquares *tables, const Position *pos, Score value,
                                Move move)
{
    const Square from = move_from(move), to = move_to(move);
    const Color us = pos->side;
    const int16_t *const pawn = tables->values[piece_make(us, PAWN)];
    if (move_kind(move) == KIND_EN_PASSANT)
        return value + pawn[to] - pawn[from] -
               tables->values[piece_make(!us, PAWN)][to - pawn_push(us)];
    const int16_t *const king = tables->values[piece_make(us, KING)];
    const int16_t *const rook = tables->values[piece_make(us, ROOK)];
    return value + king[pos_castling_king_to(move)] - king[from] +
           rook[pos_castling_rook_to(move)] - rook[to];
}
