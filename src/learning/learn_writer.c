// SPDX-License-Identifier: GPL-3.0-or-later
#include "learning/learn_writer.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/thread.h"

enum {
    QUEUE_MAX = 1024, // positions; enough for many games
    BATCH_MAX = 64,   // positions in one transaction
    RETRY_MS = 500,   // pause before another attempt on a locked file
    HANG_MS = 2000    // a thread that does not end within this time is considered hung
};

struct LearnWriter {
    LearnStore *store;
    LearnStoreRules rules;
    Thread thread;
    Mutex store_mutex;                // guards `store`; locked before `mutex`
    Mutex mutex;                      // guards all fields below
    Cond wake;                        // wakes the thread: a new position, a flush, or the end
    Cond progress;                    // wakes waiting callers: a write or the thread has ended
    LearnedPosition queue[QUEUE_MAX]; // ring buffer
    int first, count;
    bool closing;       // end when the queue is empty
    bool aborting;      // end now
    bool has_ended;     // the thread no longer uses this struct or the store
    bool reported_busy; // a lock of the file was reported since the last successful write
    LearnWriterCounts counts;
    char error[LEARN_WRITER_ERROR_MAX]; // latest unreported problem; "": none
};

static void drop_first(LearnWriter *w, int count)
{
    w->first = (w->first + count) % QUEUE_MAX;
    w->count -= count;
}

/* Updates counts and error after a write of `count` positions. The caller holds `mutex`. */
static void handle_result(LearnWriter *w, LearnStoreStatus status, int count)
{
    if (status == LEARN_STORE_DONE) {
        w->reported_busy = false;
        w->counts.written += count;
        drop_first(w, count);
    } else if (status == LEARN_STORE_FAILED) {
        w->counts.has_stopped = true;
        w->counts.lost += w->count;
        drop_first(w, w->count);
        snprintf(w->error, sizeof w->error, "%s; no more positions are written",
                 learn_store_error(w->store));
    } else if (!w->reported_busy) {
        w->reported_busy = true;
        snprintf(w->error, sizeof w->error, "%s; new positions will be written later",
                 learn_store_error(w->store));
    }
}

/* Writes one batch of the queue. The caller holds `mutex`, which is released during the write. */
static LearnStoreStatus write_batch(LearnWriter *w, LearnedPosition *batch)
{
    const int count = w->count < BATCH_MAX ? w->count : BATCH_MAX;
    for (int i = 0; i < count; i++)
        batch[i] = w->queue[(w->first + i) % QUEUE_MAX];
    mutex_unlock(&w->mutex);
    mutex_lock(&w->store_mutex);
    const LearnStoreStatus status = learn_store_write(w->store, batch, count, w->rules);
    mutex_lock(&w->mutex);
    handle_result(w, status, count);
    cond_broadcast(&w->progress);
    mutex_unlock(&w->mutex);
    mutex_unlock(&w->store_mutex);
    mutex_lock(&w->mutex);
    return status;
}

/* The thread: writes batches until it must end. */
static void *run(void *argument)
{
    LearnWriter *const w = argument;
    LearnedPosition batch[BATCH_MAX];
    mutex_lock(&w->mutex);
    while (!w->aborting && (!w->closing || w->count > 0)) {
        if (w->count == 0) {
            cond_wait(&w->wake, &w->mutex);
            continue;
        }
        if (write_batch(w, batch) == LEARN_STORE_BUSY && !w->aborting)
            cond_wait_ms(&w->wake, &w->mutex, RETRY_MS);
    }
    w->has_ended = true;
    cond_broadcast(&w->progress);
    mutex_unlock(&w->mutex);
    return NULL;
}

static void free_writer(LearnWriter *w)
{
    cond_destroy(&w->progress);
    cond_destroy(&w->wake);
    mutex_destroy(&w->mutex);
    mutex_destroy(&w->store_mutex);
    free(w);
}

LearnWriter *learn_writer_create(LearnStore *store, LearnStoreRules rules)
{
    LearnWriter *const w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->store = store;
    w->rules = rules;
    mutex_init(&w->store_mutex);
    mutex_init(&w->mutex);
    cond_init(&w->wake);
    cond_init(&w->progress);
    if (thread_start(&w->thread, run, w))
        return w;
    free_writer(w);
    return NULL;
}

/* Waits for the end of the thread, at most `ms` milliseconds. The caller holds `mutex`. */
static bool wait_for_end(LearnWriter *w, int64_t ms)
{
    const int64_t deadline_ms = clock_ms() + ms;
    bool has_time = true;
    while (has_time && !w->has_ended)
        has_time = cond_wait_until(&w->progress, &w->mutex, deadline_ms);
    return w->has_ended;
}

bool learn_writer_destroy(LearnWriter *w, int64_t ms)
{
    mutex_lock(&w->mutex);
    w->closing = true;
    cond_broadcast(&w->wake);
    bool has_ended = wait_for_end(w, ms);
    if (!has_ended) {
        learn_store_stop_waiting(w->store);
        w->aborting = true;
        cond_broadcast(&w->wake);
        has_ended = wait_for_end(w, HANG_MS);
    }
    mutex_unlock(&w->mutex);
    if (!has_ended)
        return false;
    thread_join(&w->thread);
    free_writer(w);
    return true;
}

void learn_writer_add(LearnWriter *w, const LearnedPosition *learned)
{
    mutex_lock(&w->mutex);
    if (w->counts.has_stopped || w->count == QUEUE_MAX) {
        w->counts.lost++;
    } else {
        w->queue[(w->first + w->count) % QUEUE_MAX] = *learned;
        w->count++;
    }
    cond_signal(&w->wake);
    mutex_unlock(&w->mutex);
}

bool learn_writer_flush(LearnWriter *w, int64_t ms)
{
    const int64_t deadline_ms = clock_ms() + ms;
    bool has_time = true;
    mutex_lock(&w->mutex);
    cond_broadcast(&w->wake); // retry now
    while (has_time && w->count > 0)
        has_time = cond_wait_until(&w->progress, &w->mutex, deadline_ms);
    const bool is_empty = w->count == 0;
    mutex_unlock(&w->mutex);
    return is_empty;
}

void learn_writer_lock(LearnWriter *w)
{
    mutex_lock(&w->store_mutex);
}

void learn_writer_unlock(LearnWriter *w)
{
    mutex_unlock(&w->store_mutex);
}

bool learn_writer_take_error(LearnWriter *w, char *text)
{
    mutex_lock(&w->mutex);
    const bool has_error = w->error[0] != '\0';
    text_copy(text, LEARN_WRITER_ERROR_MAX, w->error);
    w->error[0] = '\0';
    mutex_unlock(&w->mutex);
    return has_error;
}

LearnWriterCounts learn_writer_count(LearnWriter *w)
{
    mutex_lock(&w->mutex);
    LearnWriterCounts counts = w->counts;
    counts.waiting = w->count;
    mutex_unlock(&w->mutex);
    return counts;
}
