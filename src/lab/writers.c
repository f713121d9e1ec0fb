// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/writers.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/thread.h"

static const SearchPoint ROOT = {.ply = 0, .rule50 = 0};

static_assert(sizeof(WriterCounts) == 128, "twice a cache line");

struct Writers {
    SearchPeers peers; // first: the engine knows only this part
    Tt tt;
    bool gives_way;
    int threads;
    WriterCounts *counts; // by thread
};

/* Writes the entries that a store of `key` judges to `entries`; returns their number. */
static int find_entries(const Tt *tt, Key key, TtEntry *entries[2])
{
    TtSlot *const slot = tt_slot(tt, key);
    const bool is_single = replacement_is_single(tt->replacement);
    entries[0] = is_single ? tt_entry(tt, key) : &slot->first;
    entries[1] = &slot->second;
    return is_single ? 1 : 2;
}

static bool is_same(EntryWords a, EntryWords b)
{
    return a.lock == b.lock && a.data == b.data;
}

/* Sets `after` to what the entries `before` become when the engine stores the result in them.
 * Returns the number of results that it writes. */
static int store_in_copy(const SplitStore *store, const EntryWords before[2], EntryWords after[2])
{
    TtSlot slot = {0};
    TtStats stats = {0};
    TtEntry *entries[2];
    Tt copy = {.slots = &slot,
               .slot_count = 1,
               .check_mask = store->tt->check_mask,
               .generation = store->tt->generation,
               .replacement = store->tt->replacement};
    const int count = find_entries(&copy, store->key, entries);
    for (int i = 0; i < count; i++)
        entry_write(entries[i], before[i]);
    tt_store(&copy, store->key, ROOT, &store->data, &stats);
    for (int i = 0; i < count; i++)
        after[i] = entry_read(entries[i]);
    return (int)stats.stores;
}

/* Whether the entry holds what the store writes. */
static bool holds_result(const SplitStore *store, EntryWords words)
{
    return is_same(words, entry_pack(store->key, ROOT, &store->data, entry_move(words.data),
                                     store->tt->generation));
}

void split_store_decide(SplitStore *store, Tt *tt, Key key, const TtData *data)
{
    TtEntry *entries[2];
    *store = (SplitStore){.tt = tt, .key = key, .data = *data};
    const int count = find_entries(tt, key, entries);
    for (int i = 0; i < count; i++)
        store->judged[i] = entry_read(entries[i]);
    const int results = store_in_copy(store, store->judged, store->chosen);
    int changes = 0;
    for (int i = 0; i < count; i++) {
        store->writes[i] = !is_same(store->chosen[i], store->judged[i]);
        changes += store->writes[i];
    }
    for (int i = 0; i < count && changes < results; i++)
        store->writes[i] = store->writes[i] || holds_result(store, store->judged[i]);
}

/* Whether the store moves the entry of the first level to the second. */
static bool is_push(const SplitStore *store, int count)
{
    return count == 2 && store->writes[0] && store->writes[1] &&
           is_same(store->chosen[1], store->judged[0]) &&
           !entry_matches(store->judged[0], store->key, CHECK_ALL);
}

/* Number of positions in `wanted` that are not in `found`. */
static int count_lost(const EntryWords wanted[2], const EntryWords found[2], int count)
{
    int lost = 0;
    for (int i = 0; i < count; i++) {
        const Key key = entry_check(wanted[i]);
        bool is_there = entry_is_empty(wanted[i].data);
        for (int k = 0; k < count; k++)
            is_there = is_there || entry_matches(found[k], key, CHECK_ALL);
        lost += !is_there;
    }
    return lost;
}

/* Counts a store whose entries are now `now`. */
static void count_changed(const SplitStore *store, const EntryWords now[2], int count,
                          WriterCounts *counts)
{
    EntryWords wanted[2], result[2];
    bool is_overwritten = false, is_wrong = false;
    store_in_copy(store, now, wanted);
    for (int i = 0; i < count; i++) {
        result[i] = store->writes[i] ? store->chosen[i] : now[i];
        is_overwritten = is_overwritten || (store->writes[i] && !is_same(now[i], store->judged[i]));
        is_wrong = is_wrong || !is_same(result[i], wanted[i]);
    }
    counts->changed++;
    counts->overwritten += is_overwritten;
    counts->wrong += is_wrong;
    counts->wrong_pushes += is_wrong && is_push(store, count);
    counts->lost += count_lost(wanted, result, count);
}

