// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/accumulator.h"

#include <assert.h>
#include <string.h>

#include "nnue/features.h"
#include "nnue/simd.h"

static_assert(33 * NNUE_INPUT_LIMIT <= INT16_MAX, "the bias and 32 pieces fit a neuron");
static_assert(NNUE_HIDDEN % 32 == 0, "rows are whole vectors");

enum {
    PIECES_MAX = 32,
    NEAR = 4, // changed squares; with so few, the other boards are not tried
    VECTORS = NNUE_HIDDEN / SIMD_LANES,
    BLOCK = VECTORS % 8 == 0   ? 8
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

/* The difference between two boards: squares with a piece to add or to subtract. */
typedef struct {
    const Network *network;
    const Accumulator *from;
    const uint8_t *board; // the new board
    Bitboard added, removed;
} Change;

/* The rows of the pieces on some squares, for each view. */
typedef struct {
    const int8_t *of[COLOR_NB][PIECES_MAX];
} Rows;

void accumulators_reset(Accumulators *all, const Network *network)
{
    all->network = network;
    all->resets++;
}

/* Replaces `start` by `candidate` if `candidate` has fewer differences. A branch would be hard to
 * predict, so the code is written for conditional moves. */
static inline void consider(Start *start, const Accumulator *candidate, const uint8_t *board,
                            uint64_t origin)
{
    const Bitboard changed = simd_differences(candidate->board, board);
    const int count = candidate->origin == origin ? popcount(changed) : SQ_NB + 1;
    const bool is_nearer = count < start->count;
    start->from = is_nearer ? candidate : start->from;
    start->changed = is_nearer ? changed : start->changed;
    start->count = is_nearer ? count : start->count;
}

/* Tries the empty board and the last boards at this ply and the ply before; the others only when
 * all of these differ in more than NEAR squares. */
static inline Start find_start(const Accumulators *all, const uint8_t *board, Bitboard occupied,
                               int ply, uint64_t origin)
{
    Start start = {.from = NULL, .changed = occupied, .count = popcount(occupied)};
    consider(&start, &all->plies[ply], board, origin);
    consider(&start, &all->plies[ply > 0 ? ply - 1 : 0], board, origin);
    if (start.count > NEAR) {
        consider(&start, &all->plies[ply > 1 ? ply - 2 : 0], board, origin);
        consider(&start, &all->cache[origin % 4], board, origin);
    }
    return start;
}

/* For functions that must be inlined into callers with constant piece counts and perspective. The
 * compiler then removes the loops and branches that depend on these constants. */
#define INLINED __attribute__((always_inline)) static inline

INLINED void find_rows(Rows *rows, const Network *network, const uint8_t *board, Bitboard squares,
                       int count, uint64_t mirrored)
{
    for (int i = 0; i < count; i++) {
        const Square s = pop_lsb(&squares);
        const int white = feature_index(WHITE, mirrored & 1, board[s], s);
        const int black = feature_index(BLACK, mirrored >> 1 & 1, board[s], s);
        rows->of[WHITE][i] = network->input[white];
        rows->of[BLACK][i] = network->input[black];
    }
}

/* Sets `to` to the sum of `from` and the changes. Each block of the sum stays in registers while
 * all rows are added. */
INLINED void add_rows(int16_t *to, const int16_t *from, const int8_t *const *added, int added_count,
                      const int8_t *const *removed, int removed_count)
{
    for (int first = 0; first < NNUE_HIDDEN; first += BLOCK * SIMD_LANES) {
        SimdShorts sum[BLOCK];
        for (int i = 0; i < BLOCK; i++)
            sum[i] = simd_load(from + first + i * SIMD_LANES);
        for (int row = 0; row < added_count; row++)
            for (int i = 0; i < BLOCK; i++)
                sum[i] = simd_add(sum[i], simd_load_bytes(added[row] + first + i * SIMD_LANES));
        for (int row = 0; row < removed_count; row++)
            for (int i = 0; i < BLOCK; i++)
                sum[i] = simd_sub(sum[i], simd_load_bytes(removed[row] + first + i * SIMD_LANES));
        for (int i = 0; i < BLOCK; i++)
            simd_store(to + first + i * SIMD_LANES, sum[i]);
    }
}

INLINED void update(Accumulator *to, const Change *change, int added_count, int removed_count,
                    uint64_t mirrored)
{
    Rows added, removed;
    find_rows(&added, change->network, change->board, change->added, added_count, mirrored);
    find_rows(&removed, change->network, change->from->board, change->removed, removed_count,
              mirrored);
    for (Color c = WHITE; c < COLOR_NB; c++)
        add_rows(to->values[c], change->from->values[c], added.of[c], added_count, removed.of[c],
                 removed_count);
}

/* Most changes have counts for which there is a copy of update() without loops: one branch that may
 * be predicted wrongly instead of several. A move adds one piece and removes one or two; each
 * change of a mark adds and removes one. */
static inline void apply(Accumulator *to, const Change *change, uint64_t mirrored)
{
    const int added = popcount(change->added), removed = popcount(change->removed);
    switch (added << 8 | removed) {
    case 0x0101: update(to, change, 1, 1, mirrored); break;
    case 0x0102: update(to, change, 1, 2, mirrored); break;
    case 0x0202: update(to, change, 2, 2, mirrored); break;
    case 0x0203: update(to, change, 2, 3, mirrored); break;
    case 0x0303: update(to, change, 3, 3, mirrored); break;
    case 0x0304: update(to, change, 3, 4, mirrored); break;
    case 0x0404: update(to, change, 4, 4, mirrored); break;
    case 0x0405: update(to, change, 4, 5, mirrored); break;
    default: update(to, change, added, removed, mirrored);
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
    const uint64_t origin = all->resets * 4 + mirrored;
    const Bitboard occupied = pos_occupied(pos);
    alignas(64) uint8_t marked[SQ_NB];
    const uint8_t *const board = mark_board(pos, marked);
    Accumulator *const own = &all->plies[ply], *const cache = &all->cache[mirrored];
    const Start start = find_start(all, board, occupied, ply, origin);
    if (start.from == own && start.count == 0)
        return own;
    if (start.from == NULL)
        clear_board(own, all->network);
    const Accumulator *const from = start.from ? start.from : own;
    const Change change = {.network = all->network,
                           .from = from,
                           .board = board,
                           .added = start.changed & occupied,
                           .removed = start.changed & from->occupied};
    apply(own, &change, mirrored);
    memcpy(own->board, board, sizeof own->board);
    own->occupied = occupied;
    own->origin = origin;
    if (start.from == NULL || start.from == cache)
        *cache = *own;
    return own;
}
