// SPDX-License-Identifier: GPL-3.0-or-later
/* The engine and the clock: pondering and lag. */
#include "engine/engine.h"

#include <check.h>

#include "base/clock.h"
#include "chess/play.h"
#include "chess/pos_from_fen.h"
#include "engine/engine_fixture.h"

/* Nodes that a search far beyond a clock of 1 ms has. */
enum { NODES_BEYOND_CLOCK = 50000 };

static SearchJob clock_job(int64_t clock_ms)
{
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.limits.has_clock = true;
    job.limits.clock_ms[WHITE] = job.limits.clock_ms[BLACK] = clock_ms;
    return job;
}

static int64_t ponderhit_takes_ms(void)
{
    SearchJob job = clock_job(1);
    job.limits.ponder = true;
    engine_start(engine, &job);
    run_await_nodes(engine, NODES_BEYOND_CLOCK);
    ck_assert(engine_is_searching(engine));
    const int64_t before = clock_ms();
    engine_ponderhit(engine);
    engine_wait(engine);
    const int64_t taken = clock_ms() - before;
    run_check_done(&run, &job);
    return taken;
}

START_TEST(pondering_ignores_the_clock_until_the_ponderhit)
{
    for (int late = 0; ponderhit_takes_ms() >= 100; late++)
        ck_assert_int_lt(late, TRIES - 1);
}
END_TEST

static void play_two_plies(SearchJob *job)
{
    const Move moves[] = {move_make(H2, H3, KIND_NORMAL), move_make(H7, H6, KIND_NORMAL),
                          move_make(H3, H4, KIND_NORMAL), move_make(H6, H5, KIND_NORMAL)};
    for (int i = 0; i < 2; i++) {
        pos_advance(&job->root, moves[job->path.count - 1]);
        path_extend(&job->path, &job->root);
    }
}

/* The first move of a game; its search takes a few milliseconds of this clock. */
static SearchJob begin_game(int64_t clock_ms)
{
    SearchJob job = clock_job(clock_ms);
    job.limits.depth = 6;
    run_search(engine, &job);
    play_two_plies(&job);
    job.limits.ponder = true;
    return job;
}

/* Between the ponderhit and the next search, the clock loses LOST_MS more than the search took. */
START_TEST(time_before_the_ponderhit_is_not_taken_from_the_clock)
{
    enum { PONDERED_MS = 300, LOST_MS = 200 };
    const int64_t start = clock_ms();
    SearchJob job = begin_game(10000);
    const int64_t first_ms = clock_ms() - start, ran_us = engine_lag(engine).ran_us;
    engine_start(engine, &job);
    clock_sleep_ms(PONDERED_MS);
    const int64_t before = clock_ms();
    engine_ponderhit(engine);
    engine_wait(engine);
    ck_assert_int_eq(engine_lag(engine).ran_us, ran_us); // most of it was before the ponderhit
    ck_assert_int_eq(engine_lag(engine).moves, 2);
    job.limits.ponder = false;
    job.limits.clock_ms[WHITE] -= first_ms + clock_ms() - before + LOST_MS;
    play_two_plies(&job);
    run_search(engine, &job);
    const int64_t lost_ms = engine_lag(engine).longest_ms;
    ck_assert_int_ge(lost_ms, LOST_MS / 2); // at least its share of the two moves
    ck_assert_int_lt(lost_ms, LOST_MS + PONDERED_MS);
    ck_assert_int_gt(engine_lag(engine).average, 0);
    engine_new_game(engine);
    ck_assert_int_eq(engine_lag(engine).average, 0);
}
END_TEST

START_TEST(a_search_that_still_ponders_takes_no_time_from_the_clock)
{
    SearchJob job = clock_job(10000);
    job.limits.ponder = true;
    engine_start(engine, &job);
    run_await_nodes(engine, 1);
    stop_search(engine);
    ck_assert_int_eq(engine_lag(engine).moves, 0);
}
END_TEST

START_TEST(after_a_wrong_guess_the_real_clock_shows_the_lag)
{
    enum { LOST_MS = 200 };
    SearchJob job = begin_game(10000); // the clock of the last `go`, as some GUIs send it
    engine_start(engine, &job);
    run_await_nodes(engine, 1);
    stop_search(engine);
    ck_assert_int_eq(engine_lag(engine).average, 0);
    job.limits.ponder = false;
    job.limits.clock_ms[WHITE] = engine_lag(engine).clock_ms - LOST_MS;
    run_search(engine, &job);
    ck_assert_int_eq(engine_lag(engine).average, LOST_MS);
}
END_TEST

static int64_t ponderhit_with_too_large_a_clock_takes_ms(void)
{
    engine_new_game(engine);
    SearchJob job = begin_game(100);
    job.limits.depth = 0;
    job.limits.clock_ms[WHITE] = 100000;
    engine_start(engine, &job);
    const int64_t before = clock_ms();
    engine_ponderhit(engine);
    engine_wait(engine);
    return clock_ms() - before;
}

START_TEST(pondering_uses_the_expected_clock_if_the_sent_one_is_larger)
{
    for (int late = 0; ponderhit_with_too_large_a_clock_takes_ms() >= 100; late++)
        ck_assert_int_lt(late, TRIES - 1);
}
END_TEST

START_TEST(an_infinite_search_ignores_a_clock)
{
    SearchJob job = clock_job(1);
    job.limits.infinite = true;
    engine_start(engine, &job);
    run_await_nodes(engine, NODES_BEYOND_CLOCK);
    stop_search(engine);
    run_check_done(&run, &job);
    const Lag lag = engine_lag(engine);
    ck_assert_int_eq(lag.moves, 0);
    ck_assert_int_eq(lag.wall_us, 0);
}
END_TEST

Suite *suite_engine_clock(void);
Suite *suite_engine_clock(void)
{
    Suite *const suite = suite_create("engine_clock");
    TCase *const tcase = tcase_create("engine_clock");
    tcase_add_checked_fixture(tcase, engine_setup, engine_teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, pondering_ignores_the_clock_until_the_ponderhit);
    tcase_add_test(tcase, time_before_the_ponderhit_is_not_taken_from_the_clock);
    tcase_add_test(tcase, a_search_that_still_ponders_takes_no_time_from_the_clock);
    tcase_add_test(tcase, after_a_wrong_guess_the_real_clock_shows_the_lag);
    tcase_add_test(tcase, pondering_uses_the_expected_clock_if_the_sent_one_is_larger);
    tcase_add_test(tcase, an_infinite_search_ignores_a_clock);
    suite_add_tcase(suite, tcase);
    return suite;
}
