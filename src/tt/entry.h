// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One entry of the table: the bits of its two words, and what a store asks of the entry it may
 * overwrite. For the modules of the table alone; the layout is told in tt.h. */

#include <assert.h>

#include "tt/replacement.h"

static_assert(sizeof(TtEntry) == 16 && sizeof(TtSlot) == 32, "two slots to a cache line");
static_assert(SCORE_NONE <= INT16_MAX && -SCORE_INF >= INT16_MIN, "scores fit their field");
static_assert(MAX_DEPTH <= 255 && BOUND_EXACT <= 3, "depths and bounds fit theirs");

enum {
    GENERATION_MASK = 31,
    PV_SHIFT = 5,
    BOUND_SHIFT = 6,
    DEPTH_SHIFT = 8,
    EVAL_SHIFT = 16,
    SCORE_SHIFT = 32,
    MOVE_SHIFT = 48,
    CHECK_SHIFT = 16 // of the lock; the subtree size lies below
};

#define CHECK_ALL (UINT64_MAX >> CHECK_SHIFT)

/* Both words of an entry, each read once: nothing is decided on a word that may change meanwhile.
 */
typedef struct {
    uint64_t lock, data;
} EntryWords;

/* What a store finds in an entry. */
typedef struct {
    EntryWords words;
    bool is_empty, is_same, is_stale; // is_same: of the position to be stored
} Resident;

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

/* What the lock is folded with. Two entries of one position must differ in the 48 check bits
 * whenever their data differ, or a torn mixture of them passes. A product's bits depend on operand
 * bits at or below their own place, so a multiplication alone would let move and score reach only
 * the uppermost check bits; the shift brings them down first. Both steps are invertible, so two
 * words collide only when their products differ below bit 16 and nowhere else: a chance of 2^-47
 * that no single field can meet. The generation stays out, so that a refresh leaves the lock
 * alone. */
static inline uint64_t entry_fold(uint64_t data)
{
    uint64_t x = data & ~(uint64_t)GENERATION_MASK;
    x ^= x >> 32;
    return x * 0x9E3779B97F4A7C15u; // 2^64 / golden ratio
}

/* The low 48 bits of the key the entry was written for. */
static inline uint64_t entry_check(EntryWords words)
{
    return (words.lock ^ entry_fold(words.data)) >> CHECK_SHIFT;
}

/* An empty entry seems to match the one key in 2^48 whose check is 0, hence the second question,
 * which hardly ever gets asked. */
static inline bool entry_matches(const Tt *tt, EntryWords words, Key key)
{
    return ((entry_check(words) ^ key) & tt->check_mask) == 0 && !entry_is_empty(words.data);
}

/* How many places there are that a key tells apart: entries where it has one it can be in, else
 * slots. */
static inline uint64_t entry_places(const Tt *tt)
{
    return replacement_is_single(tt->replacement) ? 2 * tt->slot_count : tt->slot_count;
}

/* Whether place and check leave a key no choice. */
static inline bool entry_tells_keys(const Tt *tt)
{
    return entry_places(tt) >= 65536;
}

/* The key of entry `index` with those words, of a table that tells keys. False when such a key does
 * not belong there: the check is the key's low 48 bits, the place lies between two neighbouring
 * values of the rest. */
static inline bool entry_key(const Tt *tt, EntryWords words, uint64_t index, Key *key)
{
    const uint64_t places = entry_places(tt), check = entry_check(words);
    const uint64_t place = replacement_is_single(tt->replacement) ? index : index / 2;
    const uint64_t high = (place << 16) / places;
    for (uint64_t h = high; h <= high + 1; h++) {
        *key = h << 48 | check;
        if (mulhi64(*key, places) == place)
            return true;
    }
    return false;
}

/* A subtree size as a floating-point number of 6 bits of exponent and 10 of mantissa, rounded to
 * nearest: exact below 2048, then within 0.05%. Written so that a mantissa rounded up overflows
 * into the next exponent by itself. `nodes` is below 2^63. Bigger trees have bigger codes. */
