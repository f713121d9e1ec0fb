// SPDX-License-Identifier: GPL-3.0-or-later
/* Opens a file of learned positions and checks its contents. Also contains the SQLite helpers. */
#include "learning/learn_store_sqlite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/strbuf.h"

/* The application ID by which SQLite files are recognised as ours ("PALI"), and the version of our
 * schema. */
enum { APPLICATION_ID = 0x50414c49, VERSION = 1 };

/* Every file contains this text unchanged, and its comments explain the columns. A file with
 * another schema is refused; so the name `lesson` stays, and so does the comment on `score`, whose
 * unit is in fact the internal one (score.h). */
static const char SCHEMA[] =
    "CREATE TABLE lesson (\n"
    "  id INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order learned: the first is the first to "
    "go\n"
    "  position TEXT NOT NULL, -- the first four fields of its FEN\n"
    "  key INTEGER NOT NULL, -- of the version that wrote it; never relied on\n"
    "  origin INTEGER NOT NULL, -- 0 learned in a game, 1 in analysis, 2 advice of a human\n"
    "  move TEXT NOT NULL,\n"
    "  score INTEGER, -- for the side to move, 100 a pawn; NULL: the move is all that is known\n"
    "  depth INTEGER NOT NULL, -- plies\n"
    "  fullmove INTEGER NOT NULL, -- number of the move in the game\n"
    "  network INTEGER NOT NULL, -- fingerprint of the evaluation\n"
    "  time INTEGER NOT NULL, -- seconds since 1970\n"
    "  seen INTEGER NOT NULL, -- how often the position was met\n"
    "  checksum INTEGER NOT NULL, -- of all but id and key\n"
    "  UNIQUE (position, origin)\n"
    ")";

enum {
    LOCK_WAIT_MS = 1000,     // longest wait for another program, per statement
    LOCK_POLL_MS = 10,       // between two attempts
    CHECK_MS = 1000,         // time limit of the integrity check; rows have their own checksums
    STEPS_PER_CHECK = 10000, // steps of SQLite's virtual machine between two checks of the clock
    TEXT_LENGTH_MAX = 100000
};

bool learn_store_is_linked(void)
{
    return true;
}

void learn_store_set_deadline(LearnStore *store, int64_t ms)
{
    store->deadline_ms = ms < INT64_MAX ? clock_ms() + ms : ms;
}

/* SQLite calls this while a statement runs; nonzero aborts the statement. */
static int on_progress(void *ctx)
{
    const LearnStore *const store = ctx;
    return clock_ms() > store->deadline_ms;
}

/* SQLite calls this when the file is locked; nonzero tries again. `call` counts from 0. */
static int on_busy(void *ctx, int call)
{
    LearnStore *const store = ctx;
    const int64_t now_ms = clock_ms();
    if (call == 0)
        store->wait_start_ms = now_ms;
    if (atomic_load(&store->stop_waiting) || now_ms - store->wait_start_ms >= LOCK_WAIT_MS)
        return 0;
    clock_sleep_ms(LOCK_POLL_MS);
    return 1;
}

LearnStoreStatus learn_store_fail(LearnStore *store, const char *what)
{
    const int code = sqlite3_errcode(store->db), system = sqlite3_system_errno(store->db);
    const bool is_system = code == SQLITE_IOERR || code == SQLITE_CANTOPEN;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
        snprintf(store->error, sizeof store->error, "is locked by another program");
        return LEARN_STORE_BUSY;
    }
    snprintf(store->error, sizeof store->error, "%s: %s%s%s", what, sqlite3_errmsg(store->db),
             is_system && system != 0 ? ", " : "",
             is_system && system != 0 ? file_system_reason(system) : "");
    return LEARN_STORE_FAILED;
}

bool learn_store_run(LearnStore *store, const char *sql)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

sqlite3_stmt *learn_store_prepare(LearnStore *store, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    return statement;
}

bool learn_store_query_number(LearnStore *store, const char *sql, int64_t *number)
{
    sqlite3_stmt *const statement = learn_store_prepare(store, sql);
    if (statement == NULL)
        return false;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *number = sqlite3_column_int64(statement, 0);
    return sqlite3_finalize(statement) == SQLITE_OK;
}

/* Opens `path` as a plain file name, although SQLite treats a leading ":" or "file:" as special. */
static bool open_database(LearnStore *store, const char *path, int flags)
{
    const bool is_special = path[0] == ':' || strncmp(path, "file:", 5) == 0;
    char *const utf8 = file_path_in_utf8(path);
    StrBuf name = {0};
    if (utf8 == NULL)
        return false;
    strbuf_add(&name, "%s%s", is_special ? "./" : "", utf8);
    free(utf8);
    const bool is_open =
        !name.is_cut &&
        sqlite3_open_v2(name.text, &store->db, flags | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK;
    strbuf_free(&name);
    return is_open;
}

/* Disables what a hostile file could exploit: views, triggers, functions in schemas, memory maps
 * (another program may truncate the file), and values of any size. */
static bool harden(LearnStore *store)
{
    sqlite3 *const db = store->db;
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, TEXT_LENGTH_MAX);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, TEXT_LENGTH_MAX);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 1); // for VACUUM
    sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_progress_handler(db, STEPS_PER_CHECK, on_progress, store);
    sqlite3_busy_handler(db, on_busy, store);
    return learn_store_run(store, "PRAGMA mmap_size = 0;"
                                  "PRAGMA cell_size_check = ON;"
                                  "PRAGMA temp_store = MEMORY;"
                                  "PRAGMA synchronous = EXTRA;");
}

