// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>

#include "base/rng.h"
#include "search/params.h"
#include "search/timeman.h"

static Limits clock_of(int64_t ms, int64_t increment, int moves_to_go)
{
    Limits limits = {0};
    limits.has_clock = true;
    limits.clock_ms[WHITE] = limits.clock_ms[BLACK] = ms;
    limits.increment_ms[WHITE] = limits.increment_ms[BLACK] = increment;
    limits.moves_to_go = moves_to_go;
    return limits;
}

static TimePlan plan_at(int move_number, int64_t ms, int64_t increment, int moves_to_go,
                        int overhead)
{
    const Limits limits = clock_of(ms, increment, moves_to_go);
    return time_plan(&limits, WHITE, move_number, overhead);
}

static TimePlan plan_of(int64_t ms, int64_t increment, int moves_to_go, int overhead)
{
    return plan_at(30, ms, increment, moves_to_go, overhead);
}

static const TimeSigns plain = {
    .depth = 10, .best_share = 0.7, .stable_iterations = 4, .root_moves = 30};

START_TEST(a_cap_moves_both_deadlines)
{
    TimePlan plan = {.soft_ms = 300, .hard_ms = 900};
    time_cap(&plan, 1000);
    ck_assert_int_eq(plan.soft_ms, 300);
    ck_assert_int_eq(plan.hard_ms, 900);
    time_cap(&plan, 200);
    ck_assert_int_eq(plan.soft_ms, 200);
    ck_assert_int_eq(plan.hard_ms, 200);
    time_cap(&plan, -50);
    ck_assert_int_eq(plan.soft_ms, 1);
    ck_assert_int_eq(plan.hard_ms, 1);
}
END_TEST

START_TEST(deadlines_stay_within_the_clock)
{
    Rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < 50000; i++) {
        const int64_t clock = (int64_t)rng_below(&rng, 1ULL << rng_below(&rng, 36));
        const int64_t increment = (int64_t)rng_below(&rng, 1ULL << rng_below(&rng, 24));
        const int moves = rng_below(&rng, 2) ? (int)rng_below(&rng, 100) : 0;
        const int overhead = (int)rng_below(&rng, 1ULL << rng_below(&rng, 14));
        const int move_number = 1 + (int)rng_below(&rng, 65535);
        const TimePlan plan = plan_at(move_number, clock, increment, moves, overhead);
        ck_assert_int_ge(plan.soft_ms, 1);
        ck_assert_int_le(plan.soft_ms, plan.hard_ms);
        if (clock > overhead)
            ck_assert_int_le(plan.hard_ms, clock - overhead);
        else
            ck_assert_int_eq(plan.hard_ms, 1);
        if (clock > 1)
            ck_assert_int_lt(plan.hard_ms, clock);
        const TimeSigns signs = {.depth = (int)rng_below(&rng, 40),
                                 .best_share = (double)rng_below(&rng, 101) / 100,
                                 .stable_iterations = (int)rng_below(&rng, 20),
                                 .score_drop = (int)rng_below(&rng, 64001) - 32000,
                                 .previous_drop = (int)rng_below(&rng, 64001) - 32000,
                                 .root_moves = 1 + (int)rng_below(&rng, 3),
                                 .mate_found = rng_below(&rng, 4) == 0};
        const int64_t scaled = time_scaled(&plan, &signs);
        ck_assert_int_ge(scaled, 1);
        ck_assert_int_le(scaled, plan.hard_ms);
        ck_assert_int_le(scaled, 3 * plan.soft_ms);
        ck_assert_int_ge(scaled, signs.root_moves == 1 ? 1 : plan.soft_ms / 10);
    }
}
END_TEST

START_TEST(more_time_never_means_less_thinking)
{
    const int increments[] = {0, 10, 1000}, moves[] = {0, 1, 2, 40}, overheads[] = {0, 10, 500};
    for (int i = 0; i < 3 * 4 * 3; i++) {
        TimePlan last = {.soft_ms = 0, .hard_ms = 0};
        bool grows = true;
        for (int64_t clock = -100; clock < 100000; clock += 7) {
            const TimePlan plan =
                plan_of(clock, increments[i % 3], moves[i / 3 % 4], overheads[i / 12]);
            grows &= plan.soft_ms >= last.soft_ms && plan.hard_ms >= last.hard_ms;
            last = plan;
        }
        ck_assert_msg(grows, "clock %d", i);
        ck_assert_int_gt(last.soft_ms, 100);
    }
}
END_TEST

