// SPDX-License-Identifier: GPL-3.0-or-later
/* The steps of a node before its moves, each called directly. */
#include "search/search_steps.h"

#include <check.h>
#include <math.h>

#include "chess/see.h"
#include "search/params.h"
#include "search/worker_fixture.h"

static Node open_node(const char *fen, Score alpha, int depth, Score eval)
{
    return fixture_open_node(&fixture, fen, alpha, depth, eval);
}

/* ---- Margins ---- */

START_TEST(margins_grow_with_depth)
{
    ck_assert_int_eq(reverse_futility_margin(1, false, true), params.rfp_margin);
    ck_assert_int_gt(reverse_futility_margin(5, false, true),
                     reverse_futility_margin(4, false, true));
    ck_assert_int_lt(reverse_futility_margin(5, true, true),
                     reverse_futility_margin(5, false, true));
    ck_assert_int_gt(reverse_futility_margin(1, true, true), 0);
    ck_assert_int_gt(reverse_futility_margin(1, true, false),
                     reverse_futility_margin(1, true, true));
    ck_assert_int_gt(null_move_reduction(12, 0, 0), null_move_reduction(6, 0, 0));
    ck_assert_int_gt(late_move_count(6, false, 0), late_move_count(5, false, 0));
    ck_assert_int_ge(late_move_count(6, true, 0), 2 * late_move_count(6, false, 0));
    ck_assert_int_lt(see_threshold_quiet(4), see_threshold_quiet(3));
    ck_assert_int_lt(see_threshold_noisy(4), see_threshold_noisy(3));
    ck_assert_int_lt(see_threshold_quiet(1), 0);
}
END_TEST

START_TEST(null_move_reduction_by_evaluation_is_capped)
{
    const int base = null_move_reduction(9, 0, 0);
    ck_assert_int_eq(null_move_reduction(9, params.null_eval_divisor, 0), base + 1);
    ck_assert_int_eq(null_move_reduction(9, 15000, 0), base + params.null_eval_max);
}
END_TEST

START_TEST(futility_values_are_never_proven_scores)
{
    ck_assert(!score_is_proven(futility_value(15000, 8)));
    ck_assert(!score_is_proven(futility_value_noisy(15000, 6, SEE_QUEEN)));
    ck_assert_int_eq(futility_value(10, 2) - futility_value(10, 1), params.futility_slope);
    ck_assert_int_gt(futility_value_noisy(0, 1, SEE_QUEEN), futility_value_noisy(0, 1, SEE_PAWN));
}
END_TEST

START_TEST(margins_are_the_sums_of_their_terms)
{
    ck_assert_int_eq(null_move_reduction(9, 0, 0),
                     params.null_base + 9 / params.null_depth_divisor);
    ck_assert_int_eq(late_move_count(5, true, 7), params.lmp_base + 7 + 25);
    ck_assert_int_eq(late_move_count(5, false, 7), (params.lmp_base + 7 + 25) / 2);
    ck_assert_int_eq(futility_value(10, 3), 10 + params.futility_base + 3 * params.futility_slope);
    ck_assert_int_eq(futility_value_noisy(10, 3, SEE_PAWN),
                     10 + params.noisy_futility_base + 3 * params.noisy_futility_slope +
                         SEE_PAWN * params.noisy_futility_victim / 100);
    ck_assert_int_eq(see_threshold_quiet(3), 9 * see_threshold_quiet(1));
    ck_assert_int_eq(see_threshold_noisy(3), 3 * see_threshold_noisy(1));
}
END_TEST

/* The engine computes the logarithms in integers. */
START_TEST(base_reduction_follows_the_logarithms)
{
    for (int depth = 1; depth < 246; depth += 7)
        for (int number = 1; number < 200; number += 11) {
            const double product = log(depth) * log(number) * 1024;
            const int quiet = base_reduction(true, depth, number);
            const int noisy = base_reduction(false, depth, number);
            ck_assert_double_eq_tol(
                quiet, params.lmr_quiet_base + product * 1000 / params.lmr_quiet_divisor, 12);
            ck_assert_double_eq_tol(
                noisy, params.lmr_noisy_base + product * 1000 / params.lmr_noisy_divisor, 12);
        }
    ck_assert_int_eq(base_reduction(true, 30, 1), params.lmr_quiet_base);
}
END_TEST

