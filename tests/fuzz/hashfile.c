// SPDX-License-Identifier: GPL-3.0-or-later
/* Hash files: a file that is loaded leaves a table that can be inspected, saved and searched.
 * Input: see fuzz_record_log(). */
#include "fuzz.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "chess/fen.h"
#include "engine/engine.h"
#include "tt/hashfile.h"

static Engine *engine;

static void prepare(void)
{
    if (engine == NULL)
        engine = engine_create(2);
    assert(engine != NULL);
}

/* Searches the position whose entries the seeds have. */
static void search(uint64_t nodes)
{
    static SearchJob job;
    char error[FEN_ERROR_MAX];
    job = (SearchJob){.limits = {.nodes = nodes}, .multi_pv = 1};
    fen_parse(&job.root, "8/1p6/p7/P2k4/8/1P2K3/8/8 w - - 0 1", false, error);
    path_start(&job.path, &job.root);
    engine_search(engine, &job, NULL, NULL);
}

static void check_table(void)
{
    Tt *const tt = engine_table(engine);
    TtRecord record;
    for (uint64_t i = 0; i < 2 * tt->slot_count; i++)
        assert(tt_record(tt, i, &record) != TT_RECORD_DAMAGED);
}

/* Writes a copy of the file to `path`: the file itself is in memory and has no folder. */
static void copy_file(const char *from, const char *path)
{
    char bytes[1 << 16];
    FILE *const in = fopen(from, "rb"), *const out = fopen(path, "wb");
    assert(in != NULL && out != NULL);
    for (size_t size = fread(bytes, 1, sizeof bytes, in); size > 0;
         size = fread(bytes, 1, sizeof bytes, in))
        fwrite(bytes, 1, size, out);
    fclose(in);
    fclose(out);
}

/* Saves the table beside the records of a copy of the file. */
static void save_and_keep(HashFileTask *task, const HashFileSummary *old)
{
    char error[HASHFILE_ERROR_MAX], path[64];
    HashFileSummary saved, verified;
    snprintf(path, sizeof path, "/tmp/palimpsest-fuzz-hash-%d", (int)getpid());
    copy_file(task->path, path);
    task->path = path;
    task->min_depth = 1;
    task->max_bytes = INT64_MAX;
    task->keeps_old = true;
    assert(hashfile_save(task, engine_table(engine), &saved, error));
    assert(engine_verify_hash_file(engine, task, &verified, error));
    assert(verified.records == saved.records && saved.min_depth <= old->min_depth);
    assert(saved.records > 0 || old->records == old->moves);
    remove(path);
}

void fuzz_hashfile(const uint8_t *bytes, size_t size)
{
    HashFileTask task = {.path = fuzz_record_log("PALIHASH", bytes, size)};
    HashFileSummary verified, loaded;
    char error[HASHFILE_ERROR_MAX];
    prepare();
    const bool is_good = engine_verify_hash_file(engine, &task, &verified, error);
    assert(engine_load_hash(engine, &task, &loaded, error) == is_good);
    if (!is_good)
        return;
    assert(verified.records == loaded.records && verified.moves <= verified.records);
    assert(1 <= loaded.min_depth && loaded.min_depth <= 256);
    if (loaded.records > 0) {
        check_table();
        search(50);
        save_and_keep(&task, &loaded);
        engine_clear_hash(engine);
    }
}

void seed_hashfile(void)
{
    static const int NODES[] = {1, 30, 2000};
    char path[] = "/tmp/palimpsest-fuzz-XXXXXX", error[HASHFILE_ERROR_MAX];
    HashFileTask task = {.path = path, .min_depth = 1, .max_bytes = 4000};
    const int file = mkstemp(path);
    assert(file >= 0);
    close(file);
    prepare();
    for (int i = 0; i < 3; i++) {
        HashFileSummary sum;
        search((uint64_t)NODES[i]);
        task.evaluation = eval_fingerprint(engine_eval_source(engine));
        if (!hashfile_save(&task, engine_table(engine), &sum, error))
            abort();
        fuzz_seed_log(path, "PALIHASH");
    }
    remove(path);
}
