// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Replacement by offline algorithms, which know the future, for a finished trace (trace.h): MIN and
 * a greedy selection by density; flow.h has the optimum. Unlike the replacement schemes, these
 * rules need not store a result. An entry may enter the table where trace_may_enter() says so, and
 * leave at any time.
 *
 * A position is one entry, which each store of the position renews. Today's search may keep a deep
 * result in addition to a later one of quiescence; a rule that held only the later one is then
 * credited with the cutoffs of both. This concerns some 2% of the cutoffs. */

#include "lab/optimal/trace.h"

/* The buckets of a table. The key selects a bucket as in tt/table.h. */
typedef struct {
    uint64_t buckets;
    int entries; // in a bucket
} TableShape;

/* Belady's MIN (1966): of the entries of a full bucket and the new one, the one whose next use is
 * farthest is left out. `shape` may be one bucket of all entries. Writes what the table is worth to
 * `*gain`. False when memory is short. */
bool offline_min(const Trace *trace, TableShape shape, TraceGain *gain);

/* A greedy selection for a table of `entries` entries in one bucket: keeps entries in those periods
 * of time in which they save the most nodes per unit of time (density). The densest period that
 * still fits is accepted first. Also computes in `*limit` an upper limit on the nodes that any
 * selection saves: the fractional knapsack (Dantzig 1957), which limits only the sum of all
 * periods. False when memory is short. */
bool offline_density(const Trace *trace, uint64_t entries, TraceGain *gain, uint64_t *limit);
