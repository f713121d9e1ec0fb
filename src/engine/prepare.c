// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/prepare.h"

#include <assert.h>

#include "base/clock.h"
#include "search/root_cache.h"
#include "syzygy/root.h"
#include "tt/tt.h"

/* Probes the tablebases for the root, as shared->syzygy allows. */
static void probe_root(SearchShared *shared, SearchJob *job)
{
    syzygy_root_prepare(shared, job);
}

void prepare_search(SearchShared *shared, SearchJob *job, const SearchResources *resources)
{
    assert(shared->job == job);
    shared->start_ms = clock_ms();
    shared->plan = resources->plan;
    shared->syzygy = resources->syzygy;
    shared->learned = resources->learned;
    probe_root(shared, job);
    shared->uses_root_cache =
        resources->may_use_root_cache && !shared->root_is_known && root_cache_applies(job);
    if (!resources->continues_analysis)
        tt_new_search(shared->tt);
    atomic_store(&shared->stop, false);
    atomic_store(&shared->soft_limit_hit, false);
    atomic_store(&shared->pondering, job->limits.ponder);
    for (int i = 0; i < shared->worker_count; i++) {
        atomic_store(&shared->workers[i]->nodes, 0);
        atomic_store(&shared->workers[i]->tb_hits, 0);
    }
}
