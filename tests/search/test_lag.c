// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/lag.h"

#include <check.h>

/* A game of White with 10 s and an increment of 100 ms; positions are numbers. */
static Lag lag;
static Path path;
static Limits limits;

static void setup(void)
{
    lag = (Lag){0};
    path = (Path){.keys = {1}, .count = 1};
    limits = (Limits){.has_clock = true,
                      .clock_ms = {[WHITE] = 10000, [BLACK] = 10000},
                      .increment_ms = {[WHITE] = 100, [BLACK] = 100}};
}

static void play_two_plies(void)
{
    for (int ply = 0; ply < 2; ply++)
        path_extend(&path, &(Position){.key = path.keys[path.count - 1] + 1});
}

/* Searches a move with one pause; then two plies were played. */
static void search_move(int64_t spent_ms, int64_t pause_ms)
{
    lag_read(&lag, &path, WHITE, &limits);
    lag_note(&lag, &path, WHITE, &limits, spent_ms, pause_ms);
    play_two_plies();
}

/* Searches a move for 150 ms with one pause; then the clock has lost `lag_ms` more. */
static void move(int64_t lag_ms, int64_t pause_ms)
{
    search_move(150, pause_ms);
    limits.clock_ms[WHITE] += 100 - 150 - lag_ms;
}

/* Begins to ponder; the GUI says that the clock has `sent_ms`. Returns the limits of the search. */
static Limits ponder(int64_t sent_ms)
{
    Limits ponders = limits;
    ponders.ponder = true;
    ponders.clock_ms[WHITE] = sent_ms;
    lag_read(&lag, &path, WHITE, &ponders);
    return ponders;
}

/* As move(), but by a ponderhit. */
static void ponder_move(int64_t sent_ms, int64_t lag_ms)
{
    const Limits ponders = ponder(sent_ms);
    lag_note(&lag, &path, WHITE, &ponders, 150, 0);
    play_two_plies();
    limits.clock_ms[WHITE] += 100 - 150 - lag_ms;
}

START_TEST(without_lag_the_option_is_the_overhead)
{
    for (int i = 0; i < 20; i++)
        move(0, 0);
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_eq(lag_overhead_ms(&lag, 10), 10);
    ck_assert_int_eq(lag_reserve_ms(&lag), 0);
}
END_TEST

START_TEST(a_steady_lag_becomes_the_overhead)
{
    for (int i = 0; i < 100; i++)
        move(40, 0);
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_ge(lag_overhead_ms(&lag, 10), 39);
    ck_assert_int_le(lag_overhead_ms(&lag, 10), 42);
    ck_assert_int_eq(lag_overhead_ms(&lag, 60), 60);
    ck_assert_int_eq(lag_reserve_ms(&lag), 80);
    ck_assert_int_eq(lag_deficit_ms(&lag, 40, 0), 0);
    ck_assert_int_ge(lag_deficit_ms(&lag, 10, 0), 29 * LAG_MOVES);
    ck_assert_int_le(lag_deficit_ms(&lag, 10, 0), 32 * LAG_MOVES);
}
END_TEST

START_TEST(a_lag_that_has_ended_is_forgotten_even_if_the_gui_gives_time_back)
{
    for (int i = 0; i < 30; i++)
        move(100, 0);
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_gt(lag_overhead_ms(&lag, 10), 80);
    for (int i = 0; i < 100; i++)
        move(-3, 0);
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_eq(lag_overhead_ms(&lag, 10), 10);
    ck_assert_int_eq(lag_deficit_ms(&lag, 0, 0), 0);
    ck_assert_int_lt(lag_reserve_ms(&lag), 200);
}
END_TEST

START_TEST(time_that_a_control_adds_is_no_negative_lag)
{
    for (int i = 0; i < 100; i++) {
        limits.moves_to_go = 4 - i % 4;
        move(40, 0);
        if (limits.moves_to_go == 1)
            limits.clock_ms[WHITE] += 2000;
    }
    limits.moves_to_go = 4;
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_ge(lag_overhead_ms(&lag, 10), 39);
}
END_TEST