START_TEST(an_empty_or_overdrawn_clock_leaves_one_millisecond)
{
    const int64_t clocks[] = {INT64_MIN, -5000, -1, 0, 1, 10};
    for (int i = 0; i < 6; i++) {
        const TimePlan plan = plan_of(clocks[i], 10000, 0, 10);
        ck_assert_int_eq(plan.soft_ms, 1);
        ck_assert_int_eq(plan.hard_ms, 1);
    }
    Limits limits = clock_of(0, 0, 0); // only the other side's clock was given
    limits.clock_ms[BLACK] = 60000;
    ck_assert_int_eq(time_plan(&limits, WHITE, 30, 10).hard_ms, 1);
    ck_assert_int_gt(time_plan(&limits, BLACK, 30, 10).soft_ms, 500);
}
END_TEST

START_TEST(fifty_milliseconds_left_are_spent_in_small_parts)
{
    const TimePlan plan = plan_of(50, 0, 0, 5);
    ck_assert_int_le(plan.soft_ms, 3);
    ck_assert_int_le(plan.hard_ms, 20);
    const TimePlan bonus = plan_of(50, 10, 0, 5);
    ck_assert_int_le(bonus.hard_ms, 28);
}
END_TEST

START_TEST(forty_moves_share_four_minutes)
{
    const TimePlan plan = plan_of(240000, 0, 40, 10);
    ck_assert_int_ge(plan.soft_ms, 4500);
    ck_assert_int_le(plan.soft_ms, 6000);
    ck_assert_int_le(plan.hard_ms, 40000);
}
END_TEST

START_TEST(the_last_move_before_the_control_uses_most_of_the_clock)
{
    const TimePlan plan = plan_of(10000, 0, 1, 10);
    ck_assert_int_ge(plan.soft_ms, 7000);
    ck_assert_int_le(plan.hard_ms, 8500);
}
END_TEST

/* The increment of the last move before a control belongs to the time after it. */
START_TEST(before_a_control_the_increments_of_all_moves_but_the_last_count)
{
    ck_assert_int_eq(plan_of(10000, 1000, 1, 10).soft_ms, plan_of(10000, 0, 1, 10).soft_ms);
    const int64_t more = plan_of(100000, 1000, 3, 10).soft_ms - plan_of(100000, 0, 3, 10).soft_ms;
    const int64_t share = 1000 * 2 * params.time_control_share / (100 * 3);
    ck_assert_int_ge(more, share - 1); // rounding
    ck_assert_int_le(more, share + 1);
}
END_TEST

START_TEST(a_distant_control_still_leaves_time_for_each_move)
{
    ck_assert_int_eq(plan_of(600000, 0, 1000000000, 10).soft_ms,
                     plan_of(600000, 0, 50, 10).soft_ms);
}
END_TEST

START_TEST(a_huge_overhead_still_leaves_time_to_think)
{
    const TimePlan plan = plan_of(60000, 0, 0, 5000);
    ck_assert_int_ge(plan.soft_ms, 300);
    ck_assert_int_eq(plan_of(60000, 0, 0, 70000).hard_ms, 1);
    ck_assert_int_eq(plan_of(60000, 0, 20, INT32_MAX).hard_ms, 1);
}
END_TEST

/* A game in which every search uses its hard deadline, and the machine delays each move as well. */
static int64_t lowest_clock(int64_t clock, int64_t increment, int overhead, int lost)
{
    int64_t lowest = clock;
    for (int move = 0; move < 300; move++) {
        clock -= plan_at(move + 1, clock, increment, 0, overhead).hard_ms + lost;
        lowest = clock < lowest ? clock : lowest;
        clock += increment;
    }
    return lowest;
}

START_TEST(the_flag_never_falls_even_at_the_hard_deadline)
{
    ck_assert_int_gt(lowest_clock(1000, 10, 5, 5), 20);
    ck_assert_int_gt(lowest_clock(1000, 10, 10, 8), 10);
    ck_assert_int_gt(lowest_clock(2000, 20, 10, 10), 40);
    ck_assert_int_gt(lowest_clock(60000, 600, 10, 20), 100);
}
END_TEST

