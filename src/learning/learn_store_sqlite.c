// SPDX-License-Identifier: GPL-3.0-or-later
#include "learning/learn_store_sqlite.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "chess/notation.h"

#define COLUMNS "position, move, score, depth, fullmove, network, origin, time, seen, checksum"

/* The number in column `i`; false when it is none or outside min..max. */
static bool column_number(sqlite3_stmt *row, int i, int64_t min, int64_t max, int64_t *number)
{
    *number = sqlite3_column_int64(row, i);
    return sqlite3_column_type(row, i) == SQLITE_INTEGER && *number >= min && *number <= max;
}

/* The text in column `i`; NULL when it is none or has a NUL inside. */
static const char *column_text(sqlite3_stmt *row, int i)
{
    const char *const text = (const char *)sqlite3_column_text(row, i);
    const bool is_text = sqlite3_column_type(row, i) == SQLITE_TEXT && text != NULL;
    return is_text && strlen(text) == (size_t)sqlite3_column_bytes(row, i) ? text : NULL;
}

/* Reads a row of COLUMNS. False when it is no lesson, or not the one that was written. */
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

LearnStoreStatus learn_store_read(LearnStore *memory, const LearnStoreReader *reader,
                                  LearnStoreRest *rest)
{
    *rest = (LearnStoreRest){0};
    if (!memory->has_table && learn_store_examine(memory) != CONTENT_OURS)
        return LEARN_STORE_DONE;
    memory->has_table = true;
    sqlite3_stmt *const row = learn_store_prepare(
        memory, reader->oldest_first ? "SELECT " COLUMNS " FROM lesson ORDER BY id LIMIT ?1"
                                     : "SELECT " COLUMNS " FROM lesson ORDER BY id DESC LIMIT ?1");
    if (row == NULL)
        return learn_store_fail(memory, "cannot be read");
    sqlite3_bind_int64(row, 1, reader->limit);
    learn_store_set_deadline(memory, reader->ms);
    bool goes_on = true;
    int code = SQLITE_ROW;
    while (goes_on && (code = sqlite3_step(row)) == SQLITE_ROW) {
        LearnedPosition learned;
        if (read_row(row, &learned))
            goes_on = reader->visit(reader->ctx, &learned);
        else
            rest->faulty++;
    }
    learn_store_set_deadline(memory, INT64_MAX);
    rest->is_late = code == SQLITE_INTERRUPT;
    const bool is_good = code == SQLITE_ROW || code == SQLITE_DONE || rest->is_late;
    const LearnStoreStatus verdict =
        is_good ? LEARN_STORE_DONE : learn_store_fail(memory, "cannot be read");
    sqlite3_finalize(row);
    return verdict;
}

LearnStoreStatus learn_store_count(LearnStore *memory, LearnStoreCounts *counts)
{
    *counts = (LearnStoreCounts){0};
    if (!memory->has_table)
        return LEARN_STORE_DONE;
    sqlite3_stmt *const row =
        learn_store_prepare(memory, "SELECT origin, count(*) FROM lesson GROUP BY origin");
    while (row != NULL && sqlite3_step(row) == SQLITE_ROW) {
        int64_t origin;
        const bool is_known = column_number(row, 0, 0, ORIGIN_NB - 1, &origin);
        counts->by_origin[is_known ? origin : 0] += sqlite3_column_int64(row, 1);
        counts->positions += sqlite3_column_int64(row, 1);
    }
    int64_t pages = 0, page_bytes = 0;
    if (sqlite3_finalize(row) != SQLITE_OK || row == NULL ||
        !learn_store_ask_number(memory, "PRAGMA page_count", &pages) ||
        !learn_store_ask_number(memory, "PRAGMA page_size", &page_bytes))
        return learn_store_fail(memory, "cannot be read");
    counts->bytes = pages * page_bytes;
    return LEARN_STORE_DONE;
}

bool learn_store_has_changed(LearnStore *memory)
{
    int64_t version = memory->seen_version;
    learn_store_ask_number(memory, "PRAGMA data_version", &version);
    const bool has_changed = version != memory->seen_version;
    memory->seen_version = version;
    return has_changed;
}

/* Runs to its end a statement that gives no rows, and frees it. */
static bool finish(sqlite3_stmt *statement)
{
    if (statement == NULL)
        return false;
    sqlite3_step(statement);
    return sqlite3_finalize(statement) == SQLITE_OK;
}

/* The lesson of the same position and origin into `*found`; false when there is none. One that is
 * damaged counts as none: it is there to be overwritten. */
static bool find_row(LearnStore *memory, const LearnedPosition *wanted, LearnedPosition *found)
{
    sqlite3_stmt *const row = learn_store_prepare(
        memory, "SELECT " COLUMNS " FROM lesson WHERE position = ?1 AND origin = ?2");
    if (row == NULL)
        return false;
    sqlite3_bind_text(row, 1, wanted->position, -1, SQLITE_STATIC);
    sqlite3_bind_int(row, 2, (int)wanted->origin);
    const bool is_found = sqlite3_step(row) == SQLITE_ROW && read_row(row, found);
    sqlite3_finalize(row);
    return is_found;
}

