// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/single.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "search/deepening.h"

struct Single {
    Tt tt;
    SearchJob job;
    SearchShared shared;
    Worker *worker; // the only one, which `shared` lists
};

Single *single_create(uint64_t hash_mib, const EvalSource *source)
{
    Single *single = calloc(1, sizeof *single);
    if (single == NULL)
        return NULL;
    single->job.multi_pv = 1;
    single->shared.tt = &single->tt;
    single->shared.eval = source;
    single->shared.job = &single->job;
    single->shared.plan = (TimePlan){.soft_ms = TIME_UNLIMITED, .hard_ms = TIME_UNLIMITED};
    if (tt_resize(&single->tt, hash_mib) == hash_mib)
        single->worker = worker_create(&single->shared, 0);
    if (single->worker == NULL) {
        single_destroy(single);
        return NULL;
    }
    single->shared.workers = &single->worker;
    single->shared.worker_count = 1;
    return single;
}

void single_destroy(Single *single)
{
    if (single == NULL)
        return;
    if (single->worker != NULL)
        worker_destroy(single->worker);
    tt_free(&single->tt);
    free(single);
}

void single_new_game(Single *single)
{
    /* Written over rather than given back to the system, as tt_clear() would: the table is small,
     * it is needed again at once, and many threads that change their page tables wait for each
     * other. */
    tt_clear_slice(&single->tt, 0, 1);
    worker_forget(single->worker);
}

SingleResult single_search(Single *single, const Position *root, const Path *path,
                           const Limits *limits)
{
    Worker *w = single->worker;
    SearchJob *job = &single->job;
    job->root = *root;
    job->path.count = path->count;
    memcpy(job->path.keys, path->keys, (size_t)path->count * sizeof path->keys[0]);
    job->limits = *limits;
    single->shared.start_ms = clock_ms();
    atomic_store_explicit(&single->shared.stop, false, memory_order_relaxed);
    atomic_store_explicit(&single->shared.soft_limit_hit, false, memory_order_relaxed);
    tt_new_search(&single->tt);
    worker_prepare(w);
    if (w->root_count == 0)
        return (SingleResult){.score = pos_in_check(root) ? score_mated_in(0) : SCORE_DRAW,
                              .is_exact = true};
    deepening_run(w);
    const SearchOutcome outcome = deepening_outcome(w);
    return (SingleResult){.best = outcome.best,
                          .score = outcome.score,
                          .is_exact = outcome.is_exact,
                          .depth = outcome.depth,
                          .nodes = worker_nodes(w)};
}

bool single_is_level(Single *single, const Position *root, const Path *path)
{
    const Limits limits = {.nodes = SINGLE_LEVEL_NODES};
    single_new_game(single);
    return abs(single_search(single, root, path, &limits).score) <= SINGLE_LEVEL_SCORE;
}

Tt *single_table(Single *single)
{
    return &single->tt;
}

const SearchStats *single_stats(const Single *single)
{
    return &single->worker->stats;
}
