// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"
#include "engine/prepare.h"
#include "engine/threads.h"
#include "eval/built_in.h"
#include "search/deepening.h"
#include "search/nodestime.h"
#include "search/params.h"
#include "search/root_cache.h"
#include "search/timeman.h"
#include "syzygy/root.h"
#include "tt/resize.h"
#include "tt/warmup.h"

enum { STOP_INTERVAL_MS = 50 }; // of engine_search()

struct Engine {
    Tt tt;
    EvalSource eval;
    Network *network;        // opened from a file; NULL: the built-in network is used
    char *syzygy_folders;    // NULL: none
    SyzygyTables syzygy;     // the open tables
    SyzygyUse syzygy_limits; // as requested, not capped by the open tables
    Learning *learning;
    HashSave save;
    ClearListener *before_clear; // engine_on_clear(); NULL: none
    void *before_clear_ctx;
    NodeClock node_clock;    // of the game, when nodes count as time
    Lag lag;                 // of the moves of the game
    int64_t ran_us;          // clock_thread_us() of the main worker when the last search ended
    bool analysing;          // as set by engine_set_analysing()
    bool keeps_table;        // engine_set_keeps_table()
    bool is_analysis;        // the last or running search may use the root cache
    bool table_is_empty;     // no search and no loading since the table was cleared
    bool table_is_from_file; // the table holds entries loaded from a hash file
    bool table_is_strong;    // the table may hold results of full strength, also from a file
    SearchJob job;           // of the last or running search
    ResultKind result;       // of the last search
    const Worker *elected;   // by the last search
    SearchShared shared;
    Threads *threads;
};

static ResultKind result_kind(const Engine *engine, const Worker *w)
{
    if (engine->shared.root_tb_hits > 0)
        return RESULT_TABLEBASES;
    return w->cached_depth > 0 && w->completed_depth == w->cached_depth ? RESULT_CACHED
                                                                        : RESULT_SEARCHED;
}

/* Passes the result of the search to position learning. A search that ends while it still ponders
 * is ignored: its position did not occur in the game. */
static void learn(Engine *engine, const Worker *w)
{
    const SearchJob *job = &engine->job;
    if (w->root_move_count == 0 || job->limits.has_search_moves ||
        atomic_load(&engine->shared.pondering) || !strength_is_full(&job->strength) ||
        job->no_learning)
        return;
    if (engine->result == RESULT_CACHED) // the search found nothing new
        return;
    const SearchOutcome outcome = deepening_outcome(w);
    const bool is_analysis = engine->analysing || job->limits.infinite;
    learning_record(engine->learning, &job->root, &job->path, &outcome,
                    is_analysis ? ORIGIN_ANALYSIS : ORIGIN_LEARNED);
}

/* Stores the result of the last search at its root in the table. Takes the result of the worker
 * with the deepest finished iteration. */
static void store_root(Engine *engine)
{
    Worker *const *const workers = engine->shared.workers;
    Worker *deepest = workers[0];
    for (int i = 1; i < engine->shared.worker_count; i++)
        if (workers[i]->completed_depth > deepest->completed_depth)
            deepest = workers[i];
    root_cache_store(deepest);
}

/* When nodes count as time, subtracts the nodes of the search from the clock of its side. Nodes
 * before the ponderhit do not count, nor does a search that still ponders. */
static void spend_nodes(Engine *engine)
{
    const SearchJob *const job = &engine->job;
    if (job->nodes_per_ms == 0 || atomic_load(&engine->shared.pondering))
        return;
    const uint64_t nodes =
        worker_total_nodes(&engine->shared) - threads_pondered_nodes(engine->threads);
    nodestime_spend(&engine->node_clock, job->root.side, &job->limits, nodes);
}

/* Records the time that the search took from the clock, from the ponderhit on if it has pondered.
 * Does nothing for a search that still ponders, nor when nodes count as time. */
static void note_lag(Engine *engine, const Worker *main_worker)
{
    const SearchJob *const job = &engine->job;
    const int64_t spent_ms =
        worker_spent_ms(&engine->shared) - threads_pondered_ms(engine->threads);
    const int64_t ran_us = clock_thread_us() - engine->ran_us; // negative: another thread
    engine->ran_us += ran_us;
    if (job->nodes_per_ms > 0 || atomic_load(&engine->shared.pondering))
        return;
    lag_note(&engine->lag, &job->path, job->root.side, &job->limits, spent_ms,
             main_worker->longest_pause_ms);
    if (job->limits.has_clock && !job->limits.ponder && ran_us >= 0)
        lag_note_share(&engine->lag, 1000 * spent_ms, ran_us, CLOCK_THREAD_STEP_US);
}