START_TEST(a_control_is_reached_over_a_pause_of_the_machine)
{
    int64_t clock = 15000;
    for (int moves = 40; moves > 0; moves--) {
        const TimePlan plan = plan_of(clock, 0, moves, 10);
        ck_assert_int_ge(clock - plan.hard_ms, 250);
        clock -= plan.soft_ms;
    }
    ck_assert_int_lt(clock, 500); // most of the time was used
}
END_TEST

START_TEST(a_game_at_soft_deadlines_uses_its_clock)
{
    int64_t clock = 60000;
    for (int move = 0; move < 60; move++)
        clock += 600 - plan_at(move + 1, clock, 600, 0, 10).soft_ms;
    ck_assert_int_lt(clock, 20000);
    ck_assert_int_gt(clock, 3000);
    clock = 60000;
    for (int move = 0; move < 150; move++) // no increment: the overhead is paid from the clock
        clock -= plan_at(move + 1, clock, 0, 0, 10).soft_ms + 5;
    ck_assert_int_gt(clock, 50);
}
END_TEST

START_TEST(early_moves_get_smaller_shares_of_the_clock)
{
    int64_t last = 0;
    for (int move = 1; move <= 30; move += 10) {
        const int64_t soft = plan_at(move, 60000, 0, 0, 10).soft_ms;
        ck_assert_int_gt(soft, last);
        last = soft;
    }
    ck_assert_int_eq(plan_at(60, 60000, 0, 0, 10).soft_ms, plan_at(65535, 60000, 0, 0, 10).soft_ms);
    ck_assert_int_eq(plan_at(1, 60000, 0, 20, 10).soft_ms,
                     plan_at(60, 60000, 0, 20, 10).soft_ms); // a control says itself how many
}
END_TEST

START_TEST(move_time_is_kept_to_the_overhead)
{
    Limits limits = {.has_move_time = true, .move_ms = 1000};
    const TimePlan plan = time_plan(&limits, BLACK, 1, 30);
    ck_assert_int_eq(plan.soft_ms, 970);
    ck_assert_int_eq(plan.hard_ms, 970);
    ck_assert(plan.fixed);
    ck_assert_int_eq(time_scaled(&plan, &(TimeSigns){.depth = 9, .root_moves = 1}), 970);
    ck_assert_int_eq(time_plan(&limits, BLACK, 1, 5000).hard_ms, 1);
    limits.move_ms = 0;
    ck_assert_int_eq(time_plan(&limits, BLACK, 1, 0).hard_ms, 1);
}
END_TEST

START_TEST(move_time_beyond_the_clock_is_cut)
{
    Limits limits = clock_of(500, 0, 0);
    limits.has_move_time = true;
    limits.move_ms = 10000;
    const TimePlan plan = time_plan(&limits, WHITE, 30, 10);
    ck_assert(plan.fixed);
    ck_assert_int_lt(plan.hard_ms, 490);
}
END_TEST

START_TEST(each_side_has_its_own_clock_and_increment)
{
    Limits limits = clock_of(60000, 0, 0);
    limits.clock_ms[BLACK] = 30000;
    limits.increment_ms[BLACK] = 2000;
    ck_assert_int_eq(time_plan(&limits, WHITE, 30, 10).soft_ms, plan_of(60000, 0, 0, 10).soft_ms);
    ck_assert_int_eq(time_plan(&limits, BLACK, 30, 10).soft_ms,
                     plan_of(30000, 2000, 0, 10).soft_ms);
}
END_TEST

START_TEST(without_a_clock_time_is_unlimited)
{
    Limits limits = {.depth = 10, .nodes = 1000};
    TimePlan plan = time_plan(&limits, WHITE, 30, 10);
    ck_assert_int_eq(plan.soft_ms, TIME_UNLIMITED);
    ck_assert_int_eq(plan.hard_ms, TIME_UNLIMITED);
    ck_assert_int_eq(time_scaled(&plan, &plain), TIME_UNLIMITED);
    limits = clock_of(1000, 0, 0);
    limits.infinite = limits.has_move_time = true;
    plan = time_plan(&limits, WHITE, 30, 10);
    ck_assert_int_eq(plan.hard_ms, TIME_UNLIMITED);
}
END_TEST

