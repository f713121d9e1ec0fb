// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Three marks of a piece: is it defended, is it attacked, and what do the pawns do for it or to it?
 * The network has other inputs for each combination, so its evaluation sees without a search what
 * hangs, and it need not learn from each pair of squares which pawns are passed. Engine and trainer
 * share this definition. */

#include "chess/position.h"
#include "nnue/arch.h"

/* A marked piece is a Piece plus these marks. */
enum {
    MARK_DEFENDED = 16,
    MARK_ATTACKED = 32,
    MARK_PAWNS = 64,
    MARKS = MARK_DEFENDED | MARK_ATTACKED | MARK_PAWNS
};

/* Sets of squares with a piece of either colour. */
typedef struct {
    Bitboard defended; // by a piece of the same colour
    Bitboard attacked; // by an enemy piece
    Bitboard pawns;    // see marks_by_pawns()
} Marks;

/* Returns the pieces of `us` with MARK_PAWNS. It means for a pawn: it is passed; for another piece
 * in `attacked`: a pawn attacks it; for a rook that is not attacked: no pawn of `us` is on its
 * file; for the rest: a pawn defends it. */
static inline Bitboard marks_by_pawns(const Position *pos, Color us, Bitboard attacked)
{
    const Bitboard ours = pos_pieces(pos, us, PAWN), rooks = pos_pieces(pos, us, ROOK);
    const Bitboard theirs = pos_pieces(pos, !us, PAWN);
    const Bitboard files = bb_fill_forward(WHITE, ours) | bb_fill_forward(BLACK, ours);
    const Bitboard safe = (rooks & ~files) | (bb_pawn_attacks(us, ours) & ~rooks);
    const Bitboard marked = (bb_pawn_attacks(!us, theirs) & attacked) | (safe & ~attacked);
    return (pos->by_color[us] & marked & ~ours) | pos_passed_pawns(pos, us);
}

/* Returns the marks of all pieces; those that the network does not know are empty. Pinned pieces
 * attack and defend, too. Reads only `attacks`, `by_type` and `by_color` of `pos`. */
static inline Marks marks_of(const Position *pos)
{
    const Bitboard white = pos->by_color[WHITE], black = pos->by_color[BLACK];
    Marks marks = {0};
    if (NNUE_MARKS >= 2) {
        marks.defended = (pos->attacks[WHITE] & white) | (pos->attacks[BLACK] & black);
        marks.attacked = (pos->attacks[WHITE] & black) | (pos->attacks[BLACK] & white);
    }
    if (NNUE_MARKS >= 3)
        marks.pawns =
            marks_by_pawns(pos, WHITE, marks.attacked) | marks_by_pawns(pos, BLACK, marks.attacked);
    return marks;
}

/* Returns `piece`, which stands on `s`, with its marks. */
static inline int marks_add(const Marks *marks, Piece piece, Square s)
{
    return piece + (bb_has(marks->defended, s) ? MARK_DEFENDED : 0) +
           (bb_has(marks->attacked, s) ? MARK_ATTACKED : 0) +
           (bb_has(marks->pawns, s) ? MARK_PAWNS : 0);
}
