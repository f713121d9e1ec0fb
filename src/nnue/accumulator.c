// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/accumulator.h"

#include <assert.h>
#include <string.h>

#include "nnue/features.h"
#include "nnue/simd.h"

static_assert(33 * NNUE_INPUT_LIMIT <= INT16_MAX, "the bias and 32 pieces fit a neuron");
static_assert(NNUE_HIDDEN % 32 == 0, "rows are whole vectors");

enum {
    CACHE_LINE = 64, // bytes
    PIECES_MAX = 32,
    NEAR = 4, // changed squares: a board with no more is near enough, no further ones are compared
    VECTORS = NNUE_HIDDEN / SIMD_LANES,
    BLOCK = VECTORS % 12 == 0  ? 12 // sums that fit the registers, with two rows
            : VECTORS % 8 == 0 ? 8
            : VECTORS % 4 == 0 ? 4
            : VECTORS % 2 == 0 ? 2
                               : 1
};

/* The accumulator to start from (NULL: the empty board) and the squares that differ from it. */
typedef struct {
    const Accumulator *from;
    Bitboard changed;
    int count;
} Start;

/* The rows of input weights of the pieces on some squares, for each perspective. */
typedef struct {
    const int8_t *of[COLOR_NB][PIECES_MAX];
    int count;
} Rows;

void accumulators_reset(Accumulators *all, const Network *network)
{
    all->network = network;
    if (all->resets++ > 0)
        return;
    for (Color c = WHITE; c < COLOR_NB; c++)
        for (int marked = 0; marked < MARKED_NB; marked++)
            all->piece_parts[c][marked] = feature_of_piece(c, marked);
}

/* Replaces `start` by `candidate` if `candidate` has fewer differences. A branch would be hard to
 * predict, so the code is written for conditional moves. */
static inline void consider(Start *start, const Accumulator *candidate, const uint8_t *board,
                            uint64_t cache_tag)
{
    const Bitboard changed = simd_differences(candidate->board, board);
    const int count = candidate->cache_tag == cache_tag ? popcount(changed) : SQ_NB + 1;
    const bool is_nearer = count < start->count;
    start->from = is_nearer ? candidate : start->from;
    start->changed = is_nearer ? changed : start->changed;
    start->count = is_nearer ? count : start->count;
}

/* Tries the empty board and the last boards at this ply and the ply before; the others only when
 * all of these differ in more than NEAR squares. */
static inline Start find_start(const Accumulators *all, const uint8_t *board, Bitboard occupied,
                               int ply, uint64_t cache_tag)
{
    Start start = {.from = NULL, .changed = occupied, .count = popcount(occupied)};
    consider(&start, &all->plies[ply], board, cache_tag);
    consider(&start, &all->plies[ply > 0 ? ply - 1 : 0], board, cache_tag);
    if (start.count > NEAR) {
        consider(&start, &all->plies[ply > 1 ? ply - 2 : 0], board, cache_tag);
        consider(&start, &all->cache[cache_tag % 4], board, cache_tag);
    }
    return start;
}

/* Prefetches a row: the input layer is too large for the caches near the processor. */
static inline void prefetch_row(const int8_t *row)
{
    for (int i = 0; i < NNUE_HIDDEN; i += CACHE_LINE)
        __builtin_prefetch(row + i);
}

/* Finds the rows of the pieces that `board` has on `squares`. The search does this at every node,
 * so half of feature_index() is read from a table. update() reads White's view first; meanwhile the
 * rows of Black's view arrive. */
static inline void find_rows(Rows *rows, const Accumulators *all, const uint8_t *board,
                             Bitboard squares, uint64_t mirrored)
{
    const Network *const network = all->network;
    rows->count = 0;
    while (squares) {
        const Square s = pop_lsb(&squares);
        const int i = rows->count++, marked = board[s];
        const int white = feature_of_square(WHITE, mirrored & 1, s);
        const int black = feature_of_square(BLACK, mirrored >> 1 & 1, s);
        rows->of[WHITE][i] = network->input[all->piece_parts[WHITE][marked] + white];
        rows->of[BLACK][i] = network->input[all->piece_parts[BLACK][marked] + black];
        prefetch_row(rows->of[BLACK][i]);
    }
}

/* Adds a block of `row` to `sum`. */
static inline void add_row(SimdShorts sum[BLOCK], const int8_t *row)
{
    for (int i = 0; i < BLOCK; i++)
        sum[i] = simd_add(sum[i], simd_load_bytes(row + i * SIMD_LANES));
}

