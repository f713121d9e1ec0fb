// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/thread.h"
#include "eval/built_in.h"
#include "search/deepening.h"
#include "search/nodeclock.h"
#include "search/root_cache.h"
#include "syzygy/root.h"
#include "tt/takeover.h"

/* A worker and the thread it lives in. */
typedef struct {
    Engine *engine;
    Worker *worker;
    Thread thread;
    unsigned seen; // number of the last search it took part in
} Seat;

struct Engine {
    Tt tt;
    EvalSource eval;
    Network *loaded;      // from a file; NULL: the one built in serves
    char *syzygy_folders; // NULL: none were asked for
    SyzygyTables syzygy;
    SyzygyUse syzygy_use; // as wanted, whatever there is
    Learning *memory;
    SearchJob job;
    NodeClock node_clock; // of the game, where nodes are time
    bool analysing;
    bool is_blank;  // the table holds nothing: there was no search since it was cleared
    bool is_loaded; // it holds what came from a file
    bool analyses;  // the search under way, or the last one, is not part of a game
    HashSave save;
    SearchShared shared;
    Seat *seats; // one a worker, with shared.workers alongside
    Mutex mutex; // guards what follows
    Cond wake;   // the main worker's: a search begins, or the pool ends, or it may stop waiting
    Cond join;   // the helpers': the main worker has begun, or the pool has fewer seats
    Cond rest;   // all workers, or all but the main one, have come to rest
    bool is_told_to_stop;    // by engine_stop(), not by a limit
    uint64_t pondered_nodes; // of this search until the ponderhit
    unsigned search_number,
        joined_number; // last search the main worker, the helpers were called to
    int running;       // workers not at rest
    int leaving;       // workers with this index or a higher one end their threads
    atomic_bool searching;
};

/* The helpers are called by the main worker once it runs: woken with them it would have to wait for
 * the mutex, which is not handed out in turn, and where they are many more than processors that can
 * take minutes. */
static void call_helpers(Engine *engine)
{
    mutex_lock(&engine->mutex);
    engine->joined_number = engine->search_number;
    cond_broadcast(&engine->join);
    mutex_unlock(&engine->mutex);
}

/* Sleeps while the GUI wants the best move held back: infinite or still pondering, and not stopped.
 * That the search has reached a limit of nodes sets `stop` as well, and is no reason. */
static void hold_best_move(Engine *engine)
{
    mutex_lock(&engine->mutex);
    while (!engine->is_told_to_stop &&
           (engine->job.limits.infinite || atomic_load(&engine->shared.pondering)))
        cond_wait(&engine->wake, &engine->mutex);
    mutex_unlock(&engine->mutex);
}

/* Keeps what the search came to, if it was one for the best move and the memory learns. One that
 * ends while still pondering was of a position that did not come up. */
static void learn(Engine *engine, const Worker *w)
{
    const SearchJob *job = &engine->job;
    if (w->root_count == 0 || job->limits.has_search_moves ||
        atomic_load(&engine->shared.pondering) || !strength_is_full(&job->strength))
        return;
    if (w->cached_depth > 0 && w->completed_depth == w->cached_depth) // nothing was found out
        return;
    const SearchOutcome outcome = deepening_outcome(w);
    const bool is_analysis = engine->analysing || job->limits.infinite;
    learning_record(engine->memory, &job->root, &job->path, &outcome,
                    is_analysis ? ORIGIN_ANALYSIS : ORIGIN_LEARNED);
}

/* Puts what the last search found out about its root into the table: what the worker that came
 * furthest did. */
static void keep_root(Engine *engine)
{
    Worker *const *const workers = engine->shared.workers;
    Worker *deepest = workers[0];
    for (int i = 1; i < engine->shared.worker_count; i++)
        if (workers[i]->completed_depth > deepest->completed_depth)
            deepest = workers[i];
    root_cache_store(deepest);
}

