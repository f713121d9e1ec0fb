// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/epdtest.h"

#include <check.h>

#include "chess/fen.h"
#include "engine/engine_fixture.h"

/* Searches the EPD line with these limits and number of lines. */
static EpdTestAnswer search_with(const char *line, const Limits *limits, int multi_pv,
                                 EngineStopsFn stops, bool *is_complete)
{
    static EpdRecord record;
    EpdGoal goal;
    EpdTestAnswer answer;
    char error[FEN_ERROR_MAX];
    ck_assert_msg(epd_parse(&record, line, false, error), "%s", error);
    ck_assert_int_eq(epd_goal_read(&goal, &record, error), 1);
    SearchJob job = {.root = record.pos, .multi_pv = multi_pv, .limits = *limits};
    path_start(&job.path, &job.root);
    *is_complete = epd_test_search(engine, &job, &goal, stops, NULL, &answer);
    return answer;
}

/* Searches the EPD line to this depth. */
static EpdTestAnswer search(const char *line, int depth, EngineStopsFn stops, bool *is_complete)
{
    const Limits limits = {.depth = depth};
    return search_with(line, &limits, 1, stops, is_complete);
}

static EpdTestAnswer search_all(const char *line, int depth)
{
    bool is_complete;
    const EpdTestAnswer answer = search(line, depth, NULL, &is_complete);
    ck_assert(is_complete);
    return answer;
}

START_TEST(a_capture_is_found_at_once_and_kept)
{
    const EpdTestAnswer a = search_all("4k3/8/8/3q4/8/8/8/3RK3 w - - bm Rxd5; c0 \"Rxd5=9\";", 6);
    ck_assert(a.is_solved);
    ck_assert_int_eq(a.points, 9);
    ck_assert_int_eq(a.found.depth, 1);
    ck_assert_int_eq(a.end.depth, 6);
    ck_assert_uint_gt(a.found.nodes, 0);
    ck_assert_uint_gt(a.end.nodes, a.found.nodes);
}
END_TEST

#define TEST_FEN "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -"

static bool stops(void *ctx)
{
    (void)ctx;
    return true;
}

START_TEST(the_table_is_empty_also_after_an_infinite_search)
{
    const uint64_t nodes = search_all(TEST_FEN " bm Bb5;", 6).end.nodes;
    SearchJob job = {.multi_pv = 1};
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&job.root, TEST_FEN, false, error));
    job.limits = (Limits){.infinite = true, .depth = 7};
    path_start(&job.path, &job.root);
    ck_assert(!engine_search(engine, &job, stops, NULL));
    ck_assert_uint_eq(search_all(TEST_FEN " bm Bb5;", 6).end.nodes, nodes);
}
END_TEST

START_TEST(only_the_first_of_several_lines_is_the_answer)
{
    const Limits limits = {.depth = 6};
    bool is_complete;
    const EpdTestAnswer a =
        search_with("4k3/8/8/3q4/8/8/8/3RK3 w - - bm Rxd5;", &limits, 3, NULL, &is_complete);
    ck_assert(a.is_solved);
    ck_assert_int_eq(a.found.depth, 1);
}
END_TEST

START_TEST(a_move_with_some_of_the_points_is_not_solved)
{
    const EpdTestAnswer a = search_all("4k3/8/8/3q4/8/8/8/3RK3 w - - c0 \"Kf2=9, Rxd5=4\";", 5);
    ck_assert(!a.is_solved);
    ck_assert_int_eq(a.points, 4);
}
END_TEST

START_TEST(a_wrong_answer_has_no_moment)
{
    const EpdTestAnswer a = search_all("4k3/8/8/3q4/8/8/8/3RK3 w - - am Rxd5;", 5);
    ck_assert(!a.is_solved);
    ck_assert_int_eq(a.found.depth, 0);
    ck_assert_uint_eq(a.found.nodes, 0);
    ck_assert_int_eq(a.end.depth, 5);
}
END_TEST