/* Ends the search of the other processes and reads their results. */
static void end_peers(Engine *engine)
{
    SearchShared *const shared = &engine->shared;
    shared->peer_count =
        shared->peers != NULL ? shared->peers->end(shared->peers, &shared->peer_results) : 0;
}

/* Ends a search, as a ThreadsConcludeFn. */
static void finish_search(void *ctx, Worker *main_worker)
{
    Engine *const engine = ctx;
    end_peers(engine);
    note_lag(engine, main_worker);
    spend_nodes(engine);
    if (engine->is_analysis)
        store_root(engine);
    engine->elected = deepening_conclude(main_worker);
    engine->result = result_kind(engine, engine->elected);
    learn(engine, engine->elected);
}

Engine *engine_create(uint64_t hash_mib)
{
    Engine *const engine = calloc(1, sizeof *engine);
    if (engine == NULL)
        return NULL;
    engine->eval = built_in_eval();
    engine->table_is_empty = true;
    engine->learning = learning_create();
    engine->syzygy_limits =
        (SyzygyUse){.men = SYZYGY_MEN_MAX, .depth = SYZYGY_DEPTH, .rule50 = true};
    engine->shared.tt = &engine->tt;
    engine->shared.eval = &engine->eval;
    engine->shared.job = &engine->job;
    if (engine->learning != NULL && tt_resize(&engine->tt, hash_mib) != 0)
        engine->threads =
            threads_create(&engine->shared, ENGINE_MAX_THREADS, finish_search, engine);
    if (engine->threads == NULL) {
        engine_destroy(engine);
        return NULL;
    }
    learning_set_network(engine->learning, eval_fingerprint_short(&engine->eval));
    return engine;
}

void engine_destroy(Engine *engine)
{
    threads_destroy(engine->threads);
    hashsave_await(&engine->save);
    tt_free(&engine->tt);
    learning_destroy(engine->learning);
    network_close(engine->network);
    free(engine->syzygy_folders);
    free(engine);
}

int engine_set_threads(Engine *engine, int threads)
{
    assert(1 <= threads && threads <= ENGINE_MAX_THREADS);
    const int limit = thread_limit();
    return threads_set_count(engine->threads, threads < limit ? threads : limit);
}

/* Records that the table is empty, and drops the last result of each worker, so that store_root()
 * does not store it in the empty table. */
static void note_empty_table(Engine *engine)
{
    engine->table_is_empty = true;
    engine->table_is_from_file = false;
    engine->table_is_strong = false;
    for (int i = 0; i < engine->shared.worker_count; i++)
        root_cache_forget(engine->shared.workers[i]);
}

void engine_on_clear(Engine *engine, ClearListener *listener, void *ctx)
{
    engine->before_clear = listener;
    engine->before_clear_ctx = ctx;
}

static void announce_clear(Engine *engine)
{
    if (engine->before_clear != NULL)
        engine->before_clear(engine->before_clear_ctx);
}

/* Resizes a table that has whole keys and keeps the entries that fit; false, with the table
 * unchanged, when memory is short. */
static bool resize_with_entries(Tt *tt, uint64_t mib)
{
    if (!tt_resize_keeping(tt, mib))
        return false;
    tt_migrate(tt);
    return true;
}

uint64_t engine_set_hash(Engine *engine, uint64_t mib, bool *kept)
{
    Tt *const tt = &engine->tt;
    engine_wait(engine);
    *kept = true;
    if (mib << 20 == tt->bytes)
        return mib;
    hashsave_await(&engine->save);
    const bool has_entries = !engine->table_is_empty && tt_has_whole_keys(tt);
    const bool shrinks = mib << 20 < tt->bytes;
    if (has_entries && shrinks)
        announce_clear(engine);
    if (has_entries && resize_with_entries(tt, mib))
        return mib;
    if (has_entries && !shrinks)
        announce_clear(engine);
    Tt least = tt_without_memory(tt); // 1 MiB in reserve, in case that no other size fits
    if (tt_resize(&least, 1) == 0)
        return tt->bytes >> 20;
    *kept = engine->table_is_empty;
    note_empty_table(engine);
    const uint64_t got = tt_resize(tt, mib);
    if (got != 0) {
        tt_free(&least);
        return got;
    }
    *tt = least;
    return 1;
}

