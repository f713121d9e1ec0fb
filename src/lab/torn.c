// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/torn.h"

#include <string.h>

#include "base/bits.h"

static const SearchPoint ROOT = {.ply = 0, .rule50 = 0};

/* The bits of a version number: depth in the low DEPTH_BITS, then one bit of move, two of score and
 * one of bound. */
enum { DEPTH_BITS = 4, MOVE_BIT = 4, SCORE_BIT = 5, BOUND_BIT = 7 };

const char *torn_lock_name(TornLock lock)
{
    static const char *const NAMES[TORN_LOCK_NB] = {"folded", "xor", "bare"};
    return NAMES[lock];
}

Key torn_key(int key)
{
    const Key place = (Key)(key % TORN_PLACES) * 31 << 56;
    return place | (Key)(key + 1) * GOLDEN_RATIO_64 >> 16;
}

/* The static evaluation of a key, and the centre of the scores of its versions. */
static Score base_score(int key)
{
    return key * 37 % 200 - 100;
}

static Square base_target(int key)
{
    return 16 + key % 8;
}

TtData torn_version(int key, int version)
{
    const int depth = 1 + (version & ((1 << DEPTH_BITS) - 1));
    const Square to = base_target(key) + 8 * (version >> MOVE_BIT & 1);
    return (TtData){.move = move_make(key % 8, to, KIND_NORMAL),
                    .score = base_score(key) + 2 * (version >> SCORE_BIT & 3),
                    .eval = base_score(key),
                    .depth = depth,
                    .bound = (version >> BOUND_BIT & 1) != 0 ? BOUND_LOWER : BOUND_UPPER,
                    .nodes = (uint64_t)(20 * depth + (version >> DEPTH_BITS))};
}

/* The only version of the key that can equal `data`, by move, score, depth and bound. */
static int only_candidate(int key, const TtData *data)
{
    const int move = move_to(data->move) != base_target(key);
    const int score = (data->score - base_score(key)) / 2 & 3;
    const int depth = (data->depth - 1) & ((1 << DEPTH_BITS) - 1);
    return depth | move << MOVE_BIT | score << SCORE_BIT |
           (data->bound == BOUND_LOWER) << BOUND_BIT;
}

TornVerdict torn_judge(int key, const TtData *data)
{
    const TtData right = torn_version(key, only_candidate(key, data));
    if (data->move != right.move || data->score != right.score || data->eval != right.eval ||
        data->depth != right.depth || data->bound != right.bound || data->was_pv)
        return TORN_WRONG;
    return data->nodes == right.nodes ? TORN_WHOLE : TORN_SIZE_ONLY;
}

bool torn_create(TornTable *table, TornLock lock)
{
    *table = (TornTable){.lock = lock};
    return tt_resize(&table->tt, 1) == 1;
}

void torn_destroy(TornTable *table)
{
    tt_free(&table->tt);
}

/* The data word of the simple locks: the fields of entry.h, without generation and PV bit. */
static uint64_t pack(const TtData *data)
{
    return (uint64_t)data->move << MOVE_SHIFT | (uint64_t)(uint16_t)data->score << SCORE_SHIFT |
           (uint64_t)(uint16_t)data->eval << EVAL_SHIFT | (uint64_t)data->depth << DEPTH_SHIFT |
           (uint64_t)data->bound << BOUND_SHIFT;
}

static TtData unpack(uint64_t word, uint64_t size)
{
    return (TtData){.move = entry_move(word),
                    .score = (int16_t)(word >> SCORE_SHIFT),
                    .eval = (int16_t)(word >> EVAL_SHIFT),
                    .depth = entry_depth(word),
                    .bound = entry_bound(word),
                    .was_pv = (word >> PV_SHIFT & 1) != 0,
                    .nodes = size};
}

/* The word to combine with the key by XOR: the data word under TORN_XOR, else 0. */
static uint64_t xor_word(const TornTable *table, uint64_t word)
{
    return table->lock == TORN_XOR ? word : 0;
}

void torn_store(TornTable *table, int key, int version, TtStats *stats)
{
    const TtData data = torn_version(key, version);
    if (table->lock == TORN_FOLDED) {
        tt_store(&table->tt, torn_key(key), ROOT, &data, stats);
        return;
    }
    TtEntry *const entry = &tt_slot(&table->tt, torn_key(key))->first;
    const uint64_t word = pack(&data);
    const uint64_t lock = (torn_key(key) << CHECK_SHIFT | data.nodes) ^ xor_word(table, word);
    atomic_store_explicit(&entry->lock, lock, memory_order_relaxed);
    atomic_store_explicit(&entry->data, word, memory_order_relaxed);
    stats->stores++;
}

int torn_probe(TornTable *table, int key, TtData out[2], TtStats *stats)
{
    if (table->lock == TORN_FOLDED)
        return tt_probe(&table->tt, torn_key(key), ROOT, out, stats);
    TtEntry *const entry = &tt_slot(&table->tt, torn_key(key))->first;
    const uint64_t stored_lock = atomic_load_explicit(&entry->lock, memory_order_relaxed);
    const uint64_t word = atomic_load_explicit(&entry->data, memory_order_relaxed);
    const uint64_t lock = stored_lock ^ xor_word(table, word);
    stats->probes++;
    if (word == 0 || lock >> CHECK_SHIFT != (torn_key(key) & CHECK_ALL))
        return 0;
    stats->hits++;
    out[0] = unpack(word, lock & UINT16_MAX);
    return 1;
}

/* The two words of an entry. */
typedef struct {
    uint64_t lock, data;
} TornWords;

static void write_words(TornTable *table, int key, TornWords words)
{
    TtSlot *const slot = tt_slot(&table->tt, torn_key(key));
    memset(slot, 0, sizeof *slot);
    atomic_store_explicit(&slot->first.lock, words.lock, memory_order_relaxed);
    atomic_store_explicit(&slot->first.data, words.data, memory_order_relaxed);
}

/* Stores a version alone in its slot and returns the two words. */
static TornWords words_of(TornTable *table, int key, int version)
{
    TtSlot *const slot = tt_slot(&table->tt, torn_key(key));
    TtStats stats = {0};
    write_words(table, key, (TornWords){0, 0});
    torn_store(table, key, version, &stats);
    return (TornWords){.lock = atomic_load_explicit(&slot->first.lock, memory_order_relaxed),
                       .data = atomic_load_explicit(&slot->first.data, memory_order_relaxed)};
}

/* Combines all lock words of `key` with all data words of `other`. */
static void tear(TornTable *table, int key, int other, TornByHand *sum)
{
    TornWords mine[TORN_VERSIONS], others[TORN_VERSIONS];
    for (int v = 0; v < TORN_VERSIONS; v++) {
        mine[v] = words_of(table, key, v);
        others[v] = words_of(table, other, v);
    }
    TtStats stats = {0};
    for (int v = 0; v < TORN_VERSIONS; v++) {
        for (int w = 0; w < TORN_VERSIONS; w++) {
            TtData out[2];
            if (key == other && v == w)
                continue;
            write_words(table, key, (TornWords){.lock = mine[v].lock, .data = others[w].data});
            sum->pairs++;
            if (torn_probe(table, key, out, &stats) > 0)
                sum->accepted[torn_judge(key, &out[0])]++;
        }
    }
}

TornByHand torn_by_hand(TornTable *table)
{
    TornByHand sum = {0};
    for (int key = 0; key < TORN_PLACES; key++) {
        tear(table, key, key, &sum);
        tear(table, key, key + TORN_PLACES, &sum);
    }
    tt_clear_small(&table->tt);
    return sum;
}
