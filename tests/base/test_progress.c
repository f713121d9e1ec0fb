// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.h"

#include <check.h>

static const struct {
    int64_t ms;
    const char *text;
} TIMES[] = {
    {0, "0:00"},        {999, "0:00"},        {61000, "1:01"},
    {3599999, "59:59"}, {3600000, "1:00:00"}, {100 * 3600000 + 62000, "100:01:02"},
};

START_TEST(times_have_hours_only_when_needed)
{
    char text[PROGRESS_TIME_MAX];
    progress_format_time(text, TIMES[_i].ms);
    ck_assert_str_eq(text, TIMES[_i].text);
}
END_TEST

Suite *suite_progress(void);
Suite *suite_progress(void)
{
    Suite *suite = suite_create("progress");
    TCase *tcase = tcase_create("progress");
    tcase_add_loop_test(tcase, times_have_hours_only_when_needed, 0,
                        sizeof TIMES / sizeof TIMES[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