/* ---- Depth ---- */

START_TEST(a_cut_node_without_tt_move_is_searched_a_ply_shallower)
{
    Node n = open_node(MIDDLEGAME, 0, params.iir_min_depth, 0);
    adjust_depth(&n);
    ck_assert_int_eq(n.depth, params.iir_min_depth - 1);
    n.depth = params.iir_min_depth - 1;
    adjust_depth(&n);
    ck_assert_int_eq(n.depth, params.iir_min_depth - 1);
}
END_TEST

START_TEST(a_tt_move_from_a_deep_search_keeps_the_depth)
{
    Node n = open_node(MIDDLEGAME, 0, 9, 0);
    fixture_add_entry(&n, fixture_move(&n, "d4c5"), 5, BOUND_LOWER, 9 - params.iir_shallower);
    adjust_depth(&n);
    ck_assert_int_eq(n.depth, 9);
    n.tt_entries[0].depth--;
    adjust_depth(&n);
    ck_assert_int_eq(n.depth, 8);
}
END_TEST

START_TEST(the_parents_reduction_is_corrected_by_both_evaluations)
{
    Node n = open_node(MIDDLEGAME, 0, 9, 0);
    SearchStack *const parent = stack_at(n.ss, -1);
    fixture_add_entry(&n, fixture_move(&n, "d4c5"), 5, BOUND_LOWER, 9);
    parent->eval = 10;
    n.eval = -10; // the move made nothing worse for the parent
    parent->reduction = params.hindsight_deeper;
    adjust_depth(&n);
    ck_assert_int_eq(n.depth, 10);
    n.eval = params.hindsight_margin; // it was a bad move
    adjust_depth(&n);
    ck_assert_int_eq(n.depth, 9);
    parent->reduction = 0;
    adjust_depth(&n);
    ck_assert_int_eq(n.depth, 9);
    parent->eval = SCORE_NONE;
}
END_TEST

START_TEST(hindsight_needs_each_of_its_conditions)
{
    const int margin = params.hindsight_margin, deeper = params.hindsight_deeper,
              shallower = params.hindsight_shallower;
    const struct {
        int depth, reduction;
        Score eval, parent;
        int change;
    } cases[] = {
        {2, deeper, -10, 10, 1},
        {2, deeper - 1, -10, 10, 0},           // the reduction was too small
        {2, deeper, -9, 10, 0},                // the evaluation fell a little
        {2, shallower, margin - 9, 10, -1},    // it fell by more than the margin
        {2, shallower, margin - 10, 10, 0},    // it fell by the margin
        {2, shallower - 1, margin - 9, 10, 0}, // the reduction was too small
        {1, shallower, margin - 9, 10, 0},     // no ply would be left
        {2, deeper, -10, SCORE_NONE, 0},       // the parent was in check
        {2, shallower, margin, SCORE_NONE, 0},
    };
    Node n = open_node(MIDDLEGAME, 0, 2, 0);
    SearchStack *const parent = stack_at(n.ss, -1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        n.depth = cases[i].depth;
        n.eval = cases[i].eval;
        parent->eval = cases[i].parent;
        parent->reduction = cases[i].reduction;
        adjust_depth(&n);
        ck_assert_int_eq(n.depth, cases[i].depth + cases[i].change);
    }
    n.depth = 2;
    n.in_check = true;
    n.eval = -10;
    parent->eval = 10;
    parent->reduction = deeper;
    adjust_depth(&n);
    ck_assert_int_eq(n.depth, 2);
}
END_TEST

