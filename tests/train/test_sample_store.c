// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/sample_store.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "made_data.h"

enum { COUNT = 3 * SAMPLE_STORE_BINS * 100 };

static char path[MADE_PATH_ROOM], error[SAMPLE_STORE_ERROR_MAX];
static Sample samples[COUNT], found[COUNT];

/* Numbered samples. */
static void setup(void)
{
    made_path(path);
    for (uint32_t i = 0; i < COUNT; i++)
        samples[i] = (Sample){.occupied = i};
}

static void teardown(void)
{
    remove(path);
}

static SampleStore *fill(uint64_t seed, size_t count, uint64_t limit)
{
    SampleStore *const store = sample_store_create(path, seed, error);
    ck_assert_msg(store != NULL, "%s", error);
    ck_assert(sample_store_add(store, samples, count / 3)); // in parts
    ck_assert(sample_store_add(store, samples + count / 3, count - count / 3));
    ck_assert(sample_store_finish(store, limit));
    return store;
}

/* Reads all bins, one after the other. */
static void read_all(SampleStore *store)
{
    size_t count = 0;
    for (int b = 0; b < SAMPLE_STORE_BINS; b++) {
        ck_assert(sample_store_read(store, b, found + count));
        count += sample_store_bin_count(store, b);
    }
    ck_assert_uint_eq(count, sample_store_count(store));
}

START_TEST(every_sample_is_in_one_bin_in_the_order_of_adding)
{
    static bool seen[COUNT];
    memset(seen, 0, sizeof seen);
    SampleStore *const store = fill(1, COUNT, 0);
    ck_assert_uint_eq(sample_store_count(store), COUNT);
    for (int b = 0; b < SAMPLE_STORE_BINS; b++) {
        const size_t count = sample_store_bin_count(store, b);
        ck_assert_uint_gt(count, 200); // 300 on average, standard deviation 17
        ck_assert_uint_lt(count, 400);
        ck_assert_uint_le(count, sample_store_largest_bin(store));
        ck_assert(sample_store_read(store, b, found));
        for (size_t i = 0; i < count; i++) {
            ck_assert(!seen[found[i].occupied]);
            seen[found[i].occupied] = true;
            ck_assert(i == 0 || found[i].occupied > found[i - 1].occupied);
        }
    }
    sample_store_free(store);
}
END_TEST

START_TEST(bins_of_several_blocks_are_read_whole)
{
    enum { TIMES = 40 }; // more than one block in each bin
    SampleStore *const store = sample_store_create(path, 1, error);
    for (int i = 0; i < TIMES; i++)
        ck_assert(sample_store_add(store, samples, COUNT));
    ck_assert(sample_store_finish(store, 0));
    ck_assert_uint_eq(sample_store_count(store), (uint64_t)TIMES * COUNT);
    const size_t count = sample_store_bin_count(store, 7);
    ck_assert_uint_gt(count, SAMPLE_STORE_BLOCK);
    ck_assert_uint_lt(count, COUNT);
    ck_assert(sample_store_read(store, 7, found));
    int rounds = 1; // the numbers rise until the next round of adding begins
    for (size_t i = 1; i < count; i++) {
        ck_assert_uint_lt(found[i].occupied, COUNT);
        rounds += found[i].occupied <= found[i - 1].occupied;
    }
    ck_assert_int_eq(rounds, TIMES);
    sample_store_free(store);
}
END_TEST

START_TEST(the_bins_depend_only_on_the_seed)
{
    static Sample first[COUNT];
    for (uint64_t seed = 1; seed <= 2; seed++) {
        SampleStore *store = fill(seed, COUNT, 0);
        read_all(store);
        if (seed == 2)
            ck_assert_mem_ne(found, first, sizeof first);
        memcpy(first, found, sizeof first);
        sample_store_free(store);
        store = fill(seed, COUNT, 0);
        read_all(store);
        ck_assert_mem_eq(found, first, sizeof first);
        sample_store_free(store);
    }
}
END_TEST

START_TEST(a_limit_keeps_that_many_samples)
{
    SampleStore *const store = fill(1, COUNT, COUNT / 2 + 1);
    ck_assert_uint_eq(sample_store_count(store), COUNT / 2 + 1);
    read_all(store);
    sample_store_free(store);
    SampleStore *const whole = fill(1, COUNT, COUNT + 1);
    ck_assert_uint_eq(sample_store_count(whole), COUNT);
    sample_store_free(whole);
}
END_TEST

