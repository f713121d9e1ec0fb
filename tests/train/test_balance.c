// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/balance.h"

#include <check.h>

#include "made_data.h"
#include "nnue/features.h"

static uint64_t counts[NNUE_BUCKETS];
static float weights[NNUE_BUCKETS];

/* Counts that differ by factors of up to 2^(NNUE_BUCKETS - 1). */
static void setup(void)
{
    for (int b = 0; b < NNUE_BUCKETS; b++)
        counts[b] = UINT64_C(1000) << b;
}

static double mean_weight(void)
{
    double sum = 0.0, samples = 0.0;
    for (int b = 0; b < NNUE_BUCKETS; b++) {
        sum += (double)counts[b] * (double)weights[b];
        samples += (double)counts[b];
    }
    return sum / samples;
}

START_TEST(samples_are_counted_by_output_bucket)
{
    enum { COUNT = 500 };
    static Sample samples[COUNT];
    uint64_t found[NNUE_BUCKETS] = {0}, sum = 0;
    made_samples(samples, COUNT, 6);
    balance_count(samples, COUNT, found);
    for (int b = 0; b < NNUE_BUCKETS; b++)
        sum += found[b];
    ck_assert_uint_eq(sum, COUNT);
    samples[0].occupied = 0xFFFF; // 16 pieces
    uint64_t one[NNUE_BUCKETS] = {0};
    balance_count(samples, 1, one);
    ck_assert_uint_eq(one[feature_bucket(16)], 1);
}
END_TEST

START_TEST(a_balance_of_0_leaves_all_samples_equal)
{
    balance_weights(counts, 0.0, weights);
    for (int b = 0; b < NNUE_BUCKETS; b++)
        ck_assert_float_eq_tol(weights[b], 1.0f, 1e-6f);
}
END_TEST

START_TEST(a_balance_of_1_gives_each_bucket_the_same_total)
{
    balance_weights(counts, 1.0, weights);
    ck_assert_double_eq_tol(mean_weight(), 1.0, 1e-5);
    for (int b = 1; b < NNUE_BUCKETS; b++)
        ck_assert_float_eq_tol(weights[b] / weights[b - 1], 0.5f, 1e-5f);
}
END_TEST

START_TEST(a_balance_between_takes_the_power_of_the_counts)
{
    balance_weights(counts, 0.5, weights);
    ck_assert_double_eq_tol(mean_weight(), 1.0, 1e-5);
    for (int b = 1; b < NNUE_BUCKETS; b++)
        ck_assert_float_eq_tol(weights[b] / weights[b - 1], 0.70710678f, 1e-5f);
}
END_TEST

START_TEST(an_empty_bucket_changes_nothing)
{
    counts[NNUE_BUCKETS - 1] = NNUE_BUCKETS > 1 ? 0 : counts[0];
    balance_weights(counts, 0.7, weights);
    ck_assert_double_eq_tol(mean_weight(), 1.0, 1e-5);
    ck_assert_float_eq(weights[NNUE_BUCKETS - 1], 1.0f);
}
END_TEST

Suite *suite_balance(void);
Suite *suite_balance(void)
{
    Suite *suite = suite_create("balance");
    TCase *tcase = tcase_create("balance");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, samples_are_counted_by_output_bucket);
    tcase_add_test(tcase, a_balance_of_0_leaves_all_samples_equal);
    tcase_add_test(tcase, a_balance_of_1_gives_each_bucket_the_same_total);
    tcase_add_test(tcase, a_balance_between_takes_the_power_of_the_counts);
    tcase_add_test(tcase, an_empty_bucket_changes_nothing);
    suite_add_tcase(suite, tcase);
    return suite;
}