START_TEST(only_pv_and_cut_nodes_without_tt_move_lose_a_ply)
{
    Node n = open_node(MIDDLEGAME, 0, 9, 0);
    n.cut_node = false;
    adjust_depth(&n);
    ck_assert_int_eq(n.depth, 9);
    n.pv_node = true;
    adjust_depth(&n);
    ck_assert_int_eq(n.depth, 8);
    n.tt_moves[0] = fixture_move(&n, "d4c5"); // a learned move: there is no entry
    n.tt_entries[0].depth = 0;
    adjust_depth(&n);
    ck_assert_int_eq(n.depth, 8);
}
END_TEST

START_TEST(depth_is_not_adjusted_at_the_root_nor_in_a_singular_search)
{
    Node n = open_node(MIDDLEGAME, 0, 9, 0);
    n.ss->excluded = fixture_move(&n, "d4c5");
    adjust_depth(&n);
    ck_assert_int_eq(n.depth, 9);
    n.ss->excluded = MOVE_NONE;
    n.ply = 0;
    adjust_depth(&n);
    ck_assert_int_eq(n.depth, 9);
}
END_TEST

/* ---- Reverse futility ---- */

START_TEST(reverse_futility_cuts_far_above_beta)
{
    Node n = open_node(MIDDLEGAME, 0, 4, 0);
    Score score;
    n.estimate = n.beta + reverse_futility_margin(4, false, true);
    ck_assert(reverse_futility(&n, &score));
    ck_assert_int_eq(score, (n.estimate + n.beta) / 2);
    ck_assert_uint_eq(n.w->stats.rfp_cutoffs, 1);
    n.estimate--;
    ck_assert(!reverse_futility(&n, &score));
    n.improving = true;
    ck_assert(reverse_futility(&n, &score));
}
END_TEST

START_TEST(reverse_futility_does_not_cut_without_its_conditions)
{
    Node n = open_node(MIDDLEGAME, 0, 4, 5000);
    Score score;
    ck_assert(reverse_futility(&n, &score));
    n.tt_pv = true;
    ck_assert(!reverse_futility(&n, &score));
    n.tt_pv = false;
    n.tt_moves[0] = fixture_move(&n, "e1g1"); // quiet
    ck_assert(!reverse_futility(&n, &score));
    n.tt_moves[0] = fixture_move(&n, "d4c5"); // a capture
    ck_assert(reverse_futility(&n, &score));
    n.depth = params.rfp_max_depth + 1;
    n.estimate = 15000;
    ck_assert(!reverse_futility(&n, &score));
    n.depth = 4;
    n.beta = -SCORE_TB;
    ck_assert(!reverse_futility(&n, &score));
}
END_TEST

/* ---- Null move ---- */

START_TEST(null_move_cuts_where_passing_keeps_beta)
{
    Node n = open_node("4k3/8/8/8/8/8/8/QR2K3 w - - 0 1", 100, 6, 1000);
    Score score;
    ck_assert(null_move_pruning(&n, &score));
    ck_assert_int_ge(score, n.beta);
    ck_assert(!score_is_proven(score));
    ck_assert_uint_eq(n.w->stats.null_tries, 1);
    ck_assert_uint_eq(n.w->stats.null_cutoffs, 1);
    ck_assert_int_eq(n.w->path.count, 1); // the null move was undone
}
END_TEST

/* After the pass Black's only move allows mate, but a line with a pass proves no mate. */
START_TEST(null_move_returns_beta_instead_of_a_mate)
{
    Node n = open_node("k7/8/1K6/8/8/8/8/7R w - - 0 1", 9999, 21, 10000 + params.null_margin);
    Score score;
    ck_assert(null_move_pruning(&n, &score));
    ck_assert_int_eq(score, n.beta);
}
END_TEST

START_TEST(null_move_does_not_cut_where_passing_loses)
{
    Node n = open_node(HANGING_QUEEN, 200, 6, 900); // Black's queen would take the pawn
    Score score;
    ck_assert(!null_move_pruning(&n, &score));
    ck_assert_uint_eq(n.w->stats.null_tries, 1);
    ck_assert_uint_eq(n.w->stats.null_cutoffs, 0);
}
END_TEST