static void run_main(Engine *engine, Worker *w)
{
    call_helpers(engine);
    if (w->root_count > 0)
        deepening_run(w);
    hold_best_move(engine);
    atomic_store(&engine->shared.stop, true);
    mutex_lock(&engine->mutex);
    while (engine->running > 1)
        cond_wait(&engine->rest, &engine->mutex);
    mutex_unlock(&engine->mutex);
    /* Still pondering, the move was not awaited. Until the ponderhit the time was the opponent's.
     */
    if (engine->job.nodes_per_ms > 0 && !atomic_load(&engine->shared.pondering))
        nodeclock_spend(&engine->node_clock, engine->job.root.side, &engine->job.limits,
                        worker_total_nodes(&engine->shared) - engine->pondered_nodes);
    if (engine->analyses)
        keep_root(engine);
    learn(engine, deepening_conclude(w));
}

/* A worker's life: sleep, search, sleep, until its seat is taken away. */
static void *live(void *arg)
{
    Seat *seat = arg;
    Engine *engine = seat->engine;
    Worker *w = seat->worker;
    Cond *const called = w->index == 0 ? &engine->wake : &engine->join;
    const unsigned *const number = w->index == 0 ? &engine->search_number : &engine->joined_number;
    while (true) {
        mutex_lock(&engine->mutex);
        while (seat->seen == *number && w->index < engine->leaving)
            cond_wait(called, &engine->mutex);
        const bool leaves = w->index >= engine->leaving;
        seat->seen = *number;
        mutex_unlock(&engine->mutex);
        if (leaves)
            return NULL;

        worker_prepare(w);
        if (w->index == 0)
            run_main(engine, w);
        else if (w->root_count > 0 && strength_is_full(&engine->job.strength))
            deepening_run(w);

        mutex_lock(&engine->mutex);
        engine->running--;
        if (w->index == 0) {
            /* What a late ponderhit asks about is over. */
            atomic_store(&engine->shared.pondering, false);
            atomic_store(&engine->searching, false);
        }
        if (engine->running <= 1)
            cond_broadcast(&engine->rest);
        mutex_unlock(&engine->mutex);
    }
}

/* Ends the threads from index `keep` on and frees their workers. */
static void dismiss(Engine *engine, int keep)
{
    mutex_lock(&engine->mutex);
    engine->leaving = keep;
    cond_broadcast(&engine->wake);
    cond_broadcast(&engine->join);
    mutex_unlock(&engine->mutex);
    for (int i = keep; i < engine->shared.worker_count; i++) {
        thread_join(&engine->seats[i].thread);
        worker_destroy(engine->seats[i].worker);
    }
    if (engine->shared.worker_count > keep)
        engine->shared.worker_count = keep;
}

/* Adds one worker; false when the machine has no memory or thread left for it. */
static bool hire(Engine *engine)
{
    const int index = engine->shared.worker_count;
    Seat *seat = &engine->seats[index];
    *seat = (Seat){.engine = engine, .seen = engine->search_number};
    seat->worker = worker_create(&engine->shared, index);
    if (seat->worker == NULL)
        return false;
    mutex_lock(&engine->mutex);
    engine->leaving = index + 1;
    mutex_unlock(&engine->mutex);
    if (!thread_start(&seat->thread, live, seat)) {
        worker_destroy(seat->worker);
        return false;
    }
    engine->shared.workers[index] = seat->worker;
    engine->shared.worker_count = index + 1;
    return true;
}

Engine *engine_create(uint64_t hash_mib)
{
    Engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL)
        return NULL;
    mutex_init(&engine->mutex);
    cond_init(&engine->wake);
    cond_init(&engine->join);
    cond_init(&engine->rest);
    engine->eval = built_in_eval();
    engine->is_blank = true;
    engine->memory = learning_create();
    engine->syzygy_use = (SyzygyUse){.men = SYZYGY_MEN_MAX, .depth = SYZYGY_DEPTH, .rule50 = true};
    engine->shared.tt = &engine->tt;
    engine->shared.eval = &engine->eval;
    engine->shared.job = &engine->job;
    engine->seats = calloc(ENGINE_MAX_THREADS, sizeof *engine->seats);
    engine->shared.workers = calloc(ENGINE_MAX_THREADS, sizeof *engine->shared.workers);
    const bool has_room =
        engine->seats != NULL && engine->shared.workers != NULL && engine->memory != NULL;
    if (!has_room || tt_resize(&engine->tt, hash_mib) == 0 || !hire(engine)) {
        engine_destroy(engine);
        return NULL;
    }
    learning_set_network(engine->memory, eval_fingerprint_short(&engine->eval));
    return engine;
}

