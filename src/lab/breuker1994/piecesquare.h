// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* ALIBABA's evaluation: material and piece-square values, filled at the root of each search from
 * mobility and centre control (the preprocessing of Breuker et al. 1994, section 4.3) and kept up
 * to date move by move. How mobility and centre control make values is our choice.
 */

#include "chess/position.h"
#include "eval/score.h"

enum { PIECESQUARE_PAWN = 100 };

/* White's view, material included; NO_PIECE is worth 0 everywhere. */
typedef struct {
    int16_t values[PIECE_NB + 1][SQ_NB];
} PieceSquares;

/* Fills the tables for a search that starts at `root`. */
void piecesquare_fill(PieceSquares *tables, const Position *root);

/* White's view of a position, from scratch. */
Score piecesquare_sum(const PieceSquares *tables, const Position *pos);

/* piecesquare_after() for en passant and castling. */
Score piecesquare_after_special(const PieceSquares *tables, const Position *pos, Score value,
                                Move move);

/* White's view of the position after `move`, legal in `pos`, whose own value is `value`. */
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
