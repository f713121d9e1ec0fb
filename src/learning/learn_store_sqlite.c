// SPDX-License-Identifier: GPL-3.0-or-later
#include "learning/learn_store_sqlite.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "chess/notation.h"

#define COLUMNS "position, move, score, depth, fullmove, network, origin, time, seen, checksum"

/* Reads column `i`; false if it is not an integer in min..max. */
static bool column_number(sqlite3_stmt *row, int i, int64_t min, int64_t max, int64_t *number)
{
    *number = sqlite3_column_int64(row, i);
    return sqlite3_column_type(row, i) == SQLITE_INTEGER && *number >= min && *number <= max;
}

/* The text in column `i`; NULL if it is not text or contains a NUL. */
static const char *column_text(sqlite3_stmt *row, int i)
{
    const char *const text = (const char *)sqlite3_column_text(row, i);
    const bool is_text = sqlite3_column_type(row, i) == SQLITE_TEXT && text != NULL;
    return is_text && strlen(text) == (size_t)sqlite3_column_bytes(row, i) ? text : NULL;
}

/* Reads a row of COLUMNS. False if it is invalid or its checksum is wrong. */
static bool read_row(sqlite3_stmt *row, LearnedPosition *learned)
{
    int64_t score = SCORE_NONE, depth, fullmove, network, origin;
    const char *const position = column_text(row, 0), *const move = column_text(row, 1);
    const bool has_score = sqlite3_column_type(row, 2) != SQLITE_NULL;
    if (position == NULL || move == NULL ||
        (has_score && !column_number(row, 2, -SCORE_MATE, SCORE_MATE, &score)) ||
        !column_number(row, 3, 0, INT32_MAX, &depth) ||
        !column_number(row, 4, 0, INT32_MAX, &fullmove) ||
        !column_number(row, 5, 0, UINT32_MAX, &network) ||
        !column_number(row, 6, 0, ORIGIN_NB - 1, &origin) ||
        sqlite3_column_type(row, 9) != SQLITE_INTEGER)
        return false;
    *learned = (LearnedPosition){.score = (Score)score,
                                 .depth = (int)depth,
                                 .fullmove = (int)fullmove,
                                 .network = (uint32_t)network,
                                 .origin = (LearnOrigin)origin,
                                 .calendar_s = sqlite3_column_int64(row, 7),
                                 .seen = sqlite3_column_int64(row, 8)};
    return learned_position_parse(learned, position, move) &&
           learned_position_checksum(learned) == (uint64_t)sqlite3_column_int64(row, 9);
}

static const char *const queries[] = {
    [LEARN_NEWEST_FIRST] = "SELECT " COLUMNS " FROM lesson ORDER BY id DESC",
    [LEARN_OLDEST_FIRST] = "SELECT " COLUMNS " FROM lesson ORDER BY id",
    [LEARN_ADVICE] = "SELECT " COLUMNS " FROM lesson WHERE origin = 2 ORDER BY id DESC",
};
static_assert(ORIGIN_ADVICE == 2, "the SQL above reads advice");

/* Makes SQLite read the file again. It does so by itself only after changes that it notices: not if
 * a program such as `cp` overwrites the file with another one whose header has the same counters.
 */
static void drop_cache(LearnStore *store)
{
    sqlite3_db_release_memory(store->db);
}

/* After a failed read, other than one of a locked file: a damaged file is never written. */
static LearnStoreStatus fail_to_read(LearnStore *store)
{
    const LearnStoreStatus status = learn_store_fail(store, "cannot be read");
    if (status == LEARN_STORE_FAILED)
        store->is_writable = false;
    return status;
}

