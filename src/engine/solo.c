// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/solo.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "search/worker.h"

struct Solo {
    Tt tt;
    SearchJob job;
    SearchShared shared;
    Worker *worker; // the only one, which `shared` lists
};

Solo *solo_create(uint64_t hash_mib, const EvalSource *source)
{
    Solo *solo = calloc(1, sizeof *solo);
    if (solo == NULL)
        return NULL;
    solo->job.multi_pv = 1;
    solo->shared.tt = &solo->tt;
    solo->shared.eval = source;
    solo->shared.job = &solo->job;
    solo->shared.plan = (TimePlan){.soft_ms = TIME_UNLIMITED, .hard_ms = TIME_UNLIMITED};
    if (tt_resize(&solo->tt, hash_mib) == hash_mib)
        solo->worker = worker_create(&solo->shared, 0);
    if (solo->worker == NULL) {
        solo_destroy(solo);
        return NULL;
    }
    solo->shared.workers = &solo->worker;
    solo->shared.worker_count = 1;
    return solo;
}

void solo_destroy(Solo *solo)
{
    if (solo == NULL)
        return;
    if (solo->worker != NULL)
        worker_destroy(solo->worker);
    tt_free(&solo->tt);
    free(solo);
}

void solo_new_game(Solo *solo)
{
    /* Written over rather than given back to the system, as tt_clear() would: the table is small,
     * it is needed again at once, and many threads that change their page tables wait for each
     * other. */
    tt_clear_slice(&solo->tt, 0, 1);
    worker_forget(solo->worker);
}

SoloResult solo_search(Solo *solo, const Position *root, const Path *path, const Limits *limits)
{
    Worker *w = solo->worker;
    SearchJob *job = &solo->job;
    job->root = *root;
    job->path.count = path->count;
    memcpy(job->path.keys, path->keys, (size_t)path->count * sizeof path->keys[0]);
    job->limits = *limits;
    solo->shared.start_ms = clock_ms();
    atomic_store_explicit(&solo->shared.stop, false, memory_order_relaxed);
    atomic_store_explicit(&solo->shared.has_enough, false, memory_order_relaxed);
    tt_new_search(&solo->tt);
    worker_prepare(w);
    if (w->root_count == 0)
        return (SoloResult){.score = pos_in_check(root) ? score_mated_in(0) : SCORE_DRAW,
                            .is_exact = true};
    search_iterate(w);
    const SearchOutcome outcome = search_outcome(w);
    return (SoloResult){.best = outcome.best,
                        .score = outcome.score,
                        .is_exact = outcome.is_exact,
                        .depth = outcome.depth,
                        .nodes = worker_nodes(w)};
}

bool solo_is_level(Solo *solo, const Position *root, const Path *path)
{
    const Limits limits = {.nodes = SOLO_LEVEL_NODES};
    solo_new_game(solo);
    return abs(solo_search(solo, root, path, &limits).score) <= SOLO_LEVEL_SCORE;
}

Tt *solo_table(Solo *solo)
{
    return &solo->tt;
}

const SearchStats *solo_stats(const Solo *solo)
{
    return &solo->worker->stats;
}
