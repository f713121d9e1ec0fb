// SPDX-License-Identifier: GPL-3.0-or-later
/* Whole nodes of the main search, called directly. */
#include "search/search.h"

#include <check.h>

#include "search/params.h"
#include "search/search_steps.h"
#include "search/worker_fixture.h"

static Score search_root(const char *fen, Score alpha, Score beta, int depth)
{
    Worker *const w = fixture_open(&fixture, fen, 1);
    w->root_depth = depth;
    return pvs(w, worker_stack(w, 0), alpha, beta, depth, false);
}

START_TEST(pvs_finds_mates_and_stalemates)
{
    ck_assert_int_eq(search_root("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", -SCORE_INF, SCORE_INF, 3),
                     SCORE_MATE - 1);
    fixture_close(&fixture);
    ck_assert_int_eq(search_root("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", -SCORE_INF, SCORE_INF, 3),
                     SCORE_DRAW);
    fixture_close(&fixture);
    ck_assert_int_eq(search_root("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", -SCORE_INF, SCORE_INF, 3),
                     score_mated_in(0));
}
END_TEST

/* Rook check, the only reply, mate: a search of two plies ends before the mate unless it extends
 * the reply. */
START_TEST(the_only_reply_to_a_check_is_extended)
{
    ck_assert_int_eq(search_root("7k/8/5K2/8/8/8/8/R5R1 w - - 0 1", -SCORE_INF, SCORE_INF, 2),
                     SCORE_MATE - 3);
}
END_TEST

/* The king must take the rook. A search that leaves out this move finds neither a move nor a draw.
 */
START_TEST(a_singular_search_without_another_move_fails_low)
{
    Worker *const w = fixture_open(&fixture, "8/8/8/8/4k3/8/7r/K7 b - - 0 1", 1);
    SearchStack *const root = worker_stack(w, 0), *const child = stack_at(root, 1);
    worker_play(w, root, move_make(H2, B2, KIND_NORMAL));
    child->excluded = move_make(A1, B2, KIND_NORMAL);
    ck_assert_int_eq(pvs(w, child, -201, -200, 4, true), -201);
}
END_TEST

/* The queen's move to f7 stalemates Black, who is far behind. */
START_TEST(a_stalemate_is_exact_and_teaches_the_histories_nothing)
{
    Worker *const w = fixture_open(&fixture, "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", 1);
    SearchStack *const root = worker_stack(w, 0), *const child = stack_at(root, 1);
    const PieceToHistory *const history = history_pawn(&w->histories, root->pos.pawn_key);
    worker_play(w, root, move_make(F1, F7, KIND_NORMAL));
    ck_assert_int_eq(pvs(w, child, -801, -800, 6, true), SCORE_DRAW);
    ck_assert_int_eq((*history)[W_QUEEN][F7], 0);
    ck_assert_int_eq(correction_value(&w->corrections, stack_correction_point(child)), 0);
    TtData found[2];
    const SearchPoint point = {child->ply, child->pos.rule50};
    ck_assert_int_eq(tt_probe(&fixture.tt, child->pos.key, point, found, &w->stats.tt), 1);
    ck_assert_int_eq(found[0].score, SCORE_DRAW);
}
END_TEST

START_TEST(the_parents_quiet_move_gains_history_where_no_reply_raises_alpha)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    SearchStack *const root = worker_stack(w, 0), *const child = stack_at(root, 1);
    const PieceToHistory *const history = history_pawn(&w->histories, root->pos.pawn_key);
    worker_play(w, root, move_make(H2, H3, KIND_NORMAL));
    ck_assert_int_ge(pvs(w, child, -3001, -3000, 3, true), -3000);
    ck_assert_int_eq((*history)[W_PAWN][H3], 0);
    ck_assert_int_le(pvs(w, child, 3000, 3001, 3, false), 3000);
    ck_assert_int_eq((*history)[W_PAWN][H3], history_parent_bonus(3));
}
END_TEST

START_TEST(the_parents_move_gains_no_history_where_a_reply_has_an_exact_score)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    SearchStack *const root = worker_stack(w, 0), *const child = stack_at(root, 1);
    const PieceToHistory *const history = history_pawn(&w->histories, root->pos.pawn_key);
    worker_play(w, root, move_make(H2, H3, KIND_NORMAL));
    pvs(w, child, -3000, 3000, 3, false);
    ck_assert_int_eq((*history)[W_PAWN][H3], 0);
}
END_TEST

/* The evaluations two and four plies before; SCORE_NONE: in check. */
START_TEST(a_node_improves_on_the_last_known_evaluation_of_its_side)
{
    static const struct {
        Score two, four;
        bool is_improving;
    } CASES[] = {
        {9, 99, true},         {10, -99, false},        {11, -99, false},
        {SCORE_NONE, 9, true}, {SCORE_NONE, 10, false}, {SCORE_NONE, SCORE_NONE, true},
    };
    Node n = fixture_open_node(&fixture, MIDDLEGAME, 0, 6, 10);
    stack_at(n.ss, -2)->eval = CASES[_i].two;
    stack_at(n.ss, -4)->eval = CASES[_i].four;
    ck_assert_int_eq(is_improving(&n), CASES[_i].is_improving);
}
END_TEST

