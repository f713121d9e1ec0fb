// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Counters of the transposition table. Each thread owns one TtStats, so that counting needs no
 * atomics. The lists below declare the counters and add them up. */

#include <stdint.h>

#include "eval/score.h"

/* Each entry that is written counts in `stores` and in one of the four `replaced_` counters. Under
 * ThompsonBoth a result can be written to both levels; then it counts twice.
 *
 * probes        calls of tt_probe()
 * hits          probes that found one or two entries
 * double_hits   probes that found two entries
 * two_moves     probes that found two entries with different moves
 * type1_errors  entries of other positions, caught by an illegal move; counted by the search
 * refreshes     stale entries that a probe tried to make current
 * stores        entries written
 * replaced_*    of these, by the entry that the table lost: an empty one, one of the same position,
 *               a stale one of another position, or a current one of another position
 * nodes_saved   sum of the subtree sizes of entries that caused cutoffs, less one node each;
 *               counted by the search, under BigAll only
 * foreign       how often a probe compared its key with an entry of another position; only with a
 *               short check_mask
 * false_hits    how often such an entry matched by mistake; only with a short check_mask */
#define TT_COUNTERS(X)                                                                             \
    X(probes)                                                                                      \
    X(hits)                                                                                        \
    X(double_hits)                                                                                 \
    X(two_moves)                                                                                   \
    X(type1_errors)                                                                                \
    X(refreshes)                                                                                   \
    X(stores)                                                                                      \
    X(replaced_empty)                                                                              \
    X(replaced_same)                                                                               \
    X(replaced_stale)                                                                              \
    X(replaced_other)                                                                              \
    X(nodes_saved)                                                                                 \
    X(foreign)                                                                                     \
    X(false_hits)

/* Counters with one value for each Bound.
 *
 * cutoffs  cutoffs by an entry, by the bound of the entry; counted by the search */
#define TT_BOUND_COUNTERS(X) X(cutoffs)

#define TT_DECLARE(name) uint64_t name;
#define TT_DECLARE_BY_BOUND(name) uint64_t name[BOUND_EXACT + 1];
typedef struct {
    TT_COUNTERS(TT_DECLARE)
    TT_BOUND_COUNTERS(TT_DECLARE_BY_BOUND)
} TtStats;
#undef TT_DECLARE
#undef TT_DECLARE_BY_BOUND

/* Returns the sum of the cutoffs of all bounds. */
static inline uint64_t tt_stats_cutoffs(const TtStats *stats)
{
    return stats->cutoffs[BOUND_UPPER] + stats->cutoffs[BOUND_LOWER] + stats->cutoffs[BOUND_EXACT];
}

/* Adds each counter of `from` to the same counter of `sum`. */
void tt_stats_add(TtStats *sum, const TtStats *from);
