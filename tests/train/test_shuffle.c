// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/shuffle.h"

#include <check.h>
#include <string.h>

enum { COUNT = 1000 };

/* Numbered by their score. */
static void number(Sample *samples)
{
    memset(samples, 0, COUNT * sizeof *samples);
    for (int i = 0; i < COUNT; i++)
        samples[i].score = (int16_t)i;
}

START_TEST(a_shuffle_keeps_every_sample_and_moves_nearly_all)
{
    static Sample samples[COUNT], again[COUNT];
    number(samples);
    number(again);
    shuffle_samples(samples, COUNT, 3);
    shuffle_samples(again, COUNT, 3);
    ck_assert_mem_eq(samples, again, sizeof samples);
    bool seen[COUNT] = {false};
    int stayed = 0;
    for (int i = 0; i < COUNT; i++) {
        ck_assert(!seen[samples[i].score]);
        seen[samples[i].score] = true;
        stayed += samples[i].score == i;
    }
    ck_assert_int_lt(stayed, 12); // one is expected
    shuffle_samples(again, COUNT, 4);
    ck_assert_mem_ne(samples, again, sizeof samples);
}
END_TEST

START_TEST(each_epoch_visits_every_group_in_a_new_order)
{
    static uint32_t orders[3][COUNT], again[COUNT];
    for (uint64_t epoch = 0; epoch < 3; epoch++) {
        bool seen[COUNT] = {false};
        shuffle_groups(orders[epoch], COUNT, 9, epoch);
        for (int i = 0; i < COUNT; i++) {
            ck_assert_uint_lt(orders[epoch][i], COUNT);
            ck_assert(!seen[orders[epoch][i]]);
            seen[orders[epoch][i]] = true;
        }
    }
    ck_assert_mem_ne(orders[0], orders[1], sizeof again);
    ck_assert_mem_ne(orders[1], orders[2], sizeof again);
    shuffle_groups(again, COUNT, 9, 1); // whatever was shuffled before
    ck_assert_mem_eq(again, orders[1], sizeof again);
}
END_TEST

Suite *suite_shuffle(void);
Suite *suite_shuffle(void)
{
    Suite *suite = suite_create("shuffle");
    TCase *tcase = tcase_create("shuffle");
    tcase_add_test(tcase, a_shuffle_keeps_every_sample_and_moves_nearly_all);
    tcase_add_test(tcase, each_epoch_visits_every_group_in_a_new_order);
    suite_add_tcase(suite, tcase);
    return suite;
}