void engine_destroy(Engine *engine)
{
    engine_stop(engine);
    engine_wait(engine);
    dismiss(engine, 0);
    hashsave_await(&engine->save);
    tt_free(&engine->tt);
    learning_destroy(engine->memory);
    network_close(engine->loaded);
    free(engine->syzygy_folders);
    free(engine->shared.workers);
    free(engine->seats);
    cond_destroy(&engine->rest);
    cond_destroy(&engine->join);
    cond_destroy(&engine->wake);
    mutex_destroy(&engine->mutex);
    free(engine);
}

int engine_set_threads(Engine *engine, int threads)
{
    assert(1 <= threads && threads <= ENGINE_MAX_THREADS);
    engine_wait(engine);
    if (threads < engine->shared.worker_count)
        dismiss(engine, threads);
    while (engine->shared.worker_count < threads && hire(engine))
        ;
    return engine->shared.worker_count;
}

/* Nothing is to be found in the table from now on, nor put there by keep_root(). */
static void note_empty_table(Engine *engine)
{
    engine->is_blank = true;
    engine->is_loaded = false;
    for (int i = 0; i < engine->shared.worker_count; i++)
        root_cache_forget(engine->shared.workers[i]);
}

uint64_t engine_set_hash(Engine *engine, uint64_t mib, bool *kept)
{
    Tt *const tt = &engine->tt;
    engine_wait(engine);
    *kept = true;
    if (mib << 20 == tt->bytes)
        return mib;
    hashsave_await(&engine->save);
    if (!engine->is_blank && tt_has_whole_keys(tt) && tt_change_size(tt, mib)) {
        takeover_run(tt);
        return mib;
    }
    *kept = engine->is_blank;
    note_empty_table(engine);
    return tt_resize(tt, mib);
}

static void clear_table(Engine *engine)
{
    hashsave_await(&engine->save);
    tt_clear(&engine->tt);
    note_empty_table(engine);
}

void engine_clear_hash(Engine *engine)
{
    engine_wait(engine);
    clear_table(engine);
}

void engine_warm_up(Engine *engine, int64_t ms)
{
    assert(!engine_is_searching(engine));
    const size_t left = engine->tt.bytes - engine->tt.touched;
    if (!engine->is_blank || left == 0 || left > mem_available() / 8 * 7)
        return;
    const int64_t end = clock_ms() + ms;
    while (clock_ms() < end && tt_touch(&engine->tt))
        ;
}

void engine_set_replacement(Engine *engine, Replacement replacement)
{
    engine_wait(engine);
    if (replacement == engine->tt.replacement)
        return;
    engine->tt.replacement = replacement;
    clear_table(engine);
}

bool engine_save_hash(Engine *engine, const HashFileTask *task, const HashSaveListener *listener)
{
    engine_wait(engine);
    hashsave_await(&engine->save);
    HashFileTask filled = *task;
    filled.evaluation = eval_fingerprint(&engine->eval);
    keep_root(engine);
    return hashsave_start(&engine->save, &engine->tt, &filled, listener);
}

bool engine_await_save(Engine *engine)
{
    return hashsave_await(&engine->save);
}

bool engine_end_save(Engine *engine, int64_t ms)
{
    return hashsave_end(&engine->save, ms);
}

bool engine_load_hash(Engine *engine, HashFileTask *task, HashFileSummary *out, char *error)
{
    engine_wait(engine);
    hashsave_await(&engine->save);
    task->evaluation = eval_fingerprint(&engine->eval);
    const bool is_loaded = hashfile_load(task, &engine->tt, out, error);
    engine->is_blank = false; // a part may have come even so
    engine->is_loaded |= is_loaded;
    return is_loaded;
}

