// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/replacement.h"

#include <assert.h>

#include "base/text.h"

static const char *const NAMES[REPLACEMENT_NB] = {
    [REPLACE_TWO_DEEP] = "TwoDeep",  [REPLACE_TWO_BIG1] = "TwoBig1",
    [REPLACE_THOMPSON] = "Thompson", [REPLACE_THOMPSON_BOTH] = "ThompsonBoth",
    [REPLACE_DEEP] = "Deep",         [REPLACE_BIG1] = "Big1",
    [REPLACE_BIG_ALL] = "BigAll",    [REPLACE_NEW] = "New",
    [REPLACE_OLD] = "Old",
};

/* The arguments of a store. */
typedef struct {
    Tt *tt;
    Key key;
    SearchPoint at;
    const TtData *data;
    TtStats *stats;
} Store;

/* State of an entry before a store. */
typedef struct {
    EntryWords words;
    bool is_empty, is_stale;
    bool is_same; // of the same position as the result to store
} OldEntry;

static inline OldEntry read_old(const Store *store, TtEntry *entry)
{
    const EntryWords words = entry_read(entry);
    return (OldEntry){
        .words = words,
        .is_empty = entry_is_empty(words.data),
        .is_stale = entry_generation(words.data) != store->tt->generation,
        .is_same = entry_matches(words, store->key, store->tt->check_mask),
    };
}

/* Returns true when the entry is a result with a bound that this search wrote or read. */
static inline bool has_current_bound(const OldEntry *old)
{
    return !old->is_empty && !old->is_stale && entry_bound(old->words.data) != BOUND_NONE;
}

/* Returns true when a bare evaluation may be stored. It must not replace a current result with a
 * bound, and it is useless beside such a result of its own position. */
static inline bool admits_evaluation(const OldEntry *first, const OldEntry *second)
{
    return !has_current_bound(second) && !(first->is_same && has_current_bound(first));
}

/* Returns the move to store. A result without a move keeps a stored move of its position, first
 * that of the entry it replaces, so that a slot with two moves keeps both. */
static inline Move move_to_store(Move move, const OldEntry *replaced, const OldEntry *beside)
{
    if (move == MOVE_NONE && replaced->is_same)
        move = entry_move(replaced->words.data);
    if (move == MOVE_NONE && beside->is_same)
        move = entry_move(beside->words.data);
    return move;
}

/* Counts a store by the kind of entry that the table loses. */
static inline void count_store(TtStats *stats, const OldEntry *forgotten)
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

const char *replacement_name(Replacement replacement)
{
    assert(replacement < REPLACEMENT_NB);
    return NAMES[replacement];
}

bool replacement_parse(const char *name, Replacement *out)
{
    for (int i = 0; i < REPLACEMENT_NB; i++)
        if (text_equal_nocase(name, NAMES[i])) {
            *out = (Replacement)i;
            return true;
        }
    return false;
}

/* The properties of a result that the schemes compare. */
typedef struct {
    int depth;     // plies
    uint64_t size; // of the subtree, as entry_pack_size() packs it: larger trees have larger codes
} Worth;

/* Returns true when `new_worth` replaces the result `old_worth` of another position. */
static bool prefers_new(Replacement replacement, Worth old_worth, Worth new_worth)
{
    switch (replacement) {
    case REPLACE_THOMPSON:
    case REPLACE_THOMPSON_BOTH:
    case REPLACE_TWO_DEEP:
    case REPLACE_DEEP: return new_worth.depth >= old_worth.depth;
    case REPLACE_TWO_BIG1:
    case REPLACE_BIG1:
    case REPLACE_BIG_ALL: return new_worth.size >= old_worth.size;
    case REPLACE_NEW: return true;
    case REPLACE_OLD: return false;
    case REPLACEMENT_NB: break;
    }
    assert(false);
    return false;
}

static bool is_preferred(const Store *store, const OldEntry *old)
{
    const Worth old_worth = {.depth = entry_depth(old->words.data), .size = entry_size(old->words)};
    const Worth new_worth = {.depth = store->data->depth,
                             .size = entry_pack_size(store->data->nodes)};
    return prefers_new(store->tt->replacement, old_worth, new_worth);
}

static inline EntryWords pack_result(const Store *store, Move move)
{
    return entry_pack(store->key, store->at, store->data, move, store->tt->generation);
}

