// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/tt.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "search/params.h"
#include "tt/entry.h"
#include "tt/heritage.h"
#include "tt/replacement.h"

enum { TOUCH_BYTES = 32 << 20 }; // that tt_touch() takes at a time: some 10 ms

/* Makes an entry that was read fresh again. Should another thread have written it meanwhile, its
 * word stands. */
static void refresh(const Tt *tt, TtEntry *entry, uint64_t data, TtStats *stats)
{
    if (entry_generation(data) == tt->generation || tt->keeps_stale || !params.refresh_on_read)
        return;
    const uint64_t fresh = (data & ~(uint64_t)GENERATION_MASK) | tt->generation;
    atomic_compare_exchange_strong_explicit(&entry->data, &data, fresh, memory_order_relaxed,
                                            memory_order_relaxed);
    stats->refreshes++;
}

/* What the laboratory wants to know of a check made short: slot and whole check tell the key, so
 * the 48 bits that are stored whatever the mask says show who the entry is of. */
static void count_false_hits(const Tt *tt, TtEntry *entry, Key key, TtStats *stats)
{
    const EntryWords words = entry_read(entry);
    if (entry_is_empty(words.data) || ((entry_check(words) ^ key) & CHECK_ALL) == 0)
        return;
    stats->foreign++;
    stats->false_hits += entry_matches(tt, words, key);
}

/* tt_probe() where a position has one entry it can be in. */
static int probe_one_level(const Tt *tt, Key key, SearchPoint at, TtData *out, TtStats *stats)
{
    TtEntry *const entry = tt_entry(tt, key);
    const EntryWords words = entry_read(entry);
    stats->probes++;
    if (!entry_matches(tt, words, key))
        return 0;
    stats->hits++;
    refresh(tt, entry, words.data, stats);
    entry_unpack(words, at, out);
    return 1;
}

/* tt_probe() where it has two. */
static inline int probe_two_levels(const Tt *tt, Key key, SearchPoint at, TtData out[2],
                                   TtStats *stats)
{
    TtSlot *const slot = tt_slot(tt, key);
    const EntryWords deep = entry_read(&slot->deep), recent = entry_read(&slot->recent);
    const bool deep_hit = entry_matches(tt, deep, key), recent_hit = entry_matches(tt, recent, key);
    stats->probes++;
    if (!deep_hit && !recent_hit)
        return 0;
    stats->hits++;
    if (deep_hit)
        refresh(tt, &slot->deep, deep.data, stats);
    if (recent_hit)
        refresh(tt, &slot->recent, recent.data, stats);
    if (!deep_hit || !recent_hit) {
        entry_unpack(deep_hit ? deep : recent, at, &out[0]);
        return 1;
    }
    /* A stale *deep* yields to anything, so it need not be the deeper. Of two equally deep,
     * *recent* knows what was found later. */
    const bool deep_first = entry_depth(deep.data) > entry_depth(recent.data);
    entry_unpack(deep, at, &out[!deep_first]);
    entry_unpack(recent, at, &out[deep_first]);
    stats->double_hits++;
    const bool two_moves =
        out[0].move != MOVE_NONE && out[1].move != MOVE_NONE && out[0].move != out[1].move;
    stats->two_moves += two_moves;
    if (two_moves && tt->tells_one_move)
        out[1].move = MOVE_NONE;
    return 2;
}

/* tt_probe() for all but tables of two levels that compare whole checks and have taken over all
 * they knew. Out of line, so that those pay one predictable branch. */
__attribute__((noinline)) static int probe_otherwise(const Tt *tt, Key key, SearchPoint at,
                                                     TtData out[2], TtStats *stats)
{
    const bool is_single = replacement_is_single(tt->replacement);
    if (tt->heritage != NULL)
        heritage_take_keys(tt->heritage, tt, key, key);
    if (tt->check_mask != CHECK_ALL) {
        TtSlot *const slot = tt_slot(tt, key);
        count_false_hits(tt, is_single ? tt_entry(tt, key) : &slot->deep, key, stats);
        if (!is_single)
            count_false_hits(tt, &slot->recent, key, stats);
    }
    return is_single ? probe_one_level(tt, key, at, out, stats)
                     : probe_two_levels(tt, key, at, out, stats);
}

