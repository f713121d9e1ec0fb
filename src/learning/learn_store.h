// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The file of learned positions: an SQLite database of one table, which any SQLite program can read
 * and several engines can use at once. This header is a link-time seam: learn_store_sqlite.c and
 * learn_store_open.c implement it with SQLite, learn_store_none.c without.
 *
 * The store does not trust a file. It refuses a file that holds anything but our table. Every row
 * has a checksum and must name a valid position and a legal move. A damaged file is read up to the
 * damage and never written. A committed write survives kill -9 at any instant, and a loss of power
 * if the disk honours its flushes. Rows are ordered by insertion, not by time.
 *
 * One thread at a time may use a LearnStore, except for learn_store_stop_waiting(). */

#include "learning/learned_position.h"

typedef struct LearnStore LearnStore;

enum { LEARN_STORE_ERROR_MAX = 512 };

typedef enum {
    LEARN_STORE_DONE,
    LEARN_STORE_BUSY,  // another program locked the file, for longer than the store waits
    LEARN_STORE_FAILED // no space, no permission, damage: a retry will fail, too
} LearnStoreStatus;

/* Rules for writing. */
typedef struct {
    LearnPolicy policy; // decides which of two results for one position stays
    int64_t capacity;   // maximum rows; beyond it the oldest are deleted, advice last
} LearnStoreRules;

/* Contents of a file. */
typedef struct {
    int64_t positions;
    int64_t by_origin[ORIGIN_NB];
    int64_t bytes;
} LearnStoreCounts;

enum { LEARN_STORE_READ_MS = 4000 }; // time limit for opening or reading a file, in ms

/* How to read the rows of a file. */
typedef struct {
    bool (*visit)(void *ctx, const LearnedPosition *learned); // called for each row; false: stop
    void *ctx;
    int64_t limit;     // maximum rows
    int64_t ms;        // time limit; INT64_MAX: none
    bool oldest_first; // default: newest first
} LearnStoreReader;

/* Rows that learn_store_read() did not show. */
typedef struct {
    int64_t damaged; // invalid rows, skipped
    bool timed_out;  // the time limit ended the reading
} LearnStoreSkipped;

/* Whether this program is linked with SQLite. */
bool learn_store_is_linked(void);

/* Opens a file. With `writes` the file is created if missing; if it is damaged or read-only, it is
 * opened for reading, see learn_store_is_writable(). NULL on failure, with the reason in `*status`:
 * after LEARN_STORE_BUSY a retry makes sense. `error` (LEARN_STORE_ERROR_MAX bytes) becomes the
 * problem, in words that follow the file's name, or "". Takes a few seconds at most. */
LearnStore *learn_store_open(const char *path, bool writes, LearnStoreStatus *status, char *error);

/* Closes the file and frees the store; NULL is allowed. */
void learn_store_close(LearnStore *store);

bool learn_store_is_writable(const LearnStore *store);

/* Calls reader->visit for each valid row. A time limit that ends the reading is not a failure. */
LearnStoreStatus learn_store_read(LearnStore *store, const LearnStoreReader *reader,
                                  LearnStoreSkipped *skipped);

/* Writes `count` positions in one transaction, all or none, then deletes rows beyond
 * rules.capacity. */
LearnStoreStatus learn_store_write(LearnStore *store, const LearnedPosition *positions, int count,
                                   LearnStoreRules rules);

/* Deletes the rows of a position (learned_position_text()), or all rows if NULL. `*forgotten` is
 * their number. */
LearnStoreStatus learn_store_forget(LearnStore *store, const char *position, int64_t *forgotten);

/* Counts the rows and the size of the file. */
LearnStoreStatus learn_store_count(LearnStore *store, LearnStoreCounts *counts);

/* Whether another program has changed the file since the last call, or since the file was opened.
 */
bool learn_store_has_changed(LearnStore *store);

/* The problem of the last failed call, in words that follow the file's name. */
const char *learn_store_error(const LearnStore *store);

/* From now on no call waits for other programs. Any thread may call this. */
void learn_store_stop_waiting(LearnStore *store);