START_TEST(a_control_has_passed_if_more_moves_are_to_go)
{
    for (int i = 0; i < 30; i++)
        move(40, 0);
    limits.moves_to_go = 2;
    move(40, 0);
    limits.clock_ms[WHITE] += 3000; // move 1 of the control was played by hand
    limits.moves_to_go = 40;
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_ge(lag_overhead_ms(&lag, 10), 30);
}
END_TEST

START_TEST(before_a_control_time_stays_for_the_moves_up_to_it)
{
    for (int i = 0; i < 100; i++)
        move(140, 0);
    const int64_t kept_ms = lag_kept_ms(&lag, 100000, 100, 0);
    ck_assert_int_eq(lag_kept_ms(&lag, 100000, 100, 31), kept_ms);
    ck_assert_int_eq(lag_kept_ms(&lag, 100000, 100, 100), kept_ms);
    ck_assert_int_eq(lag_kept_ms(&lag, 100000, 100, 1), lag_reserve_ms(&lag));
    ck_assert_int_lt(lag_kept_ms(&lag, 100000, 100, 3), kept_ms);
}
END_TEST

START_TEST(a_clock_in_whole_seconds_is_no_lag)
{
    int64_t exact_ms = 60000;
    limits.increment_ms[WHITE] = 0;
    for (int i = 0; i < 40; i++) {
        limits.clock_ms[WHITE] = exact_ms / 1000 * 1000;
        search_move(730, 0);
        exact_ms -= 730;
    }
    ck_assert_int_eq(lag_overhead_ms(&lag, 10), 10);
    ck_assert_int_eq(lag_reserve_ms(&lag), 0);
}
END_TEST

START_TEST(whole_seconds_that_the_gui_gives_back_end_a_lag)
{
    limits.increment_ms[WHITE] = 0;
    limits.clock_ms[WHITE] = 60000;
    search_move(1000, 0);
    limits.clock_ms[WHITE] = 57000;
    search_move(1000, 0);
    ck_assert_int_gt(lag_overhead_ms(&lag, 0), 100);
    limits.clock_ms[WHITE] = 59000;
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_eq(lag.average, 0); // no credit for later lags
}
END_TEST

START_TEST(lag_never_takes_the_whole_clock)
{
    for (int i = 0; i < 30; i++)
        move(2000, 2000);
    for (int64_t clock_ms = 100; clock_ms < 100000; clock_ms *= 2)
        ck_assert_int_lt(lag_kept_ms(&lag, clock_ms, 0, 0), clock_ms);
}
END_TEST

START_TEST(one_long_lag_raises_the_reserve_and_fades)
{
    move(200, 0);
    move(0, 0);
    ck_assert_int_eq(lag_reserve_ms(&lag), 400);
    ck_assert_int_le(lag_overhead_ms(&lag, 0), 13);
    for (int i = 0; i < 60; i++)
        move(0, 0);
    ck_assert_int_gt(lag_reserve_ms(&lag), 100);
    for (int i = 0; i < 300; i++)
        move(0, 0);
    ck_assert_int_eq(lag_reserve_ms(&lag), 0);
}
END_TEST

START_TEST(a_pause_of_the_search_raises_the_reserve)
{
    move(0, 90);
    ck_assert_int_eq(lag_reserve_ms(&lag), 180);
}
END_TEST

START_TEST(an_overloaded_machine_is_known_before_its_pauses)
{
    for (int i = 0; i < 10; i++)
        lag_note_share(&lag, 20000, 19000, 0);
    ck_assert_int_eq(lag_reserve_ms(&lag), 0);
    for (int i = 0; i < 10; i++)
        lag_note_share(&lag, 20000, 8000, 0);
    ck_assert_int_eq(lag_reserve_ms(&lag), 2 * LAG_OVERLOAD_MS);
    lag_new_game(&lag);
    ck_assert_int_eq(lag_reserve_ms(&lag), 2 * LAG_OVERLOAD_MS);
    move(0, 300);
    ck_assert_int_eq(lag_reserve_ms(&lag), 600);
    lag_new_game(&lag);
    ck_assert_int_eq(lag_reserve_ms(&lag), 600);
    for (int i = 0; i < 60; i++)
        lag_note_share(&lag, 20000, 20000, 0);
    lag.longest_ms = 0;
    ck_assert_int_eq(lag_reserve_ms(&lag), 0);
    lag_new_game(&lag);
    ck_assert_int_eq(lag_reserve_ms(&lag), 0);
}
END_TEST

