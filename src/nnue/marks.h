// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Four marks of a piece: defended, attacked, and two marks about pawns. Each combination has its
 * own inputs, so the evaluation recognises hanging pieces, passed pawns and outposts without a
 * search. Engine and trainer share this definition. */

#include <assert.h>

#include "chess/position.h"
#include "nnue/arch.h"

static_assert(NNUE_MARKS == 0 || (2 <= NNUE_MARKS && NNUE_MARKS <= 4), "the marks of arch.h");

/* A marked piece is a Piece plus these marks. */
enum {
    MARK_DEFENDED = 16,
    MARK_ATTACKED = 32,
    MARK_PAWNS = 64,
    MARK_STRUCTURE = 128,
    MARKS = MARK_DEFENDED | MARK_ATTACKED | MARK_PAWNS | MARK_STRUCTURE,
    MARKED_NB = MARK_DEFENDED << NNUE_MARKS // marked pieces are numbers below this
};

/* Sets of squares with a piece of either colour. */
typedef struct {
    Bitboard defended;  // by a piece of the same colour
    Bitboard attacked;  // by an enemy piece
    Bitboard pawns;     // see marks_by_pawns()
    Bitboard structure; // see marks_by_structure()
} Marks;

/* Returns the pieces of `us` with MARK_PAWNS; `attacked`: pieces that the enemy attacks. The mark
 * means, for
 * - a pawn: passed;
 * - another piece that is attacked: attacked by a pawn;
 * - a rook that is not attacked: on an open or half-open file;
 * - another piece that is not attacked: defended by a pawn. */
static inline Bitboard marks_by_pawns(const Position *pos, Color us, Bitboard attacked)
{
    const Bitboard ours = pos_pieces(pos, us, PAWN), rooks = pos_pieces(pos, us, ROOK);
    const Bitboard theirs = pos_pieces(pos, !us, PAWN);
    const Bitboard safe = (rooks & ~bb_fill_files(ours)) | (bb_pawn_attacks(us, ours) & ~rooks);
    const Bitboard marked = (bb_pawn_attacks(!us, theirs) & attacked) | (safe & ~attacked);
    return (pos->by_color[us] & marked & ~ours) | pos_passed_pawns(pos, us);
}

/* Returns the pieces of `us` with MARK_STRUCTURE; `attacked`: pieces that the enemy attacks. The
 * mark means, for
 * - a pawn: attacked by a pawn;
 * - a rook: no enemy pawn on its file;
 * - a king: no own pawn in front of it on its file;
 * - another piece: not attacked, and no enemy pawn can come to attack it (an outpost). */
static inline Bitboard marks_by_structure(const Position *pos, Color us, Bitboard attacked)
{
    const Bitboard ours = pos_pieces(pos, us, PAWN), theirs = pos_pieces(pos, !us, PAWN);
    const Bitboard rooks = pos_pieces(pos, us, ROOK), king = pos_pieces(pos, us, KING);
    const Bitboard others = pos->by_color[us] & ~(ours | rooks | king | attacked);
    const Bitboard fronts = bb_forward(!us, bb_fill_forward(!us, theirs));
    return (ours & bb_pawn_attacks(!us, theirs)) | (rooks & ~bb_fill_files(theirs)) |
           (king & ~bb_fill_forward(!us, ours)) | (others & ~bb_both_sides(fronts));
}

/* Returns the marks of all pieces; the sets beyond NNUE_MARKS are empty. Pinned pieces attack and
 * defend, too. Reads only `attacks`, `by_type` and `by_color` of `pos`: the trainer sets no other
 * members (sample.c), because its samples store no castling rights, for example. */
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
    if (NNUE_MARKS >= 4)
        marks.structure = marks_by_structure(pos, WHITE, marks.attacked) |
                          marks_by_structure(pos, BLACK, marks.attacked);
    return marks;
}

/* Returns `piece`, which is on `s`, with its marks. */
static inline int marks_add(const Marks *marks, Piece piece, Square s)
{
    return piece + (bb_has(marks->defended, s) ? MARK_DEFENDED : 0) +
           (bb_has(marks->attacked, s) ? MARK_ATTACKED : 0) +
           (bb_has(marks->pawns, s) ? MARK_PAWNS : 0) +
           (bb_has(marks->structure, s) ? MARK_STRUCTURE : 0);
}
