// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What was learned about moves from where they failed high (Schaeffer 1983): butterfly history by
 * side, from and to, apart for squares that the enemy attacks; capture history by piece, target and
 * victim; pawn history by the pawn structure; continuation history by a move made some plies
 * before. Every entry stays strictly within HISTORY_MAX by gravity: the nearer the bound, the less
 * a bonus moves it. */

#include "chess/position.h"

enum { HISTORY_MAX = 16384, PAWN_PAGES = 512 };

typedef int16_t HistoryPage[PIECE_NB][SQ_NB]; // by moved piece and target square

typedef struct {
    /* By side, whether the enemy attacks the move's ends (1: from, 2: to), from and to. */
    int16_t butterfly[COLOR_NB][4 * SQ_NB * SQ_NB];
    /* By moved piece, target and what stands there; PIECE_TYPE_NB for a promotion on an empty
     * square. */
    int16_t capture[PIECE_NB * SQ_NB * (PIECE_TYPE_NB + 1)];
    HistoryPage pawn[PAWN_PAGES];
    /* By piece and target of an earlier move. Row NO_PIECE is the sentinel for a null move and for
     * plies before the root: read like any other, never written. */
    HistoryPage continuation[PIECE_NB + 1][SQ_NB];
} Histories;

/* What a node's quiet moves continue: the moves 1, 2, 4 and 6 plies back, and the pawn structure.
 */
enum { CONTINUATION_NB = 4 };
typedef struct {
    HistoryPage *continuation[CONTINUATION_NB];
    HistoryPage *pawn;
    Bitboard threats; // squares that the enemy attacks
} HistoryContext;

/* The moves played at a node before one failed high; later ones beyond the room are not
 * remembered. */
enum { TRIED_MAX = 64 };
typedef struct {
    Move moves[TRIED_MAX];
    int count;
} TriedList;

typedef struct {
    TriedList quiet, noisy;
} TriedMoves;

static inline void tried_add(TriedMoves *tried, bool is_quiet, Move move)
{
    TriedList *list = is_quiet ? &tried->quiet : &tried->noisy;
    if (list->count < TRIED_MAX)
        list->moves[list->count++] = move;
}

/* Forgets everything. */
void history_clear(Histories *h);

/* The page that continues `piece` moving to `to`; NO_PIECE gives the sentinel. */
static inline HistoryPage *history_page(Histories *h, Piece piece, Square to)
{
    return &h->continuation[piece][to];
}

/* The page of a pawn structure, Position.pawn_key. */
static inline HistoryPage *history_pawn_page(Histories *h, Key pawn_key)
{
    return &h->pawn[pawn_key % PAWN_PAGES];
}

/* Weighted sum of what is known about a quiet move, a few times HISTORY_MAX at most. */
int history_quiet(const Histories *h, const Position *pos, const HistoryContext *context,
                  Move move);

/* What is known about a capture or promotion, within +-HISTORY_MAX. */
int history_noisy(const Histories *h, const Position *pos, Move move);

/* A lesson of `bonus` about one quiet move, |bonus| <= HISTORY_MAX. */
void history_teach(Histories *h, const Position *pos, const HistoryContext *context, Move move,
                   int bonus);

/* The same, to the continuation histories alone: as a reply to the moves before. */
void history_teach_reply(Histories *h, const Position *pos, const HistoryContext *context,
                         Move move, int bonus);

/* The same, to the butterfly table alone. */
void history_nudge(Histories *h, const Position *pos, Bitboard threats, Move move, int bonus);

/* What a move is worth that fails high at `depth`; a quiet move after which none reaches alpha at
 * `depth`; and one that raised its side's static evaluation by `rise` internal units. */
int history_bonus(int depth);
int history_prior_bonus(int depth);
int history_eval_bonus(int rise);

/* After `best` failed high at `depth`: a bonus for it, a malus for the captures tried before it,
 * and, if it is quiet, for the quiet moves. */
void history_reward(Histories *h, const Position *pos, const HistoryContext *context, Move best,
                    const TriedMoves *tried, int depth);