static void check_no_null_move(Node *n)
{
    Score score;
    ck_assert(!null_move_pruning(n, &score));
    ck_assert_uint_eq(n->w->stats.null_tries, 0);
}

START_TEST(null_move_is_not_tried_without_its_conditions)
{
    Node n = open_node("4k3/8/8/8/8/8/8/QR2K3 w - - 0 1", 100, 6, 1000);
    stack_at(n.ss, -1)->move = MOVE_NULL; // two in a row
    check_no_null_move(&n);
    stack_at(n.ss, -1)->move = move_make(A1, A1, KIND_NORMAL);
    n.cut_node = false;
    check_no_null_move(&n);
    n.cut_node = true;
    n.depth = params.null_min_depth - 1;
    check_no_null_move(&n);
    n.depth = 6;
    n.eval = n.beta + params.null_margin - 1;
    check_no_null_move(&n);
    n.eval = 1000;
    n.estimate = n.beta - 1;
    check_no_null_move(&n);
    n.estimate = 1000;
    n.beta = -SCORE_TB; // a proven loss, which only a search can refute
    check_no_null_move(&n);
    n.beta = 101;
    n.tt_moves[0] = fixture_move(&n, "b1b8"); // quiet
    Score score;
    ck_assert(null_move_pruning(&n, &score));
    n.w->stats.null_tries = 0;
    fixture_add_entry(&n, MOVE_NONE, n.beta - 1, BOUND_UPPER, 0); // the table denies beta
    check_no_null_move(&n);
}
END_TEST

START_TEST(null_move_is_not_tried_with_a_noisy_tt_move)
{
    Node n = open_node("4k3/8/8/8/q7/8/8/QR2K3 w - - 0 1", 100, 6, 1000);
    n.tt_moves[0] = fixture_move(&n, "a1a4");
    check_no_null_move(&n);
}
END_TEST

START_TEST(null_move_is_tried_at_the_limits_of_its_conditions)
{
    Node n = open_node("4k3/8/8/8/8/8/8/QR2K3 w - - 0 1", 100, params.null_min_depth, 0);
    Score score;
    n.estimate = n.beta;
    n.eval = n.beta + params.null_margin;
    fixture_add_entry(&n, MOVE_NONE, n.beta, BOUND_UPPER, 0); // does not deny beta
    fixture_add_entry(&n, MOVE_NONE, n.beta - 1, BOUND_LOWER, 0);
    null_move_pruning(&n, &score);
    ck_assert_uint_eq(n.w->stats.null_tries, 1);
}
END_TEST

START_TEST(null_move_needs_a_piece)
{
    Node n = open_node(PAWN_ENDING, 0, 6, 300);
    check_no_null_move(&n);
}
END_TEST

/* ---- ProbCut ---- */

START_TEST(probcut_cuts_by_a_winning_capture_and_stores_it)
{
    Node n = open_node(HANGING_QUEEN, 0, 7, 0);
    Score score;
    ck_assert(probcut(&n, &score));
    ck_assert_int_ge(score, n.beta);
    ck_assert_uint_eq(n.w->stats.probcut_cutoffs, 1);
    Node again = fixture_node(&fixture, 0, 1, 7);
    node_probe_table(&again);
    ck_assert_int_ge(again.tt_count, 1);
    ck_assert_int_eq(again.tt_moves[0], fixture_move(&n, "e4d5"));
    ck_assert_int_eq(again.tt_entries[0].bound, BOUND_LOWER);
    ck_assert_int_eq(again.tt_entries[0].depth, 7 - params.probcut_plies + 1);
    ck_assert_int_eq(again.tt_entries[0].score, score + params.probcut_margin);
}
END_TEST

/* The margin is not subtracted from a mate. */
START_TEST(probcut_returns_a_mate_as_it_is)
{
    Node n = open_node("4r1k1/5ppp/8/8/8/8/4R3/4R1K1 w - - 0 1", 0, 7, 0);
    Score score;
    ck_assert(probcut(&n, &score));
    ck_assert_int_eq(score, score_mate_in(n.ply + 1));
}
END_TEST

