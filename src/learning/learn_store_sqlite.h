// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The SQLite implementation of learn_store.h: the open file and the helpers that learn_store_open.c
 * provides to learn_store_sqlite.c. No other file includes this header. */

#include <sqlite3.h>
#include <stdatomic.h>

#include "learning/learn_store.h"

/* Id and checksum of the newest row. Every learn_store_write() adds a new one, so another mark
 * means that another program has written to the file. id 0: there is no row; -1: the file cannot be
 * read.
 */
typedef struct {
    int64_t id, checksum;
} LearnStoreMark;

struct LearnStore {
    sqlite3 *db;
    bool is_writable;
    bool has_table;           // false: the file is empty and opened for reading
    int64_t deadline_ms;      // clock_ms() at which SQLite aborts the running statement
    int64_t wait_start_ms;    // clock_ms() when the current wait for a lock began
    int64_t seen_version;     // PRAGMA data_version at the last learn_store_has_changed()
    int64_t counted_version;  // PRAGMA data_version when `count` was read; -1: `count` is unknown
    int64_t count;            // number of rows
    LearnStoreMark mark;      // of the file as this store has last seen or written it
    int64_t deleted;          // see learn_store_deleted()
    int64_t changes;          // see learn_store_changes()
    int64_t begun_changes;    // SQLite's count, with rolled-back rows, when the transaction began
    atomic_bool stop_waiting; // do not wait for locks
    char error[LEARN_STORE_ERROR_MAX];
};

/* Sets store->has_table: false if the file is empty. Returns LEARN_STORE_FAILED or
 * LEARN_STORE_BUSY, with the reason in store->error, if the file cannot be read or is not ours. */
LearnStoreStatus learn_store_examine(LearnStore *store);

/* Makes SQLite abort any statement that still runs `ms` milliseconds from now; INT64_MAX: never. */
void learn_store_set_deadline(LearnStore *store, int64_t ms);

/* Sets store->error to `what` and SQLite's message for its last call. Returns LEARN_STORE_BUSY for
 * a locked file, else LEARN_STORE_FAILED. */
LearnStoreStatus learn_store_fail(LearnStore *store, const char *what);

/* Runs statements without result rows. After false, call learn_store_fail(). */
bool learn_store_run(LearnStore *store, const char *sql);

/* Compiles a statement, which the caller must finalize. After NULL, call learn_store_fail(). */
sqlite3_stmt *learn_store_prepare(LearnStore *store, const char *sql);

/* Reads the single number that `sql` returns. After false, call learn_store_fail(). */
bool learn_store_query_number(LearnStore *store, const char *sql, int64_t *number);