/* Searches the position after h2h3, whose parent is on the PV, with this window. Returns whether
 * the table has it as a position of the PV. */
static bool is_stored_as_pv(Score alpha, Score beta, int depth)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    SearchStack *const root = worker_stack(w, 0), *const child = stack_at(root, 1);
    worker_play(w, root, move_make(H2, H3, KIND_NORMAL));
    root->tt_pv = true;
    pvs(w, child, alpha, beta, depth, false);
    TtData found[2];
    const SearchPoint point = {child->ply, child->pos.rule50};
    ck_assert_int_eq(tt_probe(&fixture.tt, child->pos.key, point, found, &w->stats.tt), 1);
    fixture_close(&fixture);
    return found[0].was_pv;
}

START_TEST(a_node_that_fails_low_inherits_the_pv_flag_of_its_parent)
{
    const int depth = params.inherit_pv_min_depth;
    ck_assert(is_stored_as_pv(3000, 3001, depth));
    ck_assert(!is_stored_as_pv(3000, 3001, depth - 1));
    ck_assert(!is_stored_as_pv(-151, -150, depth)); // fails high
    fixture_open(&fixture, MIDDLEGAME, 1);          // for the teardown
}
END_TEST

/* Its children only search quiescence, which counts no fail-highs. */
START_TEST(a_node_resets_the_fail_highs_two_plies_below)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    SearchStack *const root = worker_stack(w, 0), *const child = stack_at(root, 1);
    worker_play(w, root, move_make(H2, H3, KIND_NORMAL));
    stack_at(child, 1)->fail_highs = stack_at(child, 2)->fail_highs = 7;
    pvs(w, child, 3000, 3001, 1, false);
    ck_assert_int_eq(stack_at(child, 1)->fail_highs, 7);
    ck_assert_int_eq(stack_at(child, 2)->fail_highs, 0);
    child->fail_highs = 7;
    pvs(w, root, -50, 50, 1, false); // no other node resets those of the root's children
    ck_assert_int_eq(child->fail_highs, 0);
    ck_assert_int_eq(w->root_width, 100);
}
END_TEST

/* ---- The root ---- */

/* Searches HANGING_QUEEN to depth 1. The pawn takes the queen first; the other moves are worse. */
static Score search_capture_first(Worker *w, Score alpha, Score beta)
{
    ck_assert(worker_bring_to_front(w, move_make(E4, D5, KIND_NORMAL)));
    return pvs(w, worker_stack(w, 0), alpha, beta, 1, false);
}

START_TEST(the_bound_of_a_root_move_follows_from_the_window)
{
    const Score score =
        search_capture_first(fixture_open(&fixture, HANGING_QUEEN, 1), -SCORE_INF, SCORE_INF);
    ck_assert_int_eq(fixture.workers[0]->root_moves[0].bound, BOUND_EXACT);
    const struct {
        Score alpha, beta;
        Bound bound;
    } cases[] = {
        {score - 100, score + 100, BOUND_EXACT}, {score - 100, score, BOUND_LOWER},
        {score - 200, score - 100, BOUND_LOWER}, {score, score + 100, BOUND_UPPER},
        {score + 100, score + 200, BOUND_UPPER},
    };
    for (int i = 0; i < 5; i++) {
        fixture_close(&fixture);
        Worker *const w = fixture_open(&fixture, HANGING_QUEEN, 1);
        search_capture_first(w, cases[i].alpha, cases[i].beta);
        ck_assert_int_eq(w->root_moves[0].bound, cases[i].bound);
        ck_assert_int_eq(w->root_moves[0].depth, w->root_depth);
    }
}
END_TEST

/* The next aspiration window begins at this score. */
START_TEST(a_fail_high_of_the_root_is_not_softened)
{
    Worker *const w = fixture_open(&fixture, HANGING_QUEEN, 1);
    ck_assert_int_eq(search_capture_first(w, -901, -900), w->root_moves[0].score);
}
END_TEST

/* Late moves are only known to be worse. Their line and their place among the others come from the
 * last search in which they had a score. */
START_TEST(a_late_root_move_that_fails_low_keeps_its_last_score_as_the_previous_one)
{
    Worker *const w = fixture_open(&fixture, HANGING_QUEEN, 1);
    w->root_moves[0].previous = w->root_moves[1].previous = w->root_moves[2].previous = 5;
    ck_assert(worker_bring_to_front(w, move_make(E4, D5, KIND_NORMAL)));
    w->root_moves[1].score = 77; // of an earlier window of this iteration
    search_capture_first(w, -SCORE_INF, SCORE_INF);
    ck_assert_int_eq(w->root_moves[1].score, -SCORE_INF);
    ck_assert_int_eq(w->root_moves[1].previous, 77);
    ck_assert_int_eq(w->root_moves[2].score, -SCORE_INF);
    ck_assert_int_eq(w->root_moves[2].previous, 5);
}
END_TEST

