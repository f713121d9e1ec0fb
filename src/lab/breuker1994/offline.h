// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Selections of entries with knowledge of the future, for a finished trace (trace.h). They bypass:
 * a result need not enter the table. An entry may enter where trace_may_enter() says so, and leaves
 * at any time. */

#include "lab/breuker1994/trace.h"

/* The buckets of a table. The key selects a bucket as in tt/table.h. */
typedef struct {
    uint64_t buckets;
    int entries; // in a bucket
} TableShape;

/* Belady's MIN (1966): when the bucket is full, the entry whose next use is farthest leaves, or the
 * new one stays out. `shape` may be one bucket of all entries. False when memory is short. */
bool offline_min(const Trace *trace, TableShape shape, TraceGain *gain);

/* Selects entries for a table of `entries` entries in one bucket by the nodes that they save per
 * entry and time, greedily: the period of the greatest density that still fits comes first. Also
 * computes an upper limit on the nodes that any selection saves: that of the fractional knapsack
 * (Dantzig 1957), in which only the sum of all periods is limited. False when memory is short. */
bool offline_density(const Trace *trace, uint64_t entries, TraceGain *gain, uint64_t *limit);
