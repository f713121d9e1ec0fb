// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/stream.h"

#include <check.h>
#include <stdio.h>

#include "made_data.h"
#include "skip.h"

enum { COUNT = 20011, EPOCHS = 3, SEED = 5 };

static char path[MADE_PATH_ROOM], error[SAMPLE_STORE_ERROR_MAX];
static Sample samples[EPOCHS * COUNT], part[COUNT];
static SampleStore *store;

static SampleStore *fill(uint32_t count)
{
    SampleStore *const filled = sample_store_create(path, 1, error);
    ck_assert_msg(filled != NULL, "%s", error);
    for (uint32_t i = 0; i < count; i++)
        ck_assert(sample_store_add(filled, &(Sample){.occupied = i}, 1));
    ck_assert(sample_store_finish(filled, 0));
    return filled;
}

static void setup(void)
{
    made_path(path);
    store = fill(COUNT);
}

static void teardown(void)
{
    sample_store_free(store);
    remove(path);
}

/* Takes EPOCHS epochs in parts of `size` samples. */
static void take_all(Sample *to, size_t size)
{
    SampleStream *const stream = stream_create(store, SEED);
    ck_assert_ptr_nonnull(stream);
    ck_assert(stream_seek(stream, 0, 0));
    for (size_t taken = 0; taken < EPOCHS * COUNT;) {
        const size_t left = EPOCHS * COUNT - taken, count = left < size ? left : size;
        ck_assert(stream_take(stream, to + taken, count));
        taken += count;
    }
    stream_free(stream);
}

START_TEST(each_epoch_has_every_sample_once_in_a_new_order)
{
    take_all(samples, 700);
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        bool seen[COUNT] = {false};
        int in_place = 0, neighbours = 0;
        for (int i = 0; i < COUNT; i++) {
            const uint64_t number = samples[epoch * COUNT + i].occupied;
            ck_assert_uint_lt(number, COUNT);
            ck_assert(!seen[number]);
            seen[number] = true;
            in_place += epoch > 0 && number == samples[i].occupied;
            neighbours += i > 0 && number == samples[epoch * COUNT + i - 1].occupied + 1;
        }
        ck_assert_int_lt(in_place, 20); // one is expected
        ck_assert_int_lt(neighbours, 20);
    }
}
END_TEST

START_TEST(the_sizes_of_the_parts_do_not_matter)
{
    static Sample again[EPOCHS * COUNT];
    take_all(samples, 700);
    take_all(again, 15000);
    ck_assert_mem_eq(again, samples, sizeof samples);
}
END_TEST

START_TEST(a_stream_can_start_anywhere_and_jump)
{
    static const uint32_t STARTS[] = {2 * COUNT + 77, 0, COUNT - 1, COUNT, 12345, COUNT + 9000};
    take_all(samples, 700);
    SampleStream *const stream = stream_create(store, SEED);
    for (size_t i = 0; i < sizeof STARTS / sizeof STARTS[0]; i++) {
        ck_assert(stream_seek(stream, STARTS[i] / COUNT, STARTS[i] % COUNT));
        ck_assert(stream_take(stream, part, 5000));
        ck_assert_mem_eq(part, samples + STARTS[i], 5000 * sizeof(Sample));
    }
    stream_free(stream);
}
END_TEST

START_TEST(another_seed_gives_another_order)
{
    take_all(samples, 700);
    SampleStream *const stream = stream_create(store, SEED + 1);
    ck_assert(stream_seek(stream, 0, 0));
    ck_assert(stream_take(stream, part, COUNT));
    ck_assert_mem_ne(part, samples, sizeof part);
    stream_free(stream);
}
END_TEST

START_TEST(a_few_samples_are_enough)
{
    SampleStore *const few = fill(3);
    SampleStream *const stream = stream_create(few, SEED);
    ck_assert(stream_seek(stream, 0, 2));
    ck_assert(stream_take(stream, part, 1 + 4 * 3));
    for (int epoch = 0; epoch < 4; epoch++) {
        uint64_t sum = 0;
        for (int i = 0; i < 3; i++)
            sum += part[1 + epoch * 3 + i].occupied;
        ck_assert_uint_eq(sum, 0 + 1 + 2);
    }
    stream_free(stream);
    sample_store_free(few);
}
END_TEST

START_TEST(a_failing_disk_is_reported)
{
    SampleStream *const stream = stream_create(store, SEED);
    ck_assert(stream_seek(stream, 0, 0));
    if (made_lose_temporary(path)) {
        ck_assert(!stream_take(stream, part, COUNT)); // at most two bins had been read
        ck_assert(!stream_take(stream, part, 1));
        ck_assert(!stream_seek(stream, 0, 0));
    } else {
        skip_test("no way to lose an open file");
    }
    stream_free(stream);
}
END_TEST

START_TEST(a_stream_that_is_not_read_ends)
{
    SampleStream *const stream = stream_create(store, SEED);
    ck_assert(stream_seek(stream, 1, 5));
    stream_free(stream);
    stream_free(stream_create(store, SEED)); // not even started
    stream_free(NULL);
}
END_TEST

Suite *suite_stream(void);
Suite *suite_stream(void)
{
    Suite *suite = suite_create("stream");
    TCase *tcase = tcase_create("stream");
    tcase_set_timeout(tcase, 30);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, each_epoch_has_every_sample_once_in_a_new_order);
    tcase_add_test(tcase, the_sizes_of_the_parts_do_not_matter);
    tcase_add_test(tcase, a_stream_can_start_anywhere_and_jump);
    tcase_add_test(tcase, another_seed_gives_another_order);
    tcase_add_test(tcase, a_few_samples_are_enough);
    tcase_add_test(tcase, a_failing_disk_is_reported);
    tcase_add_test(tcase, a_stream_that_is_not_read_ends);
    suite_add_tcase(suite, tcase);
    return suite;
}
