// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What was learned about moves from where they failed high (Schaeffer 1983): butterfly history by
 * side, from and to, and continuation history by the move one and two plies before. Every entry
 * stays strictly within HISTORY_MAX by gravity: the nearer the bound, the less a bonus moves it. */

#include "chess/position.h"

enum { HISTORY_MAX = 16384 };

typedef int16_t HistoryPage[PIECE_NB][SQ_NB]; // by moved piece and target square

typedef struct {
    int16_t butterfly[COLOR_NB][SQ_NB * SQ_NB];
    /* By piece and target of an earlier move. Row NO_PIECE is the sentinel for a null move and for
     * plies before the root: read like any other, never written. */
    HistoryPage continuation[PIECE_NB + 1][SQ_NB];
} Histories;

/* The earlier moves a node's quiet moves continue: one and two plies back. */
typedef struct {
    HistoryPage *one, *two;
} HistoryContext;

/* The quiet moves played at a node before one failed high; later ones beyond the room are not
 * remembered. */
enum { QUIETS_MAX = 64 };
typedef struct {
    Move moves[QUIETS_MAX];
    int count;
} QuietList;

static inline void quiets_add(QuietList *list, Move move)
{
    if (list->count < QUIETS_MAX)
        list->moves[list->count++] = move;
}

/* Forgets everything. */
void history_clear(Histories *h);

/* The page that continues `piece` moving to `to`; NO_PIECE gives the sentinel. */
static inline HistoryPage *history_page(Histories *h, Piece piece, Square to)
{
    return &h->continuation[piece][to];
}

/* Weighted sum of what is known about a quiet move, within about +-3 * HISTORY_MAX. */
int history_quiet(const Histories *h, const Position *pos, const HistoryContext *context,
                  Move move);

/* After quiet `best` failed high at `depth`: a bonus for it, a malus for the quiets tried before
 * it. */
void history_reward(Histories *h, const Position *pos, const HistoryContext *context, Move best,
                    const QuietList *tried, int depth);