LearnStoreStatus learn_store_read(LearnStore *store, const LearnStoreReader *reader,
                                  LearnStoreSkipped *skipped)
{
    *skipped = (LearnStoreSkipped){0};
    drop_cache(store);
    if (!store->has_table) { // another program may have made one since
        const LearnStoreStatus found = learn_store_examine(store);
        if (!store->has_table)
            return found;
    }
    sqlite3_stmt *const row = learn_store_prepare(store, queries[reader->order]);
    if (row == NULL)
        return fail_to_read(store);
    learn_store_set_deadline(store, reader->ms);
    bool proceed = true;
    int64_t rows = 0;
    int code = SQLITE_ROW;
    while (proceed && (code = sqlite3_step(row)) == SQLITE_ROW) {
        LearnedPosition learned;
        skipped->has_more = rows++ == reader->limit;
        if (skipped->has_more)
            break;
        if (read_row(row, &learned))
            proceed = reader->visit(reader->ctx, &learned);
        else
            skipped->damaged++;
    }
    learn_store_set_deadline(store, INT64_MAX);
    skipped->timed_out = code == SQLITE_INTERRUPT;
    const bool is_read = code == SQLITE_ROW || code == SQLITE_DONE || skipped->timed_out;
    const LearnStoreStatus status = is_read ? LEARN_STORE_DONE : fail_to_read(store);
    sqlite3_finalize(row);
    return status;
}

LearnStoreStatus learn_store_count(LearnStore *store, LearnStoreCounts *counts)
{
    *counts = (LearnStoreCounts){0};
    drop_cache(store);
    if (!store->has_table)
        return LEARN_STORE_DONE;
    sqlite3_stmt *const row =
        learn_store_prepare(store, "SELECT origin, count(*) FROM lesson GROUP BY origin");
    while (row != NULL && sqlite3_step(row) == SQLITE_ROW) {
        int64_t origin;
        const bool is_valid = column_number(row, 0, 0, ORIGIN_NB - 1, &origin);
        counts->by_origin[is_valid ? origin : 0] += sqlite3_column_int64(row, 1);
        counts->positions += sqlite3_column_int64(row, 1);
    }
    int64_t pages = 0, page_bytes = 0;
    if (sqlite3_finalize(row) != SQLITE_OK || row == NULL ||
        !learn_store_query_number(store, "PRAGMA page_count", &pages) ||
        !learn_store_query_number(store, "PRAGMA page_size", &page_bytes))
        return learn_store_fail(store, "cannot be read");
    counts->bytes = pages * page_bytes;
    return LEARN_STORE_DONE;
}

/* Reads the mark. False if that is impossible: then call learn_store_fail(). */
static bool read_mark(LearnStore *store, LearnStoreMark *mark)
{
    *mark = (LearnStoreMark){0};
    if (!store->has_table)
        return true;
    sqlite3_stmt *const row =
        learn_store_prepare(store, "SELECT id, checksum FROM lesson ORDER BY id DESC LIMIT 1");
    if (row != NULL && sqlite3_step(row) == SQLITE_ROW)
        *mark = (LearnStoreMark){sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1)};
    return row != NULL && sqlite3_finalize(row) == SQLITE_OK;
}

static bool is_same_mark(LearnStoreMark a, LearnStoreMark b)
{
    return a.id == b.id && a.checksum == b.checksum;
}

bool learn_store_has_changed(LearnStore *store)
{
    int64_t version = store->seen_version;
    LearnStoreMark mark;
    drop_cache(store);
    if (!learn_store_query_number(store, "PRAGMA data_version", &version) ||
        !read_mark(store, &mark)) {
        const bool is_locked = learn_store_fail(store, "cannot be read") == LEARN_STORE_BUSY;
        mark = is_locked ? store->mark : (LearnStoreMark){.id = -1};
    }
    const bool has_changed = version != store->seen_version || !is_same_mark(mark, store->mark);
    store->seen_version = version;
    store->mark = mark;
    return has_changed;
}

bool learn_store_has_moved(LearnStore *store)
{
    int has_moved = 0;
    return sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved) ==
               SQLITE_OK &&
           has_moved != 0;
}

int64_t learn_store_changes(const LearnStore *store)
{
    return store->changes;
}

/* Runs a statement without result rows and finalizes it. */
static bool run_and_finalize(sqlite3_stmt *statement)
{
    if (statement == NULL)
        return false;
    sqlite3_step(statement);
    return sqlite3_finalize(statement) == SQLITE_OK;
}

/* Reads the row with the position and origin of `learned`. False if there is no such row or it is
 * damaged; `*exists` tells which. The new row replaces a damaged one. */
