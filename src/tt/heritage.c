// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/heritage.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tt/replacement.h"

enum { SHARE_SLOTS = (2 << 20) / (int)sizeof(TtSlot) }; // of the larger table

typedef enum { SHARE_WAITS, SHARE_IS_TAKEN } ShareState;

Heritage *heritage_create(const Tt *from, uint64_t slots)
{
    const uint64_t most = slots > from->slot_count ? slots : from->slot_count;
    const uint64_t count = most / SHARE_SLOTS + 1;
    Heritage *const heritage = calloc(1, sizeof *heritage + (size_t)count);
    if (heritage == NULL)
        return NULL;
    heritage->from = *from;
    heritage->share_count = count;
    atomic_store_explicit(&heritage->left, count, memory_order_relaxed);
    return heritage;
}

void heritage_free(Heritage *heritage)
{
    while (heritage != NULL) {
        Heritage *const next = heritage->from.heritage;
        mem_free_large(heritage->from.slots, heritage->from.bytes);
        free(heritage);
        heritage = next;
    }
}

/* Whether `words`, stale where they come from, may take the place of an entry of the new table: of
 * the stale ones the deepest stays. */
static bool displaces(EntryWords words, const Resident *old)
{
    return old->is_empty ||
           (old->is_stale && entry_depth(words.data) > entry_depth(old->words.data));
}

void heritage_adopt(Tt *to, Key key, EntryWords words, bool is_first_level)
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

/* The slots of a table in which the keys of a share may lie. */
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

static bool is_taken(Heritage *heritage, Key key)
{
    const uint64_t share = mulhi64(key, heritage->share_count);
    return atomic_load_explicit(&heritage->state[share], memory_order_relaxed) == SHARE_IS_TAKEN;
}

/* Puts into `to` what share `share` of `heritage` holds, from the table before or from one before
 * that, `holder`, which has what was not taken over from it. */
static void adopt_from(Heritage *heritage, Heritage *holder, Tt *to, uint64_t share)
{
    const Tt *const from = &holder->from;
    const SlotRange range = share_slots(from, share, heritage->share_count);
    for (uint64_t i = 2 * range.first; i <= 2 * range.last + 1; i++) {
        TtSlot *const slot = &from->slots[i / 2];
        const EntryWords words = entry_read(i % 2 == 0 ? &slot->deep : &slot->recent);
        Key key;
        if (!entry_is_empty(words.data) && entry_key(from, words, i, &key) &&
            mulhi64(key, heritage->share_count) == share &&
            (holder == heritage || !is_taken(holder, key)))
            heritage_adopt(to, key, words, i % 2 == 0);
    }
}

static void adopt_share(Heritage *heritage, const Tt *to, uint64_t share)
{
    /* Seen as it was when the size changed, so that it makes no difference when the share is taken
     * up: what was fresh then is offered as fresh. */
    Tt view = *to;
    view.heritage = NULL;
    view.generation = heritage->from.generation;
    for (Heritage *h = heritage; h != NULL; h = h->from.heritage)
        adopt_from(heritage, h, &view, share);
    /* Nobody else looks between the slots at both ends, which have keys of the neighbours, too. */
    const SlotRange range = share_slots(&heritage->from, share, heritage->share_count);
    if (range.last - range.first > SHARE_SLOTS / 2)
        mem_zero_sparse(&heritage->from.slots[range.first + 1],
                        (range.last - range.first - 1) * sizeof(TtSlot));
}

void heritage_take(Heritage *heritage, const Tt *to, uint64_t share)
{
    assert(share < heritage->share_count);
    _Atomic uint8_t *const state = &heritage->state[share];
    uint8_t waits = SHARE_WAITS;
    if (atomic_load_explicit(state, memory_order_relaxed) != SHARE_WAITS ||
        !atomic_compare_exchange_strong_explicit(state, &waits, SHARE_IS_TAKEN,
                                                 memory_order_relaxed, memory_order_relaxed))
        return;
    adopt_share(heritage, to, share);
    atomic_fetch_sub_explicit(&heritage->left, 1, memory_order_relaxed);
}

void heritage_take_keys(Heritage *heritage, const Tt *to, Key first, Key last)
{
    const uint64_t end = mulhi64(last, heritage->share_count);
    for (uint64_t share = mulhi64(first, heritage->share_count); share <= end; share++)
        heritage_take(heritage, to, share);
}