START_TEST(a_limit_below_a_bin_keeps_a_random_part_of_it)
{
    enum { TIMES = 40, LIMIT = SAMPLE_STORE_BLOCK + 100 }; // of about 12000 in a bin
    static bool seen[TIMES * COUNT];
    SampleStore *const store = sample_store_create(path, 1, error);
    for (uint32_t round = 0; round < TIMES; round++) {
        for (uint32_t i = 0; i < COUNT; i++)
            samples[i].occupied = round * COUNT + i;
        ck_assert(sample_store_add(store, samples, COUNT));
    }
    ck_assert(sample_store_finish(store, LIMIT));
    ck_assert_uint_eq(sample_store_count(store), LIMIT);
    read_all(store);
    size_t late = 0;
    for (size_t i = 0; i < LIMIT; i++) {
        ck_assert(found[i].occupied < TIMES * COUNT && !seen[found[i].occupied]);
        seen[found[i].occupied] = true;
        late += found[i].occupied >= TIMES / 2 * COUNT;
    }
    ck_assert_uint_gt(late, LIMIT * 45 / 100);
    ck_assert_uint_lt(late, LIMIT * 55 / 100);
    sample_store_free(store);
}
END_TEST

START_TEST(few_samples_leave_bins_empty)
{
    SampleStore *const store = fill(1, 5, 0);
    ck_assert_uint_eq(sample_store_count(store), 5);
    read_all(store);
    sample_store_free(store);
}
END_TEST

START_TEST(the_file_has_no_name)
{
    char folder[] = "/tmp/palimpsest-store-XXXXXX", inside[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(inside, sizeof inside, "%s/out", folder);
    SampleStore *const store = sample_store_create(inside, 1, error);
    ck_assert_msg(store != NULL, "%s", error);
    ck_assert(sample_store_add(store, samples, COUNT));
    DIR *const stream = opendir(folder);
    for (const struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream))
        ck_assert_msg(entry->d_name[0] == '.', "%s", entry->d_name);
    closedir(stream);
    sample_store_free(store);
    ck_assert_int_eq(remove(folder), 0);
}
END_TEST

START_TEST(a_folder_that_does_not_exist_is_refused)
{
    ck_assert_ptr_null(sample_store_create("/tmp/no such folder of palimpsest/a", 1, error));
    ck_assert_msg(strstr(error, "no such folder") != NULL, "%s", error);
}
END_TEST

START_TEST(a_full_disk_is_reported)
{
    const struct rlimit small = {.rlim_cur = 1 << 20, .rlim_max = RLIM_INFINITY};
    const struct rlimit unlimited = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    SampleStore *const store = sample_store_create(path, 1, error);
    ck_assert_ptr_nonnull(store);
    /* No ck_assert() under the limit: libcheck writes to a file, too. */
    setrlimit(RLIMIT_FSIZE, &small);
    const bool is_added = sample_store_add(store, samples, COUNT),
               is_finished = sample_store_finish(store, 0);
    const int reason = errno;
    setrlimit(RLIMIT_FSIZE, &unlimited);
    ck_assert(is_added); // still in memory
    ck_assert(!is_finished);
    ck_assert_int_eq(reason, EFBIG);
    sample_store_free(store);
}
END_TEST

Suite *suite_sample_store(void);
Suite *suite_sample_store(void)
{
    Suite *suite = suite_create("sample_store");
    TCase *tcase = tcase_create("sample_store");
    tcase_set_timeout(tcase, 30);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, every_sample_is_in_one_bin_in_the_order_of_adding);
    tcase_add_test(tcase, bins_of_several_blocks_are_read_whole);
    tcase_add_test(tcase, the_bins_depend_only_on_the_seed);
    tcase_add_test(tcase, a_limit_keeps_that_many_samples);
    tcase_add_test(tcase, a_limit_below_a_bin_keeps_a_random_part_of_it);
    tcase_add_test(tcase, few_samples_leave_bins_empty);
    tcase_add_test(tcase, the_file_has_no_name);
    tcase_add_test(tcase, a_folder_that_does_not_exist_is_refused);
    tcase_add_test(tcase, a_full_disk_is_reported);
    suite_add_tcase(suite, tcase);
    return suite;
}
