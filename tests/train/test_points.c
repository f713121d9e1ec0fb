// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/points.h"

#include <check.h>

START_TEST(points_are_half_at_0_and_add_up_to_1)
{
    ck_assert_double_eq(points_of(0.0, 208.0), 0.5);
    for (int score = 1; score <= 3000; score += 13) {
        ck_assert_double_gt(points_of(score, 208.0), points_of(score - 1, 208.0));
        ck_assert_double_eq_tol(points_of(score, 208.0) + points_of(-score, 208.0), 1.0, 1e-12);
    }
}
END_TEST

START_TEST(one_unit_is_73_percent)
{
    ck_assert_double_eq_tol(points_of(208.0, 208.0), 0.7311, 1e-4);
    ck_assert_double_eq_tol(points_of(400.0, 400.0), 0.7311, 1e-4);
}
END_TEST

START_TEST(floats_agree_with_doubles)
{
    for (int score = -32767; score <= 32767; score += 97)
        ck_assert_double_eq_tol(points_of_float((float)score, 208.0f), points_of(score, 208.0),
                                1e-6);
}
END_TEST

Suite *suite_points(void);
Suite *suite_points(void)
{
    Suite *const suite = suite_create("points");
    TCase *const tcase = tcase_create("points");
    tcase_add_test(tcase, points_are_half_at_0_and_add_up_to_1);
    tcase_add_test(tcase, one_unit_is_73_percent);
    tcase_add_test(tcase, floats_agree_with_doubles);
    suite_add_tcase(suite, tcase);
    return suite;
}