START_TEST(pondering_is_planned_like_any_search)
{
    Limits limits = clock_of(60000, 0, 0);
    const int64_t soft = time_plan(&limits, WHITE, 30, 10).soft_ms;
    limits.ponder = true;
    ck_assert_int_eq(time_plan(&limits, WHITE, 30, 10).soft_ms, soft);
}
END_TEST

START_TEST(an_only_move_or_a_mate_is_played_soon)
{
    const TimePlan plan = plan_of(600000, 0, 0, 10);
    TimeSigns signs = plain;
    const int64_t usual = time_scaled(&plan, &signs);
    ck_assert_int_gt(usual, 10000);
    signs.mate_found = true;
    ck_assert_int_lt(time_scaled(&plan, &signs), usual / 2);
    signs.mate_found = false;
    signs.root_moves = 1;
    ck_assert_int_le(time_scaled(&plan, &signs), 500);
}
END_TEST

START_TEST(uncertain_moves_take_more_time_and_certain_moves_less)
{
    const TimePlan plan = plan_of(600000, 0, 0, 10);
    const int64_t usual = time_scaled(&plan, &plain);
    TimeSigns signs = plain;
    signs.best_share = 0.95;
    ck_assert_int_lt(time_scaled(&plan, &signs), usual);
    signs = plain;
    signs.stable_iterations = 8;
    ck_assert_int_lt(time_scaled(&plan, &signs), usual);
    signs = plain;
    signs.score_drop = 40;
    ck_assert_int_gt(time_scaled(&plan, &signs), usual);
    signs = plain;
    signs.previous_drop = 20;
    ck_assert_int_gt(time_scaled(&plan, &signs), usual);
    signs = plain;
    signs.depth = 2; // too early to judge
    ck_assert_int_eq(time_scaled(&plan, &signs), plan.soft_ms);
}
END_TEST