START_TEST(probcut_is_not_tried_without_its_conditions)
{
    Node n = open_node(HANGING_QUEEN, 0, params.probcut_min_depth - 1, 0);
    Score score;
    ck_assert(!probcut(&n, &score));
    n.depth = 7;
    n.beta = -SCORE_TB_MIN;
    ck_assert(!probcut(&n, &score));
    n.beta = SCORE_EVAL_MAX - 1; // with the margin a proven win
    ck_assert(!probcut(&n, &score));
    n.beta = 1;
    fixture_add_entry(&n, MOVE_NONE, 0, BOUND_UPPER, 7);
    ck_assert(!probcut(&n, &score));
    ck_assert_uint_eq(n.w->stats.probcut_tries, 0);
}
END_TEST

static void check_probcut_tries(Node *n, uint64_t tries)
{
    Score score;
    n->w->stats.probcut_tries = 0;
    probcut(n, &score);
    ck_assert_uint_eq(n->w->stats.probcut_tries, tries);
}

/* The table denies ProbCut only if its bound is low enough and from a deep enough search. */
START_TEST(probcut_is_tried_at_the_limits_of_its_conditions)
{
    Node n = open_node(PAWN_ENDING, 0, params.probcut_min_depth, 0);
    check_probcut_tries(&n, 1);
    n.beta = SCORE_EVAL_MAX - params.probcut_margin + 1;
    check_probcut_tries(&n, 0);
    n.improving = true;
    check_probcut_tries(&n, 1);
    n.improving = false;
    n.beta = 1;
    const int depth = n.depth - params.probcut_plies + 1, goal = n.beta + params.probcut_margin;
    fixture_add_entry(&n, MOVE_NONE, goal - 1, BOUND_UPPER, depth);
    check_probcut_tries(&n, 0);
    n.tt_entries[0].depth = depth - 1;
    check_probcut_tries(&n, 1);
    n.tt_entries[0].depth = depth;
    n.tt_entries[0].score = goal;
    check_probcut_tries(&n, 1);
    n.tt_entries[0].score = goal - 1;
    n.tt_entries[0].bound = BOUND_LOWER;
    check_probcut_tries(&n, 1);
}
END_TEST

/* The only capture wins a pawn. */
START_TEST(probcut_searches_only_captures_that_win_a_part_of_what_is_missing)
{
    Node n = open_node("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", 5000, 7, 0);
    const Score goal = n.beta + params.probcut_margin;
    Score score;
    n.eval = goal - ((SEE_PAWN + 1) * 100 / params.probcut_see + 1);
    ck_assert(!probcut(&n, &score));
    ck_assert_uint_eq(worker_nodes(n.w), 0);
    n.tt_moves[0] = fixture_move(&n, "e4d5");
    ck_assert(!probcut(&n, &score));
    ck_assert_uint_eq(worker_nodes(n.w), 0);
    n.eval = goal - SEE_PAWN * 100 / params.probcut_see;
    ck_assert(!probcut(&n, &score));
    ck_assert_uint_gt(worker_nodes(n.w), 0);
    ck_assert_uint_eq(worker_nodes(n.w), n.w->stats.qnodes); // quiescence refutes the capture
}
END_TEST

START_TEST(probcut_searches_no_quiet_tt_move)
{
    Node n = open_node(PAWN_ENDING, 0, 7, 5000);
    Score score;
    n.tt_moves[0] = fixture_move(&n, "h2h3");
    ck_assert(!probcut(&n, &score));
    ck_assert_uint_eq(worker_nodes(n.w), 0);
}
END_TEST

START_TEST(probcut_needs_a_capture_that_reaches_its_goal)
{
    Node n = open_node(MIDDLEGAME, 2000, 7, 0);
    Score score;
    ck_assert(!probcut(&n, &score));
    ck_assert_uint_eq(n.w->stats.probcut_tries, 1);
    ck_assert_uint_eq(n.w->stats.probcut_cutoffs, 0);
}
END_TEST

