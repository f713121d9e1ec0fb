// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/replacement.h"

#include <assert.h>

#include "base/text.h"
#include "tt/entry.h"

static const char *const NAMES[REPLACEMENT_NB] = {
    [REPLACE_TWO_DEEP] = "TwoDeep",  [REPLACE_TWO_BIG1] = "TwoBig1",
    [REPLACE_THOMPSON] = "Thompson", [REPLACE_THOMPSON_BOTH] = "ThompsonBoth",
    [REPLACE_DEEP] = "Deep",         [REPLACE_BIG1] = "Big1",
    [REPLACE_BIG_ALL] = "BigAll",    [REPLACE_NEW] = "New",
    [REPLACE_OLD] = "Old",
};

/* A result on its way into the table. */
typedef struct {
    Tt *tt;
    Key key;
    SearchPoint at;
    const TtData *data;
    TtStats *stats;
} Offer;

const char *replacement_name(Replacement replacement)
{
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

bool replacement_prefers_newcomer(Replacement replacement, Worth extant, Worth newcomer)
{
    switch (replacement) {
    case REPLACE_THOMPSON:
    case REPLACE_THOMPSON_BOTH:
    case REPLACE_TWO_DEEP:
    case REPLACE_DEEP: return newcomer.depth >= extant.depth;
    case REPLACE_TWO_BIG1:
    case REPLACE_BIG1:
    case REPLACE_BIG_ALL: return newcomer.size >= extant.size;
    case REPLACE_NEW: return true;
    case REPLACE_OLD: return false;
    case REPLACEMENT_NB: break;
    }
    assert(false);
    return false;
}

static bool is_preferred(const Offer *offer, const Resident *old)
{
    const Worth extant = {.depth = entry_depth(old->words.data), .size = entry_size(old->words)};
    const Worth newcomer = {.depth = offer->data->depth,
                            .size = entry_pack_size(offer->data->nodes)};
    return replacement_prefers_newcomer(offer->tt->replacement, extant, newcomer);
}

/* Writes the result over `over`, beside which the slot holds `beside`. */
static inline void write_result(const Offer *offer, TtEntry *entry, const Resident *over,
                                const Resident *beside)
{
    const Move move = resident_move_to_keep(offer->data->move, over, beside);
    entry_write(entry, entry_pack(offer->tt, offer->key, offer->at, offer->data, move));
    resident_count_store(offer->stats, over);
}

/* Moves what the first level holds to the second and writes the result in its place. Should another
 * thread be writing the first level, a mixture moves, which will read as a miss. */
static void push_result(const Offer *offer, TtSlot *slot, const Resident *first,
                        const Resident *second)
{
    const Move move = resident_move_to_keep(offer->data->move, first, second);
    entry_write(&slot->recent, first->words);
    entry_write(&slot->deep, entry_pack(offer->tt, offer->key, offer->at, offer->data, move));
    resident_count_store(offer->stats, second);
}

/* A search's result, as opposed to one of quiescence or an evaluation: only such compete for the
 * first level, and only such are overwritten in place, since every result finds the evaluation of
 * its own position in the second level. */
static bool is_result(Bound bound, int depth)
{
    return bound != BOUND_NONE && depth > 0;
}

static bool holds_same_result(const Resident *old)
{
    return old->is_same && is_result(entry_bound(old->words.data), entry_depth(old->words.data));
}

static void store_in_one(const Offer *offer)
{
    TtEntry *const entry = tt_entry(offer->tt, offer->key);
    const Resident old = entry_resident(offer->tt, entry, offer->key);
    const TtData *const data = offer->data;
    const bool takes = !resident_has_fresh_bound(&old) ||
                       (data->bound != BOUND_NONE && (old.is_same || is_preferred(offer, &old)));
    if (takes)
        write_result(offer, entry, &old, &old);
}

/* Thompson's rule: *deep* takes a result at least as deep as its own, *recent* what it refuses, or
 * after Moreland all. */
static void store_in_tables(const Offer *offer, TtSlot *slot, const Resident *deep,
                            const Resident *recent)
{
    const bool to_deep = is_result(offer->data->bound, offer->data->depth) &&
                         (!resident_has_fresh_bound(deep) || is_preferred(offer, deep));
    if (to_deep)
        write_result(offer, &slot->deep, deep, recent);
    if (!to_deep || offer->tt->replacement == REPLACE_THOMPSON_BOTH)
        write_result(offer, &slot->recent, recent, deep);
}

/* The rule of TwoDeep and TwoBig1. */
static void store_in_levels(const Offer *offer, TtSlot *slot, const Resident *first,
                            const Resident *second)
{
    if (!is_result(offer->data->bound, offer->data->depth))
        write_result(offer, &slot->recent, second, first);
    else if (first->is_same)
        write_result(offer, &slot->deep, first, second);
    else if (holds_same_result(second))
        write_result(offer, &slot->recent, second, first);
    else if (!resident_has_fresh_bound(first))
        write_result(offer, &slot->deep, first, second);
    else if (is_preferred(offer, first))
        push_result(offer, slot, first, second);
    else
        write_result(offer, &slot->recent, second, first);
}

static void store_in_two(const Offer *offer)
{
    TtSlot *const slot = tt_slot(offer->tt, offer->key);
    const Resident first = entry_resident(offer->tt, &slot->deep, offer->key);
    const Resident second = entry_resident(offer->tt, &slot->recent, offer->key);
    if (offer->data->bound == BOUND_NONE && !resident_admits_evaluation(&first, &second))
        return;
    const Replacement scheme = offer->tt->replacement;
    if (scheme == REPLACE_TWO_DEEP || scheme == REPLACE_TWO_BIG1)
        store_in_levels(offer, slot, &first, &second);
    else
        store_in_tables(offer, slot, &first, &second);
}

void replacement_store(Tt *tt, Key key, SearchPoint at, const TtData *data, TtStats *stats)
{
    const Offer offer = {.tt = tt, .key = key, .at = at, .data = data, .stats = stats};
    if (replacement_is_single(tt->replacement))
        store_in_one(&offer);
    else
        store_in_two(&offer);
}