int tt_probe(const Tt *tt, Key key, SearchPoint at, TtData out[2], TtStats *stats)
{
    if (__builtin_expect(replacement_is_single(tt->replacement) || tt->check_mask != CHECK_ALL ||
                             tt->heritage != NULL,
                         false))
        return probe_otherwise(tt, key, at, out, stats);
    return probe_two_levels(tt, key, at, out, stats);
}

void tt_store(Tt *tt, Key key, SearchPoint at, const TtData *data, TtStats *stats)
{
    assert(0 <= data->depth && data->depth <= 255);
    assert(data->bound == BOUND_NONE || data->score != SCORE_NONE);
    if (__builtin_expect(tt->heritage != NULL, false))
        heritage_take_keys(tt->heritage, tt, key, key);
    replacement_store(tt, key, at, data, stats);
}

static void drop_heritage(Tt *tt)
{
    heritage_free(tt->heritage);
    tt->heritage = NULL;
}

/* Replaces the memory by so many slots; false when there is none for them. */
static bool allocate(Tt *tt, uint64_t slots)
{
    tt_free(tt);
    if (tt->check_mask == 0)
        tt->check_mask = CHECK_ALL;
    const size_t bytes = (size_t)slots * sizeof(TtSlot);
    tt->slots = mem_alloc_large(bytes, &tt->huge_pages);
    if (tt->slots == NULL)
        return false;
    tt->bytes = bytes;
    tt->slot_count = slots;
    return true;
}

uint64_t tt_resize(Tt *tt, uint64_t mib)
{
    assert(1 <= mib && mib <= 33554432);
    while (mib > 0 && !allocate(tt, (mib << 20) / sizeof(TtSlot)))
        mib /= 2;
    return mib;
}

bool tt_change_size(Tt *tt, uint64_t mib)
{
    Tt created = *tt;
    created.slots = NULL;
    created.bytes = 0;
    created.heritage = NULL;
    if (!allocate(&created, (mib << 20) / sizeof(TtSlot)))
        return false;
    /* Where nothing was taken over yet, this table is as empty as the new one, and passes on what
     * it was to have. */
    uint64_t all;
    const bool is_empty = tt_shares_left(tt, &all) == all && all > 0;
    Tt *const source = is_empty ? &tt->heritage->from : tt;
    if (entry_tells_keys(source)) {
        created.heritage = heritage_create(source, created.slot_count);
        if (created.heritage == NULL) {
            tt_free(&created);
            return false;
        }
        source->slots = NULL;
        source->heritage = NULL;
    }
    tt_free(tt);
    *tt = created;
    return true;
}

uint64_t tt_shares_left(const Tt *tt, uint64_t *all)
{
    const Heritage *const heritage = tt->heritage;
    *all = heritage != NULL ? heritage->share_count : 0;
    return heritage != NULL ? atomic_load_explicit(&heritage->left, memory_order_relaxed) : 0;
}

void tt_take_over(const Tt *tt, uint64_t share)
{
    heritage_take(tt->heritage, tt, share);
}

void tt_settle(Tt *tt)
{
    uint64_t all;
    if (tt_shares_left(tt, &all) == 0)
        drop_heritage(tt);
}

/* Takes over what belongs into slots `first` to `last`. */
static void take_slots(const Tt *tt, uint64_t first, uint64_t last)
{
    if (tt->heritage == NULL)
        return;
    const unsigned __int128 keys = (unsigned __int128)1 << 64;
    heritage_take_keys(tt->heritage, tt, (Key)(keys * first / tt->slot_count),
                       (Key)((keys * (last + 1) - 1) / tt->slot_count));
}