/* Searches of 5 ms, with a clock that advances in steps of 15 ms: two thirds of them seem to have
 * no processor. On the busy machine each has one for half of its time. */
START_TEST(a_coarse_clock_shows_the_share_of_many_short_searches)
{
    for (int i = 0; i < 600; i++) {
        lag_note_share(&lag, 5000, i % 3 == 2 ? 15000 : 0, 15000);
        ck_assert_int_eq(lag_reserve_ms(&lag), 0);
    }
    for (int i = 0; i < 600; i++)
        lag_note_share(&lag, 5000, i % 6 == 5 ? 15000 : 0, 15000);
    ck_assert_int_eq(lag_reserve_ms(&lag), 2 * LAG_OVERLOAD_MS);
}
END_TEST

START_TEST(a_very_long_pause_keeps_half_of_the_clock)
{
    move(0, 5000);
    ck_assert_int_eq(lag_reserve_ms(&lag), 10000);
    ck_assert_int_eq(lag_kept_ms(&lag, 10000, 100, 0), 5000);
    ck_assert_int_eq(lag_kept_ms(&lag, 60000, 100, 0), 10000);
    ck_assert_int_eq(lag_kept_ms(&lag, 1500, 100, 0), LAG_RESERVE_MS);
    ck_assert_int_eq(lag_kept_ms(&lag, 1000, 100, 0), 750); // a move still has a quarter
    lag.longest_ms = 400; // pauses of this length happen: then most of a short clock is kept
    ck_assert_int_eq(lag_kept_ms(&lag, 1100, 100, 0), 800);
}
END_TEST

START_TEST(another_game_is_no_lag)
{
    move(0, 0);
    path.keys[path.count - 3] = 99;
    limits.clock_ms[WHITE] -= 3000;
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_eq(lag_reserve_ms(&lag), 0);
}
END_TEST

START_TEST(a_new_game_remembers_the_pauses_only)
{
    for (int i = 0; i < 30; i++)
        move(20, 0);
    move(0, 150);
    lag_new_game(&lag);
    ck_assert_int_eq(lag_reserve_ms(&lag), 300);
    ck_assert_int_eq(lag_overhead_ms(&lag, 0), 0);
    limits.clock_ms[WHITE] -= 3000;
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_eq(lag_reserve_ms(&lag), 300);
}
END_TEST

/* After a wrong guess of the opponent's move, `go` sends the real clock. */
START_TEST(a_lag_counts_once_although_pondering_was_in_vain)
{
    move(160, 0);
    ponder(limits.clock_ms[WHITE] + 160);
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_eq(lag.average, 160);
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_eq(lag.average, 160);
}
END_TEST

START_TEST(the_clock_of_a_ponder_search_is_no_measurement)
{
    for (int i = 0; i < 30; i++) {
        const int64_t stale_ms = limits.clock_ms[WHITE];
        move(0, 0);
        ponder(i % 2 == 0 ? stale_ms : stale_ms - 3000);
    }
    ck_assert_int_eq(lag_overhead_ms(&lag, 0), 0);
    ck_assert_int_eq(lag_reserve_ms(&lag), 0);
}
END_TEST

START_TEST(a_ponder_search_that_has_no_clock_ends_no_measurement)
{
    move(160, 0);
    Limits ponders = {.ponder = true};
    lag_read(&lag, &path, WHITE, &ponders);
    ck_assert(!ponders.has_clock);
    ck_assert_int_eq(ponders.clock_ms[WHITE], 0);
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_eq(lag.average, 160);
}
END_TEST

START_TEST(moves_after_ponderhits_share_the_lag_that_the_next_clock_shows)
{
    for (int i = 0; i < 20; i++)
        move(100, 0);
    lag_read(&lag, &path, WHITE, &limits);
    const int64_t average = lag.average;
    setup();
    for (int i = 0; i < 20; i++) {
        if (i % 4 == 0)
            move(100, 0);
        else
            ponder_move(10000, 100); // the GUI never changes the clock that it sends
    }
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_eq(lag.average, average);
}
END_TEST

