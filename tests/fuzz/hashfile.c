// SPDX-License-Identifier: GPL-3.0-or-later
/* Hash files: a file that is loaded leaves a table that can be inspected, saved and searched.
 * Input: see fuzz_record_log(). */
#include "fuzz.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    job = (SearchJob){.limits = {.move_ms = -1, .nodes = nodes}, .multi_pv = 1};
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
