// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The saving of a table by a thread of its own, while searches go on. Whoever is about to clear,
 * move or free the table awaits its end first. One thread, the front end's, calls what is here. */

#include <stdatomic.h>

#include "base/thread.h"
#include "tt/hashfile.h"

/* Whom to tell. */
typedef struct {
    /* Now and then, and the outcome at the end, with the reason if it failed and NULL if not; both
     * by the thread that saves. */
    void (*progress)(void *ctx, uint64_t done, uint64_t total);
    void (*outcome)(void *ctx, const HashFileSummary *summary, const char *error);
    void (*awaited)(void *ctx); // by the caller's thread, which is about to wait
    void *ctx;
} HashSaveListener;

/* Zero is a saving that has not begun. */
typedef struct {
    Thread thread;
    bool is_started; // and not yet joined
    bool is_good;    // how it ended; to be read when joined
    atomic_bool is_over;
    _Atomic int64_t until_ms; // when it is given up
    Tt view;                  // of the table
    HashFileTask task;
    char *path;
    HashSaveListener listener;
} HashSave;

/* Begins to save the table; none may be under way. The task is copied, its `goes_on` and `ctx` not
 * used. False when there is no memory or thread for it: nobody is told. */
bool hashsave_start(HashSave *save, Tt *tt, const HashFileTask *task,
                    const HashSaveListener *listener);

/* Whether one is under way. */
bool hashsave_is_running(const HashSave *save);

/* Returns when none is under way: true unless one was and failed. */
bool hashsave_await(HashSave *save);

/* The same, but a saving that is not done after `ms` milliseconds is given up: what it was to
 * replace stays. Nobody is told of the wait. */
bool hashsave_end(HashSave *save, int64_t ms);