START_TEST(the_average_of_a_root_move_follows_its_scores)
{
    Worker *const w = fixture_open(&fixture, HANGING_QUEEN, 1);
    const Score score = search_capture_first(w, -SCORE_INF, SCORE_INF);
    ck_assert_int_eq(w->root_moves[0].average, score);
    w->root_moves[0].average = score + 60;
    ck_assert_int_eq(search_capture_first(w, -SCORE_INF, SCORE_INF), score);
    ck_assert_int_eq(w->root_moves[0].average, score + 30);
}
END_TEST

/* A later line of MultiPV and searchmoves leave out moves, perhaps the best one. After a repetition
 * the result depends on the game. */
START_TEST(only_a_general_result_of_the_root_is_stored)
{
    Worker *const w = fixture_open(&fixture, HANGING_QUEEN, 1);
    const SearchPoint point = {0, 0};
    TtData found[2];
    w->pv_index = _i == 1;
    fixture.job.limits.has_search_moves = _i == 2;
    w->has_repeated = _i == 3;
    search_capture_first(w, -SCORE_INF, SCORE_INF);
    ck_assert_int_eq(tt_peek(&fixture.tt, fixture.job.root.key, point, found), _i == 0);
    if (_i == 0)
        ck_assert_int_eq(found[0].move, move_make(E4, D5, KIND_NORMAL));
}
END_TEST

static int currmove_depth;

static void record_currmove(void *ctx, const Report *report)
{
    (void)ctx;
    if (report->kind == REPORT_MOVE)
        currmove_depth = report->depth;
}

/* A re-search after a fail-high is shallower than its iteration. */
START_TEST(the_root_move_is_reported_with_the_depth_of_the_iteration)
{
    Worker *const w = fixture_open(&fixture, PAWN_ENDING, 1);
    fixture.job.report = record_currmove;
    w->root_depth = 4;
    atomic_store(&w->nodes, 10000000); // only long searches report root moves
    pvs(w, worker_stack(w, 0), -SCORE_INF, SCORE_INF, 3, false);
    ck_assert_int_eq(currmove_depth, 4);
}
END_TEST

START_TEST(a_null_window_search_agrees_with_an_open_one)
{
    const Score score = search_root(HANGING_QUEEN, -SCORE_INF, SCORE_INF, 4);
    fixture_close(&fixture);
    ck_assert_int_ge(search_root(HANGING_QUEEN, score - 101, score - 100, 4), score - 100);
    fixture_close(&fixture);
    ck_assert_int_le(search_root(HANGING_QUEEN, score + 100, score + 101, 4), score + 100);
}
END_TEST

START_TEST(a_stopped_worker_unwinds_at_once)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    w->may_stop = true;
    atomic_store(&fixture.shared.stop, true);
    pvs(w, worker_stack(w, 0), -SCORE_INF, SCORE_INF, 8, false);
    ck_assert(w->stopped);
    ck_assert_uint_le(worker_nodes(w), 1);
    ck_assert_int_eq(w->path.count, 1);
}
END_TEST

static TCase *whole_node(void)
{
    TCase *tcase = tcase_create("node");
    tcase_add_checked_fixture(tcase, NULL, fixture_teardown);
    tcase_add_test(tcase, pvs_finds_mates_and_stalemates);
    tcase_add_test(tcase, a_singular_search_without_another_move_fails_low);
    tcase_add_test(tcase, the_only_reply_to_a_check_is_extended);
    tcase_add_test(tcase, a_stalemate_is_exact_and_teaches_the_histories_nothing);
    tcase_add_test(tcase, the_parents_quiet_move_gains_history_where_no_reply_raises_alpha);
    tcase_add_test(tcase, the_parents_move_gains_no_history_where_a_reply_has_an_exact_score);
    tcase_add_loop_test(tcase, a_node_improves_on_the_last_known_evaluation_of_its_side, 0, 6);
    tcase_add_test(tcase, a_node_that_fails_low_inherits_the_pv_flag_of_its_parent);
    tcase_add_test(tcase, a_node_resets_the_fail_highs_two_plies_below);
    tcase_add_test(tcase, the_bound_of_a_root_move_follows_from_the_window);
    tcase_add_test(tcase, a_fail_high_of_the_root_is_not_softened);
    tcase_add_test(tcase, a_late_root_move_that_fails_low_keeps_its_last_score_as_the_previous_one);
    tcase_add_test(tcase, the_average_of_a_root_move_follows_its_scores);
    tcase_add_loop_test(tcase, only_a_general_result_of_the_root_is_stored, 0, 4);
    tcase_add_test(tcase, the_root_move_is_reported_with_the_depth_of_the_iteration);
    tcase_add_test(tcase, a_null_window_search_agrees_with_an_open_one);
    tcase_add_test(tcase, a_stopped_worker_unwinds_at_once);
    return tcase;
}

Suite *suite_search(void);
Suite *suite_search(void)
{
    Suite *suite = suite_create("search");
    suite_add_tcase(suite, whole_node());
    return suite;
}