/* The complete schema of our files: our table and the objects that SQLite adds for it. */
static const struct {
    const char *name, *sql;
} OBJECTS[] = {
    {"lesson", SCHEMA},
    {"sqlite_autoindex_lesson_1", NULL},
    {"sqlite_sequence", "CREATE TABLE sqlite_sequence(name,seq)"},
};
enum { OBJECT_COUNT = sizeof OBJECTS / sizeof OBJECTS[0] };

static bool is_own_object(sqlite3_stmt *row)
{
    const char *const name = (const char *)sqlite3_column_text(row, 0);
    const char *const sql = (const char *)sqlite3_column_text(row, 1);
    for (int i = 0; i < OBJECT_COUNT && name != NULL; i++)
        if (strcmp(name, OBJECTS[i].name) == 0)
            return sql == NULL || OBJECTS[i].sql == NULL ? sql == OBJECTS[i].sql
                                                         : strcmp(sql, OBJECTS[i].sql) == 0;
    return false;
}

/* What a file holds. CONTENT_UNKNOWN: it cannot be read, the error is SQLite's. */
typedef enum { CONTENT_OURS, CONTENT_EMPTY, CONTENT_FOREIGN, CONTENT_UNKNOWN } Content;

/* Classifies the file by its schema alone. */
static Content examine_schema(LearnStore *store)
{
    sqlite3_stmt *const row = learn_store_prepare(store, "SELECT name, sql FROM sqlite_master");
    if (row == NULL)
        return CONTENT_UNKNOWN;
    int own = 0, others = 0;
    while (sqlite3_step(row) == SQLITE_ROW)
        is_own_object(row) ? own++ : others++;
    if (sqlite3_finalize(row) != SQLITE_OK)
        return CONTENT_UNKNOWN;
    return own + others == 0                    ? CONTENT_EMPTY
           : others == 0 && own == OBJECT_COUNT ? CONTENT_OURS
                                                : CONTENT_FOREIGN;
}

/* Classifies the file by its schema and its identification numbers. Sets store->error for
 * CONTENT_FOREIGN. */
static Content examine_file(LearnStore *store)
{
    int64_t application = 0, version = 0;
    const Content content = examine_schema(store);
    if (content == CONTENT_UNKNOWN ||
        !learn_store_query_number(store, "PRAGMA application_id", &application) ||
        !learn_store_query_number(store, "PRAGMA user_version", &version))
        return CONTENT_UNKNOWN;
    if (content == CONTENT_EMPTY && application == 0 && version == 0)
        return CONTENT_EMPTY;
    if (application != APPLICATION_ID)
        snprintf(store->error, sizeof store->error, "is a database of another program");
    else if (version > VERSION)
        snprintf(store->error, sizeof store->error, "was made by a newer version of this program");
    else if (content == CONTENT_OURS)
        return CONTENT_OURS;
    else
        snprintf(store->error, sizeof store->error, "contains other data than learned positions");
    return CONTENT_FOREIGN;
}

LearnStoreStatus learn_store_examine(LearnStore *store)
{
    /* One transaction for all queries: another program may be creating the table. */
    const bool is_outermost = sqlite3_get_autocommit(store->db);
    const bool is_begun = !is_outermost || learn_store_run(store, "BEGIN");
    const Content content = is_begun ? examine_file(store) : CONTENT_UNKNOWN;
    LearnStoreStatus status = content == CONTENT_FOREIGN ? LEARN_STORE_FAILED : LEARN_STORE_DONE;
    if (content == CONTENT_UNKNOWN) // before ROLLBACK, which resets SQLite's error
        status = learn_store_fail(store, "cannot be read");
    if (is_outermost)
        learn_store_run(store, "ROLLBACK");
    store->has_table = content == CONTENT_OURS;
    return status;
}

/* Creates the table, unless another program has just created it. On false store->error is set, or
 * the error is SQLite's. */
static bool create_table(LearnStore *store)
{
    char marks[128];
    snprintf(marks, sizeof marks, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             (int)APPLICATION_ID, (int)VERSION);
    if (!learn_store_run(store, "BEGIN IMMEDIATE"))
        return false;
    if (learn_store_examine(store) != LEARN_STORE_DONE)
        return false;
    store->has_table =
        store->has_table || (learn_store_run(store, SCHEMA) && learn_store_run(store, marks));
    return store->has_table && learn_store_run(store, "COMMIT");
}

/* Checks the file for damage, for at most CHECK_MS. False, with store->error set, if it is damaged.
 */
