// SPDX-License-Identifier: GPL-3.0-or-later
#include "learning/learn_writer.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/thread.h"

enum {
    QUEUE_MAX = 1024, // lessons of many games
    BATCH_MAX = 64,
    RETRY_MS = 500, // after which a file that was busy is tried again
    HANG_MS = 2000  // a thread that does not end so long after being told to never will
};

struct LearnWriter {
    LearnStore *memory;
    LearnStoreTerms terms;
    Thread thread;
    Mutex file;                       // whose the file is; taken before `lock` where both are
    Mutex lock;                       // of what follows
    Cond arrived;                     // something to do
    Cond settled;                     // something was done
    LearnedPosition queue[QUEUE_MAX]; // a ring
    int first, count;
    bool closes;    // no more lessons will come
    bool gives_up;  // and those that wait are not to be written
    bool has_ended; // the thread has, but for its return
    bool told_busy; // since the last success
    LearnWriterCounts counts;
    char notice[LEARN_WRITER_ERROR_MAX]; // "": nothing to tell
};

static void drop_first(LearnWriter *s, int count)
{
    s->first = (s->first + count) % QUEUE_MAX;
    s->count -= count;
}

/* Takes note of how writing `count` lessons went. The lock is held. */
static void take_verdict(LearnWriter *s, LearnStoreStatus verdict, int count)
{
    if (verdict == LEARN_STORE_DONE) {
        s->told_busy = false;
        s->counts.written += count;
        drop_first(s, count);
    } else if (verdict == LEARN_STORE_FAILED) {
        s->counts.has_stopped = true;
        s->counts.lost += s->count;
        drop_first(s, s->count);
        snprintf(s->notice, sizeof s->notice, "%s; nothing more is learned",
                 learn_store_error(s->memory));
    } else if (!s->told_busy) {
        s->told_busy = true;
        snprintf(s->notice, sizeof s->notice, "%s; what is learned waits",
                 learn_store_error(s->memory));
    }
}

/* Writes some of what there is. The lock is held, but not while writing. */
static LearnStoreStatus write_some(LearnWriter *s, LearnedPosition *batch)
{
    const int count = s->count < BATCH_MAX ? s->count : BATCH_MAX;
    for (int i = 0; i < count; i++)
        batch[i] = s->queue[(s->first + i) % QUEUE_MAX];
    mutex_unlock(&s->lock);
    mutex_lock(&s->file);
    const LearnStoreStatus verdict = learn_store_write(s->memory, batch, count, s->terms);
    mutex_lock(&s->lock);
    take_verdict(s, verdict, count);
    cond_broadcast(&s->settled);
    mutex_unlock(&s->lock);
    mutex_unlock(&s->file);
    mutex_lock(&s->lock);
    return verdict;
}

static void *live(void *argument)
{
    LearnWriter *const s = argument;
    LearnedPosition batch[BATCH_MAX];
    mutex_lock(&s->lock);
    while (!s->gives_up && (!s->closes || s->count > 0)) {
        if (s->count == 0) {
            cond_wait(&s->arrived, &s->lock);
            continue;
        }
        if (write_some(s, batch) == LEARN_STORE_BUSY && !s->gives_up)
            cond_wait_ms(&s->arrived, &s->lock, RETRY_MS);
    }
    s->has_ended = true;
    cond_broadcast(&s->settled);
    mutex_unlock(&s->lock);
    return NULL;
}

static void free_scribe(LearnWriter *s)
{
    cond_destroy(&s->settled);
    cond_destroy(&s->arrived);
    mutex_destroy(&s->lock);
    mutex_destroy(&s->file);
    free(s);
}

LearnWriter *learn_writer_create(LearnStore *memory, LearnStoreTerms terms)
{
    LearnWriter *const s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->memory = memory;
    s->terms = terms;
    mutex_init(&s->file);
    mutex_init(&s->lock);
    cond_init(&s->arrived);
    cond_init(&s->settled);
    if (thread_start(&s->thread, live, s))
        return s;
    free_scribe(s);
    return NULL;
}

/* Waits up to `ms` until the thread has ended. The lock is held. */
static bool await_end(LearnWriter *s, int64_t ms)
{
    const int64_t until_ms = clock_ms() + ms;
    for (int64_t left = ms; !s->has_ended && left > 0; left = until_ms - clock_ms())
        cond_wait_ms(&s->settled, &s->lock, left);
    return s->has_ended;
}

bool learn_writer_destroy(LearnWriter *s, int64_t ms)
{
    mutex_lock(&s->lock);
    s->closes = true;
    cond_broadcast(&s->arrived);
    bool has_ended = await_end(s, ms);
    if (!has_ended) {
        learn_store_hurry(s->memory);
        s->gives_up = true;
        cond_broadcast(&s->arrived);
        has_ended = await_end(s, HANG_MS);
    }
    mutex_unlock(&s->lock);
    if (!has_ended)
        return false;
    thread_join(&s->thread);
    free_scribe(s);
    return true;
}

void learn_writer_add(LearnWriter *s, const LearnedPosition *learned)
{
    mutex_lock(&s->lock);
    if (s->counts.has_stopped || s->count == QUEUE_MAX) {
        s->counts.lost++;
    } else {
        s->queue[(s->first + s->count) % QUEUE_MAX] = *learned;
        s->count++;
    }
    cond_signal(&s->arrived);
    mutex_unlock(&s->lock);
}

bool learn_writer_flush(LearnWriter *s, int64_t ms)
{
    const int64_t until_ms = clock_ms() + ms;
    mutex_lock(&s->lock);
    cond_broadcast(&s->arrived); // no time to lose for a file that was busy
    for (int64_t left = ms; s->count > 0 && left > 0; left = until_ms - clock_ms())
        cond_wait_ms(&s->settled, &s->lock, left);
    const bool is_settled = s->count == 0;
    mutex_unlock(&s->lock);
    return is_settled;
}

void learn_writer_lock(LearnWriter *s)
{
    mutex_lock(&s->file);
}

void learn_writer_unlock(LearnWriter *s)
{
    mutex_unlock(&s->file);
}

bool learn_writer_take_error(LearnWriter *s, char *text)
{
    mutex_lock(&s->lock);
    const bool has_notice = s->notice[0] != '\0';
    text_copy(text, LEARN_WRITER_ERROR_MAX, s->notice);
    s->notice[0] = '\0';
    mutex_unlock(&s->lock);
    return has_notice;
}

LearnWriterCounts learn_writer_count(LearnWriter *s)
{
    mutex_lock(&s->lock);
    LearnWriterCounts counts = s->counts;
    counts.waiting = s->count;
    mutex_unlock(&s->lock);
    return counts;
}