static void clear_table(Engine *engine)
{
    hashsave_await(&engine->save);
    peers_clear(engine->shared.peers, CLEAR_TABLE);
    tt_clear(&engine->tt);
    note_empty_table(engine);
}

static void clear_for_setting(Engine *engine)
{
    announce_clear(engine);
    clear_table(engine);
}

void engine_clear_hash(Engine *engine)
{
    engine_wait(engine);
    clear_table(engine);
}

void engine_clear_strong_results(Engine *engine)
{
    engine_wait(engine);
    if (engine->table_is_strong)
        clear_for_setting(engine);
}

void engine_warm_up(Engine *engine, int64_t ms)
{
    assert(!engine_is_searching(engine));
    if (engine->table_is_empty)
        tt_warm_up(&engine->tt, engine->shared.worker_count, ms);
}

void engine_set_replacement(Engine *engine, Replacement replacement)
{
    engine_wait(engine);
    if (replacement == engine->tt.replacement)
        return;
    clear_for_setting(engine);
    engine->tt.replacement = replacement;
}

bool engine_save_hash_during_search(Engine *engine, const HashFileTask *task,
                                    const HashSaveListener *listener)
{
    hashsave_await(&engine->save);
    HashFileTask filled = *task;
    filled.evaluation = eval_fingerprint(&engine->eval);
    return hashsave_start(&engine->save, &engine->tt, &filled, listener);
}

bool engine_save_hash(Engine *engine, const HashFileTask *task, const HashSaveListener *listener)
{
    engine_wait(engine);
    store_root(engine);
    return engine_save_hash_during_search(engine, task, listener);
}

bool engine_is_saving(const Engine *engine)
{
    return hashsave_is_running(&engine->save);
}

bool engine_await_save(Engine *engine)
{
    return hashsave_await(&engine->save);
}

bool engine_end_save(Engine *engine)
{
    return hashsave_end(&engine->save);
}

void engine_limit_saves(Engine *engine, int64_t ms)
{
    hashsave_limit(&engine->save, ms);
}

bool engine_load_hash(Engine *engine, HashFileTask *task, HashFileSummary *out, char *error)
{
    engine_wait(engine);
    hashsave_await(&engine->save);
    task->evaluation = eval_fingerprint(&engine->eval);
    const bool is_loaded = hashfile_load(task, &engine->tt, out, error);
    engine->table_is_empty = false; // a load that failed may have stored some entries
    engine->table_is_strong = true;
    engine->table_is_from_file |= is_loaded;
    return is_loaded;
}

bool engine_verify_hash_file(Engine *engine, HashFileTask *task, HashFileSummary *out, char *error)
{
    hashsave_await(&engine->save);
    task->evaluation = eval_fingerprint(&engine->eval);
    return hashfile_verify(task, out, error);
}

/* Clears what depends on the last game, except the table. */
static void forget_game(Engine *engine)
{
    peers_clear(engine->shared.peers, CLEAR_GAME);
    engine->node_clock = (NodeClock){0};
    lag_new_game(&engine->lag);
    learning_new_game(engine->learning);
    for (int i = 0; i < engine->shared.worker_count; i++)
        worker_clear(engine->shared.workers[i]);
}

static void begin_game(Engine *engine, bool keeps_table)
{
    if (!keeps_table)
        clear_table(engine);
    forget_game(engine);
}

void engine_new_game(Engine *engine)
{
    engine_wait(engine);
    begin_game(engine, engine->analysing || engine->keeps_table || engine->job.limits.infinite);
}

void engine_new_test(Engine *engine)
{
    engine_wait(engine);
    begin_game(engine, engine->analysing || engine->keeps_table);
}

void engine_set_analysing(Engine *engine, bool analysing)
{
    engine_wait(engine);
    engine->analysing = analysing;
}

void engine_set_keeps_table(Engine *engine, bool keeps)
{
    engine_wait(engine);
    engine->keeps_table = keeps;
}

void engine_set_eval(Engine *engine, EvalSource source)
{
    engine_wait(engine);
    clear_for_setting(engine); // with the old evaluation, which a save names
    engine->eval = source;
    for (int i = 0; i < engine->shared.worker_count; i++)
        eval_prepare(&engine->shared.workers[i]->evaluator, &engine->eval);
    forget_game(engine);
    learning_set_network(engine->learning, eval_fingerprint_short(&engine->eval));
    network_close(engine->network);
    engine->network = NULL;
}

