// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/single.h"

#include <stdlib.h>
#include <string.h>

#include "engine/prepare.h"
#include "search/deepening.h"
#include "search/params.h"
#include "search/qsearch.h"
#include "search/search.h"

struct Single {
    Tt tt;
    SearchJob job;
    SearchShared shared;
    Worker *worker;              // the only entry of shared.workers
    const LearnedTable *learned; // NULL: none
};

Single *single_create(uint64_t hash_mib, const EvalSource *source)
{
    Single *single = calloc(1, sizeof *single);
    if (single == NULL)
        return NULL;
    single->job.multi_pv = 1;
    single->tt.no_refresh = !params.refresh_on_read;
    single->shared.tt = &single->tt;
    single->shared.eval = source;
    single->shared.job = &single->job;
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
    tt_clear_small(&single->tt);
    worker_clear(single->worker);
}

/* Copies the arguments into the job. Copies only the path keys in use, since a Path has room for a
 * long game. */
static void set_job(SearchJob *job, const Position *root, const Path *path, const Limits *limits)
{
    job->root = *root;
    job->path.count = path->count;
    memcpy(job->path.keys, path->keys, (size_t)path->count * sizeof path->keys[0]);
    job->limits = *limits;
}

/* Resets the shared state for the search of the job. */
static void prepare(Single *single)
{
    const SearchResources resources = {
        .plan = {.soft_ms = TIME_UNLIMITED, .hard_ms = TIME_UNLIMITED}, .learned = single->learned};
    prepare_search(&single->shared, &single->job, &resources);
}

SingleResult single_search(Single *single, const Position *root, const Path *path,
                           const Limits *limits)
{
    Worker *const w = single->worker;
    set_job(&single->job, root, path, limits);
    prepare(single);
    worker_prepare(w);
    if (w->root_move_count == 0)
        return (SingleResult){.score = pos_in_check(root) ? score_mated_in(0) : SCORE_DRAW,
                              .is_exact = true,
                              .peak = SCORE_NONE};
    deepening_run(w);
    const SearchOutcome outcome = deepening_outcome(w);
    return (SingleResult){.best = outcome.best,
                          .score = outcome.score,
                          .is_exact = outcome.is_exact,
                          .depth = outcome.depth,
                          .peak = outcome.peak,
                          .nodes = worker_nodes(w)};
}

bool single_search_again(Single *single, const Node *n, int depth, bool forgets_path,
                         uint64_t max_nodes, Score *score)
{
    Worker *const w = single->worker;
    single->job.limits = (Limits){.nodes = max_nodes};
    prepare(single);
    worker_join_line(w, n->w);
    SearchStack *const ss = worker_stack(w, n->ply);
    if (forgets_path) {
        ss->pos.rule50 = 0;
        path_start(&w->path, &ss->pos);
    }
    *score = pvs(w, ss, n->alpha, n->beta, depth, n->cut_node);
    worker_leave_line(w);
    return !w->stopped;
}

bool single_is_quiet(Single *single, const Position *pos, int margin)
{
    Worker *const w = single->worker;
    worker_prepare_position(w, pos);
    const Score eval = eval_scale_rule50(eval_raw(&w->evaluator, pos, 0), pos->rule50);
    const Score limit = score_clamp_eval(eval + margin);
    return qsearch(w, worker_stack(w, 0), limit, limit + 1) <= limit;
}

Score single_quiescence(Single *single, const Position *pos)
{
    Worker *const w = single->worker;
    worker_prepare_position(w, pos);
    return qsearch(w, worker_stack(w, 0), -SCORE_INF, SCORE_INF);
}

bool single_is_balanced(Single *single, const Position *root, const Path *path)
{
    const Limits limits = {.nodes = SINGLE_BALANCED_NODES};
    single_new_game(single);
    return abs(single_search(single, root, path, &limits).score) <= SINGLE_BALANCED_SCORE;
}

void single_set_lmp_extra(Single *single, int lmp_extra)
{
    single->job.lmp_extra = lmp_extra;
}

void single_set_learned(Single *single, const LearnedTable *learned)
{
    single->learned = learned;
}

void single_set_judge(Single *single, const CutoffJudge *judge)
{
    single->shared.judge = judge;
}

uint64_t single_nodes(const Single *single)
{
    return worker_nodes(single->worker);
}

Tt *single_table(Single *single)
{
    return &single->tt;
}

const SearchStats *single_stats(const Single *single)
{
    return &single->worker->stats;
}
