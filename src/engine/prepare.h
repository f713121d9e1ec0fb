// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Prepares the state that all workers of a search share. Both a search of an Engine (engine.h) and
 * a search of a Single (single.h) begin here. */

#include "search/worker.h"

/* The time plan of a search (without a limit of time: TIME_UNLIMITED), and all that the search may
 * use besides the table and the evaluation. Another field of zero: the search does not use it. */
typedef struct {
    TimePlan plan;
    SyzygyUse syzygy;            // men == 0: no tablebase probes
    const LearnedTable *learned; // NULL: no learned positions
    bool may_use_root_cache;     // may start from the result of an earlier search (root_cache.h)
    bool continues_analysis;     // the table entries of the previous search do not age
} SearchResources;

/* Resets `shared` for the search of `*job` and starts the clock of the search. shared->job must be
 * `job`. If the root is in the tablebases, restricts the root moves in `job`. Keeps the table, the
 * evaluation and the workers of `shared`. No search may be running. Afterwards each worker calls
 * worker_prepare() on its own thread. */
void prepare_search(SearchShared *shared, SearchJob *job, const SearchResources *resources);