bool engine_verify_hash_file(Engine *engine, HashFileTask *task, HashFileSummary *out, char *error)
{
    hashsave_await(&engine->save);
    task->evaluation = eval_fingerprint(&engine->eval);
    return hashfile_verify(task, out, error);
}

/* Forgets what is not in the table. */
static void forget_game(Engine *engine)
{
    engine->node_clock = (NodeClock){0};
    learning_new_game(engine->memory);
    for (int i = 0; i < engine->shared.worker_count; i++)
        worker_forget(engine->shared.workers[i]);
}

void engine_new_game(Engine *engine)
{
    engine_wait(engine);
    if (engine->analysing) {
        engine->node_clock = (NodeClock){0};
        learning_new_game(engine->memory);
        return;
    }
    clear_table(engine);
    forget_game(engine);
}

void engine_set_analysing(Engine *engine, bool analysing)
{
    engine_wait(engine);
    engine->analysing = analysing;
}

void engine_set_eval(Engine *engine, EvalSource source)
{
    engine_wait(engine);
    engine->eval = source;
    for (int i = 0; i < engine->shared.worker_count; i++)
        eval_prepare(&engine->shared.workers[i]->evaluator, &engine->eval);
    clear_table(engine);
    forget_game(engine);
    learning_set_network(engine->memory, eval_fingerprint_short(&engine->eval));
    network_close(engine->loaded);
    engine->loaded = NULL;
}

bool engine_set_network(Engine *engine, const char *path, char *error)
{
    engine_wait(engine);
    Network *const loaded = *path != '\0' ? network_open(path, error) : NULL;
    if (loaded == NULL && *path != '\0')
        return false;
    if (loaded != NULL)
        engine_set_eval(engine, (EvalSource){.network = loaded});
    else
        engine_set_eval(engine, built_in_eval());
    engine->loaded = loaded;
    return true;
}

bool engine_set_syzygy(Engine *engine, const char *folders, char *error)
{
    engine_wait(engine);
    free(engine->syzygy_folders);
    engine->syzygy_folders = strdup(folders);
    if (engine->syzygy.men > 0 || *folders != '\0')
        clear_table(engine);
    engine->syzygy = (SyzygyTables){0};
    return *folders == '\0' || syzygy_open(folders, &engine->syzygy, error);
}

const char *engine_syzygy_folders(const Engine *engine)
{
    return engine->syzygy_folders != NULL ? engine->syzygy_folders : "";
}

void engine_set_syzygy_use(Engine *engine, SyzygyUse use)
{
    engine_wait(engine);
    if (use.rule50 != engine->syzygy_use.rule50)
        clear_table(engine);
    engine->syzygy_use = use;
}

SyzygyUse engine_syzygy_use(const Engine *engine)
{
    return engine->syzygy_use;
}

const SyzygyTables *engine_syzygy_tables(const Engine *engine)
{
    return &engine->syzygy;
}

/* What is wanted of what there is. */
static SyzygyUse feasible_use(const Engine *engine)
{
    SyzygyUse use = engine->syzygy_use;
    if (use.men > engine->syzygy.men)
        use.men = engine->syzygy.men;
    return use;
}

bool engine_syzygy_look_up(const Engine *engine, const Position *root, const Path *path,
                           SyzygyView *view, char *error)
{
    const SyzygyUse use = feasible_use(engine);
    return syzygy_root_look_up(&use, root, path, view, error);
}

Learning *engine_learning(Engine *engine)
{
    return engine->memory;
}

const EvalSource *engine_eval_source(const Engine *engine)
{
    return &engine->eval;
}

/* Where nodes are time none is lost on the way to the GUI. */
static void plan_time(Engine *engine)
{
    SearchJob *const job = &engine->job;
    const Color side = job->root.side;
    if (job->nodes_per_ms > 0)
        nodeclock_read(&engine->node_clock, side, job->nodes_per_ms, &job->limits);
    engine->shared.plan =
        time_plan(&job->limits, side, job->nodes_per_ms > 0 ? 0 : job->overhead_ms);
}