static inline uint64_t entry_pack_size(uint64_t nodes)
{
    if (nodes < 2048)
        return nodes;
    const int exponent = msb(nodes) - 10;
    return ((uint64_t)exponent << 10) + (nodes >> exponent) + (nodes >> (exponent - 1) & 1);
}

/* The size as packed. */
static inline uint64_t entry_size(EntryWords words)
{
    return (words.lock ^ entry_fold(words.data)) & UINT16_MAX;
}

static inline uint64_t entry_unpack_size(uint64_t size)
{
    return size < 2048 ? size : (1024 + (size & 1023)) << ((size >> 10) - 1);
}

/* The entry for a result with `move` in place of its own. */
static inline EntryWords entry_pack(const Tt *tt, Key key, SearchPoint at, const TtData *data,
                                    Move move)
{
    /* An evaluation alone has no score. As SCORE_NONE is not 0, no packed word looks empty. */
    const Score score =
        data->bound == BOUND_NONE ? SCORE_NONE : score_to_table(data->score, at.ply);
    const uint64_t word =
        (uint64_t)move << MOVE_SHIFT | (uint64_t)(uint16_t)score << SCORE_SHIFT |
        (uint64_t)(uint16_t)data->eval << EVAL_SHIFT | (uint64_t)data->depth << DEPTH_SHIFT |
        (uint64_t)data->bound << BOUND_SHIFT | (uint64_t)data->was_pv << PV_SHIFT | tt->generation;
    return (EntryWords){.lock =
                            (key << CHECK_SHIFT | entry_pack_size(data->nodes)) ^ entry_fold(word),
                        .data = word};
}

static inline void entry_unpack(EntryWords words, SearchPoint at, TtData *out)
{
    const Score score = (int16_t)(words.data >> SCORE_SHIFT);
    *out = (TtData){
        .move = entry_move(words.data),
        .score = score_from_table(score, at.ply, at.rule50),
        .eval = (int16_t)(words.data >> EVAL_SHIFT),
        .depth = entry_depth(words.data),
        .bound = entry_bound(words.data),
        .was_pv = words.data >> PV_SHIFT & 1,
        .nodes = entry_unpack_size(entry_size(words)),
    };
}

static inline Resident entry_resident(const Tt *tt, TtEntry *entry, Key key)
{
    const EntryWords words = entry_read(entry);
    return (Resident){
        .words = words,
        .is_empty = entry_is_empty(words.data),
        .is_same = entry_matches(tt, words, key),
        .is_stale = entry_generation(words.data) != tt->generation,
    };
}

/* Whether it is a result of this search or one that was read in it. */
static inline bool resident_has_fresh_bound(const Resident *old)
{
    return !old->is_empty && !old->is_stale && entry_bound(old->words.data) != BOUND_NONE;
}

/* Whether an evaluation alone may be stored: it displaces no result of this search, and is of no
 * use beside one of its own position. */
static inline bool resident_admits_evaluation(const Resident *first, const Resident *second)
{
    return !resident_has_fresh_bound(second) &&
           !(first->is_same && resident_has_fresh_bound(first));
}

/* The move to store: of old moves rather the one overwritten, so that a slot which knows two moves
 * of a position goes on knowing two. */
static inline Move resident_move_to_keep(Move move, const Resident *over, const Resident *beside)
{
    if (move == MOVE_NONE && over->is_same)
        move = entry_move(over->words.data);
    if (move == MOVE_NONE && beside->is_same)
        move = entry_move(beside->words.data);
    return move;
}

/* Counts a store by what it made the table forget. */
static inline void resident_count_store(TtStats *stats, const Resident *forgotten)
{
    stats->stores++;
    if (forgotten->is_empty)
        stats->replaced_empty++;
    else if (forgotten->is_same)
        stats->replaced_same++;
    else if (forgotten->is_stale)
        stats->replaced_stale++;
    else
        stats->replaced_other++;
}
