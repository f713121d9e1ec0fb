// SPDX-License-Identifier: GPL-3.0-or-later
#include "learning/learn_store_fixture.h"

#include <check.h>
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/random_game.h"
#include "skip.h"
#include "whole_file.h"

char store_folder[STORE_PATH_MAX];
char store_path[STORE_PATH_MAX];

void store_setup(void)
{
    /* In RAM if possible: every transaction flushes the file. */
    const bool has_ram_disk = access("/dev/shm", W_OK) == 0;
    snprintf(store_folder, sizeof store_folder, "%s/palimpsest-learn-XXXXXX",
             has_ram_disk ? "/dev/shm" : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(store_folder));
    ck_assert_int_eq(chmod(store_folder, 0777), 0); // some tests change the user
    snprintf(store_path, sizeof store_path, "%.100s/m.db", store_folder);
}

void store_teardown(void)
{
    chmod(store_folder, 0777);
    DIR *const stream = opendir(store_folder);
    ck_assert_ptr_nonnull(stream);
    for (const struct dirent *e = readdir(stream); e != NULL; e = readdir(stream)) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", store_folder, e->d_name);
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            ck_assert_int_eq(remove(path), 0);
    }
    closedir(stream);
    ck_assert_int_eq(rmdir(store_folder), 0);
}

LearnedPosition make_learned(uint64_t seed)
{
    Walk walk;
    walk_start(&walk, seed);
    Move moves[MAX_MOVES];
    /* Different numbers of plies make the positions differ. */
    for (int ply = 0; ply < 12 + (int)(seed % 40); ply++)
        if (gen_count(&walk.pos) <= 1 || walk_step(&walk) == MOVE_NONE)
            break;
    if (gen_legal(&walk.pos, moves) == 0)
        return make_learned(seed + 1000003);
    const Score score = (int)(seed * 7919 % 8000) - 4000;
    LearnedPosition learned = {.depth = 4 + (int)(seed % 30),
                               .network = 0x1994,
                               .origin = ORIGIN_LEARNED,
                               .calendar_s = 1700000000 + (int64_t)seed,
                               .seen = 1};
    walk.pos.rule50 = 0;
    learned_position_set(&learned, &walk.pos, moves[0], score);
    return learned;
}

LearnedPosition learned_position_of(const char *fen, const char *move, Score score, int depth)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert_msg(fen_parse(&pos, fen, true, error), "%s: %s", fen, error);
    LearnedPosition learned = {.depth = depth,
                               .network = 0x1994,
                               .origin = ORIGIN_LEARNED,
                               .calendar_s = 1700000000,
                               .seen = 1};
    learned_position_set(&learned, &pos, move_from_uci(&pos, move), score);
    return learned;
}

bool learned_equal(const LearnedPosition *a, const LearnedPosition *b)
{
    return strcmp(a->position, b->position) == 0 && a->key == b->key && a->move == b->move &&
           a->score == b->score && a->depth == b->depth && a->fullmove == b->fullmove &&
           a->network == b->network && a->origin == b->origin && a->calendar_s == b->calendar_s &&
           a->seen == b->seen;
}

LearnStore *store_open(void)
{
    char error[LEARN_STORE_ERROR_MAX];
    LearnStoreStatus status;
    LearnStore *const store = learn_store_open(store_path, true, &status, error);
    ck_assert_msg(store != NULL, "%s", error);
    ck_assert_int_eq(status, LEARN_STORE_DONE);
    ck_assert_str_eq(error, "");
    ck_assert(learn_store_is_writable(store));
    return store;
}

void store_write_made(LearnStore *store, uint64_t first, int count, int64_t max)
{
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = max};
    LearnedPosition *const positions = calloc((size_t)count, sizeof *positions);
    for (int i = 0; i < count; i++)
        positions[i] = make_learned(first + (uint64_t)i);
    const LearnStoreStatus status = learn_store_write(store, positions, count, rules);
    ck_assert_msg(status == LEARN_STORE_DONE, "%s", learn_store_error(store));
    free(positions);
}

static bool collect(void *ctx, const LearnedPosition *learned)
{
    StoreContents *const contents = ctx;
    contents->positions[contents->count++] = *learned;
    return contents->count < CONTENTS_MAX;
}

LearnStoreStatus store_read(LearnStore *store, int64_t limit, StoreContents *contents)
{
    contents->count = 0;
    const LearnStoreReader reader = {
        .visit = collect, .ctx = contents, .limit = limit, .ms = INT64_MAX};
    return learn_store_read(store, &reader, &contents->skipped);
}