static bool find_row(LearnStore *store, const LearnedPosition *learned, LearnedPosition *found,
                     bool *exists)
{
    *exists = false;
    sqlite3_stmt *const row = learn_store_prepare(
        store, "SELECT " COLUMNS " FROM lesson WHERE position = ?1 AND origin = ?2");
    if (row == NULL)
        return false;
    sqlite3_bind_text(row, 1, learned->position, -1, SQLITE_STATIC);
    sqlite3_bind_int(row, 2, (int)learned->origin);
    *exists = sqlite3_step(row) == SQLITE_ROW;
    const bool is_found = *exists && read_row(row, found);
    sqlite3_finalize(row);
    return is_found;
}

static bool write_row(LearnStore *store, const LearnedPosition *learned)
{
    char move[MOVE_TEXT_MAX];
    sqlite3_stmt *const row =
        learn_store_prepare(store, "INSERT OR REPLACE INTO lesson (" COLUMNS ", key) "
                                   "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
    if (row == NULL)
        return false;
    learned_position_move_text(learned, move);
    sqlite3_bind_text(row, 1, learned->position, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 2, move, -1, SQLITE_STATIC);
    if (learned->score != SCORE_NONE) // otherwise the column stays NULL
        sqlite3_bind_int(row, 3, learned->score);
    sqlite3_bind_int(row, 4, learned->depth);
    sqlite3_bind_int(row, 5, learned->fullmove);
    sqlite3_bind_int64(row, 6, learned->network);
    sqlite3_bind_int(row, 7, (int)learned->origin);
    sqlite3_bind_int64(row, 8, learned->calendar_s);
    sqlite3_bind_int64(row, 9, learned->seen);
    sqlite3_bind_int64(row, 10, (int64_t)learned_position_checksum(learned));
    sqlite3_bind_int64(row, 11, (int64_t)learned->key);
    return run_and_finalize(row);
}

/* How often the position of both records was searched. An import does not add up, because the same
 * searches may be in both. */
static int64_t merge_seen(const LearnedPosition *old, const LearnedPosition *learned,
                          const LearnStoreRules *rules)
{
    if (rules->is_import)
        return old->seen > learned->seen ? old->seen : learned->seen;
    const int64_t seen = old->seen + learned->seen;
    return seen < LEARNED_SEEN_MAX ? seen : LEARNED_SEEN_MAX;
}

/* Whether the stored record stays when `learned` is written. */
static bool stays(const LearnedPosition *old, const LearnedPosition *learned,
                  const LearnStoreRules *rules)
{
    const LearnedEntry newer = learned_position_entry(learned), older = learned_position_entry(old);
    if (learned->keeps_score && old->score != SCORE_NONE && old->move == learned->move)
        return true;
    if (rules->is_import && learned->origin == ORIGIN_ADVICE &&
        learned->calendar_s < old->calendar_s)
        return true;
    if (rules->is_import && learned->origin != ORIGIN_ADVICE)
        return !learned_entry_outranks(&newer, &older, rules->network);
    return !learned_entry_replaces(rules->policy, &newer, &older);
}

/* Writes a position. If the stored result of the position stays, only its `seen` changes. In both
 * cases the row becomes the newest. */
static bool merge_row(LearnStore *store, const LearnedPosition *learned,
                      const LearnStoreRules *rules)
{
    LearnedPosition old;
    bool exists;
    if (!find_row(store, learned, &old, &exists)) {
        store->count += !exists;
        return write_row(store, learned);
    }
    LearnedPosition merged = stays(&old, learned, rules) ? old : *learned;
    merged.seen = merge_seen(&old, learned, rules);
    return write_row(store, &merged);
}

/* Updates store->count. Counting reads the whole file, so the count is reused until another program
 * writes to the file. */
static bool update_count(LearnStore *store)
{
    int64_t version = 0;
    if (!learn_store_query_number(store, "PRAGMA data_version", &version))
        return false;
    if (version == store->counted_version)
        return true;
    store->counted_version = version;
    return learn_store_query_number(store, "SELECT count(*) FROM lesson", &store->count);
}

/* Deletes the oldest rows until `capacity` are left, advice last. Sets `*deleted` to their number.
 */
static bool trim(LearnStore *store, int64_t capacity, int64_t *deleted)
{
    static const char *const deletes[] = {
        "DELETE FROM lesson WHERE id IN"
        " (SELECT id FROM lesson WHERE origin <> 2 ORDER BY id LIMIT ?1)",
        "DELETE FROM lesson WHERE id IN (SELECT id FROM lesson ORDER BY id LIMIT ?1)",
    };
    static_assert(ORIGIN_ADVICE == 2, "the SQL above deletes advice last");
    const int64_t before = store->count;
    for (int i = 0; i < 2 && store->count > capacity; i++) {
        sqlite3_stmt *const statement = learn_store_prepare(store, deletes[i]);
        if (statement == NULL)
            return false;
        sqlite3_bind_int64(statement, 1, store->count - capacity);
        if (!run_and_finalize(statement))
            return false;
        store->count -= sqlite3_changes(store->db);
    }
    *deleted = before - store->count;
    return true;
}

/* Ends the transaction, if there is one, without its changes. */
static void roll_back(LearnStore *store)
{
    if (!sqlite3_get_autocommit(store->db))
        learn_store_run(store, "ROLLBACK");
}

/* Ends a transaction for writing: commits it. Rolls it back if `is_complete` is false or the commit
 * fails. */
static LearnStoreStatus end(LearnStore *store, bool is_complete)
{
    LearnStoreMark mark;
    if (is_complete && read_mark(store, &mark) && learn_store_run(store, "COMMIT")) {
        store->mark = mark;
        store->changes += sqlite3_total_changes(store->db) - store->begun_changes;
        return LEARN_STORE_DONE;
    }
    const LearnStoreStatus status = learn_store_fail(store, "cannot be written to");
    store->counted_version = -1;
    roll_back(store);
    return status;
}

/* If another program has changed the file, drops the numbers that are cached for it. False if it
 * cannot be read. */
static bool check_mark(LearnStore *store)
{
    LearnStoreMark mark;
    if (!read_mark(store, &mark))
        return false;
    if (!is_same_mark(mark, store->mark))
        store->seen_version = store->counted_version = -1;
    return true;
}

/* Begins a transaction for writing. False, with the reason in `*status`, if that fails. */
static bool begin(LearnStore *store, LearnStoreStatus *status)
{
    if (!store->is_writable) {
        snprintf(store->error, sizeof store->error, "is open for reading only");
        *status = LEARN_STORE_FAILED;
        return false;
    }
    drop_cache(store);
    store->begun_changes = sqlite3_total_changes(store->db);
    if (learn_store_run(store, "BEGIN IMMEDIATE") && check_mark(store))
        return true;
    *status = learn_store_fail(store, "cannot be written to");
    roll_back(store);
    return false;
}

LearnStoreStatus learn_store_write(LearnStore *store, const LearnedPosition *positions, int count,
                                   LearnStoreRules rules)
{
    LearnStoreStatus status;
    int64_t deleted = 0;
    if (!begin(store, &status))
        return status;
    bool is_written = update_count(store);
    for (int i = 0; i < count && is_written; i++)
        is_written = merge_row(store, &positions[i], &rules);
    status = end(store, is_written && trim(store, rules.capacity, &deleted));
    if (status == LEARN_STORE_DONE)
        store->deleted += deleted;
    return status;
}

int64_t learn_store_deleted(const LearnStore *store)
{
    return store->deleted;
}

LearnStoreStatus learn_store_forget(LearnStore *store, const char *position, int64_t *forgotten)
{
    LearnStoreStatus status;
    *forgotten = 0;
    if (!begin(store, &status))
        return status;
    const char *const sql = "DELETE FROM lesson WHERE ?1 IS NULL OR position = ?1";
    sqlite3_stmt *const statement = learn_store_prepare(store, sql);
    if (statement != NULL && position != NULL)
        sqlite3_bind_text(statement, 1, position, -1, SQLITE_STATIC);
    const bool is_deleted = run_and_finalize(statement);
    if (is_deleted)
        *forgotten = sqlite3_changes(store->db);
    store->counted_version = -1;
    status = end(store, is_deleted);
    if (status == LEARN_STORE_DONE && position == NULL)
        learn_store_run(store, "VACUUM"); // shrinks the file, unless another program locks it
    return status;
}
