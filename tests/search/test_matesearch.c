// SPDX-License-Identifier: GPL-3.0-or-later
/* The turns of the proof in `go mate`, after results of the alpha-beta search that the tests set.
 */
#include "search/matesearch.h"

#include <check.h>

#include "search/worker_fixture.h"

static const char MATE_IN_3[] = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1";
static const char MATED_IN_2[] = "7k/8/5K2/8/8/8/8/R7 b - - 0 1";
static const char NO_MATE[] = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

static MateSearch search;
static Worker *w;

/* Begins `go mate moves` at `fen`; the alpha-beta search has completed this depth with `score`. */
static void begin(const char *fen, int moves, int depth, Score score)
{
    w = fixture_open(&fixture, fen, 1);
    w->may_stop = true;
    fixture.job.limits.mate = moves;
    ck_assert(matesearch_open(&search, w));
    w->completed_depth = depth;
    w->root_moves[0].score = score;
}

static void end(void)
{
    matesearch_close(&search);
    fixture_close(&fixture);
}

/* Takes steps while each finds a mate; returns the last one. */
static MateStep step_on(void)
{
    MateStep step = matesearch_step(&search);
    while (step == MATE_STEP_FOUND)
        step = matesearch_step(&search);
    return step;
}

START_TEST(a_long_mate_of_the_usual_search_is_shortened)
{
    begin(MATE_IN_3, 6, 4, score_mate_in(11));
    w->completed.searched_depth = 4;
    ck_assert_int_eq(matesearch_step(&search), MATE_STEP_FOUND);
    ck_assert_int_eq(step_on(), MATE_STEP_DONE);
    ck_assert_int_eq(search.found, 3);
    ck_assert_int_eq(w->root_moves[0].score, score_mate_in(5));
    ck_assert_int_eq(w->root_moves[0].bound, BOUND_EXACT);
    ck_assert_int_eq(w->root_moves[0].pv_length, 5);
    ck_assert_int_eq(w->root_moves[0].seldepth, 5);
    ck_assert_int_eq(w->root_moves[0].depth, 5);
    ck_assert_uint_eq(w->root_moves[0].move, move_make(F6, A6, KIND_NORMAL));
    ck_assert_uint_eq(w->completed.move, w->root_moves[0].move);
    ck_assert_int_eq(w->completed.searched_depth, 4);
    end();
}
END_TEST

START_TEST(a_mate_by_the_opponent_is_shortened_too)
{
    begin(MATED_IN_2, 6, 9, score_mated_in(8));
    for (int i = 1; i < w->root_move_count; i++)
        w->root_moves[i].score = 100;
    ck_assert_int_eq(matesearch_step(&search), MATE_STEP_FOUND);
    ck_assert_int_eq(step_on(), MATE_STEP_DONE);
    ck_assert_int_eq(search.found, 2);
    ck_assert_int_eq(search.winner, WHITE);
    ck_assert_int_eq(w->root_moves[0].score, score_mated_in(4));
    ck_assert_int_eq(w->root_moves[0].depth, 9);
    for (int i = 1; i < w->root_move_count; i++) { // no other move can be better
        ck_assert_int_eq(w->root_moves[i].score, score_mated_in(4));
        ck_assert_int_eq(w->root_moves[i].bound, BOUND_UPPER);
    }
    end();
}
END_TEST

START_TEST(a_mate_longer_than_wanted_ends_nothing)
{
    begin(NO_MATE, 2, 4, score_mate_in(11));
    ck_assert_int_eq(matesearch_step(&search), MATE_STEP_GO_ON);
    ck_assert_int_eq(search.found, 0);
    end();
}
END_TEST

START_TEST(a_known_mate_is_not_forgotten_for_a_longer_one)
{
    begin(MATE_IN_3, 6, 4, 50);
    ck_assert_int_eq(step_on(), MATE_STEP_DONE);
    ck_assert_int_eq(search.found, 3);
    w->root_moves[0].score = score_mate_in(11);
    ck_assert_int_eq(matesearch_step(&search), MATE_STEP_DONE);
    ck_assert_int_eq(search.found, 3);
    end();
}
END_TEST

/* Only the side that stands worse is asked whether it is mated. */
START_TEST(no_mate_is_sure_after_ten_plies_and_for_both_sides)
{
    begin(NO_MATE, 2, 9, 80);
    ck_assert_int_eq(step_on(), MATE_STEP_GO_ON);
    w->completed_depth = 10;
    ck_assert_int_eq(step_on(), MATE_STEP_NONE);
    ck_assert_int_eq(search.refuted[WHITE], 2);
    ck_assert_int_eq(search.refuted[BLACK], 0);
    end();
    begin(NO_MATE, 2, 10, -80);
    ck_assert_int_eq(step_on(), MATE_STEP_NONE);
    ck_assert_int_eq(search.refuted[WHITE], 2);
    ck_assert_int_eq(search.refuted[BLACK], 2);
    end();
}
END_TEST

START_TEST(nothing_is_sure_while_the_mate_of_the_opponent_is_undecided)
{
    begin("8/8/8/3k4/8/8/8/K6R b - - 0 1", 20, 10, -500);
    ck_assert_int_eq(step_on(), MATE_STEP_GO_ON);
    ck_assert_int_eq(search.refuted[BLACK], 20);
    end();
}
END_TEST

START_TEST(a_loss_is_found_only_by_the_side_that_stands_worse)
{
    begin(MATED_IN_2, 3, 4, -80);
    ck_assert_int_eq(matesearch_step(&search), MATE_STEP_FOUND);
    ck_assert_int_eq(search.winner, WHITE);
    end();
    begin(MATED_IN_2, 3, 4, 80);
    ck_assert_int_eq(matesearch_step(&search), MATE_STEP_GO_ON);
    end();
}
END_TEST

START_TEST(a_table_of_one_mib_is_enough_for_a_proof)
{
    w = fixture_open(&fixture, MATE_IN_3, 1);
    fixture.job.limits.mate = 3;
    ck_assert_uint_eq(tt_resize(&fixture.tt, 1), 1);
    ck_assert(matesearch_open(&search, w));
    end();
}
END_TEST

Suite *suite_matesearch(void);
Suite *suite_matesearch(void)
{
    Suite *const suite = suite_create("matesearch");
    TCase *const tcase = tcase_create("steps");
    tcase_add_test(tcase, a_long_mate_of_the_usual_search_is_shortened);
    tcase_add_test(tcase, a_mate_by_the_opponent_is_shortened_too);
    tcase_add_test(tcase, a_mate_longer_than_wanted_ends_nothing);
    tcase_add_test(tcase, a_known_mate_is_not_forgotten_for_a_longer_one);
    tcase_add_test(tcase, no_mate_is_sure_after_ten_plies_and_for_both_sides);
    tcase_add_test(tcase, nothing_is_sure_while_the_mate_of_the_opponent_is_undecided);
    tcase_add_test(tcase, a_loss_is_found_only_by_the_side_that_stands_worse);
    tcase_add_test(tcase, a_table_of_one_mib_is_enough_for_a_proof);
    suite_add_tcase(suite, tcase);
    return suite;
}
