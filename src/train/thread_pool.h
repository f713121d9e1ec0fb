// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A fixed set of threads that run one job at a time, all together. */

enum { THREAD_POOL_MAX = 256 };

/* The part of one worker in a job. `worker` is 0 for the calling thread, 1 to the pool's size - 1
 * for the others. */
typedef void (*ThreadPoolJob)(void *ctx, int worker);

typedef struct ThreadPool ThreadPool;

/* Creates a pool of `size` workers (1..THREAD_POOL_MAX); the calling thread is one of them. Returns
 * NULL if memory or threads are not available. Free with thread_pool_free(). */
ThreadPool *thread_pool_create(int size);

/* Ends the threads and frees the pool; `pool` may be NULL. */
void thread_pool_free(ThreadPool *pool);

/* Returns the number of workers, the calling thread included. */
int thread_pool_size(const ThreadPool *pool);

/* Runs `job` once on every worker and returns when all have finished. All their writes are then
 * visible to the caller. Call from the thread that created the pool. */
void thread_pool_run(ThreadPool *pool, ThreadPoolJob job, void *ctx);
