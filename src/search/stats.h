// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Counters of the search: they reveal a broken feature before games do. Each counter is one line of
 * stats.def. Each worker has its own set; they are summed for display. */

#include <stdint.h>

#include "tt/tt.h"

typedef struct {
#define STAT(name, whole, label) uint64_t name;
#include "search/stats.def"
#undef STAT
    double branching; // nodes of the last iteration divided by those of the one before
    TtStats tt;
} SearchStats;

/* Progress of a search. */
typedef struct {
    uint64_t nodes;
    /* Entries written to the table, by what each replaced (TtStats). */
    uint64_t replaced_empty, replaced_same, replaced_stale, replaced_other;
} SearchProgress;

/* Adds the counters of `from` to `sum`; the branching factor of `sum` stays. */
void search_stats_add(SearchStats *sum, const SearchStats *from);

/* Calls `visit` for each counter that has a label, in the order of stats.def. */
typedef void (*SearchStatFn)(void *ctx, const char *label, uint64_t part, uint64_t whole);
void search_stats_visit(const SearchStats *stats, SearchStatFn visit, void *ctx);