void store_damage(uint64_t seed)
{
    enum { TABLE_LEAF = 13 }; // first byte of a page with rows, in SQLite's file format
    LearnStore *const store = store_open();
    store_write_made(store, seed, 1, 100000);
    learn_store_close(store);
    size_t size;
    uint8_t *const bytes = store_file_read(&size);
    const size_t page_size = (size_t)(bytes[16] << 8 | bytes[17]);
    size_t at = size / page_size / 2 * page_size;
    while (at < size && bytes[at] != TABLE_LEAF)
        at += page_size;
    ck_assert_uint_lt(at, size);
    memset(bytes + at, 0xff, page_size);
    store_file_write(bytes, size);
    free(bytes);
}

typedef int OpenFn(const char *, void **);
typedef int ExecFn(void *, const char *, int (*)(void *, int, char **, char **), void *, char **);
typedef int CloseFn(void *);
typedef const char *ErrorFn(void *);

struct SqliteClient {
    void *library, *db;
};

SqliteClient *client_open(const char *path)
{
    SqliteClient *const f = calloc(1, sizeof *f);
    f->library = dlopen("libsqlite3.so.0", RTLD_NOW);
    OpenFn *const open = f->library != NULL ? (OpenFn *)dlsym(f->library, "sqlite3_open") : NULL;
    if (open != NULL && open(path, &f->db) == 0)
        return f;
    skip_test("no libsqlite3.so.0");
    free(f);
    return NULL;
}

bool client_run(SqliteClient *f, const char *sql)
{
    ExecFn *const exec = (ExecFn *)dlsym(f->library, "sqlite3_exec");
    ErrorFn *const error = (ErrorFn *)dlsym(f->library, "sqlite3_errmsg");
    const bool is_done = exec(f->db, sql, NULL, NULL, NULL) == 0;
    if (!is_done)
        printf("%s: %s\n", sql, error(f->db));
    return is_done;
}

void client_close(SqliteClient *f)
{
    CloseFn *const close_db = (CloseFn *)dlsym(f->library, "sqlite3_close");
    ck_assert_int_eq(close_db(f->db), 0);
    dlclose(f->library);
    free(f);
}

SqliteClient *client_lock(const char *how)
{
    char sql[32];
    SqliteClient *const f = client_open(store_path);
    snprintf(sql, sizeof sql, "BEGIN %s", how);
    ck_assert(f == NULL || client_run(f, sql));
    return f;
}

void client_unlock(SqliteClient *f)
{
    /* A reader, such as the writer's next try, delays the commit for a moment. */
    ck_assert(client_run(f, "PRAGMA busy_timeout = 5000; COMMIT"));
    client_close(f);
}

uint8_t *store_file_read(size_t *size)
{
    return whole_file_read(store_path, size);
}

void store_check_unchanged(uint8_t *before, size_t size)
{
    size_t later;
    uint8_t *const after = store_file_read(&later);
    ck_assert_uint_eq(size, later);
    ck_assert_mem_eq(before, after, size);
    free(before);
    free(after);
}

void store_file_write(const void *bytes, size_t size)
{
    whole_file_write(store_path, bytes, size);
}

/* Root may write everywhere: changes to another user. False if that is impossible. */
static bool drop_root(void)
{
    return geteuid() != 0 || (setgid(65534) == 0 && setuid(65534) == 0);
}

/* The status of a child process that could not change its user. */
enum { NO_USER = 77 };

static int run_child(int (*body)(void), bool drops_root)
{
    int status;
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0)
        _exit(drops_root && !drop_root() ? NO_USER : body());
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFEXITED(status), "the child died of signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

int store_in_child(int (*body)(void))
{
    return run_child(body, false);
}

void store_check_as_user(int (*body)(void))
{
    const int status = run_child(body, true);
    if (status == NO_USER)
        skip_test("cannot become another user");
    else
        ck_assert_int_eq(status, 0);
}

START_TEST(tests_of_learning_files_need_sqlite)
{
    skip_test("built without SQLite");
}
END_TEST

bool store_tests_can_run(TCase *tcase)
{
    if (learn_store_is_linked())
        return true;
    tcase_add_test(tcase, tests_of_learning_files_need_sqlite);
    return false;
}

void store_make_file(int count)
{
    LearnStore *const store = store_open();
    store_write_made(store, 0, count, 1000);
    learn_store_close(store);
}

int store_check_contents(const StoreContents *contents, int count)
{
    static bool is_there[CONTENTS_MAX];
    memset(is_there, 0, sizeof is_there);
    for (int i = 0; i < contents->count; i++) {
        bool is_known = false;
        for (int seed = 0; seed < count && !is_known; seed++) {
            const LearnedPosition made = make_learned((uint64_t)seed);
            is_known = !is_there[seed] && learned_equal(&made, &contents->positions[i]);
            is_there[seed] |= is_known;
        }
        ck_assert_msg(is_known, "a false row was read");
    }
    return contents->count;
}