START_TEST(the_soft_limit_is_scaled_by_the_product_of_the_factors)
{
    static const TimePlan PLAN = {.soft_ms = 100000, .hard_ms = 10000000};
    const double full = params.time_scale_max / 100.0;
    const double nodes = (params.time_nodes_base - params.time_nodes_slope * 0.7) / 100;
    const double stable = (params.time_stable_base - params.time_stable_slope * 4) / 100.0;
    const double stablest =
        (params.time_stable_base - params.time_stable_slope * params.time_stable_max) / 100.0;
    const double trend = params.time_trend_base / 1000.0;
    const struct {
        TimeSigns signs;
        double scale;
    } cases[] = {
        {plain, nodes * stable * trend},
        {{.depth = params.time_factors_min_depth - 1, .best_share = 0.1, .root_moves = 30}, 1.0},
        {{params.time_factors_min_depth, 0.7, 4, 0, 0, 30, false}, nodes * stable * trend},
        {{10, 0.7, 100, 0, 0, 30, false}, nodes * stablest * trend},
        {{10, 0.7, 4, 5, 0, 30, false}, nodes * stable * (trend + params.time_trend_drop * 0.005)},
        {{10, 0.7, 4, 0, 5, 30, false},
         nodes * stable * (trend + params.time_trend_previous * 0.005)},
        {{10, 0.7, 4, -900, 0, 30, false}, nodes * stable * params.time_trend_min / 1000},
        {{10, 1.0, 4, 900, 0, 30, false},
         (params.time_nodes_base - params.time_nodes_slope) / 100.0 * stable *
             params.time_trend_max / 1000},
        {{10, 0.0, 0, 900, 0, 30, false}, full},
        {{1, 0.7, 4, 0, 0, 30, true}, params.time_mate_share / 100.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double scaled = (double)time_scaled(&PLAN, &cases[i].signs);
        ck_assert_double_eq_tol(scaled, 100000 * cases[i].scale, 1);
    }
}
END_TEST

START_TEST(an_only_move_never_gets_more_time_than_without_this_rule)
{
    const TimePlan plan = {.soft_ms = 40, .hard_ms = 50};
    TimeSigns signs = plain;
    signs.depth = 1;
    signs.root_moves = 1;
    ck_assert_int_eq(time_scaled(&plan, &signs), 40);
    signs.depth = 10;
    signs.best_share = signs.stable_iterations = 0;
    ck_assert_int_eq(time_scaled(&plan, &signs), 50); // the hard limit
    const TimePlan least = {.soft_ms = 1, .hard_ms = 1};
    signs.mate_found = true;
    ck_assert_int_eq(time_scaled(&least, &signs), 1);
}
END_TEST

START_TEST(deadlines_are_the_shares_of_the_clock_that_the_parameters_give)
{
    const int64_t usable = 60000 - params.time_reserve_ms;
    TimePlan plan = plan_at(1, 60000, 0, 0, 0);
    ck_assert_int_eq(plan.soft_ms, usable / (params.time_moves_game - 1));
    ck_assert_int_eq(plan.hard_ms, plan.soft_ms * params.time_hard_of_soft / 100);
    plan = plan_at(70, 60000, 1000, 0, 100);
    ck_assert_int_eq(plan.soft_ms,
                     (usable - 100) / params.time_moves_least + 900 * params.time_increment / 100);
    plan = plan_at(70, 60000, 60000, 0, 0); // the hard limit is that of the clock
    ck_assert_int_eq(plan.hard_ms, usable * params.time_hard_of_clock / 100);
    plan = plan_at(1, 60000, 0, 1, 0);
    const int64_t before_control = 60000 - params.time_reserve_control_max;
    ck_assert_int_eq(plan.hard_ms, before_control * params.time_hard_of_clock_control / 100);
    plan = plan_at(1, 60000, 500, 20, 0);
    ck_assert_int_eq(plan.soft_ms, (60000 - params.time_reserve_control_max + 500 * 19) *
                                       params.time_control_share / (100 * 20));
}
END_TEST

Suite *suite_timeman(void);
Suite *suite_timeman(void)
{
    Suite *suite = suite_create("timeman");
    TCase *plans = tcase_create("plan");
    tcase_set_timeout(plans, 20);
    tcase_add_test(plans, deadlines_stay_within_the_clock);
    tcase_add_test(plans, a_cap_moves_both_deadlines);
    tcase_add_test(plans, more_time_never_means_less_thinking);
    tcase_add_test(plans, an_empty_or_overdrawn_clock_leaves_one_millisecond);
    tcase_add_test(plans, fifty_milliseconds_left_are_spent_in_small_parts);
    tcase_add_test(plans, forty_moves_share_four_minutes);
    tcase_add_test(plans, the_last_move_before_the_control_uses_most_of_the_clock);
    tcase_add_test(plans, before_a_control_the_increments_of_all_moves_but_the_last_count);
    tcase_add_test(plans, a_distant_control_still_leaves_time_for_each_move);
    tcase_add_test(plans, a_huge_overhead_still_leaves_time_to_think);
    tcase_add_test(plans, the_flag_never_falls_even_at_the_hard_deadline);
    tcase_add_test(plans, a_control_is_reached_over_a_pause_of_the_machine);
    tcase_add_test(plans, a_game_at_soft_deadlines_uses_its_clock);
    tcase_add_test(plans, early_moves_get_smaller_shares_of_the_clock);
    tcase_add_test(plans, move_time_is_kept_to_the_overhead);
    tcase_add_test(plans, move_time_beyond_the_clock_is_cut);
    tcase_add_test(plans, each_side_has_its_own_clock_and_increment);
    tcase_add_test(plans, without_a_clock_time_is_unlimited);
    tcase_add_test(plans, pondering_is_planned_like_any_search);
    suite_add_tcase(suite, plans);
    TCase *signs = tcase_create("signs");
    tcase_add_test(signs, an_only_move_or_a_mate_is_played_soon);
    tcase_add_test(signs, uncertain_moves_take_more_time_and_certain_moves_less);
    tcase_add_test(signs, the_soft_limit_is_scaled_by_the_product_of_the_factors);
    tcase_add_test(signs, an_only_move_never_gets_more_time_than_without_this_rule);
    tcase_add_test(signs, deadlines_are_the_shares_of_the_clock_that_the_parameters_give);
    suite_add_tcase(suite, signs);
    return suite;
}