static inline void subtract_row(SimdShorts sum[BLOCK], const int8_t *row)
{
    for (int i = 0; i < BLOCK; i++)
        sum[i] = simd_sub(sum[i], simd_load_bytes(row + i * SIMD_LANES));
}

/* Adds one row and subtracts another, in one loop: with two loops the compiler would load the whole
 * first row before it begins with the second, for which there are too few registers. */
static inline void exchange_rows(SimdShorts sum[BLOCK], const int8_t *added, const int8_t *removed)
{
    for (int i = 0; i < BLOCK; i++) {
        const SimdShorts more = simd_add(sum[i], simd_load_bytes(added + i * SIMD_LANES));
        sum[i] = simd_sub(more, simd_load_bytes(removed + i * SIMD_LANES));
    }
}

/* Sets `to` to the sum of `from` and the changes in one perspective. Each block of the sum stays in
 * registers while all rows are added. Most rows come in pairs: a change of a mark adds one row and
 * removes one, and so does a move. Only the end of the loop over the pairs is hard to predict. */
static inline void update(int16_t *to, const int16_t *from, const Rows *added, const Rows *removed,
                          Color perspective)
{
    const int pairs = added->count < removed->count ? added->count : removed->count;
#pragma GCC unroll 2 // offsets in the rows become constants
    for (int first = 0; first < NNUE_HIDDEN; first += BLOCK * SIMD_LANES) {
        SimdShorts sum[BLOCK];
        for (int i = 0; i < BLOCK; i++)
            sum[i] = simd_load(from + first + i * SIMD_LANES);
        for (int i = 0; i < pairs; i++)
            exchange_rows(sum, added->of[perspective][i] + first,
                          removed->of[perspective][i] + first);
        for (int i = pairs; i < removed->count; i++)
            subtract_row(sum, removed->of[perspective][i] + first);
        for (int i = pairs; i < added->count; i++)
            add_row(sum, added->of[perspective][i] + first);
        for (int i = 0; i < BLOCK; i++)
            simd_store(to + first + i * SIMD_LANES, sum[i]);
    }
}

/* Sets `to` to the empty board. */
static void clear_board(Accumulator *to, const Network *network)
{
    memcpy(to->values[WHITE], network->input_bias, sizeof to->values[WHITE]);
    memcpy(to->values[BLACK], network->input_bias, sizeof to->values[BLACK]);
    to->occupied = 0;
}

/* Returns the board of `pos` with its marks, in `marked` if there are any. */
static inline const uint8_t *mark_board(const Position *pos, uint8_t marked[SQ_NB])
{
    if (NNUE_MARKS == 0)
        return pos->board;
    const Marks marks = marks_of(pos);
    simd_mark(marked, pos->board,
              (const uint64_t[]){marks.defended, marks.attacked, marks.pawns, marks.structure});
    return marked;
}

const Accumulator *accumulators_get(Accumulators *all, const Position *pos, int ply)
{
    assert(all->network != NULL && 0 <= ply && ply < ACCUMULATOR_PLIES);
    const uint64_t mirrored = (uint64_t)feature_mirrored(pos_king(pos, WHITE)) |
                              (uint64_t)feature_mirrored(pos_king(pos, BLACK)) << 1;
    const uint64_t cache_tag = all->resets * 4 + mirrored;
    const Bitboard occupied = pos_occupied(pos);
    alignas(64) uint8_t marked[SQ_NB];
    const uint8_t *const board = mark_board(pos, marked);
    Accumulator *const own = &all->plies[ply], *const cache = &all->cache[mirrored];
    const Start start = find_start(all, board, occupied, ply, cache_tag);
    if (start.from == own && start.count == 0)
        return own;
    if (start.from == NULL)
        clear_board(own, all->network);
    const Accumulator *const from = start.from ? start.from : own;
    Rows added, removed;
    find_rows(&added, all, board, start.changed & occupied, mirrored);
    find_rows(&removed, all, from->board, start.changed & from->occupied, mirrored);
    for (Color c = WHITE; c < COLOR_NB; c++)
        update(own->values[c], from->values[c], &added, &removed, c);
    memcpy(own->board, board, sizeof own->board);
    own->occupied = occupied;
    own->cache_tag = cache_tag;
    if (start.from == NULL || start.from == cache)
        *cache = *own;
    return own;
}