bool engine_set_network(Engine *engine, const char *path, char *error)
{
    engine_wait(engine);
    Network *const network = *path != '\0' ? network_open(path, error) : NULL;
    if (network == NULL && *path != '\0')
        return false;
    EvalSource eval = built_in_eval();
    if (network != NULL)
        eval = (EvalSource){.network = network};
    if (eval_fingerprint(&eval) == eval_fingerprint(&engine->eval)) {
        network_close(network);
        return true;
    }
    engine_set_eval(engine, eval);
    engine->network = network;
    return true;
}

/* Remembers `folders` as those requested; false when memory is short. */
static bool request_folders(Engine *engine, const char *folders)
{
    free(engine->syzygy_folders);
    engine->syzygy_folders = *folders != '\0' ? strdup(folders) : NULL;
    return engine->syzygy_folders != NULL || *folders == '\0';
}

static bool open_tables(Engine *engine, const char *folders, char *error)
{
    engine->syzygy = (SyzygyTables){0};
    if (request_folders(engine, folders))
        return *folders == '\0' || syzygy_open(folders, &engine->syzygy, error);
    snprintf(error, SYZYGY_ERROR_MAX, "no memory for the list of folders");
    return false;
}

bool engine_set_syzygy(Engine *engine, const char *folders, char *error)
{
    engine_wait(engine);
    const SyzygyTables old = engine->syzygy;
    const bool is_same = strcmp(folders, engine_syzygy_folders(engine)) == 0;
    const bool is_good = open_tables(engine, folders, error);
    const SyzygyTables *const now = &engine->syzygy;
    if (old.men != now->men || old.wdl_files != now->wdl_files || old.dtz_files != now->dtz_files ||
        (now->men > 0 && !is_same))
        clear_for_setting(engine);
    return is_good;
}

void engine_refuse_syzygy(Engine *engine, const char *folders)
{
    char unused[SYZYGY_ERROR_MAX];
    engine_set_syzygy(engine, "", unused);
    request_folders(engine, folders);
}

const char *engine_syzygy_folders(const Engine *engine)
{
    return engine->syzygy_folders != NULL ? engine->syzygy_folders : "";
}

SyzygyUse engine_syzygy_use(const Engine *engine)
{
    SyzygyUse use = engine->syzygy_limits;
    if (use.men > engine->syzygy.men)
        use.men = engine->syzygy.men;
    return use;
}

void engine_set_syzygy_use(Engine *engine, SyzygyUse use)
{
    engine_wait(engine);
    const SyzygyUse old = engine_syzygy_use(engine);
    engine->syzygy_limits = use;
    const int men = engine_syzygy_use(engine).men;
    if (men != old.men || (men > 0 && use.rule50 != old.rule50)) // without tables rule50 is unused
        clear_for_setting(engine);
}

const SyzygyTables *engine_syzygy_tables(const Engine *engine)
{
    return &engine->syzygy;
}

bool engine_syzygy_look_up(const Engine *engine, const Position *root, const Path *path,
                           SyzygyView *view, char *error)
{
    const SyzygyUse use = engine_syzygy_use(engine);
    return syzygy_root_look_up(&use, root, path, view, error);
}

Learning *engine_learning(Engine *engine)
{
    return engine->learning;
}

const EvalSource *engine_eval_source(const Engine *engine)
{
    return &engine->eval;
}

/* Applies the node clock or the lag, which may replace the clock of the job, and returns the time
 * plan. When nodes count as time, there is no lag. */
static TimePlan plan_time(Engine *engine)
{
    SearchJob *const job = &engine->job;
    const Color side = job->root.side;
    const int move_number = job->root.fullmove;
    if (job->nodes_per_ms > 0) {
        nodestime_read(&engine->node_clock, side, job->nodes_per_ms, &job->limits);
        return time_plan(&job->limits, side, move_number, 0);
    }
    lag_read(&engine->lag, &job->path, side, &job->limits);
    /* The lag was measured in a game with a clock: it says nothing about other searches. */
    const int overhead_ms =
        job->limits.has_clock ? lag_overhead_ms(&engine->lag, job->overhead_ms) : job->overhead_ms;
    TimePlan plan = time_plan(&job->limits, side, move_number, overhead_ms);
    if (job->limits.has_clock) {
        const int64_t clock_ms = job->limits.clock_ms[side];
        const int64_t kept_ms = lag_kept_ms(&engine->lag, clock_ms, job->limits.increment_ms[side],
                                            job->limits.moves_to_go);
        time_cap(&plan, clock_ms - overhead_ms - kept_ms);
    }
    return plan;
}