START_TEST(a_ponder_search_has_the_expected_clock_if_the_sent_one_is_larger)
{
    ck_assert_int_eq(ponder(9000).clock_ms[WHITE], 9000); // nothing is known
    move(0, 0);
    ck_assert_int_eq(ponder(10000).clock_ms[WHITE], 9950);
    ck_assert_int_eq(ponder(9000).clock_ms[WHITE], 9000);
    ck_assert_int_eq(ponder(10000).clock_ms[BLACK], 10000);
    ponder_move(9000, 0);
    ck_assert_int_eq(ponder(10000).clock_ms[WHITE], 9900);
    lag.average = 20 * LAG_FADING; // each of two moves has lost as much
    ck_assert_int_eq(ponder(10000).clock_ms[WHITE], 9860);
}
END_TEST

START_TEST(a_ponder_search_of_another_game_has_the_sent_clock)
{
    move(0, 0);
    path.keys[path.count - 3] = 99;
    const Limits ponders = ponder(20000);
    ck_assert_int_eq(ponders.clock_ms[WHITE], 20000);
    lag_note(&lag, &path, WHITE, &ponders, 150, 0);
    play_two_plies();
    ck_assert_int_eq(ponder(20000).clock_ms[WHITE], 20000);
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_eq(lag_reserve_ms(&lag), 0);
}
END_TEST

START_TEST(a_lag_of_several_moves_is_a_pause_as_far_as_it_exceeds_the_average)
{
    move(0, 0);
    ponder_move(10000, 200);
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_gt(lag.longest_ms, 180); // almost all of it: moves have not lost time before
    ck_assert_int_le(lag.longest_ms, 200);
    setup();
    for (int i = 0; i < 40; i++)
        move(100, 0);
    move(100, 0);
    for (int i = 0; i < 9; i++)
        ponder_move(10000, 100);
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_ge(lag.longest_ms, 100);
    ck_assert_int_lt(lag.longest_ms, 200);
    setup();
    move(100, 0);
    for (int i = 0; i < 39; i++)
        ponder_move(10000, 100);
    lag_read(&lag, &path, WHITE, &limits); // 4000 ms in all
    ck_assert_int_lt(lag.longest_ms, 600);
}
END_TEST

START_TEST(pauses_fade_by_moves_after_ponderhits_too)
{
    move(200, 0);
    move(0, 0);
    for (int i = 0; i < 60; i++)
        ponder_move(10000, 0);
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_gt(lag.longest_ms, 100);
    ck_assert_int_lt(lag.longest_ms, 150);
}
END_TEST

/* The control comes after the third move; the GUI sends no movestogo that has changed. */
START_TEST(a_control_between_ponderhits_ends_the_expected_clock)
{
    limits.moves_to_go = 3;
    move(40, 0);
    ponder_move(10000, 40);
    ck_assert_int_lt(ponder(10000).clock_ms[WHITE], 10000);
    ponder_move(10000, 40);
    limits.clock_ms[WHITE] += 2000;
    ck_assert_int_eq(ponder(12000).clock_ms[WHITE], 12000);
    ponder_move(12000, 40);
    lag_read(&lag, &path, WHITE, &limits);
    ck_assert_int_eq(lag.average, 0);
    ck_assert_int_eq(lag.longest_ms, 0);
    move(40, 0);
    limits.moves_to_go = 40; // that of move 1 was not seen
    ck_assert_int_eq(ponder(20000).clock_ms[WHITE], 20000);
}
END_TEST

START_TEST(a_clock_in_whole_seconds_is_no_lag_after_ponderhits)
{
    int64_t exact_ms = 60999;
    limits.increment_ms[WHITE] = 0;
    for (int i = 0; i < 40; i++) {
        limits.clock_ms[WHITE] = exact_ms / 1000 * 1000;
        if (i % 3 == 0)
            search_move(730, 0);
        else {
            const Limits ponders = ponder(limits.clock_ms[WHITE]);
            lag_note(&lag, &path, WHITE, &ponders, 730, 0);
            play_two_plies();
        }
        exact_ms -= 730;
    }
    ck_assert_int_eq(lag_reserve_ms(&lag), 0);
}
END_TEST

