// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/tt.h"

#include <assert.h>
#include <string.h>

#include "base/bits.h"
#include "base/mem.h"

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
} Words;

/* What a store finds in an entry. */
typedef struct {
    uint64_t data;
    bool is_empty, is_same, is_stale; // is_same: of the position to be stored
} Resident;

static Words entry_read(TtEntry *entry)
{
    return (Words){.lock = atomic_load_explicit(&entry->lock, memory_order_relaxed),
                   .data = atomic_load_explicit(&entry->data, memory_order_relaxed)};
}

static Move data_move(uint64_t data)
{
    return (Move)(data >> MOVE_SHIFT);
}

static int data_depth(uint64_t data)
{
    return (int)(data >> DEPTH_SHIFT & 255);
}

static Bound data_bound(uint64_t data)
{
    return (Bound)(data >> BOUND_SHIFT & 3);
}

static unsigned data_generation(uint64_t data)
{
    return (unsigned)(data & GENERATION_MASK);
}

static bool data_is_empty(uint64_t data)
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
static uint64_t fold(uint64_t data)
{
    uint64_t x = data & ~(uint64_t)GENERATION_MASK;
    x ^= x >> 32;
    return x * 0x9E3779B97F4A7C15u; // 2^64 / golden ratio
}

/* An empty entry seems to match the one key in 2^48 whose check is 0, hence the second question,
 * which hardly ever gets asked. */
static bool words_match(const Tt *tt, Words words, Key key)
{
    const uint64_t check = (words.lock ^ fold(words.data)) >> CHECK_SHIFT;
    return ((check ^ key) & tt->check_mask) == 0 && !data_is_empty(words.data);
}

/* A subtree size as a floating-point number of 6 bits of exponent and 10 of mantissa, rounded to
 * nearest: exact below 2048, then within 0.05%. Written so that a mantissa rounded up overflows
 * into the next exponent by itself. `nodes` is below 2^63. */
static uint64_t size_pack(uint64_t nodes)
{
    if (nodes < 2048)
        return nodes;
    const int exponent = msb(nodes) - 10;
    return ((uint64_t)exponent << 10) + (nodes >> exponent) + (nodes >> (exponent - 1) & 1);
}

static uint64_t size_unpack(uint64_t size)
{
    return size < 2048 ? size : (1024 + (size & 1023)) << ((size >> 10) - 1);
}

static uint64_t data_pack(const Tt *tt, SearchPoint at, const TtData *data, Move move)
{
    /* An evaluation alone has no score. As SCORE_NONE is not 0, no packed word looks empty. */
    const Score score =
        data->bound == BOUND_NONE ? SCORE_NONE : score_to_table(data->score, at.ply);
    return (uint64_t)move << MOVE_SHIFT | (uint64_t)(uint16_t)score << SCORE_SHIFT |
           (uint64_t)(uint16_t)data->eval << EVAL_SHIFT | (uint64_t)data->depth << DEPTH_SHIFT |
           (uint64_t)data->bound << BOUND_SHIFT | (uint64_t)data->was_pv << PV_SHIFT |
           tt->generation;
}

static void words_unpack(Words words, SearchPoint at, TtData *out)
{
    const Score score = (int16_t)(words.data >> SCORE_SHIFT);
    *out = (TtData){
        .move = data_move(words.data),
        .score = score_from_table(score, at.ply, at.rule50),
        .eval = (int16_t)(words.data >> EVAL_SHIFT),
        .depth = data_depth(words.data),
        .bound = data_bound(words.data),
        .was_pv = words.data >> PV_SHIFT & 1,
        .nodes = size_unpack((words.lock ^ fold(words.data)) & UINT16_MAX),
    };
}

/* Makes an entry that was read fresh again. Should another thread have written it meanwhile, its
 * word stands. */
static void entry_refresh(const Tt *tt, TtEntry *entry, uint64_t data, TtStats *stats)
{
    if (data_generation(data) == tt->generation)
        return;
    const uint64_t fresh = (data & ~(uint64_t)GENERATION_MASK) | tt->generation;
    atomic_compare_exchange_strong_explicit(&entry->data, &data, fresh, memory_order_relaxed,
                                            memory_order_relaxed);
    stats->refreshes++;
}

int tt_probe(const Tt *tt, Key key, SearchPoint at, TtData out[2], TtStats *stats)
{
    TtSlot *const slot = tt_slot(tt, key);
    const Words deep = entry_read(&slot->deep), recent = entry_read(&slot->recent);
    const bool deep_hit = words_match(tt, deep, key), recent_hit = words_match(tt, recent, key);
    stats->probes++;
    if (!deep_hit && !recent_hit)
        return 0;
    stats->hits++;
    if (deep_hit)
        entry_refresh(tt, &slot->deep, deep.data, stats);
    if (recent_hit)
        entry_refresh(tt, &slot->recent, recent.data, stats);
    if (!deep_hit || !recent_hit) {
        words_unpack(deep_hit ? deep : recent, at, &out[0]);
        return 1;
    }
    /* A stale *deep* yields to anything, so it need not be the deeper. Of two equally deep,
     * *recent* knows what was found later. */
    const bool deep_first = data_depth(deep.data) > data_depth(recent.data);
    words_unpack(deep, at, &out[!deep_first]);
    words_unpack(recent, at, &out[deep_first]);
    stats->double_hits++;
    stats->two_moves +=
        out[0].move != MOVE_NONE && out[1].move != MOVE_NONE && out[0].move != out[1].move;
    return 2;
}