/* ---- Singular extension ---- */

/* A node whose TT move takes the queen, with this entry. */
static Node open_singular(Score alpha, Score tt_score, Bound bound, int tt_depth)
{
    Node n = open_node(HANGING_QUEEN, alpha, 8, 0);
    fixture_add_entry(&n, fixture_move(&n, "e4d5"), tt_score, bound, tt_depth);
    return n;
}

START_TEST(a_tt_move_much_better_than_all_others_is_extended_twice)
{
    Node n = open_singular(0, 500, BOUND_LOWER, 7);
    Score score;
    ck_assert(!singular_extension(&n, &score));
    ck_assert_int_eq(n.extension, 2);
    ck_assert_uint_eq(n.w->stats.singular_extensions, 1);
}
END_TEST

START_TEST(several_moves_that_fail_high_cut_the_node)
{
    Node n = open_node("4k3/8/8/3q1b2/4P3/8/8/R3K3 w - - 0 1", -900, 8, 0);
    fixture_add_entry(&n, fixture_move(&n, "e4f5"), -880, BOUND_LOWER, 7);
    Score score;
    ck_assert(singular_extension(&n, &score)); // e4d5 is even better
    ck_assert_int_ge(score, n.beta);
    ck_assert_uint_eq(n.w->stats.multicuts, 1);
}
END_TEST

/* Both rooks mate. The mate of the other move is left to the search of the node. */
START_TEST(a_mate_does_not_cut_by_multi_cut)
{
    Node n = open_node("k7/8/1K6/8/8/8/8/6RR w - - 0 1", 0, 8, 0);
    fixture_add_entry(&n, fixture_move(&n, "h1h8"), 9000, BOUND_LOWER, 7);
    Score score;
    ck_assert(!singular_extension(&n, &score));
    ck_assert_uint_eq(n.w->stats.multicuts, 0);
    ck_assert_int_lt(n.extension, 0);
}
END_TEST

START_TEST(a_tt_move_above_beta_that_is_not_singular_is_reduced)
{
    Node n = open_node(HANGING_QUEEN, 0, 8, 0);
    n.beta = 3000; // an open window, out of reach for multi-cut
    n.pv_node = true;
    n.cut_node = false;
    fixture_add_entry(&n, fixture_move(&n, "e1e2"), -800, BOUND_LOWER, 7); // e4d5 is better
    Score score;
    n.beta = -800;
    n.alpha = -1000;
    ck_assert(!singular_extension(&n, &score));
    ck_assert_int_eq(n.extension, 1 - params.negative_extension);
}
END_TEST

START_TEST(only_a_deep_lower_bound_makes_a_move_singular)
{
    static const struct {
        Bound bound;
        int depth;
        Score score;
        bool is_tried;
    } CASES[] = {
        {BOUND_LOWER, 5, 500, true},  {BOUND_EXACT, 5, 500, true},
        {BOUND_UPPER, 8, 500, false}, {BOUND_LOWER, 4, 500, false},
        {BOUND_NONE, 8, 500, false},  {BOUND_LOWER, 8, SCORE_TB - 5, false},
    };
    Node n = open_singular(0, CASES[_i].score, CASES[_i].bound, CASES[_i].depth);
    Score score;
    singular_extension(&n, &score);
    ck_assert_uint_eq(n.w->stats.singular_tries, CASES[_i].is_tried);
}
END_TEST

START_TEST(singular_search_does_not_nest_and_needs_depth)
{
    Node n = open_singular(0, 500, BOUND_LOWER, 8);
    Score score;
    n.ss->excluded = fixture_move(&n, "e1e2");
    ck_assert(!singular_extension(&n, &score));
    n.ss->excluded = MOVE_NONE;
    n.depth = params.singular_min_depth - 1;
    ck_assert(!singular_extension(&n, &score));
    n.depth = 8;
    n.ply = 2 * n.w->root_depth;
    ck_assert(!singular_extension(&n, &score));
    ck_assert_uint_eq(n.w->stats.singular_tries, 0);
}
END_TEST

