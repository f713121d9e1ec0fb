// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Evaluation of ALIBABA: material and piece-square values. The tables are computed at the root of
 * each search from mobility and centre control (the preprocessing of Breuker et al. 1994,
 * section 4.3); the sum over the pieces is updated with each move. The paper does not give the
 * weights; they are our choice. */

#include "chess/position.h"
#include "eval/score.h"

enum { PIECESQUARE_PAWN = 100 }; // material value of a pawn

/* Values from White's view, material included; 0 for NO_PIECE. */
typedef struct {
    int16_t values[PIECE_NB + 1][SQ_NB];
} PieceSquares;

/* Fills the tables for a search that starts at `root`. */
void piecesquare_fill(PieceSquares *tables, const Position *root);

/* Value of a position from White's view, computed from scratch. */
Score piecesquare_sum(const PieceSquares *tables, const Position *pos);

/* The same as piecesquare_after(), for en passant and castling. */
Score piecesquare_after_special(const PieceSquares *tables, const Position *pos, Score value,
                                Move move);

/* Value after `move`, which must be legal in `pos`; `value` is the value of `pos`. Both from
 * White's view. */
static inline Score piecesquare_after(const PieceSquares *tables, const Position *pos, Score value,
                                      Move move)
{
    const Square from = move_from(move), to = move_to(move);
    const int kind = move_kind(move);
    if (kind > KIND_PROMOTION)
        return piecesquare_after_special(tables, pos, value, move);
    const Piece piece = pos->board[from];
    const Piece placed =
        kind == KIND_PROMOTION ? piece_make(pos->side, move_promoted(move)) : piece;
    return value - tables->values[piece][from] - tables->values[pos->board[to]][to] +
           tables->values[placed][to];
}
