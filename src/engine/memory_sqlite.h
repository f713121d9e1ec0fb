// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What memory.c and memory_open.c share: an open file and how it is talked to. For nobody else. */

#include <sqlite3.h>
#include <stdatomic.h>

#include "engine/memory.h"

struct Memory {
    sqlite3 *db;
    bool is_writable;
    bool has_table;       // false: the file is empty, and not ours to fill
    int64_t deadline_ms;  // clock_ms() at which SQLite shall give up what it does
    int64_t waiting_ms;   // clock_ms() when the wait for another program began
    int64_t seen_version; // of the file, when last asked whether others changed it
    int64_t counted_version;
    int64_t count; // of lessons, as of that version
    atomic_bool hurries;
    char error[MEMORY_ERROR_MAX];
};

/* What is in a file. */
typedef enum { CONTENT_OURS, CONTENT_NOTHING, CONTENT_FOREIGN, CONTENT_UNKNOWN } MemoryContent;

/* Finds that out. The error is put down for CONTENT_FOREIGN, SQLite's for CONTENT_UNKNOWN. */
MemoryContent memory_examine(Memory *memory);

/* SQLite gives up what it does after so many milliseconds, INT64_MAX for never. */
void memory_set_deadline(Memory *memory, int64_t ms);

/* Puts down what SQLite says of its last call, after `what`, and tells whether there is hope. */
MemoryVerdict memory_fail(Memory *memory, const char *what);

/* Carries out statements that give no rows; false: the error is SQLite's. */
bool memory_run(Memory *memory, const char *sql);

/* A statement to be finalized; NULL: the error is SQLite's. */
sqlite3_stmt *memory_prepare(Memory *memory, const char *sql);

/* Asks for the one number that `sql` gives; false: the error is SQLite's. */
bool memory_ask_number(Memory *memory, const char *sql, int64_t *number);
