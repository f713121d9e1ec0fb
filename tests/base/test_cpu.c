// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cpu.h"

#include <check.h>
#include <string.h>

START_TEST(the_processor_that_runs_the_tests_suffices)
{
    char missing[CPU_TEXT_MAX];
    ck_assert_msg(cpu_suffices(missing), "%s", missing);
    ck_assert_str_eq(missing, "");
}
END_TEST

START_TEST(every_feature_is_named_once)
{
    CpuFeature features[CPU_FEATURES_MAX];
    const int count = cpu_features(features);
    ck_assert_int_le(count, CPU_FEATURES_MAX);
    for (int i = 0; i < count; i++) {
        ck_assert(!features[i].is_needed || features[i].is_supported);
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(features[i].name, features[j].name);
    }
}
END_TEST

START_TEST(the_name_has_no_blanks_around_it)
{
    char name[CPU_TEXT_MAX];
    cpu_name(name);
    ck_assert_uint_lt(strlen(name), 64);
    ck_assert_int_ne(name[0], ' ');
    ck_assert(name[0] == '\0' || name[strlen(name) - 1] != ' ');
}
END_TEST

#ifdef __x86_64__
START_TEST(needed_features_are_the_macros_of_the_compiler)
{
    CpuFeature features[CPU_FEATURES_MAX];
    const int count = cpu_features(features);
    int needed = 0;
    for (int i = 0; i < count; i++)
        needed += features[i].is_needed;
#ifdef __AVX2__
    ck_assert_int_ge(needed, 7);
#elif !defined(__SSE3__)
    ck_assert_int_eq(needed, 0);
#endif
    ck_assert_int_le(needed, count);
}
END_TEST
#endif

Suite *suite_cpu(void);
Suite *suite_cpu(void)
{
    Suite *suite = suite_create("cpu");
    TCase *tcase = tcase_create("cpu");
    tcase_add_test(tcase, the_processor_that_runs_the_tests_suffices);
    tcase_add_test(tcase, every_feature_is_named_once);
    tcase_add_test(tcase, the_name_has_no_blanks_around_it);
#ifdef __x86_64__
    tcase_add_test(tcase, needed_features_are_the_macros_of_the_compiler);
#endif
    suite_add_tcase(suite, tcase);
    return suite;
}
