// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

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

START_TEST(a_bar_without_a_label_shows_nothing)
{
    Progress bars[2] = {0}; // the first is never started
    progress_start(&bars[1], NULL, 2);
    const int file = open("progress-test.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
    const int old = dup(STDERR_FILENO);
    ck_assert(file >= 0 && old >= 0 && dup2(file, STDERR_FILENO) >= 0);
    for (int i = 0; i < 2; i++) {
        progress_update(&bars[i], 2);
        progress_end(&bars[i], true);
    }
    dup2(old, STDERR_FILENO);
    ck_assert_int_eq(lseek(file, 0, SEEK_END), 0);
    close(old);
    close(file);
    remove("progress-test.txt");
}
END_TEST

Suite *suite_progress(void);
Suite *suite_progress(void)
{
    Suite *suite = suite_create("progress");
    TCase *tcase = tcase_create("progress");
    tcase_add_loop_test(tcase, times_have_hours_only_when_needed, 0,
                        sizeof TIMES / sizeof TIMES[0]);
    tcase_add_test(tcase, a_bar_without_a_label_shows_nothing);
    suite_add_tcase(suite, tcase);
    return suite;
}
