// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/learned_table.h"

#include <assert.h>
#include <stdlib.h>

#include "base/bits.h"

static_assert(sizeof(LearnedEntry) == 24, "a learned position in RAM takes 24 bytes");

enum { SLOT_BITS_MIN = 10 };

static size_t slot_count(const LearnedTable *table)
{
    return table->slots != NULL ? (size_t)1 << table->slot_bits : 0;
}

size_t learned_table_bytes(const LearnedTable *table)
{
    return slot_count(table) * sizeof(LearnedEntry);
}

/* Returns the slot of `key`, or the empty slot where the key belongs. At least one slot is empty.
 */
static LearnedEntry *find_slot(const LearnedTable *table, Key key)
{
    const size_t mask = slot_count(table) - 1;
    // Also separates keys with equal high bits.
    size_t i = (size_t)(key * GOLDEN_RATIO_64 >> (64 - table->slot_bits));
    while (table->slots[i].move != MOVE_NONE && table->slots[i].key != key)
        i = (i + 1) & mask;
    return &table->slots[i];
}

/* Makes room for `count` entries. False when memory is short; the table is then unchanged. A load
 * of at most three quarters keeps unsuccessful probes short. */
static bool reserve(LearnedTable *table, size_t count)
{
    if (table->slots != NULL && count <= slot_count(table) / 4 * 3)
        return true;
    LearnedTable larger = *table;
    for (larger.slot_bits = SLOT_BITS_MIN; count > ((size_t)1 << larger.slot_bits) / 4 * 3;)
        larger.slot_bits++;
    larger.slots = calloc((size_t)1 << larger.slot_bits, sizeof *larger.slots);
    if (larger.slots == NULL)
        return false;
    for (size_t i = 0; i < slot_count(table); i++)
        if (table->slots[i].move != MOVE_NONE)
            *find_slot(&larger, table->slots[i].key) = table->slots[i];
    free(table->slots);
    *table = larger;
    return true;
}

void learned_table_clear(LearnedTable *table)
{
    free(table->slots);
    table->slots = NULL;
    table->slot_bits = 0;
    table->count = 0;
}

bool learned_entry_replaces(LearnPolicy policy, const LearnedEntry *newer,
                            const LearnedEntry *older)
{
    if (policy != LEARN_MOUSE || newer->origin == ORIGIN_ADVICE ||
        newer->network != older->network || older->score == SCORE_NONE)
        return true;
    return newer->score != SCORE_NONE && newer->depth >= older->depth;
}

static bool has_usable_score(const LearnedEntry *entry, uint32_t network)
{
    return entry->network == network && entry->score != SCORE_NONE;
}

bool learned_entry_outranks(const LearnedEntry *newer, const LearnedEntry *older, uint32_t network)
{
    const bool is_usable = has_usable_score(newer, network);
    return is_usable != has_usable_score(older, network) ? is_usable : newer->depth >= older->depth;
}

/* Whether `entry` takes the slot of `stored`, which has the same key. */
static bool takes_slot(const LearnedTable *table, const LearnedEntry *entry,
                       const LearnedEntry *stored, bool is_newer)
{
    if (entry->origin == stored->origin)
        return is_newer ? learned_entry_replaces(table->policy, entry, stored)
                        : !learned_entry_replaces(table->policy, stored, entry);
    if (entry->origin == ORIGIN_ADVICE || stored->origin == ORIGIN_ADVICE)
        return entry->origin == ORIGIN_ADVICE;
    return is_newer ? learned_entry_outranks(entry, stored, table->network)
                    : !learned_entry_outranks(stored, entry, table->network);
}

bool learned_table_put(LearnedTable *table, const LearnedEntry *entry, bool is_newer)
{
    assert(entry->move != MOVE_NONE);
    if (!reserve(table, table->count + 1))
        return false;
    LearnedEntry *const slot = find_slot(table, entry->key);
    const bool is_empty = slot->move == MOVE_NONE;
    table->count += is_empty;
    if (is_empty || takes_slot(table, entry, slot, is_newer))
        *slot = *entry;
    return true;
}

const LearnedEntry *learned_table_find(const LearnedTable *table, Key key)
{
    if (table->slots == NULL)
        return NULL;
    const LearnedEntry *const slot = find_slot(table, key);
    return slot->move != MOVE_NONE ? slot : NULL;
}

bool learned_score_is_usable(const LearnedTable *table, const LearnedEntry *entry, int depth,
                             int ply, int rule50)
{
    if (entry->score == SCORE_NONE || entry->network != table->network || entry->depth < depth ||
        rule50 >= LEARNED_RULE50_MAX)
        return false;
    const Score score = score_from_table(entry->score, ply, rule50);
    return score == entry->score || score_is_proven(score);
}

LearnedBounds learned_bounds(LearnPolicy policy, Score fuzz, Score score)
{
    if (policy == LEARN_CRAFTY || score_is_proven(score))
        return (LearnedBounds){score, score};
    return (LearnedBounds){score_clamp_eval(score - fuzz), score_clamp_eval(score + fuzz)};
}
