// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/threads.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/thread.h"
#include "search/deepening.h"
#include "search/strength.h"

/* A thread and its worker. */
typedef struct {
    Threads *threads;
    Worker *worker;
    Thread thread;
    unsigned last_search; // number of the last search that this worker took part in
} ThreadSlot;

struct Threads {
    SearchShared *shared; // its workers[i] is slots[i].worker
    ThreadsConcludeFn conclude;
    void *ctx;
    ThreadSlot *slots;
    SearchStats freed;   // statistics of the last search, of workers that have since been freed
    Mutex mutex;         // guards the fields below
    Cond main_cond;      // main worker: a search starts, may report its best move, or threads end
    Cond helper_cond;    // helpers: the main worker has started, or threads end
    Cond idle_cond;      // waiting callers: all workers are idle, or all but the main worker
    bool stop_requested; // by threads_stop(), not by a limit
    uint64_t pondered_nodes;       // of this search, up to the ponderhit
    int64_t pondered_ms;           // time of this search, up to the ponderhit
    unsigned search_number;        // of the last search for which the main worker was woken
    unsigned helper_search_number; // of the last search for which the helpers were woken
    int busy_count;                // number of workers that are not idle
    int keep_count;                // threads of this index and above must end
    atomic_bool is_searching;
};

/* Wakes the helpers. The main worker calls this once it runs. If it were woken together with the
 * helpers, it would compete with them for the mutex, which is not granted in order: with many more
 * threads than processors the main worker might wait for minutes. */
static void wake_helpers(Threads *threads)
{
    mutex_lock(&threads->mutex);
    threads->helper_search_number = threads->search_number;
    cond_broadcast(&threads->helper_cond);
    mutex_unlock(&threads->mutex);
}

/* Waits until the best move may be reported: after the ponderhit if the search ponders, after
 * threads_stop() if it is infinite, else at once. threads_stop() always ends the wait; shared->stop
 * does not, because a node limit sets it, too. */
static void hold_best_move(Threads *threads)
{
    mutex_lock(&threads->mutex);
    while (!threads->stop_requested &&
           (threads->shared->job->limits.infinite || atomic_load(&threads->shared->pondering)))
        cond_wait(&threads->main_cond, &threads->mutex);
    mutex_unlock(&threads->mutex);
}

/* The main worker's part of a search. */
static void run_main(Threads *threads, Worker *w)
{
    wake_helpers(threads);
    if (w->root_move_count > 0)
        deepening_run(w);
    hold_best_move(threads);
    atomic_store(&threads->shared->stop, true);
    mutex_lock(&threads->mutex);
    while (threads->busy_count > 1)
        cond_wait(&threads->idle_cond, &threads->mutex);
    mutex_unlock(&threads->mutex);
    threads->conclude(threads->ctx, w);
}

/* A helper's part of a search. Below full strength helpers do not search. */
static void run_helper(const Threads *threads, Worker *w)
{
    if (w->root_move_count > 0 && strength_is_full(&threads->shared->job->strength))
        deepening_run(w);
}

/* Waits for the next search; false when the thread has to end instead. */
static bool wait_for_search(ThreadSlot *slot)
{
    Threads *const threads = slot->threads;
    const int index = slot->worker->index;
    Cond *const cond = index == 0 ? &threads->main_cond : &threads->helper_cond;
    const unsigned *const number =
        index == 0 ? &threads->search_number : &threads->helper_search_number;
    mutex_lock(&threads->mutex);
    while (slot->last_search == *number && index < threads->keep_count)
        cond_wait(cond, &threads->mutex);
    const bool is_kept = index < threads->keep_count;
    slot->last_search = *number;
    mutex_unlock(&threads->mutex);
    return is_kept;
}

/* Counts the worker as idle. For the main worker this is the end of the search: a later ponderhit
 * has no effect. */
static void become_idle(Threads *threads, const Worker *w)
{
    mutex_lock(&threads->mutex);
    threads->busy_count--;
    if (w->index == 0) {
        atomic_store(&threads->shared->pondering, false);
        atomic_store(&threads->is_searching, false);
    }
    if (threads->busy_count <= 1)
        cond_broadcast(&threads->idle_cond);
    mutex_unlock(&threads->mutex);
}

/* The main function of each thread. */
static void *run_slot(void *arg)
{
    ThreadSlot *const slot = arg;
    Worker *const w = slot->worker;
    while (wait_for_search(slot)) {
        worker_prepare(w);
        if (w->index == 0)
            run_main(slot->threads, w);
        else
            run_helper(slot->threads, w);
        worker_publish(w);
        become_idle(slot->threads, w);
    }
    return NULL;
}

static void add_stats(SearchStats *sum, const Worker *worker)
{
    search_stats_add(sum, &worker->stats);
    sum->nodes += worker_nodes(worker);
}

/* Ends the threads of index `keep` and above and frees their workers. */
static void destroy_slots(Threads *threads, int keep)
{
    SearchShared *const shared = threads->shared;
    mutex_lock(&threads->mutex);
    threads->keep_count = keep;
    cond_broadcast(&threads->main_cond);
    cond_broadcast(&threads->helper_cond);
    mutex_unlock(&threads->mutex);
    for (int i = keep; i < shared->worker_count; i++) {
        thread_join(&threads->slots[i].thread);
        add_stats(&threads->freed, threads->slots[i].worker);
        worker_destroy(threads->slots[i].worker);
    }
    if (shared->worker_count > keep)
        shared->worker_count = keep;
}

