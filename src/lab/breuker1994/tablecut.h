// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Decides whether the entries of a position in the transposition table give a cutoff. ALIBABA and
 * the replay of its trace share this code. */

#include "tt/tt.h"

typedef struct {
    Score alpha, beta;
} Window;

/* Bounds of the score of a position, from its entries of sufficient depth. */
typedef struct {
    Score lower, upper;
    int used; // index of the last entry that gave a bound; -1: none
} TableBounds;

/* True when an entry contradicts the bounds of the entry before, because two entries of a position
 * may have different depths. The second is then ignored. */
static inline bool tablecut_contradicts(const TableBounds *bounds, const TtData *entry)
{
    return (entry->bound != BOUND_UPPER && entry->score > bounds->upper) ||
           (entry->bound != BOUND_LOWER && entry->score < bounds->lower);
}

/* Returns the bounds that the first `count` elements of `found` give to a search of `depth` plies.
 * `equal_only` ignores deeper entries. */
static inline TableBounds tablecut_bounds(const TtData *found, int count, int depth,
                                          bool equal_only)
{
    TableBounds bounds = {.lower = -SCORE_INF, .upper = SCORE_INF, .used = -1};
    for (int i = 0; i < count; i++) {
        const TtData *const entry = &found[i];
        if (entry->depth < depth || (equal_only && entry->depth != depth) ||
            tablecut_contradicts(&bounds, entry))
            continue;
        if (entry->bound != BOUND_UPPER && entry->score > bounds.lower)
            bounds.lower = entry->score;
        if (entry->bound != BOUND_LOWER && entry->score < bounds.upper)
            bounds.upper = entry->score;
        bounds.used = i;
    }
    return bounds;
}

/* Returns the kind of the cutoff in `window`, and its score in `*score`; BOUND_NONE, with `*score`
 * unchanged, when the position must be searched. */
static inline Bound tablecut_kind(const TableBounds *bounds, Window window, Score *score)
{
    const bool is_exact = bounds->lower == bounds->upper;
    const bool fails_high = bounds->lower >= window.beta;
    if (!is_exact && !fails_high && bounds->upper > window.alpha)
        return BOUND_NONE;
    *score = is_exact || fails_high ? bounds->lower : bounds->upper;
    return is_exact ? BOUND_EXACT : fails_high ? BOUND_LOWER : BOUND_UPPER;
}
