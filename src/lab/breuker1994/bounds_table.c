// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/breuker1994/bounds_table.h"

#include <assert.h>
#include <stdlib.h>

enum { OLDER = 128 }; // the bit of BoundsEntry.depths

static int bound_depth(const BoundsEntry *entry, BoundsSide side)
{
    return entry->depths[side] & ~OLDER;
}

static bool has_bound(const BoundsEntry *entry, BoundsSide side)
{
    return entry->depths[side] != 0;
}

/* The depth that competes in replacement; 0: the entry is empty. */
static int entry_worth(const BoundsEntry *entry)
{
    const int lower = bound_depth(entry, SIDE_LOWER), upper = bound_depth(entry, SIDE_UPPER);
    return lower > upper ? lower : upper;
}

static bool is_exact(const BoundsEntry *result)
{
    return has_bound(result, SIDE_LOWER) && has_bound(result, SIDE_UPPER);
}

/* --- memory --- */

bool bounds_resize(BoundsTable *table, uint64_t count)
{
    assert(count % 2 == 0);
    bounds_free(table);
    table->entries = calloc(count, sizeof *table->entries);
    table->count = table->entries != NULL ? count : 0;
    return table->entries != NULL;
}

void bounds_free(BoundsTable *table)
{
    free(table->entries);
    table->entries = NULL;
    table->count = 0;
}

/* --- probe --- */

/* Appends the bounds of an entry. Of two bounds of one depth, the later comes first. */
static int unpack(const BoundsEntry *entry, SearchPoint at, BoundsFound *found, int count)
{
    const int lower = bound_depth(entry, SIDE_LOWER), upper = bound_depth(entry, SIDE_UPPER);
    const bool upper_first =
        upper > lower || (upper == lower && (entry->depths[SIDE_LOWER] & OLDER));
    for (int i = 0; i < SIDE_NB; i++) {
        const BoundsSide side = upper_first ? SIDE_UPPER - i : SIDE_LOWER + i;
        if (!has_bound(entry, side))
            continue;
        const Score score = score_from_table(entry->scores[side], at.ply, at.rule50);
        if (score_is_proven(entry->scores[side]) && !score_is_proven(score))
            continue; // too late before a draw by the fifty-move rule: proves nothing here
        found->is_older[count] = entry->depths[side] & OLDER;
        found->results[count++] = (TtData){
            .move = entry->move,
            .score = score,
            .eval = SCORE_NONE,
            .depth = bound_depth(entry, side),
            .bound = side == SIDE_LOWER ? BOUND_LOWER : BOUND_UPPER,
        };
    }
    return count;
}

static bool holds(const BoundsEntry *entry, Key key)
{
    return entry->key == key && entry_worth(entry) > 0;
}

/* The entry of a key under a scheme of one level, as tt_entry(). */
static BoundsEntry *single_entry(const BoundsTable *table, Key key)
{
    return &table->entries[mulhi64(key, table->count)];
}

int bounds_probe(BoundsTable *table, Key key, SearchPoint at, BoundsFound *found)
{
    int count = 0;
    if (replacement_is_single(table->replacement)) {
        const BoundsEntry *const entry = single_entry(table, key);
        count = holds(entry, key) ? unpack(entry, at, found, 0) : 0;
    } else {
        const BoundsEntry *const slot = bounds_slot(table, key);
        const bool first_is_deeper = entry_worth(&slot[0]) > entry_worth(&slot[1]);
        for (int i = 0; i < 2; i++) {
            const BoundsEntry *const entry = &slot[first_is_deeper ? i : 1 - i];
            count = holds(entry, key) ? unpack(entry, at, found, count) : count;
        }
    }
    table->stats.probes++;
    table->stats.hits += count > 0;
    return count;
}

/* Returns true when the bounds narrow the window, and narrows it. */
static bool narrow(const TableBounds *bounds, Window *window)
{
    const bool narrows = bounds->lower > window->alpha || bounds->upper < window->beta;
    window->alpha = bounds->lower > window->alpha ? bounds->lower : window->alpha;
    window->beta = bounds->upper < window->beta ? bounds->upper : window->beta;
    return narrows;
}

void bounds_count(BoundsTable *table, const BoundsFound *found, int count, int depth, Window window)
{
    BoundsStats *const stats = &table->stats;
    TtData later[BOUNDS_FOUND_MAX];
    int later_count = 0;
    for (int i = 0; i < count; i++)
        if (!found->is_older[i])
            later[later_count++] = found->results[i];
    stats->both += later_count < count;
    const TableBounds all = tablecut_bounds(found->results, count, depth, false);
    const TableBounds without = tablecut_bounds(later, later_count, depth, false);
    Score unused;
    if (tablecut_kind(&all, window, &unused) != BOUND_NONE) {
        stats->cutoffs++;
        stats->older_cutoffs += tablecut_kind(&without, window, &unused) == BOUND_NONE;
        return;
    }
    Window narrowed = window, others = window;
    stats->narrowed += narrow(&all, &narrowed);
    narrow(&without, &others);
    stats->older_narrowed += narrowed.alpha > others.alpha || narrowed.beta < others.beta;
}