bool tt_resize_positions(Tt *tt, uint64_t positions)
{
    assert(positions >= 2 && positions % 2 == 0);
    return allocate(tt, positions / 2);
}

void tt_free(Tt *tt)
{
    drop_heritage(tt);
    mem_free_large(tt->slots, tt->bytes);
    tt->slots = NULL;
    tt->slot_count = tt->bytes = tt->touched = 0;
}

void tt_clear(Tt *tt)
{
    drop_heritage(tt);
    mem_zero_large(tt->slots, tt->bytes);
    tt->touched = 0;
}

bool tt_touch(Tt *tt)
{
    const size_t left = tt->bytes - tt->touched;
    if (left == 0)
        return false;
    const size_t part = left < TOUCH_BYTES ? left : TOUCH_BYTES;
    mem_touch((char *)tt->slots + tt->touched, part);
    tt->touched += part;
    return true;
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

bool tt_data_is_sound(const TtData *data)
{
    const bool has_bound = data->bound != BOUND_NONE;
    const bool eval_fits = data->eval == SCORE_NONE || data->eval == score_clamp_eval(data->eval);
    return eval_fits && has_bound == (data->score != SCORE_NONE) &&
           (!has_bound || (-SCORE_MATE <= data->score && data->score <= SCORE_MATE));
}

bool tt_has_whole_keys(const Tt *tt)
{
    return entry_tells_keys(tt);
}

TtRecordState tt_record(const Tt *tt, uint64_t index, TtRecord *out)
{
    assert(index < 2 * tt->slot_count);
    take_slots(tt, index / 2, index / 2);
    TtSlot *const slot = &tt->slots[index / 2];
    const EntryWords words = entry_read(index % 2 == 0 ? &slot->deep : &slot->recent);
    if (entry_is_empty(words.data))
        return TT_RECORD_EMPTY;
    entry_unpack(words, (SearchPoint){.ply = 0, .rule50 = 0}, &out->data);
    out->key = entry_check(words);
    out->key_is_whole = entry_tells_keys(tt);
    if (!tt_data_is_sound(&out->data) ||
        (out->key_is_whole && !entry_key(tt, words, index, &out->key)))
        return TT_RECORD_DAMAGED;
    return entry_generation(words.data) == tt->generation ? TT_RECORD_FRESH : TT_RECORD_STALE;
}

static int entry_is_current(const Tt *tt, TtEntry *entry)
{
    const uint64_t data = entry_read(entry).data;
    return !entry_is_empty(data) && entry_generation(data) == tt->generation;
}

void tt_adopt(Tt *tt, const TtRecord *record, bool is_first_level)
{
    const SearchPoint own = {.ply = 0, .rule50 = 0};
    const TtData *const data = &record->data;
    assert(record->key_is_whole && tt_data_is_sound(data));
    if (tt->heritage != NULL)
        heritage_take_keys(tt->heritage, tt, record->key, record->key);
    heritage_adopt(tt, record->key, entry_pack(tt, record->key, own, data, data->move),
                   is_first_level);
}

int tt_hashfull(const Tt *tt)
{
    enum { SAMPLE = 1000 }; // slots of two entries, of tables that have so many
    const int slots = tt->slot_count < SAMPLE ? (int)tt->slot_count : SAMPLE;
    take_slots(tt, 0, (uint64_t)slots - 1);
    int current = 0;
    for (int i = 0; i < slots; i++)
        current +=
            entry_is_current(tt, &tt->slots[i].deep) + entry_is_current(tt, &tt->slots[i].recent);
    return current * 1000 / (2 * slots);
}

void tt_stats_add(TtStats *sum, const TtStats *from)
{
    /* All members are counters of one type, so that a new one is added without being named here. */
    uint64_t *const to = (uint64_t *)sum;
    const uint64_t *const counts = (const uint64_t *)from;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
        to[i] += counts[i];
}
