// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/tt.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "tt/migration.h"
#include "tt/replacement.h"

/* Makes an entry current. If another thread wrote the entry meanwhile, that result stays. */
static void refresh(const Tt *tt, TtEntry *entry, uint64_t data, TtStats *stats)
{
    if (entry_generation(data) == tt->generation || tt->no_refresh)
        return;
    const uint64_t current = (data & ~(uint64_t)GENERATION_MASK) | tt->generation;
    atomic_compare_exchange_strong_explicit(&entry->data, &data, current, memory_order_relaxed,
                                            memory_order_relaxed);
    stats->refreshes++;
}

/* For a short check mask: counts comparisons with entries of other positions, and those that match
 * by mistake. Entries store all 48 check bits under every mask, so slot and check bits identify the
 * position of an entry. */
static void count_false_hits(const Tt *tt, TtEntry *entry, Key key, TtStats *stats)
{
    const EntryWords words = entry_read(entry);
    if (entry_is_empty(words.data) || entry_matches(words, key, CHECK_ALL))
        return;
    stats->foreign++;
    stats->false_hits += entry_matches(words, key, tt->check_mask);
}

/* tt_probe() under a scheme of one level. */
static int probe_one_level(const Tt *tt, Key key, SearchPoint at, TtData *out, TtStats *stats)
{
    TtEntry *const entry = tt_entry(tt, key);
    const EntryWords words = entry_read(entry);
    stats->probes++;
    if (!entry_matches(words, key, tt->check_mask))
        return 0;
    stats->hits++;
    refresh(tt, entry, words.data, stats);
    entry_unpack(words, at, out);
    return 1;
}

/* tt_probe() under a scheme of two levels. */
static inline int probe_two_levels(const Tt *tt, Key key, SearchPoint at, TtData out[2],
                                   TtStats *stats)
{
    TtSlot *const slot = tt_slot(tt, key);
    const EntryWords first = entry_read(&slot->first), second = entry_read(&slot->second);
    const bool first_hit = entry_matches(first, key, tt->check_mask);
    const bool second_hit = entry_matches(second, key, tt->check_mask);
    stats->probes++;
    if (!first_hit && !second_hit)
        return 0;
    stats->hits++;
    if (first_hit)
        refresh(tt, &slot->first, first.data, stats);
    if (second_hit)
        refresh(tt, &slot->second, second.data, stats);
    if (!first_hit || !second_hit) {
        entry_unpack(first_hit ? first : second, at, &out[0]);
        return 1;
    }
    /* The deeper entry comes first; of two of equal depth, that of the second level. The first
     * level can be the shallower one, because it loses its entry when that is stale. */
    const bool first_is_deeper = entry_depth(first.data) > entry_depth(second.data);
    entry_unpack(first, at, &out[!first_is_deeper]);
    entry_unpack(second, at, &out[first_is_deeper]);
    stats->double_hits++;
    const bool two_moves =
        out[0].move != MOVE_NONE && out[1].move != MOVE_NONE && out[0].move != out[1].move;
    stats->two_moves += two_moves;
    if (two_moves && tt->first_move_only)
        out[1].move = MOVE_NONE;
    return 2;
}

/* tt_probe() in the rare cases: schemes of one level, short check masks, a migration under way, and
 * a proxy. A function of its own, so that the usual case costs one predictable branch. */
__attribute__((noinline)) static int probe_rare(Tt *tt, Key key, SearchPoint at, TtData out[2],
                                                TtStats *stats)
{
    const bool is_single = replacement_is_single(tt->replacement);
    if (tt->replacement == REPLACE_BY_PROXY)
        return tt->proxy->probe(tt->proxy->ctx, key, at, out, stats);
    if (tt->migration != NULL)
        migration_copy_keys(tt->migration, tt, key, key);
    if (tt->check_mask != CHECK_ALL) {
        TtSlot *const slot = tt_slot(tt, key);
        count_false_hits(tt, is_single ? tt_entry(tt, key) : &slot->first, key, stats);
        if (!is_single)
            count_false_hits(tt, &slot->second, key, stats);
    }
    return is_single ? probe_one_level(tt, key, at, out, stats)
                     : probe_two_levels(tt, key, at, out, stats);
}

int tt_probe(Tt *tt, Key key, SearchPoint at, TtData out[2], TtStats *stats)
{
    if (__builtin_expect(replacement_is_single(tt->replacement) || tt->check_mask != CHECK_ALL ||
                             tt->migration != NULL,
                         false))
        return probe_rare(tt, key, at, out, stats);
    return probe_two_levels(tt, key, at, out, stats);
}

int tt_peek(Tt *tt, Key key, SearchPoint at, TtData out[2])
{
    Tt view = *tt;
    TtStats unused = {0};
    view.no_refresh = true;
    return tt_probe(&view, key, at, out, &unused);
}

void tt_store(Tt *tt, Key key, SearchPoint at, const TtData *data, TtStats *stats)
{
    assert(0 <= data->depth && data->depth <= 255);
    assert(data->bound == BOUND_NONE || data->score != SCORE_NONE);
    if (__builtin_expect(tt->migration != NULL, false))
        migration_copy_keys(tt->migration, tt, key, key);
    replacement_store(tt, key, at, data, stats);
}