/* Replaces `entry` by the result. `beside` is the other entry of the slot. Always inlined, so that
 * the old entries stay in registers. */
__attribute__((always_inline)) static inline void
write_result(const Store *store, TtEntry *entry, const OldEntry *replaced, const OldEntry *beside)
{
    const Move move = move_to_store(store->data->move, replaced, beside);
    entry_write(entry, pack_result(store, move));
    count_store(store->stats, replaced);
}

/* Moves the entry of the first level to the second and writes the result to the first. If another
 * thread writes the first level at the same time, a torn entry may be moved; it reads as a miss. */
static void push_result(const Store *store, TtSlot *slot, const OldEntry *first,
                        const OldEntry *second)
{
    const Move move = move_to_store(store->data->move, first, second);
    entry_write(&slot->second, first->words);
    entry_write(&slot->first, pack_result(store, move));
    count_store(store->stats, second);
}

/* Returns true for a result of the main search, false for quiescence and bare evaluations. Only
 * main results compete for the first level, and only they are overwritten in place. Reason: many a
 * main result finds a quiescence result or a bare evaluation of its own position in the second
 * level; if it overwrote that in place, it would never reach the first level. */
static bool is_main_result(Bound bound, int depth)
{
    return bound != BOUND_NONE && depth > 0;
}

static bool holds_same_result(const OldEntry *old)
{
    return old->is_same &&
           is_main_result(entry_bound(old->words.data), entry_depth(old->words.data));
}

static void store_single(const Store *store)
{
    TtEntry *const entry = tt_entry(store->tt, store->key);
    const OldEntry old = read_old(store, entry);
    const TtData *const data = store->data;
    const bool takes = !has_current_bound(&old) ||
                       (data->bound != BOUND_NONE && (old.is_same || is_preferred(store, &old)));
    if (takes)
        write_result(store, entry, &old, &old);
}

/* Thompson's rule: the first level takes results at least as deep as its entry, the second level
 * all others, or all results (Moreland). */
static void store_thompson(const Store *store, TtSlot *slot, const OldEntry *first,
                           const OldEntry *second)
{
    const bool to_first = is_main_result(store->data->bound, store->data->depth) &&
                          (!has_current_bound(first) || is_preferred(store, first));
    if (to_first)
        write_result(store, &slot->first, first, second);
    if (!to_first || store->tt->replacement == REPLACE_THOMPSON_BOTH)
        write_result(store, &slot->second, second, first);
}

/* The rule of TwoDeep and TwoBig1. */
static void store_two_level(const Store *store, TtSlot *slot, const OldEntry *first,
                            const OldEntry *second)
{
    if (!is_main_result(store->data->bound, store->data->depth))
        write_result(store, &slot->second, second, first);
    else if (first->is_same)
        write_result(store, &slot->first, first, second);
    else if (holds_same_result(second))
        write_result(store, &slot->second, second, first);
    else if (!has_current_bound(first))
        write_result(store, &slot->first, first, second);
    else if (is_preferred(store, first))
        push_result(store, slot, first, second);
    else
        write_result(store, &slot->second, second, first);
}

/* Always inlined, so that the arguments of a store stay in registers. */
__attribute__((always_inline)) static inline void store_in_slot(const Store *store)
{
    TtSlot *const slot = tt_slot(store->tt, store->key);
    const OldEntry first = read_old(store, &slot->first);
    const OldEntry second = read_old(store, &slot->second);
    if (store->data->bound == BOUND_NONE && !admits_evaluation(&first, &second))
        return;
    const Replacement scheme = store->tt->replacement;
    if (scheme == REPLACE_TWO_DEEP || scheme == REPLACE_TWO_BIG1)
        store_two_level(store, slot, &first, &second);
    else
        store_thompson(store, slot, &first, &second);
}

void replacement_store(Tt *tt, Key key, SearchPoint at, const TtData *data, TtStats *stats)
{
    const Store store = {.tt = tt, .key = key, .at = at, .data = data, .stats = stats};
    if (!replacement_is_single(tt->replacement))
        store_in_slot(&store);
    else if (tt->replacement == REPLACE_BY_PROXY)
        tt->proxy->store(tt->proxy->ctx, key, at, data, stats);
    else
        store_single(&store);
}
