// SPDX-License-Identifier: GPL-3.0-or-later
/* The vote of workers and of processes, with made-up results. */
#include "search/vote.h"

#include <check.h>

#include "search/params.h"
#include "search/peers.h"
#include "search/worker_fixture.h"

static void setup(void)
{
    fixture_open(&fixture, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 3);
}

static void check_vote(int elected)
{
    ck_assert_int_eq(vote_of_workers(&fixture.shared)->index, elected);
}

START_TEST(the_deeper_of_equal_scores_is_elected)
{
    fixture_set_result(&fixture, 0, 0, 30, 10);
    fixture_set_result(&fixture, 1, 1, 30, 12);
    fixture_set_result(&fixture, 2, 2, 30, 11);
    check_vote(1);
}
END_TEST

START_TEST(two_workers_that_agree_outvote_a_deeper_one)
{
    fixture_set_result(&fixture, 0, 0, 30, 12);
    fixture_set_result(&fixture, 1, 1, 30, 10);
    fixture_set_result(&fixture, 2, 1, 30, 9);
    check_vote(1);
}
END_TEST

START_TEST(a_clearly_better_score_outvotes_a_deeper_search)
{
    fixture_set_result(&fixture, 0, 0, 10, 14);
    fixture_set_result(&fixture, 1, 1, 10 + 10 * params.vote_score_offset, 10);
    fixture_set_result(&fixture, 2, 2, 10, 12);
    check_vote(1);
}
END_TEST

START_TEST(a_proven_win_needs_no_votes)
{
    fixture_set_result(&fixture, 0, 0, 300, 200); // more votes: its score is far above the worst
    fixture_set_result(&fixture, 1, 1, -2000, 20);
    fixture_set_result(&fixture, 2, 2, SCORE_MATE - 9, 1);
    check_vote(2);
}
END_TEST

/* Its score must not become the worst score, above which the others are weighed. */
START_TEST(a_worker_without_a_finished_iteration_does_not_affect_the_vote)
{
    fixture_set_result(&fixture, 0, 0, 10, 14);
    fixture_set_result(&fixture, 1, 1, 10 + 10 * params.vote_score_offset, 10);
    fixture_set_result(&fixture, 2, 2, -SCORE_INF, 0);
    check_vote(1);
}
END_TEST

START_TEST(not_even_a_mate_counts_without_a_finished_iteration)
{
    fixture_set_result(&fixture, 0, 0, SCORE_MATE - 9, 0);
    fixture_set_result(&fixture, 1, 1, 10, 8);
    fixture_set_result(&fixture, 2, 1, 10, 8);
    check_vote(1);
}
END_TEST

START_TEST(the_main_worker_is_elected_when_none_has_finished_an_iteration)
{
    fixture_set_result(&fixture, 0, 0, 10, 0);
    fixture_set_result(&fixture, 1, 1, 500, 0);
    fixture_set_result(&fixture, 2, 1, 500, 0);
    check_vote(0);
}
END_TEST

/* Helpers search deeper than the limit, and do not prove mates. */
START_TEST(the_main_worker_answers_when_the_depth_or_a_mate_was_asked)
{
    fixture.job.limits.depth = _i == 0 ? 10 : 0;
    fixture.job.limits.mate = _i == 0 ? 0 : 3;
    fixture_set_result(&fixture, 0, 0, 30, 10);
    fixture_set_result(&fixture, 1, 1, 300, 14);
    fixture_set_result(&fixture, 2, 1, 300, 14);
    check_vote(0);
}
END_TEST

/* Another process found root move number `move`. */
static PeerResult peer_result(int move, Score score, int depth)
{
    const Move found = fixture.workers[0]->root_moves[move].move;
    return (PeerResult){.line = {.move = found,
                                 .score = score,
                                 .bound = BOUND_EXACT,
                                 .depth = depth,
                                 .pv_length = 1,
                                 .pv = {found}},
                        .depth = depth};
}

/* True when the results of other processes win against the main worker. */
static bool peers_win(const PeerResult *results, int count)
{
    fixture.shared.peer_results = results;
    fixture.shared.peer_count = count;
    return vote_of_peers(fixture.workers[0], fixture.workers[0]);
}

START_TEST(a_process_that_searched_deeper_wins_and_its_line_is_taken)
{
    Worker *const w = fixture.workers[0];
    fixture_set_result(&fixture, 0, 0, 30, 10);
    const PeerResult result = peer_result(1, 30, 12);
    w->root_moves[1].rank = 7; // in the tablebases of this process
    ck_assert(peers_win(&result, 1));
    ck_assert_int_eq(w->root_moves[0].move, result.line.move);
    ck_assert_int_eq(w->root_moves[0].rank, 7);
    ck_assert_int_eq(w->completed.move, result.line.move);
    ck_assert_int_eq(w->completed_depth, 12);
}
END_TEST

START_TEST(a_process_that_searched_less_deep_does_not_win)
{
    const Move own = fixture.workers[0]->root_moves[0].move;
    fixture_set_result(&fixture, 0, 0, 30, 10);
    const PeerResult result = peer_result(1, 30, 9);
    ck_assert(!peers_win(&result, 1));
    ck_assert(!peers_win(NULL, 0));
    ck_assert_int_eq(fixture.workers[0]->root_moves[0].move, own);
}
END_TEST

START_TEST(two_processes_that_agree_outvote_a_deeper_one)
{
    fixture_set_result(&fixture, 0, 0, 30, 12);
    const PeerResult results[] = {peer_result(1, 30, 10), peer_result(1, 30, 9)};
    ck_assert(peers_win(results, 2));
    ck_assert_int_eq(fixture.workers[0]->root_moves[0].move, results[0].line.move);
}
END_TEST

START_TEST(processes_have_no_vote_when_the_depth_was_asked_or_their_move_is_unknown)
{
    fixture_set_result(&fixture, 0, 0, 30, 10);
    PeerResult result = peer_result(1, 30, 12);
    fixture.job.limits.depth = 10;
    ck_assert(!peers_win(&result, 1));
    fixture.job.limits.depth = 0;
    result.line.move = MOVE_NULL;
    ck_assert(!peers_win(&result, 1));
}
END_TEST

Suite *suite_vote(void);
Suite *suite_vote(void)
{
    Suite *suite = suite_create("vote");
    TCase *tcase = tcase_create("vote");
    tcase_add_checked_fixture(tcase, setup, fixture_teardown);
    tcase_add_test(tcase, the_deeper_of_equal_scores_is_elected);
    tcase_add_test(tcase, two_workers_that_agree_outvote_a_deeper_one);
    tcase_add_test(tcase, a_clearly_better_score_outvotes_a_deeper_search);
    tcase_add_test(tcase, a_proven_win_needs_no_votes);
    tcase_add_test(tcase, a_worker_without_a_finished_iteration_does_not_affect_the_vote);
    tcase_add_test(tcase, not_even_a_mate_counts_without_a_finished_iteration);
    tcase_add_test(tcase, the_main_worker_is_elected_when_none_has_finished_an_iteration);
    tcase_add_loop_test(tcase, the_main_worker_answers_when_the_depth_or_a_mate_was_asked, 0, 2);
    tcase_add_test(tcase, a_process_that_searched_deeper_wins_and_its_line_is_taken);
    tcase_add_test(tcase, a_process_that_searched_less_deep_does_not_win);
    tcase_add_test(tcase, two_processes_that_agree_outvote_a_deeper_one);
    tcase_add_test(tcase, processes_have_no_vote_when_the_depth_was_asked_or_their_move_is_unknown);
    suite_add_tcase(suite, tcase);
    return suite;
}