static bool write_row(LearnStore *memory, const LearnedPosition *learned)
{
    char move[MOVE_TEXT_MAX];
    sqlite3_stmt *const row =
        learn_store_prepare(memory, "INSERT OR REPLACE INTO lesson (" COLUMNS ", key) "
                                    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
    if (row == NULL)
        return false;
    learned_position_move_text(learned, move);
    sqlite3_bind_text(row, 1, learned->position, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 2, move, -1, SQLITE_STATIC);
    if (learned->score != SCORE_NONE) // else it stays NULL
        sqlite3_bind_int(row, 3, learned->score);
    sqlite3_bind_int(row, 4, learned->depth);
    sqlite3_bind_int(row, 5, learned->fullmove);
    sqlite3_bind_int64(row, 6, learned->network);
    sqlite3_bind_int(row, 7, (int)learned->origin);
    sqlite3_bind_int64(row, 8, learned->calendar_s);
    sqlite3_bind_int64(row, 9, learned->seen);
    sqlite3_bind_int64(row, 10, (int64_t)learned_position_checksum(learned));
    sqlite3_bind_int64(row, 11, (int64_t)learned->key);
    return finish(row);
}

/* Writes a lesson, or only that its position was met again; either way it is the newest then. */
static bool write_lesson(LearnStore *memory, const LearnedPosition *learned, LearnPolicy policy)
{
    LearnedPosition old, merged = *learned;
    if (!find_row(memory, learned, &old)) {
        memory->count++;
        return write_row(memory, learned);
    }
    const LearnedEntry newer = learned_position_entry(learned),
                       older = learned_position_entry(&old);
    if (!learned_entry_replaces(policy, &newer, &older))
        merged = old;
    const int64_t seen = old.seen + learned->seen;
    merged.seen = seen < LEARNED_SEEN_MAX ? seen : LEARNED_SEEN_MAX;
    return write_row(memory, &merged);
}

/* Learns how many lessons there are. The count is kept from one transaction to the next unless
 * another program wrote in between, since counting reads the whole file. */
static bool count_rows(LearnStore *memory)
{
    int64_t version = 0;
    if (!learn_store_ask_number(memory, "PRAGMA data_version", &version))
        return false;
    if (version == memory->counted_version)
        return true;
    memory->counted_version = version;
    return learn_store_ask_number(memory, "SELECT count(*) FROM lesson", &memory->count);
}

/* Deletes as many of the oldest lessons as there are too many, advice last. */
static bool trim(LearnStore *memory, int64_t max)
{
    static const char *const ways[] = {
        "DELETE FROM lesson WHERE id IN"
        " (SELECT id FROM lesson WHERE origin <> 2 ORDER BY id LIMIT ?1)",
        "DELETE FROM lesson WHERE id IN (SELECT id FROM lesson ORDER BY id LIMIT ?1)",
    };
    static_assert(ORIGIN_ADVICE == 2, "the origin that goes last");
    for (int i = 0; i < 2 && memory->count > max; i++) {
        sqlite3_stmt *const statement = learn_store_prepare(memory, ways[i]);
        if (statement == NULL)
            return false;
        sqlite3_bind_int64(statement, 1, memory->count - max);
        if (!finish(statement))
            return false;
        memory->count -= sqlite3_changes(memory->db);
    }
    return true;
}

/* Ends a transaction. One that failed leaves the file as it was. */
static LearnStoreStatus end(LearnStore *memory, bool is_good)
{
    if (is_good && learn_store_run(memory, "COMMIT"))
        return LEARN_STORE_DONE;
    const LearnStoreStatus verdict = learn_store_fail(memory, "cannot be written to");
    memory->counted_version = -1;
    if (!sqlite3_get_autocommit(memory->db))
        learn_store_run(memory, "ROLLBACK");
    return verdict;
}

/* Begins one; false with the verdict where that is not to be. */
static bool begin(LearnStore *memory, LearnStoreStatus *verdict)
{
    if (!memory->is_writable) {
        snprintf(memory->error, sizeof memory->error, "is only read");
        *verdict = LEARN_STORE_FAILED;
        return false;
    }
    if (learn_store_run(memory, "BEGIN IMMEDIATE"))
        return true;
    *verdict = learn_store_fail(memory, "cannot be written to");
    return false;
}

LearnStoreStatus learn_store_write(LearnStore *memory, const LearnedPosition *positions, int count,
                                   LearnStoreTerms terms)
{
    LearnStoreStatus verdict;
    if (!begin(memory, &verdict))
        return verdict;
    bool is_good = count_rows(memory);
    for (int i = 0; i < count && is_good; i++)
        is_good = write_lesson(memory, &positions[i], terms.policy);
    return end(memory, is_good && trim(memory, terms.max));
}

LearnStoreStatus learn_store_forget(LearnStore *memory, const char *position, int64_t *forgotten)
{
    LearnStoreStatus verdict;
    *forgotten = 0;
    if (!begin(memory, &verdict))
        return verdict;
    const char *const sql = "DELETE FROM lesson WHERE ?1 IS NULL OR position = ?1";
    sqlite3_stmt *const statement = learn_store_prepare(memory, sql);
    if (statement != NULL && position != NULL)
        sqlite3_bind_text(statement, 1, position, -1, SQLITE_STATIC);
    const bool is_done = finish(statement);
    if (is_done)
        *forgotten = sqlite3_changes(memory->db);
    memory->counted_version = -1;
    verdict = end(memory, is_done);
    if (verdict == LEARN_STORE_DONE && position == NULL)
        learn_store_run(memory, "VACUUM"); // gives the space back, if nobody is in the way
    return verdict;
}
