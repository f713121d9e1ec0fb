// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/tt.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "engine/entry.h"
#include "engine/replacement.h"

/* Makes an entry that was read fresh again. Should another thread have written it meanwhile, its
 * word stands. */
static void refresh(const Tt *tt, TtEntry *entry, uint64_t data, TtStats *stats)
{
    if (entry_generation(data) == tt->generation || tt->keeps_stale)
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
    stats->two_moves +=
        out[0].move != MOVE_NONE && out[1].move != MOVE_NONE && out[0].move != out[1].move;
    return 2;
}

/* tt_probe() for all but tables of two levels that compare whole checks. Out of line, as
 * replacement_store() is, so that those pay one predictable branch. */
__attribute__((noinline)) static int probe_otherwise(const Tt *tt, Key key, SearchPoint at,
                                                     TtData out[2], TtStats *stats)
{
    const bool is_single = replacement_is_single(tt->replacement);
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
    if (__builtin_expect(replacement_is_single(tt->replacement) || tt->check_mask != CHECK_ALL,
                         false))
        return probe_otherwise(tt, key, at, out, stats);
    return probe_two_levels(tt, key, at, out, stats);
}

void tt_store(Tt *tt, Key key, SearchPoint at, const TtData *data, TtStats *stats)
{
    assert(0 <= data->depth && data->depth <= 255);
    assert(data->bound == BOUND_NONE || data->score != SCORE_NONE);
    if (__builtin_expect(tt->replacement != REPLACE_THOMPSON, false)) {
        replacement_store(tt, key, at, data, stats);
        return;
    }
    TtSlot *const slot = tt_slot(tt, key);
    const Resident deep = entry_resident(tt, &slot->deep, key);
    const Resident recent = entry_resident(tt, &slot->recent, key);
    if (data->bound == BOUND_NONE && !resident_admits_evaluation(&deep, &recent))
        return;
    const bool is_result = data->depth > 0 && data->bound != BOUND_NONE;
    const bool to_deep = is_result && (deep.is_empty || deep.is_stale ||
                                       data->depth >= entry_depth(deep.words.data));
    const Resident *const over = to_deep ? &deep : &recent;
    const Move move = resident_move_to_keep(data->move, over, to_deep ? &recent : &deep);
    entry_write(to_deep ? &slot->deep : &slot->recent, entry_pack(tt, key, at, data, move));
    resident_count_store(stats, over);
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

bool tt_create_like(Tt *other, const Tt *tt, uint64_t mib)
{
    Tt created = *tt;
    created.slots = NULL;
    created.bytes = 0;
    if (!allocate(&created, (mib << 20) / sizeof(TtSlot)))
        return false;
    *other = created;
    return true;
}

bool tt_resize_positions(Tt *tt, uint64_t positions)
{
    assert(positions >= 2 && positions % 2 == 0);
    return allocate(tt, positions / 2);
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

enum { WHOLE_KEY_PLACES = 65536 }; // from so many on, place and check leave a key no choice

/* The key of the entry with that check at place `index` of `places`, a power of 65536 or more of
 * which leaves it no choice. False when such a key does not belong there: the check is the key's
 * low 48 bits, the place lies between two neighbouring values of the rest. */
static bool restore_key(uint64_t check, uint64_t index, uint64_t places, Key *key)
{
    const uint64_t high = (index << 16) / places;
    for (uint64_t h = high; h <= high + 1; h++) {
        *key = h << 48 | check;
        if (mulhi64(*key, places) == index)
            return true;
    }
    return false;
}

bool tt_data_is_sound(const TtData *data)
{
    const bool has_bound = data->bound != BOUND_NONE;
    const bool eval_fits = data->eval == SCORE_NONE || data->eval == score_clamp_eval(data->eval);
    return eval_fits && has_bound == (data->score != SCORE_NONE) &&
           (!has_bound || (-SCORE_MATE <= data->score && data->score <= SCORE_MATE));
}

/* How many places a key can be in. */
static uint64_t place_count(const Tt *tt)
{
    return replacement_is_single(tt->replacement) ? 2 * tt->slot_count : tt->slot_count;
}

bool tt_has_whole_keys(const Tt *tt)
{
    return place_count(tt) >= WHOLE_KEY_PLACES;
}

TtRecordState tt_record(const Tt *tt, uint64_t index, TtRecord *out)
{
    assert(index < 2 * tt->slot_count);
    TtSlot *const slot = &tt->slots[index / 2];
    const EntryWords words = entry_read(index % 2 == 0 ? &slot->deep : &slot->recent);
    if (entry_is_empty(words.data))
        return TT_RECORD_EMPTY;
    entry_unpack(words, (SearchPoint){.ply = 0, .rule50 = 0}, &out->data);
    const bool is_single = replacement_is_single(tt->replacement);
    out->key = entry_check(words);
    out->key_is_whole = tt_has_whole_keys(tt);
    if (!tt_data_is_sound(&out->data) ||
        (out->key_is_whole &&
         !restore_key(out->key, is_single ? index : index / 2, place_count(tt), &out->key)))
        return TT_RECORD_DAMAGED;
    return entry_generation(words.data) == tt->generation ? TT_RECORD_FRESH : TT_RECORD_STALE;
}

static int entry_is_current(const Tt *tt, TtEntry *entry)
{
    const uint64_t data = entry_read(entry).data;
    return !entry_is_empty(data) && entry_generation(data) == tt->generation;
}

/* Whether `words`, stale where they come from, may take the place of an entry of the new table: of
 * the stale ones the deepest stays. */
static bool displaces(EntryWords words, const Resident *old)
{
    return old->is_empty ||
           (old->is_stale && entry_depth(words.data) > entry_depth(old->words.data));
}

/* Takes over one entry. What it holds says nothing of its place, so into a free one it is copied as
 * it is; a fresh entry that finds its place taken is offered like any result, unless what it has to
 * tell is there already: it could drive out another. */
static void adopt_entry(Tt *to, Key key, EntryWords words, bool is_first_level)
{
    TtSlot *const slot = tt_slot(to, key);
    TtEntry *const place = replacement_is_single(to->replacement) ? tt_entry(to, key)
                           : is_first_level                       ? &slot->deep
                                                                  : &slot->recent;
    const Resident old = entry_resident(to, place, key);
    if (old.is_empty || entry_generation(words.data) != to->generation) {
        if (displaces(words, &old))
            entry_write(place, words);
        return;
    }
    if (old.is_same && entry_depth(old.words.data) >= entry_depth(words.data))
        return;
    const SearchPoint own = {.ply = 0, .rule50 = 0};
    TtData data;
    TtStats unused = {0};
    entry_unpack(words, own, &data);
    tt_store(to, key, own, &data, &unused);
}

void tt_adopt(Tt *tt, const TtRecord *record, bool is_first_level)
{
    const SearchPoint own = {.ply = 0, .rule50 = 0};
    const TtData *const data = &record->data;
    assert(record->key_is_whole && tt_data_is_sound(data));
    adopt_entry(tt, record->key, entry_pack(tt, record->key, own, data, data->move),
                is_first_level);
}

void tt_adopt_slice(Tt *to, const Tt *from, int i, int n)
{
    assert(0 <= i && i < n && to->generation == from->generation);
    const bool is_single = replacement_is_single(from->replacement);
    const uint64_t places = place_count(from);
    if (!tt_has_whole_keys(from))
        return;
    const uint64_t begin = from->slot_count * (uint64_t)i / (uint64_t)n;
    const uint64_t end = from->slot_count * (uint64_t)(i + 1) / (uint64_t)n;
    for (uint64_t index = 2 * begin; index < 2 * end; index++) {
        TtSlot *const slot = &from->slots[index / 2];
        const EntryWords words = entry_read(index % 2 == 0 ? &slot->deep : &slot->recent);
        Key key;
        if (!entry_is_empty(words.data) &&
            restore_key(entry_check(words), is_single ? index : index / 2, places, &key))
            adopt_entry(to, key, words, index % 2 == 0);
    }
}

int tt_hashfull(const Tt *tt)
{
    enum { SAMPLE = 1000 }; // slots of two entries, of tables that have so many
    const int slots = tt->slot_count < SAMPLE ? (int)tt->slot_count : SAMPLE;
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
