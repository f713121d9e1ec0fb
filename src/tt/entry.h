// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One entry of the transposition table: a search result packed into two 64-bit words. The fields,
 * with their widths in bits, from the most to the least significant:
 *
 * data: move 16 | score 16 | static eval 16 | depth 8 | bound 2 | was on a PV 1 | generation 5
 * lock: (key check 48 << 16 | subtree size 16) XOR fold(data without its generation)
 *
 * Threads read and write the two words without a lock. The lock word depends on the data word
 * (Hyatt and Mann's lockless hashing, 2002), so an entry torn by two writers does not match its key
 * and reads as a miss. */

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "chess/types.h"
#include "eval/score.h"

typedef struct {
    _Atomic uint64_t lock;
    _Atomic uint64_t data;
} TtEntry;

/* A search result as callers see it. */
typedef struct {
    Move move;      // MOVE_NONE when unknown; may be illegal after a key collision
    Score score;    // relative to the root of the search; SCORE_NONE without a bound
    Score eval;     // raw static evaluation; SCORE_NONE when unknown (in check)
    int depth;      // plies, 0..255; 0 is quiescence
    Bound bound;    // BOUND_NONE: no score
    bool was_pv;    // the position is or was on a principal variation
    uint64_t nodes; // size of the subtree, rounded to within 0.05%
} TtData;

/* Ply and fifty-move counter of a position, to convert mate and tablebase scores. Entries store
 * such scores relative to their own position. */
typedef struct {
    int ply; // from the root
    int rule50;
} SearchPoint;

static_assert(sizeof(TtEntry) == 16, "an entry has two words");
static_assert(SCORE_NONE <= INT16_MAX && -SCORE_INF >= INT16_MIN, "scores fit their field");
static_assert(MAX_DEPTH <= 255 && BOUND_EXACT <= 3, "depths and bounds fit their fields");

enum {
    GENERATION_MASK = 31,
    PV_SHIFT = 5,
    BOUND_SHIFT = 6,
    DEPTH_SHIFT = 8,
    EVAL_SHIFT = 16,
    SCORE_SHIFT = 32,
    MOVE_SHIFT = 48,
    CHECK_SHIFT = 16 // in the lock word, above the subtree size
};

#define CHECK_ALL (UINT64_MAX >> CHECK_SHIFT) // mask of all 48 check bits

/* A copy of both words. Each word is read from the table once, so that all decisions use the same
 * value. */
typedef struct {
    uint64_t lock, data;
} EntryWords;

static inline EntryWords entry_read(TtEntry *entry)
{
    return (EntryWords){.lock = atomic_load_explicit(&entry->lock, memory_order_relaxed),
                        .data = atomic_load_explicit(&entry->data, memory_order_relaxed)};
}

static inline void entry_write(TtEntry *entry, EntryWords words)
{
    atomic_store_explicit(&entry->lock, words.lock, memory_order_relaxed);
    atomic_store_explicit(&entry->data, words.data, memory_order_relaxed);
}

static inline Move entry_move(uint64_t data)
{
    return (Move)(data >> MOVE_SHIFT);
}

static inline int entry_depth(uint64_t data)
{
    return (int)(data >> DEPTH_SHIFT & 255);
}

static inline Bound entry_bound(uint64_t data)
{
    return (Bound)(data >> BOUND_SHIFT & 3);
}

static inline unsigned entry_generation(uint64_t data)
{
    return (unsigned)(data & GENERATION_MASK);
}

static inline bool entry_is_empty(uint64_t data)
{
    return (data & ~(uint64_t)GENERATION_MASK) == 0;
}

/* Hashes the data word for the lock word. Two results of one position with different data must have
 * hashes that differ in their upper 48 bits; otherwise a torn mixture of the two would match. Bit n
 * of a product depends only on the bits 0..n of its operands. So the shift first brings move and
 * score down, and the multiplication then spreads them over all check bits. Both steps are
 * invertible, so different data words have different products. Two products that differ only in
 * their low 16 bits would still collide; the probability is below 2^-47. The hash excludes the
 * generation, so that a refresh leaves the lock word unchanged. */
static inline uint64_t entry_fold(uint64_t data)
{
    uint64_t x = data & ~(uint64_t)GENERATION_MASK;
    x ^= x >> 32;
    return x * GOLDEN_RATIO_64;
}

/* Returns the check bits: the low 48 bits of the key. */
static inline uint64_t entry_check(EntryWords words)
{
    return (words.lock ^ entry_fold(words.data)) >> CHECK_SHIFT;
}

/* Returns true when the check bits in `mask` of the entry and of `key` are equal. An empty entry
 * never matches. The test for an empty entry comes second: its check bits are 0, so the first test
 * already rejects it for nearly every key. */
static inline bool entry_matches(EntryWords words, Key key, uint64_t mask)
{
    return ((entry_check(words) ^ key) & mask) == 0 && !entry_is_empty(words.data);
}

/* Packs a subtree size below 2^63 into 16 bits: a floating-point number with 6 bits of exponent and
 * 10 bits of mantissa, rounded to nearest. Sizes below 2048 are exact, others within 0.05%. Larger
 * sizes have larger codes. A mantissa that rounds up carries into the exponent. */
static inline uint64_t entry_pack_size(uint64_t nodes)
{
    if (nodes < 2048)
        return nodes;
    const int exponent = msb(nodes) - 10;
    return ((uint64_t)exponent << 10) + (nodes >> exponent) + (nodes >> (exponent - 1) & 1);
}

static inline uint64_t entry_unpack_size(uint64_t size)
{
    return size < 2048 ? size : (1024 + (size & 1023)) << ((size >> 10) - 1);
}

/* Returns the packed subtree size of an entry. */
static inline uint64_t entry_size(EntryWords words)
{
    return (words.lock ^ entry_fold(words.data)) & UINT16_MAX;
}

/* Packs a result. `key` and `at` describe its position; `move` replaces data->move. */
static inline EntryWords entry_pack(Key key, SearchPoint at, const TtData *data, Move move,
                                    unsigned generation)
{
    /* A bare evaluation has no score. It stores SCORE_NONE, which is not 0: a word of zeros would
     * mean an empty entry. */
    const Score score =
        data->bound == BOUND_NONE ? SCORE_NONE : score_to_table(data->score, at.ply);
    const uint64_t word =
        (uint64_t)move << MOVE_SHIFT | (uint64_t)(uint16_t)score << SCORE_SHIFT |
        (uint64_t)(uint16_t)data->eval << EVAL_SHIFT | (uint64_t)data->depth << DEPTH_SHIFT |
        (uint64_t)data->bound << BOUND_SHIFT | (uint64_t)data->was_pv << PV_SHIFT | generation;
    return (EntryWords){.lock =
                            (key << CHECK_SHIFT | entry_pack_size(data->nodes)) ^ entry_fold(word),
                        .data = word};
}

/* Writes the result to `*out`, with its score converted for the position at `at`. A mate or
 * tablebase win for which the fifty-move counter leaves no time, or which ends beyond MAX_PLY,
 * proves nothing here, so it is read without score and bound. */
static inline void entry_unpack(EntryWords words, SearchPoint at, TtData *out)
{
    const Score stored = (int16_t)(words.data >> SCORE_SHIFT);
    const Score score = score_from_table(stored, at.ply, at.rule50);
    const bool holds = score == stored || score_is_proven(score);
    *out = (TtData){
        .move = entry_move(words.data),
        .score = holds ? score : SCORE_NONE,
        .eval = (int16_t)(words.data >> EVAL_SHIFT),
        .depth = entry_depth(words.data),
        .bound = holds ? entry_bound(words.data) : BOUND_NONE,
        .was_pv = words.data >> PV_SHIFT & 1,
        .nodes = entry_unpack_size(entry_size(words)),
    };
}
