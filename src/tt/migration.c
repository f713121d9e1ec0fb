// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/migration.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tt/replacement.h"

enum { SHARE_SLOTS = (2 << 20) / (int)sizeof(TtSlot) }; // slots of the larger table in a share

TtMigration *migration_create(const Tt *source, uint64_t slot_count)
{
    const uint64_t larger = slot_count > source->slot_count ? slot_count : source->slot_count;
    const uint64_t count = larger / SHARE_SLOTS + 1;
    TtMigration *const migration = calloc(1, sizeof *migration + (size_t)count);
    if (migration == NULL)
        return NULL;
    migration->source = *source;
    migration->share_count = count;
    atomic_store_explicit(&migration->shares_left, count, memory_order_relaxed);
    return migration;
}

void migration_free(TtMigration *migration)
{
    while (migration != NULL) {
        TtMigration *const next = migration->source.migration;
        mem_free_large(migration->source.slots, migration->source.bytes);
        free(migration);
        migration = next;
    }
}

/* Returns true when `words`, a stale entry of the source, may replace `old`. Of two stale entries
 * the deeper one stays. */
static bool stale_entry_replaces(const Tt *to, EntryWords words, EntryWords old)
{
    return entry_is_empty(old.data) || (entry_generation(old.data) != to->generation &&
                                        entry_depth(words.data) > entry_depth(old.data));
}

static bool is_as_deep(const Tt *to, EntryWords old, Key key, EntryWords words)
{
    return entry_matches(old, key, to->check_mask) &&
           entry_depth(old.data) >= entry_depth(words.data);
}

/* Returns true when `words` would be a second result of the main search for the position of
 * `other`. Only Thompson's two schemes keep two; all may keep one beside a result of quiescence or
 * a bare evaluation. */
static bool is_second_result(const Tt *to, EntryWords other, Key key, EntryWords words)
{
    return to->replacement != REPLACE_THOMPSON && to->replacement != REPLACE_THOMPSON_BOTH &&
           entry_depth(words.data) > 0 && entry_depth(other.data) > 0 &&
           entry_matches(other, key, to->check_mask);
}

bool migration_insert(Tt *to, Key key, EntryWords words, bool is_first_level)
{
    TtSlot *const slot = tt_slot(to, key);
    TtEntry *place = is_first_level ? &slot->first : &slot->second;
    TtEntry *beside = is_first_level ? &slot->second : &slot->first;
    if (replacement_is_single(to->replacement))
        place = beside = tt_entry(to, key);
    const EntryWords other = entry_read(beside);
    if (is_second_result(to, other, key, words))
        place = beside;
    const EntryWords old = entry_read(place);
    if (entry_is_empty(old.data) || entry_generation(words.data) != to->generation) {
        const bool replaces = stale_entry_replaces(to, words, old);
        if (replaces)
            entry_write(place, words);
        return replaces;
    }
    // The store may overwrite the position in either level.
    if (is_as_deep(to, old, key, words) || is_as_deep(to, other, key, words))
        return false;
    const SearchPoint own = {.ply = 0, .rule50 = 0};
    TtData data;
    TtStats unused = {0};
    entry_unpack(words, own, &data);
    replacement_store(to, key, own, &data, &unused);
    return true;
}

/* The slots of a table that can contain keys of a share. */
typedef struct {
    uint64_t first, last;
} SlotRange;

static SlotRange share_slots(const Tt *table, uint64_t share, uint64_t share_count)
{
    const unsigned __int128 slots = table->slot_count;
    const uint64_t end = (uint64_t)(slots * (share + 1) / share_count);
    return (SlotRange){.first = (uint64_t)(slots * share / share_count),
                       .last = end < table->slot_count ? end : table->slot_count - 1};
}

static bool is_claimed(const TtMigration *migration, Key key)
{
    const uint64_t share = mulhi64(key, migration->share_count);
    return atomic_load_explicit(&migration->is_claimed[share], memory_order_relaxed);
}

/* Returns true when a migration between `migration` and `older`, or `older` itself, has claimed the
 * share of `key`: then a later table than the source of `older` already has its entries. */
static bool was_copied(const TtMigration *migration, const TtMigration *older, Key key)
{
    while (migration != older) {
        migration = migration->source.migration;
        if (is_claimed(migration, key))
            return true;
    }
    return false;
}

static bool entry_is_of(TtEntry *entry, unsigned generation)
{
    const uint64_t data = entry_read(entry).data;
    return !entry_is_empty(data) && entry_generation(data) == generation;
}

/* Returns true when the bucket of `key` has an entry of this generation. */
static bool bucket_has(const Tt *to, Key key, unsigned generation)
{
    TtSlot *const slot = tt_slot(to, key);
    if (replacement_is_single(to->replacement))
        return entry_is_of(tt_entry(to, key), generation);
    return entry_is_of(&slot->first, generation) || entry_is_of(&slot->second, generation);
}

/* Copies the entries of share `share` of `migration` that lie in the source of `older`. `older` is
 * `migration` itself, or an earlier migration that was not complete when the size changed again.
 * `view` is a copy of the table, `generation` the generation of the table. Entries that were
 * current at the time of the resize are treated as current, even if a later search copies the
 * share; but in a bucket that the later search has used they are stale, and do not replace its
 * entries. */
static void copy_from(TtMigration *migration, TtMigration *older, Tt *view, unsigned generation,
                      uint64_t share)
{
    const Tt *const source = &older->source;
    const SlotRange range = share_slots(source, share, migration->share_count);
    for (uint64_t i = 2 * range.first; i <= 2 * range.last + 1; i++) {
        const EntryWords words = entry_read(tt_entry_at(source, i));
        Key key;
        if (!entry_is_empty(words.data) && tt_restore_key(source, i, words, &key) &&
            mulhi64(key, migration->share_count) == share && !was_copied(migration, older, key)) {
            view->generation =
                bucket_has(view, key, generation) ? generation : migration->source.generation;
            migration_insert(view, key, words, i % 2 == 0);
        }
    }
}

static void copy_claimed(TtMigration *migration, const Tt *to, uint64_t share)
{
    Tt view = *to;
    view.migration = NULL;
    for (TtMigration *m = migration; m != NULL; m = m->source.migration)
        copy_from(migration, m, &view, to->generation, share);
    /* Return the memory to the system, except for the first and last slot, which may contain keys
     * of neighbouring shares. */
    const SlotRange range = share_slots(&migration->source, share, migration->share_count);
    if (range.last - range.first > SHARE_SLOTS / 2)
        mem_zero_sparse(&migration->source.slots[range.first + 1],
                        (range.last - range.first - 1) * sizeof(TtSlot));
}

void migration_copy_share(TtMigration *migration, Tt *to, uint64_t share)
{
    assert(share < migration->share_count);
    atomic_bool *const claimed = &migration->is_claimed[share];
    bool expected = false;
    if (atomic_load_explicit(claimed, memory_order_relaxed) ||
        !atomic_compare_exchange_strong_explicit(claimed, &expected, true, memory_order_relaxed,
                                                 memory_order_relaxed))
        return;
    copy_claimed(migration, to, share);
    atomic_fetch_sub_explicit(&migration->shares_left, 1, memory_order_relaxed);
}

void migration_copy_keys(TtMigration *migration, Tt *to, Key first, Key last)
{
    const uint64_t end = mulhi64(last, migration->share_count);
    for (uint64_t share = mulhi64(first, migration->share_count); share <= end; share++)
        migration_copy_share(migration, to, share);
}
