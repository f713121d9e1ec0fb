// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <math.h>

#include "base/rng.h"
#include "lab/ratio.h"

START_TEST(quantiles_of_students_t_match_published_tables)
{
    static const struct {
        int freedom;
        double point;
    } TABLE[] = {{1, 12.706}, {2, 4.303},  {3, 3.182},   {4, 2.776},   {5, 2.571},
                 {9, 2.262},  {24, 2.064}, {100, 1.984}, {1000, 1.962}};
    for (size_t i = 0; i < sizeof TABLE / sizeof TABLE[0]; i++)
        ck_assert_double_eq_tol(ratio_student(TABLE[i].freedom) / TABLE[i].point, 1.0, 0.01);
}
END_TEST

START_TEST(the_mean_is_geometric_and_inside_the_interval)
{
    const MeanValue pairs[] = {{log(2.0), 1}, {log(0.5), 2}, {log(4.0), 3}, {log(0.25), 4}};
    const Ratio ratio = ratio_of(pairs, 4);
    ck_assert_double_eq_tol(ratio.mean, 1.0, 1e-12);
    ck_assert_double_eq_tol(ratio.low * ratio.high, 1.0, 1e-9);
    ck_assert_double_lt(ratio.low, 1.0);
    ck_assert_int_eq(ratio.pairs, 4);
    ck_assert_int_eq(ratio.groups, 4);
    /* By hand: squares 2 (ln 2)^2 + 2 (ln 4)^2, error sqrt(squares 4/3) / 4, t(3) = 3.182. */
    const double squares = 2.0 * log(2.0) * log(2.0) + 2.0 * log(4.0) * log(4.0);
    const double margin = ratio_student(3) * sqrt(squares * 4.0 / 3.0) / 4.0;
    ck_assert_double_eq_tol(ratio.high, exp(margin), 1e-9);
}
END_TEST

START_TEST(repeating_pairs_of_a_group_does_not_narrow_the_interval)
{
    const MeanValue once[] = {{0.1, 1}, {-0.2, 2}, {0.3, 3}};
    const MeanValue twice[] = {{0.1, 1}, {0.1, 1}, {-0.2, 2}, {-0.2, 2}, {0.3, 3}, {0.3, 3}};
    const Ratio a = ratio_of(once, 3), b = ratio_of(twice, 6);
    ck_assert_double_eq_tol(a.mean, b.mean, 1e-12);
    ck_assert_double_eq_tol(a.low, b.low, 1e-12);
    ck_assert_double_eq_tol(a.high, b.high, 1e-12);
}
END_TEST

START_TEST(fewer_than_two_groups_give_no_interval)
{
    ck_assert_double_eq(ratio_of(NULL, 0).mean, 1.0);
    const MeanValue one = {log(3.0), 1};
    const Ratio ratio = ratio_of(&one, 1);
    ck_assert_double_eq_tol(ratio.mean, 3.0, 1e-12);
    ck_assert_double_eq(ratio.low, 0.0);
    ck_assert(isinf(ratio.high));
}
END_TEST

START_TEST(a_share_counts_trials_and_its_interval_is_between_groups)
{
    const ShareCount counts[] = {{1, 10, 1}, {3, 10, 1}, {2, 20, 2}, {4, 10, 3}};
    const Share share = share_of(counts, 4);
    ck_assert_double_eq_tol(share.share, 0.2, 1e-12);
    ck_assert_double_eq(share.trials, 50);
    ck_assert_int_eq(share.groups, 3);
    /* By hand: 4 - 0.2 * 20 = 0, 2 - 0.2 * 20 = -2, 4 - 0.2 * 10 = 2; squares 8. */
    const double margin = ratio_student(2) * sqrt(8.0 * 3.0 / 2.0) / 50.0;
    ck_assert_double_eq_tol(share.low, fmax(0.2 - margin, 0.0), 1e-12);
    ck_assert_double_eq_tol(share.high, 0.2 + margin, 1e-12);
}
END_TEST

START_TEST(a_share_without_trials_or_with_one_group_has_no_interval)
{
    ck_assert_double_eq(share_of(NULL, 0).share, 0.0);
    const ShareCount one = {1, 4, 7};
    const Share share = share_of(&one, 1);
    ck_assert_double_eq(share.share, 0.25);
    ck_assert_double_eq(share.low, 0.0);
    ck_assert_double_eq(share.high, 1.0);
}
END_TEST

