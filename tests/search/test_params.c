// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/params.h"

#include <check.h>
#include <string.h>

START_TEST(names_are_unique_words)
{
    int count;
    const ParamRange *const list = params_list(&count);
    ck_assert_int_gt(count, 0);
    for (int i = 0; i < count; i++) {
        ck_assert_int_gt(strlen(list[i].name), 0);
        ck_assert_uint_eq(strspn(list[i].name, "abcdefghijklmnopqrstuvwxyz0123456789_"),
                          strlen(list[i].name));
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(list[i].name, list[j].name);
    }
}
END_TEST

START_TEST(defaults_lie_within_their_ranges)
{
    int count;
    const ParamRange *const list = params_list(&count);
    for (int i = 0; i < count; i++) {
        ck_assert_int_lt(list[i].min, list[i].max);
        ck_assert_msg(list[i].min <= list[i].value && list[i].value <= list[i].max, "%s",
                      list[i].name);
    }
}
END_TEST

/* The tuner finds a parameter by its index in the list. */
START_TEST(list_and_struct_agree_in_order_and_value)
{
    int count;
    const ParamRange *const list = params_list(&count);
    ck_assert_uint_eq(sizeof(Params), (size_t)count * sizeof(int));
    int values[sizeof(Params) / sizeof(int)];
    memcpy(values, &params, sizeof values);
    for (int i = 0; i < count; i++)
        ck_assert_msg(values[i] == list[i].value, "%s", list[i].name);
}
END_TEST

static ParamRange range_of(const char *name)
{
    int count;
    const ParamRange *const list = params_list(&count);
    for (int i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return list[i];
    ck_abort_msg("no parameter %s", name);
}

/* The moves after a raise of alpha need a depth, which may not be negative. */
START_TEST(a_raise_of_alpha_leaves_at_least_one_ply)
{
    ck_assert_int_gt(range_of("alpha_raise_min_depth").min, range_of("alpha_raise_reduction").max);
}
END_TEST

/* Otherwise ProbCut would cut a node whose score is below beta, and store that score as exact. */
START_TEST(probcut_demands_at_least_beta)
{
    ck_assert_int_ge(range_of("probcut_margin").min, range_of("probcut_improving").max);
}
END_TEST

/* The unit tests are an ordinary build, in which every parameter is a constant. */
START_TEST(setting_a_parameter_fails_in_an_ordinary_build)
{
    int count;
    const ParamRange *const list = params_list(&count);
    for (int i = 0; i < count; i++)
        ck_assert(!params_set(list[i].name, list[i].value));
    ck_assert(!params_set("no_such_parameter", 1));
    ck_assert(!params_set("", 0));
}
END_TEST

Suite *suite_params(void);

Suite *suite_params(void)
{
    Suite *const suite = suite_create("params");
    TCase *const list = tcase_create("list");
    tcase_add_test(list, names_are_unique_words);
    tcase_add_test(list, defaults_lie_within_their_ranges);
    tcase_add_test(list, list_and_struct_agree_in_order_and_value);
    tcase_add_test(list, a_raise_of_alpha_leaves_at_least_one_ply);
    tcase_add_test(list, probcut_demands_at_least_beta);
    tcase_add_test(list, setting_a_parameter_fails_in_an_ordinary_build);
    suite_add_tcase(suite, list);
    return suite;
}
