// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/hashfile_fixture.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "whole_file.h"

char hash_folder[64];
char hash_path[80], hash_beside[96];
char hash_error[HASHFILE_ERROR_MAX];
HashFileSummary hash_sum;

void hash_enter(bool is_small)
{
    const bool is_in_memory = is_small && access("/dev/shm", R_OK | W_OK | X_OK) == 0;
    snprintf(hash_folder, sizeof hash_folder, "%s/palimpsest-hash-XXXXXX",
             is_in_memory ? "/dev/shm" : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(hash_folder));
    snprintf(hash_path, sizeof hash_path, "%s/a.hash", hash_folder);
    snprintf(hash_beside, sizeof hash_beside, "%s/a.hash" FILE_DRAFT_END, hash_folder);
}

void hash_leave(void)
{
    remove(hash_path);
    remove(hash_beside);
    remove(hash_folder);
}

void hash_make_table(Tt *table, uint64_t mib, Replacement replacement)
{
    *table = (Tt){.replacement = replacement};
    ck_assert_uint_eq(tt_resize(table, mib), mib);
}

/* A random score of one of the ranges, draw scores among them. */
static Score random_score(Rng *rng)
{
    static const Score middles[] = {
        0, 0, 700, -700, SCORE_TB - 30, 30 - SCORE_TB, SCORE_MATE - 20, 20 - SCORE_MATE};
    const Score middle = middles[rng_below(rng, 8)];
    return middle == 0 ? (Score)rng_below(rng, 9) - 4 : middle + (Score)rng_below(rng, 15) - 7;
}

void hash_fill(Tt *table, uint64_t seed, int count)
{
    const SearchPoint own = {.ply = 0, .rule50 = 0};
    TtStats unused = {0};
    Rng rng;
    rng_seed(&rng, seed);
    for (int i = 0; i < count; i++) {
        const Bound bound = (Bound)rng_below(&rng, 4);
        TtData data = {.bound = bound}; // one call after another, because the order of calls in an
                                        // initialiser is undefined
        data.move = rng_below(&rng, 4) == 0 ? MOVE_NONE : (Move)rng_next(&rng);
        data.score = bound == BOUND_NONE ? SCORE_NONE : random_score(&rng);
        data.eval = rng_below(&rng, 5) == 0 ? SCORE_NONE : (Score)rng_below(&rng, 4000) - 2000;
        data.depth = bound == BOUND_NONE ? 0 : (int)rng_below(&rng, 30);
        data.was_pv = rng_below(&rng, 2) == 0;
        const int shift = 24 + (int)rng_below(&rng, 40);
        data.nodes = 1 + (rng_next(&rng) >> shift);
        tt_store(table, rng_next(&rng), own, &data, &unused);
    }
}

static HashFileTask task_of(int min_depth)
{
    return (HashFileTask){.path = hash_path,
                          .evaluation = FIXTURE_EVALUATION,
                          .min_depth = min_depth,
                          .max_bytes = 1 << 30};
}

bool hash_save(Tt *table, int min_depth)
{
    const HashFileTask task = task_of(min_depth);
    return hashfile_save(&task, table, &hash_sum, hash_error);
}

bool hash_load(Tt *table)
{
    const HashFileTask task = task_of(1);
    return hashfile_load(&task, table, &hash_sum, hash_error);
}

bool hash_verify(void)
{
    const HashFileTask task = task_of(1);
    return hashfile_verify(&task, &hash_sum, hash_error);
}

void hash_write(const uint8_t *bytes, size_t size)
{
    whole_file_write(hash_path, bytes, size);
}
