// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/thread_pool.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/thread.h"

typedef struct {
    ThreadPool *pool;
    Thread thread;
    int number;
} PoolThread;

struct ThreadPool {
    Mutex mutex;
    Cond job_ready, job_done;
    ThreadPoolJob job; // NULL: the threads must end
    void *ctx;
    uint64_t jobs; // number of jobs started
    int size;      // workers, the calling thread included
    int working;   // other threads that have not finished the job
    PoolThread workers[THREAD_POOL_MAX];
};

static void *worker_main(void *arg)
{
    PoolThread *const worker = arg;
    ThreadPool *const pool = worker->pool;
    for (uint64_t seen = 0;;) {
        mutex_lock(&pool->mutex);
        while (pool->jobs == seen)
            cond_wait(&pool->job_ready, &pool->mutex);
        seen = pool->jobs;
        const ThreadPoolJob job = pool->job;
        void *const ctx = pool->ctx;
        mutex_unlock(&pool->mutex);
        if (job == NULL)
            return NULL;
        job(ctx, worker->number);
        mutex_lock(&pool->mutex);
        if (--pool->working == 0)
            cond_signal(&pool->job_done);
        mutex_unlock(&pool->mutex);
    }
}

static void start_job(ThreadPool *pool, ThreadPoolJob job, void *ctx)
{
    mutex_lock(&pool->mutex);
    pool->job = job;
    pool->ctx = ctx;
    pool->working = pool->size - 1;
    pool->jobs++;
    cond_broadcast(&pool->job_ready);
    mutex_unlock(&pool->mutex);
}

ThreadPool *thread_pool_create(int size)
{
    assert(1 <= size && size <= THREAD_POOL_MAX);
    ThreadPool *const pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return NULL;
    mutex_init(&pool->mutex);
    cond_init(&pool->job_ready);
    cond_init(&pool->job_done);
    for (pool->size = 1; pool->size < size; pool->size++) {
        PoolThread *const worker = &pool->workers[pool->size];
        *worker = (PoolThread){.pool = pool, .number = pool->size};
        if (!thread_start(&worker->thread, worker_main, worker)) {
            thread_pool_free(pool);
            return NULL;
        }
    }
    return pool;
}

void thread_pool_free(ThreadPool *pool)
{
    if (pool == NULL)
        return;
    start_job(pool, NULL, NULL);
    for (int i = 1; i < pool->size; i++)
        thread_join(&pool->workers[i].thread);
    cond_destroy(&pool->job_done);
    cond_destroy(&pool->job_ready);
    mutex_destroy(&pool->mutex);
    free(pool);
}

int thread_pool_size(const ThreadPool *pool)
{
    return pool->size;
}

void thread_pool_run(ThreadPool *pool, ThreadPoolJob job, void *ctx)
{
    start_job(pool, job, ctx);
    job(ctx, 0);
    mutex_lock(&pool->mutex);
    while (pool->working > 0)
        cond_wait(&pool->job_done, &pool->mutex);
    mutex_unlock(&pool->mutex);
}
