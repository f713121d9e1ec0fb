// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/nodestime.h"

#include <check.h>

enum { RATE = 100 };

static NodeClock node_clock;

static void setup(void)
{
    node_clock = (NodeClock){0};
}

/* Returns the time on White's node clock (ms) when the clock of the GUI has `ms`; then counts a
 * move of `nodes` nodes. */
static int64_t move(int64_t ms, int64_t increment_ms, int moves_to_go, uint64_t nodes)
{
    Limits limits = {.has_clock = true, .moves_to_go = moves_to_go};
    limits.clock_ms[WHITE] = ms;
    limits.clock_ms[BLACK] = 77;
    limits.increment_ms[WHITE] = increment_ms;
    nodestime_read(&node_clock, WHITE, RATE, &limits);
    nodestime_spend(&node_clock, WHITE, &limits, nodes);
    ck_assert_int_eq(limits.clock_ms[BLACK], 77);
    return limits.clock_ms[WHITE];
}

START_TEST(only_the_first_move_uses_the_clock_of_the_gui)
{
    ck_assert_int_eq(move(10000, 0, 0, 250000), 10000);
    ck_assert_int_eq(move(9999, 0, 0, 100), 7500);
    ck_assert_int_eq(move(1, 0, 0, 0), 7499);
}
END_TEST

START_TEST(an_increment_is_added_after_each_move)
{
    ck_assert_int_eq(move(1000, 10, 0, 20000), 1000);
    ck_assert_int_eq(move(1000, 10, 0, 20000), 810);
    ck_assert_int_eq(move(1000, 10, 0, 20000), 620);
}
END_TEST

START_TEST(each_time_control_adds_its_time)
{
    ck_assert_int_eq(move(1000, 0, 2, 40000), 1000);
    ck_assert_int_eq(move(900, 0, 1, 40000), 600);
    ck_assert_int_eq(move(1800, 0, 2, 40000), 1200);
    ck_assert_int_eq(move(1700, 0, 1, 40000), 800);
}
END_TEST

START_TEST(a_time_control_can_be_one_move_long)
{
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(move(1000, 0, 1, 40000), 1000 + 600 * i);
}
END_TEST

/* Some GUIs send a constant movestogo: their guess of the moves left in the game. */
START_TEST(a_constant_movestogo_adds_no_time)
{
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(move(1000, 0, 30, 20000), 1000 - 200 * i);
}
END_TEST

START_TEST(an_overdrawn_clock_stays_overdrawn_and_finite)
{
    move(10, 0, 0, 5000);
    ck_assert_int_eq(move(10, 0, 0, UINT64_MAX), -40);
    for (int i = 0; i < 5; i++)
        ck_assert_int_lt(move(10, INT64_C(1) << 45, 0, UINT64_MAX), 0);
}
END_TEST

START_TEST(each_side_has_its_own_clock)
{
    Limits limits = {.has_clock = true, .clock_ms = {5000, 3000}};
    move(5000, 0, 0, 400000);
    nodestime_read(&node_clock, BLACK, RATE, &limits);
    ck_assert_int_eq(limits.clock_ms[BLACK], 3000);
    ck_assert_int_eq(limits.clock_ms[WHITE], 5000);
}
END_TEST

START_TEST(another_rate_restarts_the_clock)
{
    Limits limits = {.has_clock = true, .clock_ms = {5000, 5000}};
    move(5000, 0, 0, 400000);
    nodestime_read(&node_clock, WHITE, 2 * RATE, &limits);
    ck_assert_int_eq(limits.clock_ms[WHITE], 5000);
}
END_TEST

START_TEST(a_search_without_a_clock_costs_nothing)
{
    Limits limits = {.has_move_time = true, .move_ms = 1000};
    move(5000, 0, 0, 0);
    nodestime_read(&node_clock, WHITE, RATE, &limits);
    nodestime_spend(&node_clock, WHITE, &limits, 100000);
    ck_assert_int_eq(limits.clock_ms[WHITE], 0);
    ck_assert_int_eq(move(5000, 0, 0, 0), 5000);
}
END_TEST

Suite *suite_nodestime(void);
Suite *suite_nodestime(void)
{
    Suite *suite = suite_create("nodestime");
    TCase *tcase = tcase_create("nodestime");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, only_the_first_move_uses_the_clock_of_the_gui);
    tcase_add_test(tcase, an_increment_is_added_after_each_move);
    tcase_add_test(tcase, each_time_control_adds_its_time);
    tcase_add_test(tcase, a_time_control_can_be_one_move_long);
    tcase_add_test(tcase, a_constant_movestogo_adds_no_time);
    tcase_add_test(tcase, an_overdrawn_clock_stays_overdrawn_and_finite);
    tcase_add_test(tcase, each_side_has_its_own_clock);
    tcase_add_test(tcase, another_rate_restarts_the_clock);
    tcase_add_test(tcase, a_search_without_a_clock_costs_nothing);
    suite_add_tcase(suite, tcase);
    return suite;
}