START_TEST(a_deeper_answer_is_found_later)
{
    /* Mate in two: the first iterations see no mate. */
    const char *const line = "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - dm 2;";
    const EpdTestAnswer a = search_all(line, 12);
    ck_assert(a.is_solved);
    ck_assert_int_gt(a.found.depth, 1);
    ck_assert_int_lt(a.end.depth, 12); // the search ends with the mate
    ck_assert_int_eq(score_mate_moves(a.score), 2);
}
END_TEST

START_TEST(the_search_ends_with_the_mate_of_the_side_to_move)
{
    const EpdTestAnswer a = search_all("7k/8/5K2/8/8/8/8/6Q1 b - - dm -1;", 60);
    ck_assert(a.is_solved);
    ck_assert_int_lt(a.end.depth, 60);
    ck_assert_int_eq(score_mate_moves(a.score), -1);
}
END_TEST

START_TEST(the_mate_of_the_limits_is_searched_in_place_of_the_wanted_one)
{
    const Limits limits = {.mate = 2};
    bool is_complete;
    const EpdTestAnswer a =
        search_with("k7/8/2K5/8/8/8/8/1R6 w - - dm 1;", &limits, 1, NULL, &is_complete);
    ck_assert(is_complete && !a.is_solved);
    ck_assert_int_eq(score_mate_moves(a.score), 2);
    ck_assert_int_eq(a.end.depth, 3); // the search ends with this mate
}
END_TEST

START_TEST(moves_are_wanted_more_than_a_mate)
{
    static const char *const LINES[] = {"7k/8/5K2/8/8/8/8/6Q1 w - - bm Qg7; dm 1;",
                                        "7k/8/5K2/8/8/8/8/6Q1 w - - am Kf7; dm 1;"};
    for (int i = 0; i < 2; i++) {
        const EpdTestAnswer a = search_all(LINES[i], 6);
        ck_assert(a.is_solved);
        ck_assert_int_eq(a.end.depth, 6);
    }
}
END_TEST

START_TEST(a_search_can_be_stopped)
{
    bool is_complete;
    search("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;", 200, stops, &is_complete);
    ck_assert(!is_complete);
}
END_TEST

/* An EPD file may ask for any mate, but a proof has a limit. */
START_TEST(a_mate_longer_than_a_proof_can_be_is_searched_within_the_limit)
{
    const EpdTestAnswer a = search_all("7k/8/8/8/8/8/8/KQ6 w - - dm 1000;", 4);
    ck_assert(!a.is_solved || score_is_mate(a.score));
    ck_assert_int_ne(a.move, MOVE_NONE);
    ck_assert_int_ge(a.end.depth, 4);
}
END_TEST

START_TEST(a_root_without_a_move_is_not_solved)
{
    const EpdTestAnswer a = search_all("7k/5Q2/6K1/8/8/8/8/8 b - - dm -1;", 4);
    ck_assert(!a.is_solved);
    ck_assert_int_eq(a.move, MOVE_NONE);
}
END_TEST

Suite *suite_epdtest(void);
Suite *suite_epdtest(void)
{
    Suite *suite = suite_create("epdtest");
    TCase *tcase = tcase_create("epdtest");
    tcase_add_checked_fixture(tcase, engine_setup, engine_teardown);
    tcase_add_test(tcase, a_capture_is_found_at_once_and_kept);
    tcase_add_test(tcase, the_table_is_empty_also_after_an_infinite_search);
    tcase_add_test(tcase, only_the_first_of_several_lines_is_the_answer);
    tcase_add_test(tcase, a_move_with_some_of_the_points_is_not_solved);
    tcase_add_test(tcase, a_wrong_answer_has_no_moment);
    tcase_add_test(tcase, a_deeper_answer_is_found_later);
    tcase_add_test(tcase, the_search_ends_with_the_mate_of_the_side_to_move);
    tcase_add_test(tcase, the_mate_of_the_limits_is_searched_in_place_of_the_wanted_one);
    tcase_add_test(tcase, moves_are_wanted_more_than_a_mate);
    tcase_add_test(tcase, a_search_can_be_stopped);
    tcase_add_test(tcase, a_mate_longer_than_a_proof_can_be_is_searched_within_the_limit);
    tcase_add_test(tcase, a_root_without_a_move_is_not_solved);
    suite_add_tcase(suite, tcase);
    return suite;
}
