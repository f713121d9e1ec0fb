// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Saves a table in a thread of its own while searches run. Before anybody clears, moves or frees
 * the table, hashsave_await() or hashsave_end() must return. All functions: one thread, that of the
 * front end. */

#include <stdatomic.h>

#include "base/thread.h"
#include "tt/hashfile.h"

/* Callbacks. */
typedef struct {
    /* Called by the saving thread: `progress` from time to time, `outcome` at the end. `error` is
     * the reason of a failure, or NULL. */
    void (*progress)(void *ctx, uint64_t done, uint64_t total);
    void (*outcome)(void *ctx, const HashFileSummary *summary, const char *error);
    void (*awaited)(void *ctx); // called by hashsave_await() before it waits
    void *ctx;
} HashSaveListener;

/* All zero bytes: nothing was started. */
typedef struct {
    Thread thread;
    bool is_started; // and not joined yet
    bool is_good;    // result; valid once joined
    atomic_bool is_over;
    _Atomic int64_t until_ms; // deadline
    Tt view;                  // copy of the table's header
    HashFileTask task;
    char *path;
    HashSaveListener listener;
} HashSave;

/* Starts to save the table. No save may be running. Copies the task except for its `goes_on` and
 * `ctx`. Returns false, without a callback, when out of memory or threads. */
bool hashsave_start(HashSave *save, Tt *tt, const HashFileTask *task,
                    const HashSaveListener *listener);

/* Returns true while a save reads the table. */
bool hashsave_is_running(const HashSave *save);

/* Waits for the end of a running save. Returns false if it failed. */
bool hashsave_await(HashSave *save);

/* The same, but ends a save that is not complete after `ms` milliseconds; the old file stays. Does
 * not call `awaited`. */
bool hashsave_end(HashSave *save, int64_t ms);