static Resident entry_resident(const Tt *tt, TtEntry *entry, Key key)
{
    const Words words = entry_read(entry);
    return (Resident){
        .data = words.data,
        .is_empty = data_is_empty(words.data),
        .is_same = words_match(tt, words, key),
        .is_stale = data_generation(words.data) != tt->generation,
    };
}

static bool has_fresh_bound(const Resident *old)
{
    return !old->is_empty && !old->is_stale && data_bound(old->data) != BOUND_NONE;
}

/* Whether an evaluation alone may be stored: it displaces no result of this search, and is of no
 * use beside one of its own position. */
static bool admits_evaluation(const Resident *deep, const Resident *recent)
{
    return !has_fresh_bound(recent) && !(deep->is_same && has_fresh_bound(deep));
}

/* Whether the first level takes a result of `depth`; what it refuses goes to the second. */
static bool deep_takes(const Tt *tt, const Resident *deep, int depth)
{
    switch (tt->replacement) {
    case REPLACE_THOMPSON:
        return deep->is_empty || deep->is_stale || depth >= data_depth(deep->data);
    case REPLACEMENT_NB: break;
    }
    assert(false);
    return false;
}

/* The move to store: of old moves rather the one overwritten, so that a slot which knows two moves
 * of a position goes on knowing two. */
static Move move_to_keep(Move move, const Resident *over, const Resident *beside)
{
    if (move == MOVE_NONE && over->is_same)
        move = data_move(over->data);
    if (move == MOVE_NONE && beside->is_same)
        move = data_move(beside->data);
    return move;
}

static void count_store(TtStats *stats, const Resident *over)
{
    stats->stores++;
    if (over->is_empty)
        stats->replaced_empty++;
    else if (over->is_same)
        stats->replaced_same++;
    else if (over->is_stale)
        stats->replaced_stale++;
    else
        stats->replaced_other++;
}

void tt_store(Tt *tt, Key key, SearchPoint at, const TtData *data, TtStats *stats)
{
    assert(0 <= data->depth && data->depth <= 255);
    assert(data->bound == BOUND_NONE || data->score != SCORE_NONE);
    TtSlot *const slot = tt_slot(tt, key);
    const Resident deep = entry_resident(tt, &slot->deep, key);
    const Resident recent = entry_resident(tt, &slot->recent, key);
    if (data->bound == BOUND_NONE && !admits_evaluation(&deep, &recent))
        return;
    const bool is_result = data->depth > 0 && data->bound != BOUND_NONE;
    const bool to_deep = is_result && deep_takes(tt, &deep, data->depth);
    const Resident *const over = to_deep ? &deep : &recent;
    const Move move = move_to_keep(data->move, over, to_deep ? &recent : &deep);

    const uint64_t word = data_pack(tt, at, data, move);
    const uint64_t lock = (key << CHECK_SHIFT | size_pack(data->nodes)) ^ fold(word);
    TtEntry *const entry = to_deep ? &slot->deep : &slot->recent;
    atomic_store_explicit(&entry->lock, lock, memory_order_relaxed);
    atomic_store_explicit(&entry->data, word, memory_order_relaxed);
    count_store(stats, over);
}

uint64_t tt_resize(Tt *tt, uint64_t mib)
{
    assert(1 <= mib && mib <= 33554432);
    tt_free(tt);
    if (tt->check_mask == 0)
        tt->check_mask = CHECK_ALL;
    for (; mib > 0; mib /= 2) {
        const size_t bytes = (size_t)mib << 20;
        tt->slots = mem_alloc_large(bytes, &tt->huge_pages);
        if (tt->slots != NULL) {
            tt->bytes = bytes;
            tt->slot_count = bytes / sizeof(TtSlot);
            break;
        }
    }
    return mib;
}

void tt_free(Tt *tt)
{
    mem_free_large(tt->slots, tt->bytes);
    tt->slots = NULL;
    tt->slot_count = tt->bytes = 0;
}

void tt_clear(Tt *tt)
{
    mem_zero_large(tt->slots, tt->bytes);
}

void tt_clear_slice(Tt *tt, int i, int n)
{
    assert(0 <= i && i < n);
    const uint64_t begin = tt->slot_count * (uint64_t)i / (uint64_t)n;
    const uint64_t end = tt->slot_count * (uint64_t)(i + 1) / (uint64_t)n;
    memset(&tt->slots[begin], 0, (end - begin) * sizeof(TtSlot));
}

void tt_new_search(Tt *tt)
{
    tt->generation = (tt->generation + 1) & GENERATION_MASK;
}

static int entry_is_current(const Tt *tt, TtEntry *entry)
{
    const uint64_t data = entry_read(entry).data;
    return !data_is_empty(data) && data_generation(data) == tt->generation;
}

int tt_hashfull(const Tt *tt)
{
    enum { SAMPLE = 1000 }; // slots of two entries; the smallest table has 32768
    int current = 0;
    for (int i = 0; i < SAMPLE; i++)
        current +=
            entry_is_current(tt, &tt->slots[i].deep) + entry_is_current(tt, &tt->slots[i].recent);
    return current / 2;
}

void tt_stats_add(TtStats *sum, const TtStats *from)
{
    /* All members are counters of one type, so that a new one is added without being named here. */
    uint64_t *const to = (uint64_t *)sum;
    const uint64_t *const counts = (const uint64_t *)from;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
        to[i] += counts[i];
}
