// SPDX-License-Identifier: GPL-3.0-or-later
/* The part of memory.h that opens files and does not trust them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "learning/learn_store_sqlite.h"

/* What marks a file as ours ("PALI"), and the version of what is in it. */
enum { APPLICATION_ID = 0x50414c49, VERSION = 1 };

/* Kept word for word in every file, where it explains the columns; a file with anything else is
 * refused. */
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
    LOCK_WAIT_MS = 1000,  // for other programs, at each transaction
    LOCK_NAP_MS = 10,     // from one look to the next
    CHECK_MS = 1000,      // a file too large to be checked in this time is believed to be whole:
                          // its lessons have their own checksums
    STEPS_A_LOOK = 10000, // of SQLite's machine between two looks at the clock
    TEXT_LENGTH_MAX = 100000
};

bool learn_store_is_linked(void)
{
    return true;
}

void learn_store_set_deadline(LearnStore *memory, int64_t ms)
{
    memory->deadline_ms = ms < INT64_MAX ? clock_ms() + ms : ms;
}

static int on_progress(void *ctx)
{
    const LearnStore *const memory = ctx;
    return clock_ms() > memory->deadline_ms;
}

static int on_busy(void *ctx, int call)
{
    LearnStore *const memory = ctx;
    const int64_t now_ms = clock_ms();
    if (call == 0)
        memory->waiting_ms = now_ms;
    if (atomic_load(&memory->hurries) || now_ms - memory->waiting_ms >= LOCK_WAIT_MS)
        return 0;
    clock_sleep_ms(LOCK_NAP_MS);
    return 1;
}

LearnStoreStatus learn_store_fail(LearnStore *memory, const char *what)
{
    const int code = sqlite3_errcode(memory->db), system = sqlite3_system_errno(memory->db);
    const bool is_system = code == SQLITE_IOERR || code == SQLITE_CANTOPEN;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
        snprintf(memory->error, sizeof memory->error, "is held by another program");
        return LEARN_STORE_BUSY;
    }
    snprintf(memory->error, sizeof memory->error, "%s: %s%s%s", what, sqlite3_errmsg(memory->db),
             is_system && system != 0 ? ", " : "",
             is_system && system != 0 ? strerror(system) : "");
    return LEARN_STORE_FAILED;
}

bool learn_store_run(LearnStore *memory, const char *sql)
{
    return sqlite3_exec(memory->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

sqlite3_stmt *learn_store_prepare(LearnStore *memory, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(memory->db, sql, -1, &statement, NULL);
    return statement;
}

bool learn_store_ask_number(LearnStore *memory, const char *sql, int64_t *number)
{
    sqlite3_stmt *const statement = learn_store_prepare(memory, sql);
    if (statement == NULL)
        return false;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *number = sqlite3_column_int64(statement, 0);
    return sqlite3_finalize(statement) == SQLITE_OK;
}

/* SQLite gives these beginnings of a name a meaning. */
static bool open_named(LearnStore *memory, const char *path, int flags)
{
    const bool is_special = path[0] == ':' || strncmp(path, "file:", 5) == 0;
    const size_t size = strlen(path) + 3;
    char *const name = malloc(size);
    if (name == NULL)
        return false;
    snprintf(name, size, "%s%s", is_special ? "./" : "", path);
    const int code = sqlite3_open_v2(name, &memory->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    free(name);
    return code == SQLITE_OK;
}

/* Takes from the library all that a hostile file could use: views, triggers, functions in schemas,
 * memory mapped from a file that others may shorten, values of any size. */
static bool harden(LearnStore *memory)
{
    sqlite3 *const db = memory->db;
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, TEXT_LENGTH_MAX);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, TEXT_LENGTH_MAX);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 1); // VACUUM's own
    sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_progress_handler(db, STEPS_A_LOOK, on_progress, memory);
    sqlite3_busy_handler(db, on_busy, memory);
    return learn_store_run(memory, "PRAGMA mmap_size = 0;"
                                   "PRAGMA cell_size_check = ON;"
                                   "PRAGMA temp_store = MEMORY;"
                                   "PRAGMA synchronous = EXTRA;");
}

