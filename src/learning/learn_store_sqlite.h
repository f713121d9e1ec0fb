// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What memory.c and learn_store_open.c share: an open file and how it is talked to. For nobody
 * else. */

#include <sqlite3.h>
#include <stdatomic.h>

#include "learning/learn_store.h"

struct LearnStore {
    sqlite3 *db;
    bool is_writable;
    bool has_table;       // false: the file is empty, and not ours to fill
    int64_t deadline_ms;  // clock_ms() at which SQLite shall give up what it does
    int64_t waiting_ms;   // clock_ms() when the wait for another program began
    int64_t seen_version; // of the file, when last asked whether others changed it
    int64_t counted_version;
    int64_t count; // of lessons, as of that version
    atomic_bool hurries;
    char error[LEARN_STORE_ERROR_MAX];
};

/* What is in a file. */
typedef enum { CONTENT_OURS, CONTENT_NOTHING, CONTENT_FOREIGN, CONTENT_UNKNOWN } LearnStoreContent;

/* Finds that out. The error is put down for CONTENT_FOREIGN, SQLite's for CONTENT_UNKNOWN. */
LearnStoreContent learn_store_examine(LearnStore *memory);

/* SQLite gives up what it does after so many milliseconds, INT64_MAX for never. */
void learn_store_set_deadline(LearnStore *memory, int64_t ms);

/* Puts down what SQLite says of its last call, after `what`, and tells whether there is hope. */
LearnStoreStatus learn_store_fail(LearnStore *memory, const char *what);

/* Carries out statements that give no rows; false: the error is SQLite's. */
bool learn_store_run(LearnStore *memory, const char *sql);

/* A statement to be finalized; NULL: the error is SQLite's. */
sqlite3_stmt *learn_store_prepare(LearnStore *memory, const char *sql);

/* Asks for the one number that `sql` gives; false: the error is SQLite's. */
bool learn_store_ask_number(LearnStore *memory, const char *sql, int64_t *number);
