// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine_run.h"

#include <check.h>
#include <string.h>

#include "base/clock.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "eval/bootstrap.h"

static void record(void *ctx, const Report *report)
{
    Run *run = ctx;
    if (report->kind == REPORT_DONE) {
        run->done_count++;
        run->best = report->best;
        run->ponder = report->ponder;
    }
    if (report->kind != REPORT_LINE)
        return;
    atomic_store(&run->depth, report->depth);
    if (run->line_count == RUN_LINES)
        return;
    Move *pv = run->pvs[run->line_count];
    Report *line = &run->lines[run->line_count++];
    *line = *report;
    if (report->pv_length > 0)
        memcpy(pv, report->pv, (size_t)report->pv_length * sizeof *pv);
    line->pv = pv;
}

static void ignore_progress(void *ctx, uint64_t done, uint64_t total)
{
    (void)ctx;
    ck_assert_uint_le(done, total);
}

static void ignore_outcome(void *ctx, const HashFileSummary *sum, const char *error)
{
    (void)ctx, (void)sum, (void)error;
}

static void ignore_wait(void *ctx)
{
    (void)ctx;
}

const HashSaveListener run_ignore_save = {
    .progress = ignore_progress, .outcome = ignore_outcome, .awaited = ignore_wait};

Engine *run_open_engine(uint64_t hash_mib)
{
    Engine *engine = engine_create(hash_mib);
    ck_assert_ptr_nonnull(engine);
    engine_set_eval(engine, (EvalSource){.bootstrap = bootstrap_eval});
    return engine;
}

SearchJob run_job(Run *run, const char *fen)
{
    SearchJob job;
    char error[FEN_ERROR_MAX];
    memset(run, 0, sizeof *run);
    memset(&job, 0, sizeof job);
    ck_assert_msg(fen_parse(&job.root, fen, true, error), "%s: %s", fen, error);
    path_start(&job.path, &job.root);
    job.multi_pv = 1;
    job.report = record;
    job.ctx = run;
    return job;
}

void run_search(Engine *engine, const SearchJob *job)
{
    engine_start(engine, job);
    engine_wait(engine);
}

void stop_search(Engine *engine)
{
    engine_stop(engine);
    engine_wait(engine);
}

enum { AWAIT_MS = 10000 };

void run_await_depth(const Run *run, int depth)
{
    const int64_t until_ms = clock_ms() + AWAIT_MS;
    while (atomic_load(&run->depth) < depth) {
        ck_assert_msg(clock_ms() < until_ms, "no line of depth %d", depth);
        clock_sleep_ms(1);
    }
}

void run_await_nodes(const Engine *engine, uint64_t nodes)
{
    const int64_t until_ms = clock_ms() + AWAIT_MS;
    while (engine_nodes(engine) < nodes) {
        ck_assert_msg(clock_ms() < until_ms, "the search has fewer than %d nodes", (int)nodes);
        clock_sleep_ms(1);
    }
}

const Report *run_last(const Run *run)
{
    for (int i = run->line_count - 1; i >= 0; i--) {
        if (run->lines[i].multipv == 1)
            return &run->lines[i];
    }
    ck_abort_msg("no line was reported");
    return NULL;
}

void run_check_done(const Run *run, const SearchJob *job)
{
    ck_assert_int_eq(run->done_count, 1);
    ck_assert(gen_is_legal(&job->root, run->best));
    ck_assert_int_eq(run->best, run_last(run)->pv[0]);
}
