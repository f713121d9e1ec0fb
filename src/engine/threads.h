// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The search threads: creates and destroys them, starts one search on all of them, stops the search
 * and waits for its end. Lazy SMP (described by Homan 2013): all workers search the same root and
 * share only the table. Each thread has a slot with its worker. Worker 0 is the main worker: its
 * thread reports and concludes the search. The others are helpers.
 *
 * One thread, the caller's, calls all functions except threads_stop(), threads_ponderhit() and
 * threads_is_searching(), which any thread may call at any time. The conclude function may call
 * threads_pondered_nodes() and threads_pondered_ms(). */

#include "search/worker.h"

typedef struct Threads Threads;

/* Called at the end of each search, on the main worker's thread, while all helpers are idle. Must
 * call deepening_conclude(). */
typedef void (*ThreadsConcludeFn)(void *ctx, Worker *main_worker);

/* Creates one thread, and slots for `max_count`. `shared` must outlive the threads, with its table,
 * evaluation and job set. From now on the threads own shared->workers and shared->worker_count.
 * Returns NULL when memory or threads are short. */
Threads *threads_create(SearchShared *shared, int max_count, ThreadsConcludeFn conclude, void *ctx);

/* Stops a running search, ends all threads and frees everything. NULL is allowed. */
void threads_destroy(Threads *threads);

/* Creates or destroys threads until there are `count` (1..max_count), or fewer when the machine
 * allows no more; returns how many. Waits for a running search. */
int threads_set_count(Threads *threads, int count);

/* Starts a search on all threads and returns. No search may be running. `shared` and its job must
 * be prepared (prepare.h) and stay unchanged until the search has ended. */
void threads_start(Threads *threads);

/* Requests the end of a running search; REPORT_DONE follows soon. No effect when none runs. */
void threads_stop(Threads *threads);

/* Reports that the opponent played the expected move: from now on the time limits apply, counted
 * from the start of the search. No effect when the search does not ponder. */
void threads_ponderhit(Threads *threads);

/* Number of nodes that the running or last search had used at its ponderhit; 0 without one. */
uint64_t threads_pondered_nodes(Threads *threads);

/* Milliseconds from the start of that search to its ponderhit, as worker_spent_ms() counts them; 0
 * without a ponderhit. */
int64_t threads_pondered_ms(Threads *threads);

/* Returns when no search runs and REPORT_DONE has been delivered. */
void threads_wait(Threads *threads);

/* Does the same for at most `ms` milliseconds; false on timeout. */
bool threads_wait_ms(Threads *threads, int64_t ms);

/* True from threads_start() until REPORT_DONE has been delivered. */
bool threads_is_searching(const Threads *threads);

/* Sums the statistics of the last search over all workers; zeros before the first. No search may be
 * running. */
void threads_stats(const Threads *threads, SearchStats *stats);
