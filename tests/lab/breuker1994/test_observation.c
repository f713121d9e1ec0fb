// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/breuker1994/observation.h"

#include <check.h>
#include <string.h>

START_TEST(an_observation_is_parsed_from_its_row)
{
    const Observation made = {
        .setting = {0x0BADF00D, REPLACE_BIG_ALL, 64, STAMPING_ON, HISTORY_AGED, true, 3},
        .ply = 7,
        .position = 18,
        .nodes = {1, 20000000000, 3},
        .score = -31990,
        .move = "e7e8q"};
    char row[RESULTS_ROW_MAX], key[RESULTS_ROW_MAX];
    Observation read;
    observation_print(&made, row);
    observation_key(&made, key);
    ck_assert_str_eq(row, "0badf00d,BigAll,64,stamped,aged,1,3,7,18,1,20000000000,3,-31990,e7e8q");
    ck_assert_int_eq(strncmp(row, key, strlen(key)), 0);
    ck_assert(observation_parse(&read, row));
    observation_print(&read, key);
    ck_assert_str_eq(row, key);
    ck_assert(!observation_parse(&read, "0badf00d,BigAll,64,stamped,aged,1,3,7,18,1,2,3,4"));
    ck_assert(!observation_parse(&read, "0badf00d,Bigger,64,stamped,aged,1,3,7,18,1,2,3,4,e2e4"));
}
END_TEST

Suite *suite_observation(void);
Suite *suite_observation(void)
{
    Suite *suite = suite_create("observation");
    TCase *tcase = tcase_create("observation");
    tcase_set_timeout(tcase, 4);
    tcase_add_test(tcase, an_observation_is_parsed_from_its_row);
    suite_add_tcase(suite, tcase);
    return suite;
}
