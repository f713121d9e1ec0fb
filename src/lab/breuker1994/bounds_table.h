// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A transposition table for the experiment `bounds`: what should an entry keep of the bounds of its
 * position? The four layouts differ only in that. An entry has 16 bytes under each layout, as in
 * tt/entry.h, but no static evaluation and no generation, which ALIBABA does not need when the
 * table is empty at the start of each search. The replacement schemes are those of
 * tt/replacement.h, where the depth of an entry is that of its deeper bound. One thread. */

#include "lab/breuker1994/tablecut.h"

/* own:    a lower and an upper bound, each with its depth
 * shared: both bounds have one depth, as in Mouse (Slate 1987) and in Robinson (1995); a result of
 *         another depth replaces both
 * apart:  one bound, but a lower and an upper bound of a position compete like results of
 *         different positions, so that they can take the two entries of a slot */
typedef enum { BOUNDS_SINGLE, BOUNDS_SHARED, BOUNDS_OWN, BOUNDS_APART, BOUNDS_NB } BoundsLayout;

typedef enum { SIDE_LOWER, SIDE_UPPER, SIDE_NB } BoundsSide;

typedef struct {
    Key key;
    Move move;
    int16_t scores[SIDE_NB]; // relative to the position, as in tt/
    uint8_t depths[SIDE_NB]; // 0: no bound. The highest bit marks a bound that is older than the
                             // other one: a single bound would have been overwritten
} BoundsEntry;

static_assert(sizeof(BoundsEntry) == 16, "as large as an entry of tt/");

/* What probes found. Without the bounds that are older than the other bound of their entry, the
 * table would not give the `older_cutoffs`, and would leave the `older_narrowed` windows wider. */
typedef struct {
    uint64_t probes, hits;
    uint64_t both; // hits with such a bound
    uint64_t cutoffs, older_cutoffs;
    uint64_t narrowed, older_narrowed; // windows, without a cutoff
} BoundsStats;

/* The caller sets replacement (REPLACE_NEW, _DEEP, _TWO_DEEP or _THOMPSON) and layout; all other
 * members are zero before bounds_resize(). */
typedef struct {
    Replacement replacement;
    BoundsLayout layout;
    BoundsEntry *entries; // two adjacent entries are a slot
    uint64_t count;
    BoundsStats stats;
} BoundsTable;

/* Allocates `count` empty entries, an even number; false when memory is short. */
bool bounds_resize(BoundsTable *table, uint64_t count);
void bounds_free(BoundsTable *table);

static inline BoundsEntry *bounds_slot(const BoundsTable *table, Key key)
{
    return &table->entries[2 * mulhi64(key, table->count / 2)];
}

static inline void bounds_prefetch(const BoundsTable *table, Key key)
{
    __builtin_prefetch(bounds_slot(table, key));
}

/* The bounds of a position: those of the deeper entry first, then the deeper bound of an entry. */
enum { BOUNDS_FOUND_MAX = 2 * SIDE_NB };
typedef struct {
    TtData results[BOUNDS_FOUND_MAX]; // BOUND_LOWER or BOUND_UPPER
    bool is_older[BOUNDS_FOUND_MAX];
} BoundsFound;

/* Writes the bounds of a position to `*found` and returns their number. */
int bounds_probe(BoundsTable *table, Key key, SearchPoint at, BoundsFound *found);

/* Counts what `count` bounds give to a search of `depth` plies with this window. */
void bounds_count(BoundsTable *table, const BoundsFound *found, int count, int depth,
                  Window window);

/* Stores a result with a move, a depth of at least 1 and a bound. It replaces bounds of its own
 * kind, an exact score both. The other bound stays with its depth, if the layout has room for it
 * and it does not contradict the result. */
void bounds_store(BoundsTable *table, Key key, SearchPoint at, const TtData *data);

/* The name of a layout in results. */
const char *bounds_layout_name(BoundsLayout layout);