/* All that the schema of a file of ours holds: our table and what SQLite adds for it. */
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

/* What is in the file, judged by its schema. */
static LearnStoreContent examine_schema(LearnStore *memory)
{
    sqlite3_stmt *const row = learn_store_prepare(memory, "SELECT name, sql FROM sqlite_master");
    if (row == NULL)
        return CONTENT_UNKNOWN;
    int own = 0, others = 0;
    while (sqlite3_step(row) == SQLITE_ROW)
        is_own_object(row) ? own++ : others++;
    if (sqlite3_finalize(row) != SQLITE_OK)
        return CONTENT_UNKNOWN;
    return own + others == 0                    ? CONTENT_NOTHING
           : others == 0 && own == OBJECT_COUNT ? CONTENT_OURS
                                                : CONTENT_FOREIGN;
}

static LearnStoreContent examine_file(LearnStore *memory)
{
    int64_t application = 0, version = 0;
    const LearnStoreContent content = examine_schema(memory);
    if (content == CONTENT_UNKNOWN ||
        !learn_store_ask_number(memory, "PRAGMA application_id", &application) ||
        !learn_store_ask_number(memory, "PRAGMA user_version", &version))
        return CONTENT_UNKNOWN;
    if (content == CONTENT_NOTHING && application == 0 && version == 0)
        return CONTENT_NOTHING;
    if (application != APPLICATION_ID)
        snprintf(memory->error, sizeof memory->error, "is a database of another program");
    else if (version > VERSION)
        snprintf(memory->error, sizeof memory->error,
                 "was made by a newer version of this program");
    else if (content == CONTENT_OURS)
        return CONTENT_OURS;
    else
        snprintf(memory->error, sizeof memory->error, "holds something else than lessons");
    return CONTENT_FOREIGN;
}

LearnStoreContent learn_store_examine(LearnStore *memory)
{
    /* In one transaction: another program may be making the table between one look and the next. */
    const bool stands_alone = sqlite3_get_autocommit(memory->db);
    if (stands_alone && !learn_store_run(memory, "BEGIN"))
        return CONTENT_UNKNOWN;
    const LearnStoreContent content = examine_file(memory);
    if (stands_alone)
        learn_store_run(memory, "ROLLBACK");
    return content;
}

/* Makes the table, unless another program has done so meanwhile. */
static bool create(LearnStore *memory)
{
    char marks[128];
    snprintf(marks, sizeof marks, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             (int)APPLICATION_ID, (int)VERSION);
    if (!learn_store_run(memory, "BEGIN IMMEDIATE"))
        return false;
    const LearnStoreContent content = learn_store_examine(memory);
    if (content == CONTENT_OURS || (content == CONTENT_NOTHING && learn_store_run(memory, SCHEMA) &&
                                    learn_store_run(memory, marks))) {
        if (learn_store_run(memory, "COMMIT"))
            return true;
    }
    return false;
}

/* Looks for damage as long as that is worth while. False, with the error put down, when there is
 * some. */
static bool is_whole(LearnStore *memory)
{
    sqlite3_stmt *const row = learn_store_prepare(memory, "PRAGMA quick_check(1)");
    learn_store_set_deadline(memory, CHECK_MS);
    const char *finding = NULL;
    int code = sqlite3_errcode(memory->db);
    if (row != NULL) {
        code = sqlite3_step(row);
        finding = code == SQLITE_ROW ? (const char *)sqlite3_column_text(row, 0) : NULL;
    }
    const bool is_undecided = code == SQLITE_INTERRUPT || code == SQLITE_BUSY;
    const bool is_good = is_undecided || (finding != NULL && strcmp(finding, "ok") == 0);
    if (!is_good)
        snprintf(memory->error, sizeof memory->error, "is damaged (%.200s) and only read",
                 finding != NULL ? finding : sqlite3_errmsg(memory->db));
    sqlite3_finalize(row);
    return is_good;
}