START_TEST(a_search_without_a_clock_ends_the_measuring)
{
    move(300, 0);
    limits.has_clock = false;
    move(300, 0);
    limits.has_clock = true;
    move(300, 0);
    ck_assert_int_eq(lag_reserve_ms(&lag), 0);
}
END_TEST

START_TEST(time_that_a_control_adds_is_no_lag)
{
    move(-60000, 0);
    move(0, 0);
    ck_assert_int_eq(lag_reserve_ms(&lag), 0);
    ck_assert_int_eq(lag_overhead_ms(&lag, 0), 0);
    for (int i = 0; i < 30; i++)
        move(40, 0);
    move(-60000, 0);
    move(40, 0);
    ck_assert_int_ge(lag_overhead_ms(&lag, 0), 30); // nor does it end one
}
END_TEST

START_TEST(a_clock_that_was_set_back_is_no_lag)
{
    move(LAG_MAX_MS + 1, 0);
    move(0, LAG_MAX_MS + 1);
    ck_assert_int_eq(lag_overhead_ms(&lag, 0), 0);
    ck_assert_int_le(lag_reserve_ms(&lag), 2 * LAG_MAX_MS);
}
END_TEST

Suite *suite_lag(void);
Suite *suite_lag(void)
{
    Suite *const suite = suite_create("lag");
    TCase *const tcase = tcase_create("lag");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, without_lag_the_option_is_the_overhead);
    tcase_add_test(tcase, a_steady_lag_becomes_the_overhead);
    tcase_add_test(tcase, a_lag_that_has_ended_is_forgotten_even_if_the_gui_gives_time_back);
    tcase_add_test(tcase, time_that_a_control_adds_is_no_negative_lag);
    tcase_add_test(tcase, a_control_has_passed_if_more_moves_are_to_go);
    tcase_add_test(tcase, before_a_control_time_stays_for_the_moves_up_to_it);
    tcase_add_test(tcase, a_clock_in_whole_seconds_is_no_lag);
    tcase_add_test(tcase, whole_seconds_that_the_gui_gives_back_end_a_lag);
    tcase_add_test(tcase, lag_never_takes_the_whole_clock);
    tcase_add_test(tcase, one_long_lag_raises_the_reserve_and_fades);
    tcase_add_test(tcase, a_pause_of_the_search_raises_the_reserve);
    tcase_add_test(tcase, an_overloaded_machine_is_known_before_its_pauses);
    tcase_add_test(tcase, a_coarse_clock_shows_the_share_of_many_short_searches);
    tcase_add_test(tcase, a_very_long_pause_keeps_half_of_the_clock);
    tcase_add_test(tcase, another_game_is_no_lag);
    tcase_add_test(tcase, a_new_game_remembers_the_pauses_only);
    tcase_add_test(tcase, a_lag_counts_once_although_pondering_was_in_vain);
    tcase_add_test(tcase, the_clock_of_a_ponder_search_is_no_measurement);
    tcase_add_test(tcase, a_ponder_search_that_has_no_clock_ends_no_measurement);
    tcase_add_test(tcase, moves_after_ponderhits_share_the_lag_that_the_next_clock_shows);
    tcase_add_test(tcase, a_ponder_search_has_the_expected_clock_if_the_sent_one_is_larger);
    tcase_add_test(tcase, a_ponder_search_of_another_game_has_the_sent_clock);
    tcase_add_test(tcase, a_lag_of_several_moves_is_a_pause_as_far_as_it_exceeds_the_average);
    tcase_add_test(tcase, pauses_fade_by_moves_after_ponderhits_too);
    tcase_add_test(tcase, a_control_between_ponderhits_ends_the_expected_clock);
    tcase_add_test(tcase, a_clock_in_whole_seconds_is_no_lag_after_ponderhits);
    tcase_add_test(tcase, a_search_without_a_clock_ends_the_measuring);
    tcase_add_test(tcase, time_that_a_control_adds_is_no_lag);
    tcase_add_test(tcase, a_clock_that_was_set_back_is_no_lag);
    suite_add_tcase(suite, tcase);
    return suite;
}