/* The singular search runs on the node's own stack entry. */
START_TEST(singular_search_leaves_the_stack_entry_as_it_was)
{
    Node n = open_node(MIDDLEGAME, -20, 8, 0);
    n.tt_pv = n.ss->tt_pv = true; // from a table entry; the singular search has another result
    n.ss->eval = 77;
    fixture_add_entry(&n, fixture_move(&n, "d4c5"), 50, BOUND_LOWER, 7);
    Score score;
    singular_extension(&n, &score);
    ck_assert_uint_eq(n.w->stats.singular_tries, 1);
    ck_assert(n.ss->tt_pv);
    ck_assert_int_eq(n.ss->eval, 77);
    ck_assert_int_eq(n.ss->excluded, MOVE_NONE);
}
END_TEST

START_TEST(only_the_entry_of_the_tt_move_makes_it_singular)
{
    Node n = open_singular(0, 500, BOUND_LOWER, 8);
    Score score;
    n.tt_entries[0].move = MOVE_NONE;
    ck_assert(!singular_extension(&n, &score));
    n.tt_moves[0] = MOVE_NONE;
    ck_assert(!singular_extension(&n, &score));
    ck_assert_uint_eq(n.w->stats.singular_tries, 0);
}
END_TEST

START_TEST(singular_search_is_tried_at_the_limits_of_depth_and_ply)
{
    Node n = open_singular(0, 500, BOUND_LOWER, 8);
    Score score;
    n.depth = params.singular_min_depth;
    singular_extension(&n, &score);
    ck_assert_uint_eq(n.w->stats.singular_tries, 1);
    n.ply = 2 * n.w->root_depth - 1;
    singular_extension(&n, &score);
    ck_assert_uint_eq(n.w->stats.singular_tries, 2);
}
END_TEST

/* The hundredth ply of the fifty-move rule: only the TT move, of a pawn, is not a draw. So the
 * score of the other moves is between -1 and 1. */
static Node open_drawn(Score alpha, Score tt_score)
{
    Node n = open_node("4k3/8/8/8/8/4P3/8/R3K3 w - - 99 80", alpha, 8, 0);
    fixture_add_entry(&n, fixture_move(&n, "e3e4"), tt_score, BOUND_LOWER, 7);
    return n;
}

START_TEST(the_extension_depends_on_margins_and_kind_of_node)
{
    const int margin = 8 * params.singular_margin / 16, more = params.double_extension,
              more_pv = params.double_extension_pv, cut = -params.negative_extension_cut;
    const struct {
        bool tt_pv, pv_node;
        Score tt_score;
        int extension;
    } cases[] = {
        {false, false, margin + 3, 1},         {false, false, margin - 2, cut},
        {true, false, margin + 3, cut}, // a former PV node: twice the margin
        {true, false, 2 * margin + 3, 1},      {true, true, margin + 3, 1},
        {false, false, margin + more - 3, 1},  {false, false, margin + more + 3, 2},
        {true, true, margin + more_pv - 3, 1}, {true, true, margin + more_pv + 3, 2},
        {true, true, margin - 2, 0}, // no cut node
    };
    Node n = open_drawn(500, cases[_i].tt_score);
    Score score;
    n.tt_pv = cases[_i].tt_pv;
    n.pv_node = cases[_i].pv_node;
    n.cut_node = !n.pv_node;
    ck_assert(!singular_extension(&n, &score));
    ck_assert_int_eq(n.extension, cases[_i].extension);
}
END_TEST

START_TEST(multi_cut_returns_the_score_of_the_other_moves)
{
    Node n = open_drawn(-31, -25);
    Score score;
    ck_assert(singular_extension(&n, &score));
    ck_assert_int_ge(score, -1);
    ck_assert_int_le(score, 1);
}
END_TEST