/* --- store --- */

static BoundsEntry pack(Key key, SearchPoint at, const TtData *data)
{
    const Score score = score_to_table(data->score, at.ply);
    BoundsEntry result = {.key = key, .move = data->move};
    for (BoundsSide side = SIDE_LOWER; side < SIDE_NB; side++) {
        if (data->bound == (side == SIDE_LOWER ? BOUND_UPPER : BOUND_LOWER))
            continue;
        result.scores[side] = (int16_t)score;
        result.depths[side] = (uint8_t)data->depth;
    }
    return result;
}

static bool contradicts(const BoundsEntry *entry, const BoundsEntry *result)
{
    return (has_bound(entry, SIDE_UPPER) && has_bound(result, SIDE_LOWER) &&
            result->scores[SIDE_LOWER] > entry->scores[SIDE_UPPER]) ||
           (has_bound(entry, SIDE_LOWER) && has_bound(result, SIDE_UPPER) &&
            result->scores[SIDE_UPPER] < entry->scores[SIDE_LOWER]);
}

/* Returns true when the result replaces the entry in place. */
static bool is_same(const BoundsTable *table, const BoundsEntry *entry, const BoundsEntry *result)
{
    if (!holds(entry, result->key))
        return false;
    return table->layout != BOUNDS_APART ||
           (has_bound(entry, SIDE_LOWER) && has_bound(result, SIDE_LOWER)) ||
           (has_bound(entry, SIDE_UPPER) && has_bound(result, SIDE_UPPER));
}

/* Writes the result to the entry, and keeps the other bound of the position where it may. */
static void write(const BoundsTable *table, BoundsEntry *entry, const BoundsEntry *result)
{
    const BoundsEntry old = *entry;
    *entry = *result;
    if (!is_same(table, &old, result) || is_exact(result) || contradicts(&old, result))
        return;
    const BoundsSide other = has_bound(result, SIDE_LOWER) ? SIDE_UPPER : SIDE_LOWER;
    const bool keeps =
        table->layout == BOUNDS_OWN ||
        (table->layout == BOUNDS_SHARED && bound_depth(&old, other) == entry_worth(result));
    if (!keeps || !has_bound(&old, other))
        return;
    entry->scores[other] = old.scores[other];
    entry->depths[other] = old.depths[other] | OLDER;
}

static bool is_preferred(const BoundsTable *table, const BoundsEntry *entry,
                         const BoundsEntry *result)
{
    return table->replacement == REPLACE_NEW || entry_worth(result) >= entry_worth(entry);
}

static void store_two_deep(const BoundsTable *table, BoundsEntry *slot, const BoundsEntry *result)
{
    if (is_same(table, &slot[0], result)) {
        write(table, &slot[0], result);
    } else if (is_same(table, &slot[1], result)) {
        write(table, &slot[1], result);
    } else if (is_preferred(table, &slot[0], result)) {
        if (entry_worth(&slot[0]) > 0)
            slot[1] = slot[0];
        write(table, &slot[0], result);
    } else {
        write(table, &slot[1], result);
    }
}

/* Before a result of layout `apart` is stored: removes the entries of its position that it
 * contradicts, or all when it is exact. */
static void forget(BoundsEntry *slot, const BoundsEntry *result)
{
    for (int i = 0; i < 2; i++)
        if (holds(&slot[i], result->key) && (is_exact(result) || contradicts(&slot[i], result)))
            slot[i] = (BoundsEntry){0};
}

void bounds_store(BoundsTable *table, Key key, SearchPoint at, const TtData *data)
{
    assert(data->move != MOVE_NONE && data->bound != BOUND_NONE);
    assert(1 <= data->depth && data->depth < OLDER);
    const BoundsEntry result = pack(key, at, data);
    if (replacement_is_single(table->replacement)) {
        BoundsEntry *const entry = single_entry(table, key);
        if (is_same(table, entry, &result) || is_preferred(table, entry, &result))
            write(table, entry, &result);
        return;
    }
    BoundsEntry *const slot = bounds_slot(table, key);
    if (table->layout == BOUNDS_APART)
        forget(slot, &result);
    if (table->replacement == REPLACE_TWO_DEEP)
        store_two_deep(table, slot, &result);
    else
        write(table, is_preferred(table, &slot[0], &result) ? &slot[0] : &slot[1], &result);
}

const char *bounds_layout_name(BoundsLayout layout)
{
    static const char *const NAMES[BOUNDS_NB] = {"single", "shared", "own", "apart"};
    return NAMES[layout];
}
