// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Prepares the state that all workers of a search share: the one place where a search of the engine
 * (engine.h) and a search of a Single (single.h) begin. */

#include "search/worker.h"

/* What a search may use besides the table and the evaluation. All zero but the plan: nothing. */
typedef struct {
    TimePlan plan;
    SyzygyUse syzygy;            // men == 0: no tablebase probes
    const LearnedTable *learned; // NULL: no learned positions
    bool may_use_root_cache;     // start from the result of an earlier search (root_cache.h)
    bool continues_analysis;     // entries of the search before do not age
} SearchResources;

/* Resets `shared` for a search of `*job`, to which shared->job points, and starts its clock. A
 * tablebase hit at the root restricts the root moves of `job`. No search may be running; the table,
 * the evaluation and the workers of `shared` stay. Afterwards each worker calls worker_prepare() on
 * its own thread. */
void prepare_search(SearchShared *shared, SearchJob *job, const SearchResources *resources);