static void drop_migration(Tt *tt)
{
    migration_free(tt->migration);
    tt->migration = NULL;
}

/* Replaces the memory by `slots` slots. Returns false when out of memory. */
static bool allocate(Tt *tt, uint64_t slots)
{
    tt_free(tt);
    if (tt->check_mask == 0)
        tt->check_mask = CHECK_ALL;
    if (slots > SIZE_MAX / sizeof(TtSlot)) // where size_t has 32 bits
        return false;
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
    assert(1 <= mib && mib <= TT_MIB_MAX);
    while (mib > 0 && !allocate(tt, (mib << 20) / sizeof(TtSlot)))
        mib /= 2;
    return mib;
}

/* Copies the shares of a migration that belong to slots `first` to `last`, if not copied before. */
static void migrate_slots(Tt *tt, uint64_t first, uint64_t last)
{
    if (tt->migration == NULL)
        return;
    const unsigned __int128 keys = (unsigned __int128)1 << 64;
    migration_copy_keys(tt->migration, tt, (Key)(keys * first / tt->slot_count),
                        (Key)((keys * (last + 1) - 1) / tt->slot_count));
}

bool tt_resize_positions(Tt *tt, uint64_t positions)
{
    assert(positions >= 2 && positions % 2 == 0);
    return allocate(tt, positions / 2);
}

void tt_free(Tt *tt)
{
    drop_migration(tt);
    mem_free_large(tt->slots, tt->bytes);
    tt->slots = NULL;
    tt->slot_count = tt->bytes = tt->touched = 0;
}

void tt_clear(Tt *tt)
{
    drop_migration(tt);
    mem_zero_large(tt->slots, tt->bytes);
    tt->touched = 0;
}

void tt_clear_small(Tt *tt)
{
    assert(tt->migration == NULL);
    memset(tt->slots, 0, tt->bytes);
}

TtPart tt_take_untouched(Tt *tt)
{
    const size_t left = tt->bytes - tt->touched;
    const size_t bytes = left < TT_PART_BYTES ? left : TT_PART_BYTES;
    const TtPart part = {(char *)tt->slots + tt->touched, bytes};
    tt->touched += bytes;
    return part;
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

TtRecordState tt_record(Tt *tt, uint64_t index, TtRecord *out)
{
    assert(index < 2 * tt->slot_count);
    migrate_slots(tt, index / 2, index / 2);
    const EntryWords words = entry_read(tt_entry_at(tt, index));
    if (entry_is_empty(words.data))
        return TT_RECORD_EMPTY;
    entry_unpack(words, (SearchPoint){.ply = 0, .rule50 = 0}, &out->data);
    out->key = entry_check(words);
    out->key_is_whole = tt_has_whole_keys(tt);
    if (!tt_data_is_sound(&out->data) ||
        (out->key_is_whole && !tt_restore_key(tt, index, words, &out->key)))
        return TT_RECORD_DAMAGED;
    return entry_generation(words.data) == tt->generation ? TT_RECORD_CURRENT : TT_RECORD_STALE;
}

static void count_entry(const Tt *tt, TtEntry *entry, TtContents *level)
{
    const uint64_t data = entry_read(entry).data;
    level->counted++;
    if (entry_is_empty(data)) {
        level->empty++;
        return;
    }
    level->bounds[entry_bound(data)]++;
    level->ages[(tt->generation - entry_generation(data)) & GENERATION_MASK]++;
}

void tt_contents(Tt *tt, uint64_t slots, TtContents levels[2])
{
    const bool is_single = replacement_is_single(tt->replacement);
    if (slots > tt->slot_count)
        slots = tt->slot_count;
    memset(levels, 0, 2 * sizeof *levels);
    for (uint64_t i = 0; i < slots; i++) {
        const uint64_t slot = (uint64_t)((unsigned __int128)i * tt->slot_count / slots);
        migrate_slots(tt, slot, slot);
        count_entry(tt, &tt->slots[slot].first, &levels[0]);
        count_entry(tt, &tt->slots[slot].second, &levels[!is_single]);
    }
}

bool tt_insert(Tt *tt, const TtRecord *record, bool is_first_level)
{
    const SearchPoint own = {.ply = 0, .rule50 = 0};
    const TtData *const data = &record->data;
    assert(record->key_is_whole && tt_data_is_sound(data));
    if (tt->migration != NULL)
        migration_copy_keys(tt->migration, tt, record->key, record->key);
    return migration_insert(tt, record->key,
                            entry_pack(record->key, own, data, data->move, tt->generation),
                            is_first_level);
}

static int entry_is_current(const Tt *tt, TtEntry *entry)
{
    const uint64_t data = entry_read(entry).data;
    return !entry_is_empty(data) && entry_generation(data) == tt->generation;
}

int tt_hashfull(Tt *tt)
{
    enum { SAMPLE = 1000 }; // slots of two entries
    const int slots = tt->slot_count < SAMPLE ? (int)tt->slot_count : SAMPLE;
    migrate_slots(tt, 0, (uint64_t)slots - 1);
    int current = 0;
    for (int i = 0; i < slots; i++)
        current +=
            entry_is_current(tt, &tt->slots[i].first) + entry_is_current(tt, &tt->slots[i].second);
    return current * 1000 / (2 * slots);
}
