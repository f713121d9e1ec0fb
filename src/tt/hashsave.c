// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/hashsave.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

static bool goes_on(void *ctx, uint64_t done, uint64_t total)
{
    HashSave *const save = ctx;
    thread_web_turn();
    save->listener.progress(save->listener.ctx, done, total);
    return clock_ms() < atomic_load(&save->until_ms);
}

/* The limit is read after the moment is set, and hashsave_limit() does the reverse: so it also
 * applies to a save that starts at the same time. */
static void begin_time(HashSave *save)
{
    atomic_store(&save->until_ms, INT64_MAX);
    const int64_t left_ms = atomic_load(&save->left_ms);
    if (left_ms > 0)
        atomic_store(&save->until_ms, clock_ms() + left_ms);
}

/* Leaves the rest of the time to later saves, at least a millisecond, because 0 means no limit. */
static void end_time(HashSave *save)
{
    const int64_t until_ms = atomic_load(&save->until_ms), now_ms = clock_ms();
    if (until_ms != INT64_MAX)
        atomic_store(&save->left_ms, until_ms > now_ms ? until_ms - now_ms : 1);
}

static void *run(void *argument)
{
    HashSave *const save = argument;
    HashFileSummary summary;
    char error[HASHFILE_ERROR_MAX];
    save->is_good = hashfile_save(&save->task, &save->view, &summary, error);
    end_time(save);
    /* Set before the callback: after `outcome`, hashsave_await() must not call `awaited`. */
    atomic_store(&save->is_over, true);
    save->listener.outcome(save->listener.ctx, &summary, save->is_good ? NULL : error);
    return NULL;
}

bool hashsave_start(HashSave *save, Tt *tt, const HashFileTask *task,
                    const HashSaveListener *listener)
{
    assert(!save->is_started);
    save->path = strdup(task->path);
    if (save->path == NULL)
        return false;
    save->view = *tt;
    save->task = *task;
    save->task.path = save->path;
    save->task.goes_on = goes_on;
    save->task.ctx = save;
    save->listener = *listener;
    atomic_store(&save->is_over, false);
    begin_time(save);
    save->is_started = thread_start(&save->thread, run, save);
    if (!save->is_started)
        free(save->path);
    return save->is_started;
}

bool hashsave_is_running(const HashSave *save)
{
    return save->is_started && !atomic_load(&save->is_over);
}

static bool join(HashSave *save)
{
    if (!save->is_started)
        return true;
    thread_join(&save->thread);
    save->is_started = false;
    free(save->path);
    return save->is_good;
}

bool hashsave_await(HashSave *save)
{
    if (hashsave_is_running(save))
        save->listener.awaited(save->listener.ctx);
    return join(save);
}

bool hashsave_end(HashSave *save)
{
    return join(save);
}

void hashsave_limit(HashSave *save, int64_t ms)
{
    atomic_store(&save->left_ms, ms);
    atomic_store(&save->until_ms, clock_ms() + ms);
}
