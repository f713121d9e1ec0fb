// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Move ordering histories: how often a move caused a cutoff (Schaeffer 1983). Butterfly history by
 * side, from and to square, with separate entries for squares that the enemy attacks; capture
 * history by piece, target, victim and whether the enemy defends it; pawn history by pawn
 * structure; continuation history by an earlier move of the line. Each thread has its own. Gravity
 * keeps every entry within its bound: the closer to the bound, the smaller the effect of a bonus.
 */

#include <assert.h>
#include <stdlib.h>

#include "chess/position.h"
#include "search/params.h"

enum { HISTORY_MAX = 16384, PAWN_HISTORY_SIZE = 512 };

typedef int16_t PieceToHistory[PIECE_NB][SQ_NB]; // by moved piece and target square

typedef struct {
    /* By side; then 14 bits, highest first: the enemy attacks the target square, the enemy attacks
     * the source square, target square (6 bits), source square (6 bits). */
    int16_t butterfly[COLOR_NB][4 * SQ_NB * SQ_NB];
    /* By whether the enemy defends the target, moved piece, target, and captured piece type;
     * PIECE_TYPE_NB for a promotion on an empty square. */
    int16_t capture[2 * PIECE_NB * SQ_NB * (PIECE_TYPE_NB + 1)];
    PieceToHistory pawn[PAWN_HISTORY_SIZE];
    /* By piece and target of an earlier move. Row NO_PIECE serves null moves and plies before the
     * root: it is read, but never written, so it stays 0. */
    PieceToHistory continuation[PIECE_NB + 1][SQ_NB];
} Histories;

/* Selects the histories of a node's quiet moves: continuation histories of the moves 1, 2, 4 and 6
 * plies before, pawn history of the pawn structure. */
enum { CONTINUATION_NB = 4 };
typedef struct {
    PieceToHistory *continuation[CONTINUATION_NB];
    PieceToHistory *pawn;
} HistoryContext;

/* The moves searched at a node before one fails high, at most TRIED_MAX quiet and TRIED_MAX noisy
 * ones (pos_is_noisy()). */
enum { TRIED_MAX = 64 };
typedef struct {
    Move moves[TRIED_MAX];
    int count;
} TriedList;

typedef struct {
    TriedList quiet, noisy;
} TriedMoves;

/* Adds a move; beyond TRIED_MAX it is dropped and gets no malus. */
static inline void tried_add(TriedMoves *tried, bool is_quiet, Move move)
{
    TriedList *list = is_quiet ? &tried->quiet : &tried->noisy;
    if (list->count < TRIED_MAX)
        list->moves[list->count++] = move;
}

/* Adds `bonus` to an entry and shrinks the entry in proportion to |bonus|, so that it stays within
 * +-max and old results fade. |bonus| <= max. */
static inline void history_gravity(int16_t *entry, int bonus, int max)
{
    assert(abs(bonus) <= max);
    *entry = (int16_t)(*entry + bonus - *entry * abs(bonus) / max);
    assert(abs(*entry) <= max);
}

/* Sets all entries to 0. */
void history_clear(Histories *h);

/* Continuation history after `piece` moved to `to`; NO_PIECE: the one that is never written. */
static inline PieceToHistory *history_continuation(Histories *h, Piece piece, Square to)
{
    return &h->continuation[piece][to];
}

/* Pawn history of a pawn structure (Position.pawn_key). */
static inline PieceToHistory *history_pawn(Histories *h, Key pawn_key)
{
    return &h->pawn[pawn_key % PAWN_HISTORY_SIZE];
}

/* Index into Histories.butterfly of a side. */
static inline int history_butterfly_index(const Position *pos, Move move)
{
    const Bitboard threats = pos->attacks[!pos->side];
    const int squares = move & (SQ_NB * SQ_NB - 1); // a move begins with its two squares
    const int from_attacked = threats >> move_from(move) & 1,
              to_attacked = threats >> move_to(move) & 1;
    return to_attacked << 13 | from_attacked << 12 | squares;
}

/* Index into Histories.capture. */
static inline int history_capture_index(const Position *pos, Move move)
{
    const Piece mover = pos_piece_on(pos, move_from(move));
    const Square to = move_to(move);
    const int is_defended = pos->attacks[!pos->side] >> to & 1;
    return ((is_defended * PIECE_NB + mover) * SQ_NB + to) * (PIECE_TYPE_NB + 1) +
           pos_captured(pos, move);
}

/* Prefetches the rows that history_quiet() reads for the moves of `side`. Only rows of tables that
 * differ from node to node. To be called before the moves are generated. */
static inline void history_prefetch(const HistoryContext *context, Color side)
{
    PieceToHistory *const tables[] = {context->continuation[0], context->continuation[1],
                                      context->pawn};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        for (PieceType type = PAWN; type <= KING; type++) {
            const int16_t *const row = (*tables[i])[piece_make(side, type)];
            __builtin_prefetch(row);
            __builtin_prefetch(row + SQ_NB / 2); // the second cache line
        }
}

/* Weighted sum of a quiet move's histories, times 100. */
static inline int history_quiet_percent(const Histories *h, const Position *pos,
                                        const HistoryContext *context, Move move)
{
    const Piece piece = pos_piece_on(pos, move_from(move));
    const Square to = move_to(move);
    PieceToHistory *const *const earlier = context->continuation;
    const int recent = (*earlier[0])[piece][to] + (*earlier[1])[piece][to];
    return h->butterfly[pos->side][history_butterfly_index(pos, move)] *
               params.history_butterfly_weight +
           (*context->pawn)[piece][to] * params.history_pawn_weight +
           recent * params.history_continuation_weight +
           (*earlier[2])[piece][to] * params.history_continuation4_weight +
           (*earlier[3])[piece][to] * params.history_continuation6_weight;
}

/* Weighted sum of a quiet move's histories; magnitude up to a few times HISTORY_MAX. */
static inline int history_quiet(const Histories *h, const Position *pos,
                                const HistoryContext *context, Move move)
{
    return history_quiet_percent(h, pos, context, move) / 100;
}

/* Capture history of a noisy move, within +-HISTORY_MAX. */
static inline int history_noisy(const Histories *h, const Position *pos, Move move)
{
    return h->capture[history_capture_index(pos, move)];
}

/* Adds `bonus` to all histories of a quiet move; |bonus| <= HISTORY_MAX. */
void history_update_quiet(Histories *h, const Position *pos, const HistoryContext *context,
                          Move move, int bonus);

/* The same, continuation histories only. */
void history_update_continuation(Histories *h, const Position *pos, const HistoryContext *context,
                                 Move move, int bonus);

/* The same, butterfly history only. */
void history_update_butterfly(Histories *h, const Position *pos, Move move, int bonus);

/* Bonus of a move that fails high at `depth`. */
int history_bonus(int depth);

/* Bonus of the quiet move that led to a node of `depth` plies where no reply raised alpha. */
int history_parent_bonus(int depth);

/* Bonus of a quiet move that raised its side's static evaluation by `rise` internal units; negative
 * if it fell by more than history_eval_offset / history_eval_slope units. */
int history_eval_bonus(int rise);

/* After `best` failed high at `depth`: a bonus for `best`, a malus for the noisy moves searched
 * before it and, if `best` is quiet, for the quiet moves before it. */
void history_update_on_cutoff(Histories *h, const Position *pos, const HistoryContext *context,
                              Move best, const TriedMoves *tried, int depth);