/* Limits the nodes of a search below full strength to those of its playing strength. */
static void limit_nodes(SearchJob *job)
{
    const uint64_t nodes_max = job->strength.nodes;
    if (job->limits.nodes == 0 || job->limits.nodes > nodes_max)
        job->limits.nodes = nodes_max;
}

/* Nobody has claimed a draw by the fifty-move rule, so the game goes on until move 75, which ends
 * it without a claim. Old repetitions still count, so `reversible` stays. */
static void allow_75_moves(Position *root)
{
    if (root->rule50 >= 100)
        root->rule50 = root->rule50 < 150 ? root->rule50 - 50 : 99;
}

/* Finishes a resize of the table. While a hash file is being saved, the save may still read the old
 * table: then a later search finishes the resize. */
static void finish_resize(Engine *engine)
{
    if (!hashsave_is_running(&engine->save))
        tt_finish_migration(&engine->tt);
}

void engine_start(Engine *engine, const SearchJob *job)
{
    assert(!engine_is_searching(engine));
    engine_wait(engine);
    finish_resize(engine);
    engine->tt.no_refresh = !params.refresh_on_read;
    const bool has_clock = job->limits.has_clock && !job->limits.infinite;
    const bool is_play = has_clock || job->limits.ponder;
    engine->is_analysis =
        !is_play && (engine->analysing || engine->table_is_from_file || job->limits.infinite);
    const bool continues_analysis =
        engine->is_analysis && root_cache_is_related(&engine->tt, &engine->job, job);
    const bool is_full = strength_is_full(&job->strength);
    if (!is_full)
        engine_clear_strong_results(engine);
    engine->table_is_strong |= is_full;
    engine->job = *job;
    allow_75_moves(&engine->job.root);
    engine->job.limits.has_clock = has_clock;
    if (!is_full)
        limit_nodes(&engine->job);
    const SearchResources resources = {
        .plan = plan_time(engine),
        .syzygy = is_full && job->limits.mate == 0 ? engine_syzygy_use(engine) : (SyzygyUse){0},
        .learned = is_full && !job->no_learning ? learning_table(engine->learning) : NULL,
        .may_use_root_cache = is_full && engine->is_analysis,
        .continues_analysis = continues_analysis,
    };
    prepare_search(&engine->shared, &engine->job, &resources);
    engine->table_is_empty = false;
    if (engine->shared.peers != NULL)
        engine->shared.peers->start(engine->shared.peers, &engine->job);
    threads_start(engine->threads);
}

void engine_set_peers(Engine *engine, SearchPeers *peers)
{
    engine_wait(engine);
    engine->shared.peers = peers;
}

uint64_t engine_nodes(const Engine *engine)
{
    return worker_total_nodes(&engine->shared);
}

uint64_t engine_tb_hits(const Engine *engine)
{
    return worker_total_tb_hits(&engine->shared);
}

void engine_result(const Engine *engine, PeerResult *result)
{
    const Worker *const w = engine->elected;
    *result = (PeerResult){.nodes = engine_nodes(engine), .tb_hits = engine_tb_hits(engine)};
    if (w == NULL || w->root_move_count == 0)
        return;
    result->line = w->root_moves[0];
    result->depth = w->completed_depth;
}

void engine_stop(Engine *engine)
{
    threads_stop(engine->threads);
}

void engine_ponderhit(Engine *engine)
{
    threads_ponderhit(engine->threads);
}

void engine_wait(Engine *engine)
{
    threads_wait(engine->threads);
}

bool engine_wait_ms(Engine *engine, int64_t ms)
{
    return threads_wait_ms(engine->threads, ms);
}

bool engine_search(Engine *engine, const SearchJob *job, EngineStopsFn stops, void *ctx)
{
    engine_start(engine, job);
    while (!engine_wait_ms(engine, STOP_INTERVAL_MS))
        if (stops != NULL && stops(ctx))
            engine_stop(engine);
    return stops == NULL || !stops(ctx); // others may have stopped the search since it was asked
}

ResultKind engine_result_kind(const Engine *engine)
{
    return engine->result;
}

bool engine_has_loaded_hash(const Engine *engine)
{
    return engine->table_is_from_file;
}

bool engine_is_searching(const Engine *engine)
{
    return threads_is_searching(engine->threads);
}

void engine_stats(const Engine *engine, SearchStats *stats)
{
    threads_stats(engine->threads, stats);
}

SearchProgress engine_progress(const Engine *engine)
{
    return worker_progress(&engine->shared);
}

Lag engine_lag(const Engine *engine)
{
    return engine->lag;
}

Tt *engine_table(Engine *engine)
{
    return &engine->tt;
}