void split_store_write(const SplitStore *store, WriterCounts *counts)
{
    TtEntry *entries[2];
    EntryWords now[2];
    bool is_changed = false;
    const int count = find_entries(store->tt, store->key, entries);
    for (int i = 0; i < count; i++) {
        now[i] = entry_read(entries[i]);
        is_changed = is_changed || !is_same(now[i], store->judged[i]);
    }
    /* The second level first, as the engine writes it. */
    for (int i = count - 1; i >= 0; i--)
        if (store->writes[i])
            entry_write(entries[i], store->chosen[i]);
    counts->stores++;
    counts->pushes += is_push(store, count);
    if (is_changed)
        count_changed(store, now, count, counts);
}

/* --- the stores of a search --- */

static Writers *writers_from(SearchPeers *peers)
{
    return (Writers *)peers; // its first member
}

static void search_start(SearchPeers *peers, const SearchJob *job)
{
    (void)peers;
    (void)job;
}

static void search_offer(SearchPeers *peers, int index, const TtRecord *record)
{
    Writers *const writers = writers_from(peers);
    SplitStore store;
    split_store_decide(&store, &writers->tt, record->key, &record->data);
    if (writers->gives_way)
        thread_give_way();
    split_store_write(&store, &writers->counts[index]);
}

static int search_end(SearchPeers *peers, const PeerResult **results)
{
    (void)peers;
    *results = NULL;
    return 0;
}

Writers *writers_create(uint64_t positions, Replacement replacement, int threads, bool gives_way)
{
    Writers *const writers = calloc(1, sizeof *writers);
    if (writers == NULL)
        return NULL;
    writers->peers.start = search_start;
    writers->peers.offer = search_offer;
    writers->peers.end = search_end;
    writers->tt.replacement = replacement;
    writers->gives_way = gives_way;
    writers->threads = threads;
    writers->counts = calloc((size_t)threads, sizeof *writers->counts);
    if (writers->counts == NULL || !tt_resize_positions(&writers->tt, positions)) {
        writers_destroy(writers);
        return NULL;
    }
    return writers;
}

void writers_destroy(Writers *writers)
{
    if (writers == NULL)
        return;
    tt_free(&writers->tt);
    free(writers->counts);
    free(writers);
}

SearchPeers *writers_peers(Writers *writers)
{
    return &writers->peers;
}

const WriterCounts *writers_of_thread(const Writers *writers, int index)
{
    return &writers->counts[index];
}

WriterCounts writers_sum(const Writers *writers)
{
    WriterCounts sum = {0};
    for (int i = 0; i < writers->threads; i++) {
        const WriterCounts *const counts = &writers->counts[i];
        sum.stores += counts->stores;
        sum.changed += counts->changed;
        sum.overwritten += counts->overwritten;
        sum.wrong += counts->wrong;
        sum.lost += counts->lost;
        sum.pushes += counts->pushes;
        sum.wrong_pushes += counts->wrong_pushes;
    }
    return sum;
}

/* --- the time of a store --- */

enum { TIMED_ROUNDS = 20, TIMED_STORES = 20000, TIMED_POSITIONS = 512 };

/* Nanoseconds of a store: of split stores, or of tt_store(). */
static double time_stores(Tt *tt, Rng *rng, bool is_split)
{
    TtStats stats = {0};
    WriterCounts counts = {0};
    const int64_t start_us = clock_us();
    for (int i = 0; i < TIMED_STORES; i++) {
        const Key key = rng_next(rng);
        const TtData data = {.depth = (int)(key >> 20 & 15), .bound = BOUND_LOWER};
        SplitStore store;
        if (is_split) {
            split_store_decide(&store, tt, key, &data);
            split_store_write(&store, &counts);
        } else {
            tt_store(tt, key, ROOT, &data, &stats);
        }
    }
    return (double)(clock_us() - start_us) * 1000.0 / TIMED_STORES;
}

/* The shorter of two times; 0 is none. */
static double shorter(double a, double b)
{
    return a > 0.0 && a < b ? a : b;
}

StoreTime writers_time(void)
{
    StoreTime time = {0};
    Tt tt = {.replacement = REPLACE_TWO_DEEP};
    Rng rng;
    rng_seed(&rng, 1);
    if (tt_resize_positions(&tt, TIMED_POSITIONS))
        for (int i = 0; i < TIMED_ROUNDS; i++) {
            time.engine = shorter(time.engine, time_stores(&tt, &rng, false));
            time.split = shorter(time.split, time_stores(&tt, &rng, true));
        }
    tt_free(&tt);
    return time;
}