static void keep_to_budget(SearchJob *job)
{
    const uint64_t most = job->strength.nodes;
    if (job->limits.nodes == 0 || job->limits.nodes > most)
        job->limits.nodes = most;
}

/* Decides what the search makes of the earlier ones: nothing grows old within one analysis. */
static void relate(Engine *engine, const SearchJob *job)
{
    const bool is_play = job->limits.has_clock || job->limits.ponder;
    engine->analyses = !is_play && (engine->analysing || engine->is_loaded);
    if (!hashsave_is_running(&engine->save)) // which may still look into the table before this one
        tt_settle(&engine->tt);
    if (!engine->analyses || !root_cache_is_related(&engine->tt, &engine->job, job))
        tt_new_search(&engine->tt);
}

void engine_start(Engine *engine, const SearchJob *job)
{
    assert(!engine_is_searching(engine));
    engine_wait(engine);
    SearchShared *shared = &engine->shared;
    relate(engine, job);
    engine->job = *job;
    const bool is_full = strength_is_full(&job->strength);
    if (!is_full)
        keep_to_budget(&engine->job);
    plan_time(engine);
    shared->start_ms = clock_ms();
    shared->syzygy = is_full ? feasible_use(engine) : (SyzygyUse){0};
    syzygy_root_prepare(shared, &engine->job);
    shared->learned = is_full ? learning_table(engine->memory) : NULL;
    shared->uses_root_cache =
        is_full && engine->analyses && !shared->root_is_known && root_cache_applies(&engine->job);
    atomic_store(&shared->stop, false);
    atomic_store(&shared->soft_limit_hit, false);
    atomic_store(&shared->pondering, job->limits.ponder);
    engine->is_blank = false;
    for (int i = 0; i < shared->worker_count; i++) {
        atomic_store(&shared->workers[i]->nodes, 0);
        atomic_store(&shared->workers[i]->tb_hits, 0);
    }
    mutex_lock(&engine->mutex);
    engine->is_told_to_stop = false;
    engine->pondered_nodes = 0;
    atomic_store(&engine->searching, true);
    engine->running = shared->worker_count;
    engine->search_number++;
    cond_broadcast(&engine->wake);
    mutex_unlock(&engine->mutex);
}

void engine_stop(Engine *engine)
{
    mutex_lock(&engine->mutex);
    atomic_store(&engine->shared.stop, true);
    engine->is_told_to_stop = true;
    cond_broadcast(&engine->wake);
    mutex_unlock(&engine->mutex);
}

void engine_ponderhit(Engine *engine)
{
    mutex_lock(&engine->mutex);
    if (atomic_load(&engine->shared.pondering))
        engine->pondered_nodes = worker_total_nodes(&engine->shared);
    atomic_store(&engine->shared.pondering, false);
    cond_broadcast(&engine->wake);
    mutex_unlock(&engine->mutex);
}

void engine_wait(Engine *engine)
{
    mutex_lock(&engine->mutex);
    while (engine->running > 0)
        cond_wait(&engine->rest, &engine->mutex);
    mutex_unlock(&engine->mutex);
}

bool engine_wait_ms(Engine *engine, int64_t ms)
{
    const int64_t until = clock_ms() + ms;
    mutex_lock(&engine->mutex);
    for (int64_t left = ms; engine->running > 0 && left > 0; left = until - clock_ms())
        cond_wait_ms(&engine->rest, &engine->mutex, left);
    const bool is_at_rest = engine->running == 0;
    mutex_unlock(&engine->mutex);
    return is_at_rest;
}

bool engine_is_searching(Engine *engine)
{
    return atomic_load(&engine->searching);
}

void engine_stats(Engine *engine, SearchStats *stats)
{
    memset(stats, 0, sizeof *stats);
    for (int i = 0; i < engine->shared.worker_count; i++) {
        search_stats_add(stats, &engine->shared.workers[i]->stats);
        stats->nodes += worker_nodes(engine->shared.workers[i]);
    }
    stats->branching = engine->shared.workers[0]->stats.branching;
}

const Tt *engine_table(const Engine *engine)
{
    return &engine->tt;
}
