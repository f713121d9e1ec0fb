// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Move ordering of ALIBABA (Breuker et al. 1994, section 4.2): refutation, hash move, captures by
 * victim and then by attacker, promotions by piece, quiet moves by history (Schaeffer 1983). */

#include "chess/position.h"

/* Ranks: the highest is tried first. Quiet moves rank below all of these. */
enum {
    RANK_PROMOTION = 1 << 28,
    RANK_CAPTURE = 1 << 29,
    RANK_TABLE = (1 << 30) - 1,
    RANK_REFUTATION = 1 << 30
};

/* History: how often a move was best, weighted by depth, by side, from and to. */
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

static inline uint32_t *moverank_count(MoveCounts *history, Color side, Move move)
{
    return &history->counts[side][move & (SQ_NB * SQ_NB - 1)];
}

/* Fill `ranked` with all legal moves, or with the legal captures and promotions. */
void moverank_all(RankedMoves *ranked, const Position *pos, const MoveCounts *history);
void moverank_forcing(RankedMoves *ranked, const Position *pos, const MoveCounts *history);

/* Sets the rank of `move`; false when it is not in the list. */
bool moverank_raise(RankedMoves *ranked, Move move, int rank);

/* Swaps the first of the best moves from index `i` on to index `i`, and returns it. This sorts only
 * the moves that are tried, because cutoffs often come early. */
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