/* Tries all of a transaction that leaves nothing behind. One that another program holds up is no
 * failure. */
static bool can_write(LearnStore *memory)
{
    char mark[64];
    snprintf(mark, sizeof mark, "PRAGMA user_version = %d", (int)VERSION);
    if (sqlite3_db_readonly(memory->db, "main")) {
        snprintf(memory->error, sizeof memory->error, "is only read: it must not be written to");
        return false;
    }
    const bool is_good =
        learn_store_run(memory, "BEGIN IMMEDIATE") && learn_store_run(memory, mark);
    const LearnStoreStatus verdict =
        is_good ? LEARN_STORE_DONE : learn_store_fail(memory, "is only read");
    if (!sqlite3_get_autocommit(memory->db))
        learn_store_run(memory, "ROLLBACK");
    if (verdict == LEARN_STORE_BUSY)
        memory->error[0] = '\0';
    return verdict != LEARN_STORE_FAILED;
}

/* Opens the file as far as it goes. */
static LearnStoreStatus open_file(LearnStore *memory, const char *path, bool writes)
{
    const FileKind kind = file_kind(path, NULL);
    if (kind == FILE_FOLDER || kind == FILE_OTHER || (kind == FILE_MISSING && !writes)) {
        snprintf(memory->error, sizeof memory->error, "%s",
                 kind == FILE_MISSING ? "is not there" : "is no file");
        return LEARN_STORE_FAILED;
    }
    /* Who only reads may still have to undo what a program that was killed had begun. */
    const int flags = SQLITE_OPEN_READWRITE | (writes ? SQLITE_OPEN_CREATE : 0);
    learn_store_set_deadline(memory, LEARN_STORE_READ_MS);
    if (!open_named(memory, path, flags) || !harden(memory))
        return learn_store_fail(memory, "cannot be opened");
    const LearnStoreContent content = learn_store_examine(memory);
    if (content == CONTENT_FOREIGN)
        return LEARN_STORE_FAILED;
    if (content == CONTENT_UNKNOWN)
        return learn_store_fail(memory, "cannot be read");
    if (content == CONTENT_NOTHING && writes && !create(memory))
        return memory->error[0] != '\0' ? LEARN_STORE_FAILED
                                        : learn_store_fail(memory, "cannot be made");
    memory->has_table = content == CONTENT_OURS || writes;
    memory->is_writable = writes && is_whole(memory) && can_write(memory);
    /* Other tools may have left a journal of another kind, which needs files beside this one. Where
     * they still use it, it will do. */
    learn_store_run(memory, memory->is_writable ? "PRAGMA journal_mode = DELETE"
                                                : "PRAGMA query_only = ON");
    return LEARN_STORE_DONE;
}

LearnStore *learn_store_open(const char *path, bool writes, LearnStoreStatus *verdict, char *error)
{
    LearnStore *memory = calloc(1, sizeof *memory);
    *verdict = LEARN_STORE_FAILED;
    snprintf(error, LEARN_STORE_ERROR_MAX, "cannot be opened: no memory");
    if (memory == NULL)
        return NULL;
    atomic_init(&memory->hurries, false);
    memory->counted_version = -1;
    *verdict = open_file(memory, path, writes);
    learn_store_set_deadline(memory, INT64_MAX);
    snprintf(error, LEARN_STORE_ERROR_MAX, "%s", memory->error);
    if (*verdict != LEARN_STORE_DONE) {
        learn_store_close(memory);
        return NULL;
    }
    learn_store_has_changed(memory);
    return memory;
}

void learn_store_close(LearnStore *memory)
{
    if (memory == NULL)
        return;
    sqlite3_close(memory->db);
    free(memory);
}

bool learn_store_is_writable(const LearnStore *memory)
{
    return memory->is_writable;
}

const char *learn_store_error(const LearnStore *memory)
{
    return memory->error;
}

void learn_store_hurry(LearnStore *memory)
{
    atomic_store(&memory->hurries, true);
}
