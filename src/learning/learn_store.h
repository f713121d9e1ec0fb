// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The file of learned positions: an SQLite database of one table, which any SQLite program can read
 * and several engines can use at once. learn_store_sqlite.c and learn_store_open.c implement this
 * header with SQLite; a build without SQLite links learn_store_none.c instead.
 *
 * The store checks each file. It refuses a file that contains anything but our table. Every row has
 * a checksum and must contain a valid position and a legal move. A file in which damage was found,
 * by a check of at most one second before the first write or by a read, is read up to the damage
 * and never written. A committed write survives kill -9 at any instant, and a power cut if the disk
 * executes flush commands. Rows are ordered by insertion, not by time.
 *
 * One thread at a time may use a LearnStore, except for learn_store_stop_waiting(). */

#include "learning/learned_position.h"

typedef struct LearnStore LearnStore;

enum { LEARN_STORE_ERROR_MAX = 512 };

typedef enum {
    LEARN_STORE_DONE,
    LEARN_STORE_BUSY,  // another program locked the file longer than the store waits: try again
    LEARN_STORE_FAILED // no space, no permission, or damage: a retry fails until it is mended
} LearnStoreStatus;

/* Rules for writing. */
typedef struct {
    LearnPolicy policy; // decides which of two results for one position stays
    bool is_import;     // the positions come from an EPD file: learned_entry_outranks()
                        // with `network` decides, and `policy` only about advice
    uint32_t network;   // the one in use; only for an import
    int64_t capacity;   // maximum number of rows; the oldest above it are deleted, advice last
} LearnStoreRules;

/* Contents of a file. */
typedef struct {
    int64_t positions;
    int64_t by_origin[ORIGIN_NB];
    int64_t bytes;
} LearnStoreCounts;

enum { LEARN_STORE_READ_MS = 4000 }; // time limit for opening or reading a file, in ms

typedef enum {
    LEARN_NEWEST_FIRST,
    LEARN_OLDEST_FIRST,
    LEARN_ADVICE // advice only, newest first; reads the whole file
} LearnOrder;

/* How to read the rows of a file. */
typedef struct {
    bool (*visit)(void *ctx, const LearnedPosition *learned); // called for each row; false: stop
    void *ctx;
    int64_t limit; // maximum number of rows
    int64_t ms;    // time limit in milliseconds; INT64_MAX: none
    LearnOrder order;
} LearnStoreReader;

/* Rows that learn_store_read() did not visit. */
typedef struct {
    int64_t damaged; // invalid rows, skipped
    bool timed_out;  // the time limit (reader->ms) was reached before the last row
    bool has_more;   // the file has more than reader->limit rows
} LearnStoreSkipped;

/* Whether this program is linked with SQLite. */
bool learn_store_is_linked(void);

/* Opens a file. With `writes`, creates the file if it is missing; a damaged or read-only file is
 * opened for reading only, see learn_store_is_writable(). NULL on failure, with the reason in
 * `*status`: after LEARN_STORE_BUSY a retry makes sense. Writes the problem to `error`
 * (LEARN_STORE_ERROR_MAX bytes) as a text that follows the name of the file, or "" if there is
 * none. Takes a few seconds at most. */
LearnStore *learn_store_open(const char *path, bool writes, LearnStoreStatus *status, char *error);

/* Closes the file and frees the store. NULL is allowed. */
void learn_store_close(LearnStore *store);

/* Whether the file was opened for writing and no learn_store_read() has failed since. */
bool learn_store_is_writable(const LearnStore *store);

/* Calls reader->visit for each valid row. Counts the damaged rows in skipped->damaged. At the time
 * limit stops and sets skipped->timed_out, which is not a failure. */
LearnStoreStatus learn_store_read(LearnStore *store, const LearnStoreReader *reader,
                                  LearnStoreSkipped *skipped);

/* Writes `count` positions in one transaction, all or none, and deletes the rows above
 * rules.capacity in the same transaction. */
LearnStoreStatus learn_store_write(LearnStore *store, const LearnedPosition *positions, int count,
                                   LearnStoreRules rules);

/* Number of rows that learn_store_write() has deleted above the capacity since the file was opened.
 */
int64_t learn_store_deleted(const LearnStore *store);

/* Deletes the rows of a position (a learned_position_text()), or all rows if `position` is NULL.
 * Writes their number to `*forgotten`. */
LearnStoreStatus learn_store_forget(LearnStore *store, const char *position, int64_t *forgotten);

/* Counts the rows and gives the size of the file. */
LearnStoreStatus learn_store_count(LearnStore *store, LearnStoreCounts *counts);

/* Whether another program has changed the file since the last call, or since the file was opened.
 */
bool learn_store_has_changed(LearnStore *store);

/* Whether the open file was deleted, renamed or replaced by another one. */
bool learn_store_has_moved(LearnStore *store);

/* Number of rows that this program has written or deleted since it opened the file. */
int64_t learn_store_changes(const LearnStore *store);

/* The problem of the last failed call, as a text that follows the name of the file. */
const char *learn_store_error(const LearnStore *store);

/* From now on no call waits for other programs: a call that would wait, or waits already, fails
 * with LEARN_STORE_BUSY. Any thread may call this. */
void learn_store_stop_waiting(LearnStore *store);