static TCase *margins(void)
{
    TCase *tcase = tcase_create("margins");
    tcase_add_test(tcase, margins_grow_with_depth);
    tcase_add_test(tcase, null_move_reduction_by_evaluation_is_capped);
    tcase_add_test(tcase, futility_values_are_never_proven_scores);
    tcase_add_test(tcase, margins_are_the_sums_of_their_terms);
    tcase_add_test(tcase, base_reduction_follows_the_logarithms);
    return tcase;
}

static TCase *node_steps(void)
{
    TCase *tcase = tcase_create("steps");
    tcase_add_checked_fixture(tcase, NULL, fixture_teardown);
    tcase_add_test(tcase, a_cut_node_without_tt_move_is_searched_a_ply_shallower);
    tcase_add_test(tcase, a_tt_move_from_a_deep_search_keeps_the_depth);
    tcase_add_test(tcase, the_parents_reduction_is_corrected_by_both_evaluations);
    tcase_add_test(tcase, hindsight_needs_each_of_its_conditions);
    tcase_add_test(tcase, only_pv_and_cut_nodes_without_tt_move_lose_a_ply);
    tcase_add_test(tcase, depth_is_not_adjusted_at_the_root_nor_in_a_singular_search);
    tcase_add_test(tcase, reverse_futility_cuts_far_above_beta);
    tcase_add_test(tcase, reverse_futility_does_not_cut_without_its_conditions);
    tcase_add_test(tcase, null_move_cuts_where_passing_keeps_beta);
    tcase_add_test(tcase, null_move_returns_beta_instead_of_a_mate);
    tcase_add_test(tcase, null_move_does_not_cut_where_passing_loses);
    tcase_add_test(tcase, null_move_is_not_tried_without_its_conditions);
    tcase_add_test(tcase, null_move_is_not_tried_with_a_noisy_tt_move);
    tcase_add_test(tcase, null_move_is_tried_at_the_limits_of_its_conditions);
    tcase_add_test(tcase, null_move_needs_a_piece);
    tcase_add_test(tcase, probcut_cuts_by_a_winning_capture_and_stores_it);
    tcase_add_test(tcase, probcut_returns_a_mate_as_it_is);
    tcase_add_test(tcase, probcut_is_not_tried_without_its_conditions);
    tcase_add_test(tcase, probcut_is_tried_at_the_limits_of_its_conditions);
    tcase_add_test(tcase, probcut_searches_only_captures_that_win_a_part_of_what_is_missing);
    tcase_add_test(tcase, probcut_searches_no_quiet_tt_move);
    tcase_add_test(tcase, probcut_needs_a_capture_that_reaches_its_goal);
    tcase_add_test(tcase, a_tt_move_much_better_than_all_others_is_extended_twice);
    tcase_add_test(tcase, several_moves_that_fail_high_cut_the_node);
    tcase_add_test(tcase, a_mate_does_not_cut_by_multi_cut);
    tcase_add_test(tcase, a_tt_move_above_beta_that_is_not_singular_is_reduced);
    tcase_add_loop_test(tcase, only_a_deep_lower_bound_makes_a_move_singular, 0, 6);
    tcase_add_test(tcase, singular_search_does_not_nest_and_needs_depth);
    tcase_add_test(tcase, only_the_entry_of_the_tt_move_makes_it_singular);
    tcase_add_test(tcase, singular_search_is_tried_at_the_limits_of_depth_and_ply);
    tcase_add_loop_test(tcase, the_extension_depends_on_margins_and_kind_of_node, 0, 10);
    tcase_add_test(tcase, multi_cut_returns_the_score_of_the_other_moves);
    tcase_add_test(tcase, singular_search_leaves_the_stack_entry_as_it_was);
    return tcase;
}

Suite *suite_search_steps(void);
Suite *suite_search_steps(void)
{
    Suite *suite = suite_create("search_steps");
    suite_add_tcase(suite, margins());
    suite_add_tcase(suite, node_steps());
    return suite;
}
