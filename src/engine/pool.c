// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/thread.h"
#include "eval/built_in.h"
#include "search/nodeclock.h"
#include "search/root_cache.h"
#include "search/worker.h"
#include "syzygy/root.h"
#include "tt/takeover.h"

/* A worker and the thread it lives in. */
typedef struct {
    Pool *pool;
    Worker *worker;
    Thread thread;
    unsigned seen; // number of the last search it took part in
} Seat;

struct Pool {
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
    bool is_told_to_stop;    // by pool_stop(), not by a limit
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
static void call_helpers(Pool *pool)
{
    mutex_lock(&pool->mutex);
    pool->joined_number = pool->search_number;
    cond_broadcast(&pool->join);
    mutex_unlock(&pool->mutex);
}

/* Sleeps while the GUI wants the best move held back: infinite or still pondering, and not stopped.
 * That the search has reached a limit of nodes sets `stop` as well, and is no reason. */
static void hold_best_move(Pool *pool)
{
    mutex_lock(&pool->mutex);
    while (!pool->is_told_to_stop &&
           (pool->job.limits.infinite || atomic_load(&pool->shared.pondering)))
        cond_wait(&pool->wake, &pool->mutex);
    mutex_unlock(&pool->mutex);
}

/* Keeps what the search came to, if it was one for the best move and the memory learns. One that
 * ends while still pondering was of a position that did not come up. */
static void learn(Pool *pool, const Worker *w)
{
    const SearchJob *job = &pool->job;
    if (w->root_count == 0 || job->limits.has_search_moves ||
        atomic_load(&pool->shared.pondering) || !strength_is_full(&job->strength))
        return;
    if (w->cached_depth > 0 && w->completed_depth == w->cached_depth) // nothing was found out
        return;
    const SearchOutcome outcome = search_outcome(w);
    const bool is_analysis = pool->analysing || job->limits.infinite;
    learning_record(pool->memory, &job->root, &job->path, &outcome,
                    is_analysis ? LEARNED_ANALYSIS : LEARNED_LEARNED);
}

/* Puts what the last search found out about its root into the table: what the worker that came
 * furthest did. */
static void keep_root(Pool *pool)
{
    Worker *const *const workers = pool->shared.workers;
    Worker *deepest = workers[0];
    for (int i = 1; i < pool->shared.worker_count; i++)
        if (workers[i]->completed_depth > deepest->completed_depth)
            deepest = workers[i];
    root_cache_store(deepest);
}

static void run_main(Pool *pool, Worker *w)
{
    call_helpers(pool);
    if (w->root_count > 0)
        search_iterate(w);
    hold_best_move(pool);
    atomic_store(&pool->shared.stop, true);
    mutex_lock(&pool->mutex);
    while (pool->running > 1)
        cond_wait(&pool->rest, &pool->mutex);
    mutex_unlock(&pool->mutex);
    /* Still pondering, the move was not awaited. Until the ponderhit the time was the opponent's.
     */
    if (pool->job.nodes_per_ms > 0 && !atomic_load(&pool->shared.pondering))
        nodeclock_spend(&pool->node_clock, pool->job.root.side, &pool->job.limits,
                        worker_total_nodes(&pool->shared) - pool->pondered_nodes);
    if (pool->analyses)
        keep_root(pool);
    learn(pool, search_conclude(w));
}

/* A worker's life: sleep, search, sleep, until its seat is taken away. */
static void *live(void *arg)
{
    Seat *seat = arg;
    Pool *pool = seat->pool;
    Worker *w = seat->worker;
    Cond *const called = w->index == 0 ? &pool->wake : &pool->join;
    const unsigned *const number = w->index == 0 ? &pool->search_number : &pool->joined_number;
    while (true) {
        mutex_lock(&pool->mutex);
        while (seat->seen == *number && w->index < pool->leaving)
            cond_wait(called, &pool->mutex);
        const bool leaves = w->index >= pool->leaving;
        seat->seen = *number;
        mutex_unlock(&pool->mutex);
        if (leaves)
            return NULL;

        worker_prepare(w);
        if (w->index == 0)
            run_main(pool, w);
        else if (w->root_count > 0 && strength_is_full(&pool->job.strength))
            search_iterate(w);

        mutex_lock(&pool->mutex);
        pool->running--;
        if (w->index == 0) {
            /* What a late ponderhit asks about is over. */
            atomic_store(&pool->shared.pondering, false);
            atomic_store(&pool->searching, false);
        }
        if (pool->running <= 1)
            cond_broadcast(&pool->rest);
        mutex_unlock(&pool->mutex);
    }
}

/* Ends the threads from index `keep` on and frees their workers. */
static void dismiss(Pool *pool, int keep)
{
    mutex_lock(&pool->mutex);
    pool->leaving = keep;
    cond_broadcast(&pool->wake);
    cond_broadcast(&pool->join);
    mutex_unlock(&pool->mutex);
    for (int i = keep; i < pool->shared.worker_count; i++) {
        thread_join(&pool->seats[i].thread);
        worker_destroy(pool->seats[i].worker);
    }
    if (pool->shared.worker_count > keep)
        pool->shared.worker_count = keep;
}

/* Adds one worker; false when the machine has no memory or thread left for it. */
static bool hire(Pool *pool)
{
    const int index = pool->shared.worker_count;
    Seat *seat = &pool->seats[index];
    *seat = (Seat){.pool = pool, .seen = pool->search_number};
    seat->worker = worker_create(&pool->shared, index);
    if (seat->worker == NULL)
        return false;
    mutex_lock(&pool->mutex);
    pool->leaving = index + 1;
    mutex_unlock(&pool->mutex);
    if (!thread_start(&seat->thread, live, seat)) {
        worker_destroy(seat->worker);
        return false;
    }
    pool->shared.workers[index] = seat->worker;
    pool->shared.worker_count = index + 1;
    return true;
}

Pool *pool_create(uint64_t hash_mib)
{
    Pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return NULL;
    mutex_init(&pool->mutex);
    cond_init(&pool->wake);
    cond_init(&pool->join);
    cond_init(&pool->rest);
    pool->eval = built_in_eval();
    pool->is_blank = true;
    pool->memory = learning_create();
    pool->syzygy_use = (SyzygyUse){.men = SYZYGY_MEN_MAX, .depth = SYZYGY_DEPTH, .rule50 = true};
    pool->shared.tt = &pool->tt;
    pool->shared.eval = &pool->eval;
    pool->shared.job = &pool->job;
    pool->seats = calloc(POOL_MAX_THREADS, sizeof *pool->seats);
    pool->shared.workers = calloc(POOL_MAX_THREADS, sizeof *pool->shared.workers);
    const bool has_room =
        pool->seats != NULL && pool->shared.workers != NULL && pool->memory != NULL;
    if (!has_room || tt_resize(&pool->tt, hash_mib) == 0 || !hire(pool)) {
        pool_destroy(pool);
        return NULL;
    }
    learning_set_network(pool->memory, eval_fingerprint_short(&pool->eval));
    return pool;
}

void pool_destroy(Pool *pool)
{
    pool_stop(pool);
    pool_wait(pool);
    dismiss(pool, 0);
    hashsave_await(&pool->save);
    tt_free(&pool->tt);
    learning_destroy(pool->memory);
    network_close(pool->loaded);
    free(pool->syzygy_folders);
    free(pool->shared.workers);
    free(pool->seats);
    cond_destroy(&pool->rest);
    cond_destroy(&pool->join);
    cond_destroy(&pool->wake);
    mutex_destroy(&pool->mutex);
    free(pool);
}

int pool_set_threads(Pool *pool, int threads)
{
    assert(1 <= threads && threads <= POOL_MAX_THREADS);
    pool_wait(pool);
    if (threads < pool->shared.worker_count)
        dismiss(pool, threads);
    while (pool->shared.worker_count < threads && hire(pool))
        ;
    return pool->shared.worker_count;
}

/* Nothing is to be found in the table from now on, nor put there by keep_root(). */
static void note_empty_table(Pool *pool)
{
    pool->is_blank = true;
    pool->is_loaded = false;
    for (int i = 0; i < pool->shared.worker_count; i++)
        root_cache_forget(pool->shared.workers[i]);
}

uint64_t pool_set_hash(Pool *pool, uint64_t mib, bool *kept)
{
    Tt *const tt = &pool->tt;
    pool_wait(pool);
    *kept = true;
    if (mib << 20 == tt->bytes)
        return mib;
    hashsave_await(&pool->save);
    if (!pool->is_blank && tt_has_whole_keys(tt) && tt_change_size(tt, mib)) {
        takeover_run(tt);
        return mib;
    }
    *kept = pool->is_blank;
    note_empty_table(pool);
    return tt_resize(tt, mib);
}

static void clear_table(Pool *pool)
{
    hashsave_await(&pool->save);
    tt_clear(&pool->tt);
    note_empty_table(pool);
}

void pool_clear_hash(Pool *pool)
{
    pool_wait(pool);
    clear_table(pool);
}

void pool_warm_up(Pool *pool, int64_t ms)
{
    assert(!pool_is_searching(pool));
    const size_t left = pool->tt.bytes - pool->tt.touched;
    if (!pool->is_blank || left == 0 || left > mem_available() / 8 * 7)
        return;
    const int64_t end = clock_ms() + ms;
    while (clock_ms() < end && tt_touch(&pool->tt))
        ;
}

void pool_set_replacement(Pool *pool, Replacement replacement)
{
    pool_wait(pool);
    if (replacement == pool->tt.replacement)
        return;
    pool->tt.replacement = replacement;
    clear_table(pool);
}

bool pool_save_hash(Pool *pool, const HashFileTask *task, const HashSaveListener *listener)
{
    pool_wait(pool);
    hashsave_await(&pool->save);
    HashFileTask filled = *task;
    filled.evaluation = eval_fingerprint(&pool->eval);
    keep_root(pool);
    return hashsave_start(&pool->save, &pool->tt, &filled, listener);
}

bool pool_await_save(Pool *pool)
{
    return hashsave_await(&pool->save);
}

bool pool_end_save(Pool *pool, int64_t ms)
{
    return hashsave_end(&pool->save, ms);
}

bool pool_load_hash(Pool *pool, HashFileTask *task, HashFileSummary *out, char *error)
{
    pool_wait(pool);
    hashsave_await(&pool->save);
    task->evaluation = eval_fingerprint(&pool->eval);
    const bool is_loaded = hashfile_load(task, &pool->tt, out, error);
    pool->is_blank = false; // a part may have come even so
    pool->is_loaded |= is_loaded;
    return is_loaded;
}

bool pool_verify_hash_file(Pool *pool, HashFileTask *task, HashFileSummary *out, char *error)
{
    hashsave_await(&pool->save);
    task->evaluation = eval_fingerprint(&pool->eval);
    return hashfile_verify(task, out, error);
}

/* Forgets what is not in the table. */
static void forget_game(Pool *pool)
{
    pool->node_clock = (NodeClock){0};
    learning_new_game(pool->memory);
    for (int i = 0; i < pool->shared.worker_count; i++)
        worker_forget(pool->shared.workers[i]);
}

void pool_new_game(Pool *pool)
{
    pool_wait(pool);
    if (pool->analysing) {
        pool->node_clock = (NodeClock){0};
        learning_new_game(pool->memory);
        return;
    }
    clear_table(pool);
    forget_game(pool);
}

void pool_set_analysing(Pool *pool, bool analysing)
{
    pool_wait(pool);
    pool->analysing = analysing;
}

void pool_set_eval(Pool *pool, EvalSource source)
{
    pool_wait(pool);
    pool->eval = source;
    for (int i = 0; i < pool->shared.worker_count; i++)
        eval_prepare(&pool->shared.workers[i]->evaluator, &pool->eval);
    clear_table(pool);
    forget_game(pool);
    learning_set_network(pool->memory, eval_fingerprint_short(&pool->eval));
    network_close(pool->loaded);
    pool->loaded = NULL;
}

bool pool_set_network(Pool *pool, const char *path, char *error)
{
    pool_wait(pool);
    Network *const loaded = *path != '\0' ? network_open(path, error) : NULL;
    if (loaded == NULL && *path != '\0')
        return false;
    if (loaded != NULL)
        pool_set_eval(pool, (EvalSource){.network = loaded});
    else
        pool_set_eval(pool, built_in_eval());
    pool->loaded = loaded;
    return true;
}

bool pool_set_syzygy(Pool *pool, const char *folders, char *error)
{
    pool_wait(pool);
    free(pool->syzygy_folders);
    pool->syzygy_folders = strdup(folders);
    if (pool->syzygy.men > 0 || *folders != '\0')
        clear_table(pool);
    pool->syzygy = (SyzygyTables){0};
    return *folders == '\0' || syzygy_open(folders, &pool->syzygy, error);
}

const char *pool_syzygy_folders(const Pool *pool)
{
    return pool->syzygy_folders != NULL ? pool->syzygy_folders : "";
}

void pool_set_syzygy_use(Pool *pool, SyzygyUse use)
{
    pool_wait(pool);
    if (use.rule50 != pool->syzygy_use.rule50)
        clear_table(pool);
    pool->syzygy_use = use;
}

SyzygyUse pool_syzygy_use(const Pool *pool)
{
    return pool->syzygy_use;
}

const SyzygyTables *pool_syzygy_tables(const Pool *pool)
{
    return &pool->syzygy;
}

/* What is wanted of what there is. */
static SyzygyUse feasible_use(const Pool *pool)
{
    SyzygyUse use = pool->syzygy_use;
    if (use.men > pool->syzygy.men)
        use.men = pool->syzygy.men;
    return use;
}

bool pool_syzygy_look_up(const Pool *pool, const Position *root, const Path *path, SyzygyView *view,
                         char *error)
{
    const SyzygyUse use = feasible_use(pool);
    return syzygy_root_look_up(&use, root, path, view, error);
}

Learning *pool_memory(Pool *pool)
{
    return pool->memory;
}

const EvalSource *pool_eval_source(const Pool *pool)
{
    return &pool->eval;
}

/* Where nodes are time none is lost on the way to the GUI. */
static void plan_time(Pool *pool)
{
    SearchJob *const job = &pool->job;
    const Color side = job->root.side;
    if (job->nodes_per_ms > 0)
        nodeclock_read(&pool->node_clock, side, job->nodes_per_ms, &job->limits);
    pool->shared.plan = time_plan(&job->limits, side, job->nodes_per_ms > 0 ? 0 : job->overhead_ms);
}

static void keep_to_budget(SearchJob *job)
{
    const uint64_t most = job->strength.nodes;
    if (job->limits.nodes == 0 || job->limits.nodes > most)
        job->limits.nodes = most;
}

/* Decides what the search makes of the earlier ones: nothing grows old within one analysis. */
static void relate(Pool *pool, const SearchJob *job)
{
    const bool is_play = job->limits.has_clock || job->limits.ponder;
    pool->analyses = !is_play && (pool->analysing || pool->is_loaded);
    if (!hashsave_is_running(&pool->save)) // which may still look into the table before this one
        tt_settle(&pool->tt);
    if (!pool->analyses || !root_cache_is_related(&pool->tt, &pool->job, job))
        tt_new_search(&pool->tt);
}

void pool_start(Pool *pool, const SearchJob *job)
{
    assert(!pool_is_searching(pool));
    pool_wait(pool);
    SearchShared *shared = &pool->shared;
    relate(pool, job);
    pool->job = *job;
    const bool is_full = strength_is_full(&job->strength);
    if (!is_full)
        keep_to_budget(&pool->job);
    plan_time(pool);
    shared->start_ms = clock_ms();
    shared->syzygy = is_full ? feasible_use(pool) : (SyzygyUse){0};
    syzygy_root_prepare(shared, &pool->job);
    shared->learned = is_full ? learning_table(pool->memory) : NULL;
    shared->uses_root_cache =
        is_full && pool->analyses && !shared->root_is_known && root_cache_applies(&pool->job);
    atomic_store(&shared->stop, false);
    atomic_store(&shared->has_enough, false);
    atomic_store(&shared->pondering, job->limits.ponder);
    pool->is_blank = false;
    for (int i = 0; i < shared->worker_count; i++) {
        atomic_store(&shared->workers[i]->nodes, 0);
        atomic_store(&shared->workers[i]->tb_hits, 0);
    }
    mutex_lock(&pool->mutex);
    pool->is_told_to_stop = false;
    pool->pondered_nodes = 0;
    atomic_store(&pool->searching, true);
    pool->running = shared->worker_count;
    pool->search_number++;
    cond_broadcast(&pool->wake);
    mutex_unlock(&pool->mutex);
}

void pool_stop(Pool *pool)
{
    mutex_lock(&pool->mutex);
    atomic_store(&pool->shared.stop, true);
    pool->is_told_to_stop = true;
    cond_broadcast(&pool->wake);
    mutex_unlock(&pool->mutex);
}

void pool_ponderhit(Pool *pool)
{
    mutex_lock(&pool->mutex);
    if (atomic_load(&pool->shared.pondering))
        pool->pondered_nodes = worker_total_nodes(&pool->shared);
    atomic_store(&pool->shared.pondering, false);
    cond_broadcast(&pool->wake);
    mutex_unlock(&pool->mutex);
}

void pool_wait(Pool *pool)
{
    mutex_lock(&pool->mutex);
    while (pool->running > 0)
        cond_wait(&pool->rest, &pool->mutex);
    mutex_unlock(&pool->mutex);
}

bool pool_wait_ms(Pool *pool, int64_t ms)
{
    const int64_t until = clock_ms() + ms;
    mutex_lock(&pool->mutex);
    for (int64_t left = ms; pool->running > 0 && left > 0; left = until - clock_ms())
        cond_wait_ms(&pool->rest, &pool->mutex, left);
    const bool is_at_rest = pool->running == 0;
    mutex_unlock(&pool->mutex);
    return is_at_rest;
}

bool pool_is_searching(Pool *pool)
{
    return atomic_load(&pool->searching);
}

void pool_stats(Pool *pool, SearchStats *stats)
{
    memset(stats, 0, sizeof *stats);
    for (int i = 0; i < pool->shared.worker_count; i++) {
        search_stats_add(stats, &pool->shared.workers[i]->stats);
        stats->nodes += worker_nodes(pool->shared.workers[i]);
    }
    stats->branching = pool->shared.workers[0]->stats.branching;
}

const Tt *pool_table(const Pool *pool)
{
    return &pool->tt;
}
