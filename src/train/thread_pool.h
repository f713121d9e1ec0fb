// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Threads that do one job together and wait for the next. */

#include <stdbool.h>

#include "base/thread.h"

enum { THREAD_POOL_MAX = 256 };

/* Part of a job; `member` is 0 for the caller's own thread, up to crew size - 1. */
typedef void (*ThreadPoolJob)(void *ctx, int member);

typedef struct ThreadPool ThreadPool;

/* Starts a crew of `size` (1..THREAD_POOL_MAX) members, the calling thread being one of them. NULL
 * when the system refuses the threads. Free with thread_pool_free(). */
ThreadPool *thread_pool_create(int size);

/* Ends the threads; `crew` may be NULL. */
void thread_pool_free(ThreadPool *pool);

int thread_pool_size(const ThreadPool *pool);

/* Runs `job` once on every member and returns when all are done. What the job wrote is then visible
 * to the caller. From the creating thread only. */
void thread_pool_run(ThreadPool *pool, ThreadPoolJob job, void *ctx);