static bool is_undamaged(LearnStore *store)
{
    sqlite3_stmt *const row = learn_store_prepare(store, "PRAGMA quick_check(1)");
    learn_store_set_deadline(store, CHECK_MS);
    const char *finding = NULL;
    int code = sqlite3_errcode(store->db);
    if (row != NULL) {
        code = sqlite3_step(row);
        finding = code == SQLITE_ROW ? (const char *)sqlite3_column_text(row, 0) : NULL;
    }
    const bool is_undecided = code == SQLITE_INTERRUPT || code == SQLITE_BUSY;
    const bool is_valid = is_undecided || (finding != NULL && strcmp(finding, "ok") == 0);
    if (!is_valid)
        snprintf(store->error, sizeof store->error, "is damaged (%.200s) and will not be written",
                 finding != NULL ? finding : sqlite3_errmsg(store->db));
    sqlite3_finalize(row);
    return is_valid;
}

/* Tries to write, in a transaction that is rolled back. False, with store->error set, if writing is
 * impossible. A lock of another program does not count as a failure. */
static bool can_write(LearnStore *store)
{
    char mark[64];
    snprintf(mark, sizeof mark, "PRAGMA user_version = %d", (int)VERSION);
    if (sqlite3_db_readonly(store->db, "main")) {
        snprintf(store->error, sizeof store->error, "is read-only: no permission to write");
        return false;
    }
    const bool is_written =
        learn_store_run(store, "BEGIN IMMEDIATE") && learn_store_run(store, mark);
    const LearnStoreStatus status =
        is_written ? LEARN_STORE_DONE : learn_store_fail(store, "is read-only");
    if (!sqlite3_get_autocommit(store->db))
        learn_store_run(store, "ROLLBACK");
    if (status == LEARN_STORE_BUSY)
        store->error[0] = '\0';
    return status != LEARN_STORE_FAILED;
}

/* Sets store->error after SQLite could not open the file. SQLite names the reason of its last
 * attempt, to open the file for reading only. For a new file this is only that it does not exist;
 * so this function tests why the file cannot be created. */
static LearnStoreStatus fail_to_open(LearnStore *store, const char *path, FileKind kind)
{
    if (kind != FILE_MISSING || file_can_save(path))
        return learn_store_fail(store, "cannot be opened");
    snprintf(store->error, sizeof store->error, "cannot be created: %s", strerror(errno));
    return LEARN_STORE_FAILED;
}

/* Opens the file: for writing if `writes` and if that is possible, else for reading. Sets
 * store->error to the problem, if any. */
static LearnStoreStatus open_file(LearnStore *store, const char *path, bool writes)
{
    const FileKind kind = file_kind(path, NULL);
    if (kind == FILE_FOLDER || kind == FILE_OTHER || (kind == FILE_MISSING && !writes)) {
        snprintf(store->error, sizeof store->error, "%s",
                 kind == FILE_MISSING ? "does not exist" : "is not a regular file");
        return LEARN_STORE_FAILED;
    }
    /* Even a reader may have to roll back the transaction of a killed program. */
    const int flags = SQLITE_OPEN_READWRITE | (writes ? SQLITE_OPEN_CREATE : 0);
    learn_store_set_deadline(store, LEARN_STORE_READ_MS);
    if (!open_database(store, path, flags))
        return fail_to_open(store, path, kind);
    if (!harden(store))
        return learn_store_fail(store, "cannot be opened");
    const LearnStoreStatus status = learn_store_examine(store);
    if (status != LEARN_STORE_DONE)
        return status;
    if (!store->has_table && writes && !create_table(store))
        return store->error[0] != '\0' ? LEARN_STORE_FAILED
                                       : learn_store_fail(store, "cannot be created");
    store->is_writable = writes && is_undamaged(store) && can_write(store);
    /* Other tools may have left the file in WAL mode, which needs files beside it. Switch back; if
     * another program still uses that mode, SQLite keeps it. */
    learn_store_run(store,
                    store->is_writable ? "PRAGMA journal_mode = DELETE" : "PRAGMA query_only = ON");
    return LEARN_STORE_DONE;
}

LearnStore *learn_store_open(const char *path, bool writes, LearnStoreStatus *status, char *error)
{
    LearnStore *store = calloc(1, sizeof *store);
    *status = LEARN_STORE_FAILED;
    snprintf(error, LEARN_STORE_ERROR_MAX, "cannot be opened: out of memory");
    if (store == NULL)
        return NULL;
    atomic_init(&store->stop_waiting, false);
    store->counted_version = -1;
    *status = open_file(store, path, writes);
    learn_store_set_deadline(store, INT64_MAX);
    snprintf(error, LEARN_STORE_ERROR_MAX, "%s", store->error);
    if (*status != LEARN_STORE_DONE) {
        learn_store_close(store);
        return NULL;
    }
    learn_store_has_changed(store);
    return store;
}

void learn_store_close(LearnStore *store)
{
    if (store == NULL)
        return;
    sqlite3_close(store->db);
    free(store);
}

bool learn_store_is_writable(const LearnStore *store)
{
    return store->is_writable;
}

const char *learn_store_error(const LearnStore *store)
{
    return store->error;
}

void learn_store_stop_waiting(LearnStore *store)
{
    atomic_store(&store->stop_waiting, true);
}
