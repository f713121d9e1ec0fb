// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Saves a table in a thread of its own while searches run. Before the table is cleared, resized or
 * freed, hashsave_await() or hashsave_end() must have returned. Only the thread of the front end
 * may call these functions, except hashsave_limit(). */

#include <stdatomic.h>

#include "base/thread.h"
#include "tt/hashfile.h"

/* Callbacks. */
typedef struct {
    /* The saving thread calls `progress` repeatedly and `outcome` once, at the end. `error` is the
     * reason of a failure, or NULL. */
    void (*progress)(void *ctx, uint64_t done, uint64_t total);
    void (*outcome)(void *ctx, const HashFileSummary *summary, const char *error);
    void (*awaited)(void *ctx); // hashsave_await() calls this before it waits
    void *ctx;
} HashSaveListener;

/* All zero bytes: nothing was started. */
typedef struct {
    Thread thread;
    bool is_started; // and not joined yet
    bool is_good;    // the save succeeded; valid once joined
    atomic_bool is_over;
    _Atomic int64_t until_ms; // clock_ms() at which the save is given up; INT64_MAX: never
    _Atomic int64_t left_ms;  // of the limit for all saves together; 0: none
    Tt view;                  // copy of the struct Tt; uses the slots of the original table
    HashFileTask task;
    char *path;
    HashSaveListener listener;
} HashSave;

/* Starts to save the table. No save may be running; join a finished one by hashsave_await() first.
 * Copies the task and sets `goes_on` and `ctx` in the copy. Returns false, without a callback, when
 * memory or threads are short. */
bool hashsave_start(HashSave *save, Tt *tt, const HashFileTask *task,
                    const HashSaveListener *listener);

/* Returns true while a save reads the table. */
bool hashsave_is_running(const HashSave *save);

/* Waits for the end of a running save. Returns false if the save failed, true if there was none. */
bool hashsave_await(HashSave *save);

/* Does the same, but does not call `awaited`. */
bool hashsave_end(HashSave *save);

/* From now on, all saves together have `ms` > 0 milliseconds, the running one and later ones. The
 * one that is not complete by then is given up: the old file stays. Any thread. */
void hashsave_limit(HashSave *save, int64_t ms);
