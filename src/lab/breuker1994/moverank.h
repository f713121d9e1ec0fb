// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Move ordering of ALIBABA (Breuker et al. 1994, section 4.2): refutation, hash move, captures by
 * victim and then by attacker, promotions by piece, quiet moves by history (Schaeffer 1983). */

#include "chess/position.h"

/* Ranks: the move with the highest is tried first. Quiet moves rank below all of these. */
enum {
    RANK_PROMOTION = 1 << 28, // plus the piece
    RANK_CAPTURE = 1 << 29,   // plus victim and attacker
    RANK_HASH_MOVE = (1 << 30) - 1,
    RANK_REFUTATION = 1 << 30
};

/* History: sum of the depths at which a move was best, by side, from and to. */
typedef struct {
    uint32_t counts[COLOR_NB][SQ_NB * SQ_NB];
} MoveCounts;

typedef struct {
    int rank;
    Move move;
} RankedMove;

typedef struct {
    int count;
    RankedMove moves[MAX_MOVES];
} RankedMoves;

/* The history count of `move`, a move of `side`. */
static inline uint32_t *moverank_count(MoveCounts *history, Color side, Move move)
{
    return &history->counts[side][move & (SQ_NB * SQ_NB - 1)];
}

/* Fill `ranked` with all legal moves, or with the legal captures and promotions, and set their
 * ranks. */
void moverank_all(RankedMoves *ranked, const Position *pos, const MoveCounts *history);
void moverank_forcing(RankedMoves *ranked, const Position *pos, const MoveCounts *history);

/* Sets the rank of `move`; false when the list does not contain it. */
bool moverank_raise(RankedMoves *ranked, Move move, int rank);

/* One step of a selection sort: swaps the move of highest rank from index `i` on to index `i` and
 * returns it. Moves that are not tried are not sorted, because cutoffs often come early. */
static inline Move moverank_pick(RankedMoves *ranked, int i)
{
    int best = i;
    for (int j = i + 1; j < ranked->count; j++)
        if (ranked->moves[j].rank > ranked->moves[best].rank)
            best = j;
    const RankedMove picked = ranked->moves[best];
    ranked->moves[best] = ranked->moves[i];
    ranked->moves[i] = picked;
    return picked.move;
}
