// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/prepare.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "search/root_cache.h"
#include "syzygy/root.h"
#include "tt/tt.h"

/* Restricts the search to the root moves that the tablebases rank best, as many as MultiPV shows.
 * If DTZ tables chose the moves, the search probes no tables and only looks for a mate. */
static void filter_root_moves(SearchShared *shared, SearchJob *job)
{
    Limits *const limits = &job->limits;
    const Move *const allowed = limits->has_search_moves ? limits->search_moves : NULL;
    SyzygyRoot root;
    syzygy_root_filter(&shared->syzygy, &job->root, &job->path, allowed, limits->search_move_count,
                       job->multi_pv, &root);
    shared->root_tb_hits = root.tb_hits;
    shared->root_has_dtz = root.is_known;
    if (root.tb_hits > 0) {
        limits->has_search_moves = true;
        limits->search_move_count = root.move_count;
        memcpy(limits->search_moves, root.moves, (size_t)root.move_count * sizeof root.moves[0]);
        memcpy(shared->root_ranks, root.ranks, (size_t)root.move_count * sizeof root.ranks[0]);
    }
    if (root.is_known)
        shared->syzygy.men = 0;
}

void prepare_search(SearchShared *shared, SearchJob *job, const SearchResources *resources)
{
    assert(shared->job == job);
    shared->start_ms = shared->reported_ms = clock_ms();
    shared->plan = resources->plan;
    shared->syzygy = resources->syzygy;
    shared->learned = resources->learned;
    filter_root_moves(shared, job);
    shared->uses_root_cache = resources->may_use_root_cache && root_cache_applies(job);
    if (!resources->continues_analysis)
        tt_new_search(shared->tt);
    atomic_store(&shared->stop, false);
    atomic_store(&shared->soft_limit_hit, false);
    atomic_store(&shared->pondering, job->limits.ponder);
    for (int i = 0; i < shared->worker_count; i++) {
        atomic_store(&shared->workers[i]->nodes, 0);
        atomic_store(&shared->workers[i]->tb_hits, 0);
        for (int k = 0; k < 4; k++)
            atomic_store(&shared->workers[i]->written[k], 0);
    }
}