/* Adds one thread; false when memory or threads are short. */
static bool create_slot(Threads *threads)
{
    SearchShared *const shared = threads->shared;
    const int index = shared->worker_count;
    ThreadSlot *const slot = &threads->slots[index];
    *slot = (ThreadSlot){.threads = threads, .last_search = threads->search_number};
    slot->worker = worker_create(shared, index);
    if (slot->worker == NULL)
        return false;
    mutex_lock(&threads->mutex);
    threads->keep_count = index + 1;
    mutex_unlock(&threads->mutex);
    if (!thread_start(&slot->thread, run_slot, slot)) {
        worker_destroy(slot->worker);
        return false;
    }
    shared->workers[index] = slot->worker;
    shared->worker_count = index + 1;
    return true;
}

Threads *threads_create(SearchShared *shared, int max_count, ThreadsConcludeFn conclude, void *ctx)
{
    Threads *const threads = calloc(1, sizeof *threads);
    if (threads == NULL)
        return NULL;
    *threads = (Threads){.shared = shared, .conclude = conclude, .ctx = ctx};
    mutex_init(&threads->mutex);
    cond_init(&threads->main_cond);
    cond_init(&threads->helper_cond);
    cond_init(&threads->idle_cond);
    threads->slots = calloc((size_t)max_count, sizeof *threads->slots);
    shared->workers = calloc((size_t)max_count, sizeof *shared->workers);
    shared->worker_count = 0;
    if (threads->slots == NULL || shared->workers == NULL || !create_slot(threads)) {
        threads_destroy(threads);
        return NULL;
    }
    return threads;
}

void threads_destroy(Threads *threads)
{
    if (threads == NULL)
        return;
    threads_stop(threads);
    threads_wait(threads);
    destroy_slots(threads, 0);
    free(threads->shared->workers);
    threads->shared->workers = NULL;
    free(threads->slots);
    cond_destroy(&threads->idle_cond);
    cond_destroy(&threads->helper_cond);
    cond_destroy(&threads->main_cond);
    mutex_destroy(&threads->mutex);
    free(threads);
}

int threads_set_count(Threads *threads, int count)
{
    const SearchShared *const shared = threads->shared;
    threads_wait(threads);
    if (count < shared->worker_count)
        destroy_slots(threads, count);
    while (shared->worker_count < count && create_slot(threads))
        ;
    return shared->worker_count;
}

void threads_start(Threads *threads)
{
    threads->freed = (SearchStats){0};
    mutex_lock(&threads->mutex);
    threads->stop_requested = false;
    threads->pondered_nodes = 0;
    threads->pondered_ms = 0;
    atomic_store(&threads->is_searching, true);
    threads->busy_count = threads->shared->worker_count;
    threads->search_number++;
    cond_broadcast(&threads->main_cond);
    mutex_unlock(&threads->mutex);
}

void threads_stop(Threads *threads)
{
    mutex_lock(&threads->mutex);
    atomic_store(&threads->shared->stop, true);
    threads->stop_requested = true;
    cond_broadcast(&threads->main_cond);
    mutex_unlock(&threads->mutex);
}

void threads_ponderhit(Threads *threads)
{
    mutex_lock(&threads->mutex);
    if (atomic_load(&threads->shared->pondering)) {
        threads->pondered_nodes = worker_total_nodes(threads->shared);
        threads->pondered_ms = worker_spent_ms(threads->shared);
    }
    atomic_store(&threads->shared->pondering, false);
    cond_broadcast(&threads->main_cond);
    mutex_unlock(&threads->mutex);
}

uint64_t threads_pondered_nodes(Threads *threads)
{
    mutex_lock(&threads->mutex);
    const uint64_t nodes = threads->pondered_nodes;
    mutex_unlock(&threads->mutex);
    return nodes;
}

int64_t threads_pondered_ms(Threads *threads)
{
    mutex_lock(&threads->mutex);
    const int64_t ms = threads->pondered_ms;
    mutex_unlock(&threads->mutex);
    return ms;
}

void threads_wait(Threads *threads)
{
    mutex_lock(&threads->mutex);
    while (threads->busy_count > 0)
        cond_wait(&threads->idle_cond, &threads->mutex);
    mutex_unlock(&threads->mutex);
}

bool threads_wait_ms(Threads *threads, int64_t ms)
{
    const int64_t deadline_ms = clock_ms() + ms;
    bool has_time = true;
    mutex_lock(&threads->mutex);
    while (has_time && threads->busy_count > 0)
        has_time = cond_wait_until(&threads->idle_cond, &threads->mutex, deadline_ms);
    const bool is_idle = threads->busy_count == 0;
    mutex_unlock(&threads->mutex);
    return is_idle;
}

bool threads_is_searching(const Threads *threads)
{
    return atomic_load(&threads->is_searching);
}

void threads_stats(const Threads *threads, SearchStats *stats)
{
    const SearchShared *const shared = threads->shared;
    *stats = threads->freed;
    for (int i = 0; i < shared->worker_count; i++)
        add_stats(stats, shared->workers[i]);
    stats->branching = shared->workers[0]->stats.branching;
}