START_TEST(groups_without_trials_do_not_count)
{
    const ShareCount counts[] = {{0, 0, 1}, {1, 10, 2}, {3, 10, 2}, {0, 0, 3}, {6, 20, 4}};
    const Share share = share_of(counts, 5),
                both = share_of((ShareCount[]){{4, 20, 2}, {6, 20, 4}}, 2);
    ck_assert_int_eq(share.groups, 2);
    ck_assert_double_eq_tol(share.high, both.high, 1e-12);
    const Share one = share_of(counts, 4);
    ck_assert_int_eq(one.groups, 1);
    ck_assert_double_eq(one.low, 0.0);
    ck_assert_double_eq(one.high, 1.0);
}
END_TEST

START_TEST(a_share_of_none_or_all_has_no_interval)
{
    const double events = _i == 0 ? 0 : 10;
    const Share share = share_of((ShareCount[]){{events, 10, 1}, {events, 10, 2}}, 2);
    ck_assert_double_eq(share.share, events / 10);
    ck_assert_double_eq(share.low, 0.0);
    ck_assert_double_eq(share.high, 1.0);
}
END_TEST

START_TEST(the_interval_contains_the_true_mean_19_times_in_20)
{
    enum { TRIALS = 4000, GROUPS = 10, EACH = 3 };
    Rng rng;
    rng_seed(&rng, 1);
    int covered = 0;
    for (int t = 0; t < TRIALS; t++) {
        MeanValue pairs[GROUPS * EACH];
        for (int i = 0; i < GROUPS * EACH; i++) {
            /* The sum of twelve uniform numbers is nearly normal. The pairs of a group share one.
             */
            static double shared;
            double own = 0.0;
            for (int k = 0; k < 12; k++)
                own += (double)rng_below(&rng, 1001) / 1000.0 - 0.5;
            shared = i % EACH == 0 ? own : shared;
            pairs[i] = (MeanValue){.value = shared + 0.5 * own, .group = i / EACH};
        }
        const Ratio ratio = ratio_of(pairs, GROUPS * EACH);
        covered += ratio.low <= 1.0 && 1.0 <= ratio.high;
    }
    ck_assert_int_gt(covered, TRIALS * 93 / 100);
    ck_assert_int_lt(covered, TRIALS * 97 / 100);
}
END_TEST

START_TEST(the_mean_of_values_has_an_interval_between_groups)
{
    const MeanValue values[] = {{3, 1}, {-1, 2}, {-1, 2}, {7, 3}};
    const Mean mean = mean_of(values, 4);
    ck_assert_double_eq_tol(mean.mean, 2.0, 1e-12);
    ck_assert_int_eq(mean.groups, 3);
    /* By hand: the sums of the deviations are 1, -6 and 5. */
    const double margin = ratio_student(2) * sqrt((1.0 + 36.0 + 25.0) * 3.0 / 2.0) / 4.0;
    ck_assert_double_eq_tol(mean.high, 2.0 + margin, 1e-9);
    ck_assert_double_eq_tol(mean.low, 2.0 - margin, 1e-9);
    ck_assert_double_eq(mean_of(NULL, 0).mean, 0.0);
    ck_assert(isinf(mean_of(values, 1).high));
}
END_TEST

Suite *suite_ratio(void);
Suite *suite_ratio(void)
{
    Suite *suite = suite_create("ratio");
    TCase *tcase = tcase_create("ratio");
    tcase_add_test(tcase, quantiles_of_students_t_match_published_tables);
    tcase_add_test(tcase, the_mean_is_geometric_and_inside_the_interval);
    tcase_add_test(tcase, repeating_pairs_of_a_group_does_not_narrow_the_interval);
    tcase_add_test(tcase, fewer_than_two_groups_give_no_interval);
    tcase_add_test(tcase, a_share_counts_trials_and_its_interval_is_between_groups);
    tcase_add_test(tcase, the_mean_of_values_has_an_interval_between_groups);
    tcase_add_test(tcase, a_share_without_trials_or_with_one_group_has_no_interval);
    tcase_add_test(tcase, groups_without_trials_do_not_count);
    tcase_add_loop_test(tcase, a_share_of_none_or_all_has_no_interval, 0, 2);
    tcase_add_test(tcase, the_interval_contains_the_true_mean_19_times_in_20);
    suite_add_tcase(suite, tcase);
    return suite;
}
