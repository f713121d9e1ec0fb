// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/batches.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "made_data.h"

enum { COUNT = 5003, SIZE = 600, PER_EPOCH = COUNT / SIZE, SEED = 3 };

static char path[MADE_PATH_ROOM], error[SAMPLE_STORE_ERROR_MAX];
static Dataset datasets[2]; // in memory, on disk

/* Numbered samples. */
static void setup(void)
{
    made_path(path);
    SampleSet *const set = &datasets[0].train;
    *set = (SampleSet){.count = COUNT, .bytes = COUNT * sizeof(Sample)};
    set->samples = mem_alloc_large(set->bytes, NULL);
    for (uint32_t i = 0; i < COUNT; i++)
        set->samples[i].occupied = i;
    datasets[1].store = sample_store_create(path, 1, error);
    ck_assert_msg(datasets[1].store != NULL, "%s", error);
    ck_assert(sample_store_add(datasets[1].store, set->samples, COUNT));
    ck_assert(sample_store_finish(datasets[1].store, 0));
}

static void teardown(void)
{
    for (int i = 0; i < 2; i++)
        loader_free(&datasets[i]);
    remove(path);
}

static Batches *open_batches(int place)
{
    Batches *const batches = batches_create(&datasets[place], SIZE, SEED);
    ck_assert_ptr_nonnull(batches);
    return batches;
}

/* Opens a batch and copies its samples to `to`; returns their number. */
static size_t collect(Batches *batches, uint64_t step, Sample *to)
{
    size_t sum = 0;
    const size_t expected = batches_open(batches, step);
    for (size_t g = 0; g < batches_groups(batches); g++) {
        size_t count;
        const Sample *const samples = batches_group(batches, g, &count);
        ck_assert_uint_ge(count, 1);
        ck_assert_uint_le(count, SHUFFLE_GROUP);
        memcpy(to + sum, samples, count * sizeof *samples);
        sum += count;
    }
    ck_assert_uint_eq(sum, expected);
    ck_assert_uint_le(sum, batches_largest(batches));
    return sum;
}

START_TEST(each_epoch_has_every_sample_once)
{
    static Sample epochs[2][COUNT + SIZE];
    Batches *const batches = open_batches(_i);
    ck_assert_uint_eq(batches_per_epoch(batches), PER_EPOCH);
    for (int epoch = 0; epoch < 2; epoch++) {
        bool seen[COUNT] = {false};
        size_t count = 0;
        for (int b = 0; b < PER_EPOCH; b++) {
            const size_t size =
                collect(batches, (uint64_t)(epoch * PER_EPOCH + b), epochs[epoch] + count);
            ck_assert_uint_ge(size, SIZE);
            count += size;
        }
        ck_assert_uint_eq(count, COUNT);
        for (int i = 0; i < COUNT; i++) {
            ck_assert(!seen[epochs[epoch][i].occupied]);
            seen[epochs[epoch][i].occupied] = true;
        }
    }
    ck_assert_mem_ne(epochs[0], epochs[1], COUNT * sizeof(Sample));
    batches_free(batches);
}
END_TEST

START_TEST(a_batch_is_the_same_wherever_one_starts)
{
    static Sample in_turn[2 * PER_EPOCH][2 * SIZE], alone[2 * SIZE];
    size_t counts[2 * PER_EPOCH];
    Batches *const batches = open_batches(_i);
    for (int step = 0; step < 2 * PER_EPOCH; step++)
        counts[step] = collect(batches, (uint64_t)step, in_turn[step]);
    batches_free(batches);
    static const int STARTS[] = {PER_EPOCH + 3, 0, PER_EPOCH - 1};
    Batches *const others = open_batches(_i);
    for (int i = 0; i < 3; i++)
        for (int step = STARTS[i]; step < STARTS[i] + 3; step++) {
            ck_assert_uint_eq(collect(others, (uint64_t)step, alone), counts[step]);
            ck_assert_mem_eq(alone, in_turn[step], counts[step] * sizeof(Sample));
        }
    batches_free(others);
}
END_TEST

START_TEST(a_small_set_is_one_batch)
{
    Batches *const batches = batches_create(&datasets[_i], COUNT + 1, SEED);
    static Sample samples[COUNT + SHUFFLE_GROUP];
    ck_assert_uint_eq(batches_per_epoch(batches), 1);
    ck_assert_uint_eq(collect(batches, 0, samples), COUNT);
    ck_assert_uint_eq(collect(batches, 1, samples), COUNT);
    batches_free(batches);
}
END_TEST

START_TEST(a_batch_has_a_group_at_least)
{
    ck_assert_uint_eq(batches_among(100, 1000), 1);
    ck_assert_uint_eq(batches_among(10 * SHUFFLE_GROUP, 2 * SHUFFLE_GROUP), 5);
    ck_assert_uint_eq(batches_among(10 * SHUFFLE_GROUP, 1), 10);
    ck_assert_uint_eq(batches_among(10 * SHUFFLE_GROUP + 1, 1), 11);
}
END_TEST

Suite *suite_batches(void);
Suite *suite_batches(void)
{
    Suite *suite = suite_create("batches");
    TCase *tcase = tcase_create("batches");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, each_epoch_has_every_sample_once, 0, 2);
    tcase_add_loop_test(tcase, a_batch_is_the_same_wherever_one_starts, 0, 2);
    tcase_add_test(tcase, a_batch_has_a_group_at_least);
    tcase_add_loop_test(tcase, a_small_set_is_one_batch, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
