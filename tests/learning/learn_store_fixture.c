// SPDX-License-Identifier: GPL-3.0-or-later
#include "learning/learn_store_fixture.h"

#include <check.h>
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/random_game.h"

char memory_folder[MEMORY_PATH_MAX];
char memory_path[MEMORY_PATH_MAX];

void memory_enter(void)
{
    /* In RAM where there is such a place: files are put on the disk at every transaction. */
    strcpy(memory_folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/palimpsest-memory-XXXXXX"
                                                        : "/tmp/palimpsest-memory-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(memory_folder));
    ck_assert_int_eq(chmod(memory_folder, 0777), 0); // some tests become somebody else
    snprintf(memory_path, sizeof memory_path, "%.100s/m.db", memory_folder);
}

void memory_leave(void)
{
    chmod(memory_folder, 0777);
    DIR *const stream = opendir(memory_folder);
    ck_assert_ptr_nonnull(stream);
    for (const struct dirent *e = readdir(stream); e != NULL; e = readdir(stream)) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", memory_folder, e->d_name);
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            ck_assert_int_eq(remove(path), 0);
    }
    closedir(stream);
    ck_assert_int_eq(rmdir(memory_folder), 0);
}

LearnedPosition made_lesson(uint64_t seed)
{
    Walk walk;
    walk_start(&walk, seed);
    Move moves[MAX_MOVES];
    /* The number of the position's last moves makes positions differ. */
    for (int ply = 0; ply < 12 + (int)(seed % 40); ply++)
        if (gen_count(&walk.pos) <= 1 || walk_step(&walk) == MOVE_NONE)
            break;
    if (gen_legal(&walk.pos, moves) == 0)
        return made_lesson(seed + 1000003);
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
    learned_position_set(&learned, &pos, move_from_uci(&pos, move, true), score);
    return learned;
}

bool same_lesson(const LearnedPosition *a, const LearnedPosition *b)
{
    return strcmp(a->position, b->position) == 0 && a->key == b->key && a->move == b->move &&
           a->score == b->score && a->depth == b->depth && a->fullmove == b->fullmove &&
           a->network == b->network && a->origin == b->origin && a->calendar_s == b->calendar_s &&
           a->seen == b->seen;
}

LearnStore *memory_open_well(void)
{
    char error[LEARN_STORE_ERROR_MAX];
    LearnStoreStatus verdict;
    LearnStore *const memory = learn_store_open(memory_path, true, &verdict, error);
    ck_assert_msg(memory != NULL, "%s", error);
    ck_assert_int_eq(verdict, LEARN_STORE_DONE);
    ck_assert_str_eq(error, "");
    ck_assert(learn_store_is_writable(memory));
    return memory;
}

void memory_write_made(LearnStore *memory, uint64_t first, int count, int64_t max)
{
    const LearnStoreTerms terms = {.policy = LEARN_BEBE, .max = max};
    LearnedPosition *const positions = calloc((size_t)count, sizeof *positions);
    for (int i = 0; i < count; i++)
        positions[i] = made_lesson(first + (uint64_t)i);
    const LearnStoreStatus verdict = learn_store_write(memory, positions, count, terms);
    ck_assert_msg(verdict == LEARN_STORE_DONE, "%s", learn_store_error(memory));
    free(positions);
}

static bool keep(void *ctx, const LearnedPosition *learned)
{
    Kept *const kept = ctx;
    kept->positions[kept->count++] = *learned;
    return kept->count < KEPT_MAX;
}

LearnStoreStatus memory_read_kept(LearnStore *memory, int64_t limit, Kept *kept)
{
    kept->count = 0;
    const LearnStoreReader reader = {.visit = keep, .ctx = kept, .limit = limit, .ms = INT64_MAX};
    return learn_store_read(memory, &reader, &kept->rest);
}

typedef int OpenFn(const char *, void **);
typedef int ExecFn(void *, const char *, int (*)(void *, int, char **, char **), void *, char **);
typedef int CloseFn(void *);

struct Foreigner {
    void *library, *db;
};

Foreigner *foreigner_open(const char *path)
{
    Foreigner *const f = calloc(1, sizeof *f);
    f->library = dlopen("libsqlite3.so.0", RTLD_NOW);
    OpenFn *const open = f->library != NULL ? (OpenFn *)dlsym(f->library, "sqlite3_open") : NULL;
    if (open != NULL && open(path, &f->db) == 0)
        return f;
    puts("skipped: libsqlite3.so.0 is not there");
    free(f);
    return NULL;
}

bool foreigner_run(Foreigner *f, const char *sql)
{
    ExecFn *const exec = (ExecFn *)dlsym(f->library, "sqlite3_exec");
    return exec(f->db, sql, NULL, NULL, NULL) == 0;
}

void foreigner_close(Foreigner *f)
{
    CloseFn *const close_db = (CloseFn *)dlsym(f->library, "sqlite3_close");
    ck_assert_int_eq(close_db(f->db), 0);
    dlclose(f->library);
    free(f);
}

Foreigner *foreigner_hold(const char *how)
{
    char sql[32];
    Foreigner *const f = foreigner_open(memory_path);
    snprintf(sql, sizeof sql, "BEGIN %s", how);
    ck_assert(f == NULL || foreigner_run(f, sql));
    return f;
}

void foreigner_let_go(Foreigner *f)
{
    ck_assert(foreigner_run(f, "COMMIT"));
    foreigner_close(f);
}

uint8_t *memory_slurp(size_t *size)
{
    FILE *const file = fopen(memory_path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *const bytes = malloc(*size + 1);
    ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

void memory_spill(const void *bytes, size_t size)
{
    FILE *const file = fopen(memory_path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}
