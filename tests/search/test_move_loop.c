// SPDX-License-Identifier: GPL-3.0-or-later
/* The loop over the moves of a node: reductions, shallow pruning and the result, each step called
 * directly. */
#include <check.h>

#include "chess/see.h"
#include "search/params.h"
#include "search/search_steps.h"
#include "search/worker_fixture.h"

static Node open_node(const char *fen, Score alpha, int depth, Score eval)
{
    return fixture_open_node(&fixture, fen, alpha, depth, eval);
}

/* Sets up a move loop at `n` whose current move is `text`, move number `number`. */
static void set_move(Node *n, MoveLoop *loop, const char *text, int number)
{
    loop->tried.quiet.count = loop->tried.noisy.count = 0;
    pick_init(&loop->picker, n->pos, &n->w->histories, worker_context(n->w, n->ss), n->tt_moves,
              false);
    pos_find_check_squares(&loop->checks, n->pos);
    loop->move = fixture_move(n, text);
    loop->number = number;
    loop->raises = loop->node_reduction = loop->history = loop->reduction = loop->extension = 0;
    loop->quiet = !pos_is_noisy(n->pos, loop->move);
    loop->gives_check = pos_gives_check(n->pos, loop->move);
}

START_TEST(each_property_of_a_late_move_changes_its_reduction)
{
    Node n = open_node(MIDDLEGAME, 0, 8, 0);
    MoveLoop loop;
    set_move(&n, &loop, "h2h3", 10);
    stack_at(n.ss, 1)->fail_highs = 0;
    const int plain = late_move_reduction(&n, &loop);
    ck_assert_int_eq(plain, base_reduction(true, 8, 10));
    loop.gives_check = true;
    ck_assert_int_eq(late_move_reduction(&n, &loop), plain - params.lmr_check);
    loop.gives_check = false;
    loop.history = params.lmr_history_divisor;
    ck_assert_int_eq(late_move_reduction(&n, &loop), plain - 1024);
    loop.history = 0;
    loop.raises = 2;
    ck_assert_int_eq(late_move_reduction(&n, &loop), plain + 2 * params.lmr_alpha_raise);
    loop.raises = 0;
    stack_at(n.ss, 1)->fail_highs = params.lmr_fail_highs_min;
    ck_assert_int_eq(late_move_reduction(&n, &loop), plain + params.lmr_fail_highs);
    loop.number = 20;
    ck_assert_int_gt(late_move_reduction(&n, &loop), plain + params.lmr_fail_highs);
    stack_at(n.ss, 1)->fail_highs = 0;
    loop.number = 10;
    loop.node_reduction = 77;
    ck_assert_int_eq(late_move_reduction(&n, &loop), plain + 77);
    loop.quiet = false;
    loop.history = params.lmr_capture_divisor;
    ck_assert_int_eq(late_move_reduction(&n, &loop), base_reduction(false, 8, 10) + 77 - 1024);
}
END_TEST

START_TEST(each_property_of_a_node_changes_its_reductions)
{
    Node n = open_node(MIDDLEGAME, 0, 8, 0);
    n.cut_node = false;
    n.improving = true;
    ck_assert_int_eq(node_reduction(&n), 0);
    n.correction = -10;
    ck_assert_int_eq(node_reduction(&n), -10 * params.lmr_correction);
    n.correction = 0;
    n.improving = false;
    ck_assert_int_eq(node_reduction(&n), params.lmr_not_improving);
    n.improving = n.cut_node = true;
    ck_assert_int_eq(node_reduction(&n), params.lmr_cut + params.lmr_cut_no_move);
    fixture_add_entry(&n, fixture_move(&n, "e1g1"), 5, BOUND_LOWER, 7);
    ck_assert_int_eq(node_reduction(&n), params.lmr_cut);
    n.cut_node = false;
    n.tt_moves[0] = fixture_move(&n, "d4c5"); // takes a pawn
    ck_assert_int_eq(node_reduction(&n), params.lmr_noisy_tt_move);
    n.tt_moves[0] = MOVE_NONE;
    n.tt_pv = true;
    ck_assert_int_eq(node_reduction(&n), -params.lmr_tt_pv);
    n.tt_entries[0].depth = 8;
    ck_assert_int_eq(node_reduction(&n), -params.lmr_tt_pv - params.lmr_deep_entry);
    n.tt_entries[0] = (TtData){.bound = BOUND_UPPER, .score = 0, .depth = 7};
    ck_assert_int_eq(node_reduction(&n), -params.lmr_tt_pv + params.lmr_tt_pv_fail_low);
    n.tt_entries[0].bound = BOUND_LOWER;
    ck_assert_int_eq(node_reduction(&n), -params.lmr_tt_pv);
    n.tt_entries[0] = (TtData){.bound = BOUND_UPPER, .score = 1, .depth = 7}; // above alpha
    ck_assert_int_eq(node_reduction(&n), -params.lmr_tt_pv);
    n.tt_entries[0].score = 0;
    n.tt_pv = false;
    ck_assert_int_eq(node_reduction(&n), 0);
    n.tt_entries[0].depth = 8;
    n.tt_count = 0; // the entry is not one of this node
    ck_assert_int_eq(node_reduction(&n), 0);
}
END_TEST

START_TEST(late_moves_of_a_pv_node_are_reduced_less_with_a_wide_window)
{
    Node n = open_node(MIDDLEGAME, 0, 8, 0);
    n.w->root_width = 40;
    const int null_window = node_reduction(&n);
    n.pv_node = true;
    n.beta = n.alpha + 40;
    ck_assert_int_eq(node_reduction(&n), null_window - params.lmr_pv - params.lmr_window);
    n.beta = n.alpha + 400; // wider than the root's: counts as equally wide
    ck_assert_int_eq(node_reduction(&n), null_window - params.lmr_pv - params.lmr_window);
    n.beta = n.alpha + 10;
    ck_assert_int_eq(node_reduction(&n), null_window - params.lmr_pv - params.lmr_window / 4);
}
END_TEST

START_TEST(no_move_is_pruned_before_a_non_losing_score_is_known)
{
    Node n = open_node(MIDDLEGAME, 3000, 2, 0);
    MoveLoop loop;
    set_move(&n, &loop, "h2h3", 60);
    ck_assert_int_eq(n.best, -SCORE_INF);
    ck_assert(!prune_move(&n, &loop));
    n.best = -SCORE_TB;
    ck_assert(!prune_move(&n, &loop));
    n.best = -3000;
    ck_assert(prune_move(&n, &loop));
}
END_TEST

START_TEST(no_move_is_pruned_at_the_root_or_in_pawn_endings)
{
    Node n = open_node(PAWN_ENDING, 3000, 2, 0);
    MoveLoop loop;
    n.best = -500;
    set_move(&n, &loop, "h2h3", 60);
    ck_assert(!prune_move(&n, &loop));
    fixture_close(&fixture);
    n = open_node(MIDDLEGAME, 3000, 2, 0);
    n.best = -500;
    set_move(&n, &loop, "h2h3", 60);
    n.ply = 0;
    ck_assert(!prune_move(&n, &loop));
    n.ply = 1;
    ck_assert(prune_move(&n, &loop));
}
END_TEST

START_TEST(late_move_pruning_ends_the_quiet_moves)
{
    Node n = open_node(MIDDLEGAME, 0, 3, 500); // not futile: the evaluation is far above alpha
    MoveLoop loop;
    n.best = -500;
    set_move(&n, &loop, "h2h3", late_move_count(3, false, 0) - 1);
    ck_assert(!prune_move(&n, &loop));
    ck_assert_ptr_null(loop.picker.checks_only);
    loop.number++;
    ck_assert(prune_move(&n, &loop));
    ck_assert_ptr_eq(loop.picker.checks_only, &loop.checks);
}
END_TEST

START_TEST(late_move_pruning_needs_low_depth_and_prunes_later_when_improving)
{
    Node n = open_node(MIDDLEGAME, 0, params.lmp_max_depth, 5000);
    MoveLoop loop;
    n.best = -500;
    set_move(&n, &loop, "h2h3", 200);
    ck_assert(prune_move(&n, &loop));
    n.depth++;
    ck_assert(!prune_move(&n, &loop));
    n.depth = 3;
    n.improving = true;
    loop.number = late_move_count(3, false, 0);
    ck_assert(!prune_move(&n, &loop));
}
END_TEST

START_TEST(a_job_may_ask_for_more_moves_before_late_move_pruning)
{
    Node n = open_node(MIDDLEGAME, 0, 3, 500);
    MoveLoop loop;
    n.best = -500;
    set_move(&n, &loop, "h2h3", late_move_count(3, false, 0));
    n.w->lmp_extra = 26;
    ck_assert(!prune_move(&n, &loop));
    loop.number = late_move_count(3, false, 26);
    ck_assert(prune_move(&n, &loop));
}
END_TEST

START_TEST(futile_quiet_moves_are_pruned_and_bound_the_result)
{
    Node n = open_node(MIDDLEGAME, 800, 4, 0);
    MoveLoop loop;
    n.best = -500;
    set_move(&n, &loop, "h2h3", 2);
    loop.reduction = 1024;
    ck_assert(prune_move(&n, &loop));
    ck_assert_int_eq(n.best, futility_value(0, 4 - 1 - 1));
    n.alpha = futility_value(0, 2) - 1;
    ck_assert(!prune_move(&n, &loop));
}
END_TEST

/* `best` is the bound that the pruned move leaves: it shows the reduced depth. */
START_TEST(futility_counts_whole_plies_of_reduction_and_never_lowers_the_result)
{
    Node n = open_node(MIDDLEGAME, 2000, 4, 0);
    MoveLoop loop;
    set_move(&n, &loop, "h2h3", 2);
    n.best = -500;
    loop.reduction = 1023;
    ck_assert(prune_move(&n, &loop));
    ck_assert_int_eq(n.best, futility_value(0, 3));
    n.best = -500;
    loop.reduction = 9 * 1024;
    ck_assert(prune_move(&n, &loop));
    ck_assert_int_eq(n.best, futility_value(0, 0));
    n.best = n.alpha = futility_value(0, 0); // a value equal to alpha is futile, too
    ck_assert(prune_move(&n, &loop));
    n.best = 1900;
    n.alpha = 2000;
    ck_assert(prune_move(&n, &loop));
    ck_assert_int_eq(n.best, 1900);
}
END_TEST

START_TEST(futility_needs_low_depth_and_no_check)
{
    Node n = open_node(MIDDLEGAME, 9000, params.futility_max_depth + 1, 0);
    MoveLoop loop;
    n.best = -500;
    set_move(&n, &loop, "h2h3", 2);
    ck_assert(prune_move(&n, &loop));
    n.depth++;
    ck_assert(!prune_move(&n, &loop));
    n.depth = 4;
    n.in_check = true;
    ck_assert(!prune_move(&n, &loop));
    set_move(&n, &loop, "d4c5", 2); // takes a pawn
    n.in_check = false;
    n.depth = params.noisy_futility_max_depth + 1;
    ck_assert(prune_move(&n, &loop));
    n.depth++;
    ck_assert(!prune_move(&n, &loop));
    n.depth = 4;
    n.in_check = true;
    ck_assert(!prune_move(&n, &loop));
    n.in_check = false;
    loop.gives_check = true;
    ck_assert(!prune_move(&n, &loop));
}
END_TEST

START_TEST(checks_are_not_futile)
{
    Node n = open_node("4k3/8/8/8/8/8/8/R2QK3 w - - 0 1", 3000, 3, 0);
    MoveLoop loop;
    n.best = -500;
    set_move(&n, &loop, "d1h5", 20); // safe check
    ck_assert(loop.gives_check);
    ck_assert(!prune_move(&n, &loop));
    set_move(&n, &loop, "d1c1", 20);
    ck_assert(prune_move(&n, &loop));
}
END_TEST

START_TEST(quiet_moves_of_bad_history_are_pruned)
{
    Node n = open_node(MIDDLEGAME, 0, 4, 500);
    MoveLoop loop;
    n.best = -500;
    set_move(&n, &loop, "h2h3", 2);
    loop.history = -params.history_prune_slope * 4 - params.history_prune_offset;
    ck_assert(!prune_move(&n, &loop));
    loop.history--;
    ck_assert(prune_move(&n, &loop));
    loop.number = 1;
    ck_assert(!prune_move(&n, &loop));
    loop.number = 2;
    loop.history = -1000000;
    n.depth = params.history_prune_max_depth + 1;
    ck_assert(prune_move(&n, &loop));
    n.depth++;
    ck_assert(!prune_move(&n, &loop));
}
END_TEST

START_TEST(moves_that_lose_material_are_pruned_at_low_depth)
{
    Node n = open_node("4k3/2p1p3/1p1p4/8/8/8/8/2QQK2B w - - 0 1", 0, 2, 500);
    MoveLoop loop;
    n.best = -500;
    set_move(&n, &loop, "c1c5", 2); // quiet, loses the queen
    ck_assert(prune_move(&n, &loop));
    set_move(&n, &loop, "d1d6", 2); // takes a pawn, loses the queen
    ck_assert(prune_move(&n, &loop));
    n.depth = params.see_max_depth + 2;
    ck_assert(!prune_move(&n, &loop));
}
END_TEST

START_TEST(captures_that_cannot_reach_alpha_are_pruned)
{
    Node n = open_node("4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1", 5000, 2, 0);
    MoveLoop loop;
    n.best = -500;
    set_move(&n, &loop, "d1d5", 2);
    ck_assert(prune_move(&n, &loop));
    ck_assert_int_eq(n.best, futility_value_noisy(0, 1, SEE_PAWN));
    n.alpha = 0;
    n.best = -500;
    ck_assert(!prune_move(&n, &loop));
}
END_TEST

/* ---- Search of one move ---- */

/* Every move but the pawn's is a draw, by the fifty-move rule: its score is between -1 and 1. */
static const char DRAWN[] = "4k3/8/8/8/8/4P3/8/R3K3 w - - 99 80";

START_TEST(late_moves_are_reduced_by_whole_plies)
{
    static const struct {
        int number, reduction;
        uint64_t tries;
    } CASES[] = {{10, 511, 0}, {10, 512, 1}, {2, 1024, 1}, {1, 1024, 0}, {10, -1024, 0}};
    Node n = open_node(DRAWN, 500, 6, 0);
    MoveLoop loop;
    set_move(&n, &loop, "a1b1", CASES[_i].number);
    loop.reduction = CASES[_i].reduction;
    ck_assert_int_le(search_move(&n, &loop), 1);
    ck_assert_uint_eq(n.w->stats.lmr_tries, CASES[_i].tries);
    ck_assert_int_eq(n.ss->reduction, 0);
}
END_TEST

START_TEST(a_move_close_to_the_best_score_is_searched_again_a_ply_shallower)
{
    Node n = open_node(DRAWN, -100, 6, 0);
    MoveLoop loop;
    set_move(&n, &loop, "a1b1", 10);
    loop.reduction = 1024;
    n.best = 0; // a ply less than the full depth: that is the reduced depth
    search_move(&n, &loop);
    ck_assert_uint_eq(n.w->stats.lmr_tries, 1);
    ck_assert_uint_eq(n.w->stats.lmr_researches, 0);
    n.best = -100;
    search_move(&n, &loop);
    ck_assert_uint_eq(n.w->stats.lmr_researches, 1);
}
END_TEST

/* Depth of the table's entry for the position after the last move. */
static int child_depth(const Node *n)
{
    const SearchStack *const child = stack_at(n->ss, 1);
    const SearchPoint point = {child->ply, child->pos.rule50};
    TtStats unused = {0};
    TtData found[2];
    ck_assert_int_eq(tt_probe(&fixture.tt, child->pos.key, point, found, &unused), 1);
    return found[0].depth;
}

START_TEST(a_move_far_above_the_best_score_is_searched_again_a_ply_deeper)
{
    Node n = open_node(MIDDLEGAME, -3000, 3, 0);
    MoveLoop loop;
    set_move(&n, &loop, "h2h3", 10);
    loop.reduction = 1024;
    n.best = -3000;
    search_move(&n, &loop);
    ck_assert_int_eq(child_depth(&n), 3);
    loop.extension = 1;
    search_move(&n, &loop);
    ck_assert_int_eq(child_depth(&n), 4);
}
END_TEST

/* A child that is expected to fail high and has no TT move is searched a ply less deep. */
START_TEST(a_child_is_expected_to_fail_high_if_the_node_is_not_or_if_it_is_reduced)
{
    static const struct {
        bool cut_node, reduced;
        int depth;
    } CASES[] = {{true, false, 4}, {false, false, 3}, {true, true, 3}, {false, true, 3}};
    Node n = open_node(MIDDLEGAME, -3000, CASES[_i].reduced ? 6 : 5, 0);
    MoveLoop loop;
    n.cut_node = CASES[_i].cut_node;
    set_move(&n, &loop, "h2h3", 10);
    loop.reduction = CASES[_i].reduced ? 1024 : 0;
    n.best = 5000; // so the reduced search is not repeated
    search_move(&n, &loop);
    ck_assert_uint_eq(n.w->stats.lmr_tries, CASES[_i].reduced);
    ck_assert_int_eq(child_depth(&n), CASES[_i].depth);
}
END_TEST

/* The continuation history of the parent's move, as if that was ...Nf6. */
static PieceToHistory *parent_history(const Node *n)
{
    PieceToHistory *const history = history_continuation(&n->w->histories, B_KNIGHT, F6);
    stack_at(n->ss, -1)->continuation = history;
    return history;
}

/* The table's entry makes the reduced search fail high, but it is too shallow for the second one.
 */
START_TEST(a_late_move_that_fails_low_in_its_re_search_loses_continuation_history)
{
    Node n = open_node(MIDDLEGAME, 300, 4, 0);
    PieceToHistory *const history = parent_history(&n);
    MoveLoop loop;
    set_move(&n, &loop, "h2h3", 10);
    loop.reduction = 2 * 1024;
    worker_play(n.w, n.ss, loop.move);
    const SearchStack *const child = stack_at(n.ss, 1);
    const TtData data = {.score = -500, .eval = 0, .depth = 1, .bound = BOUND_UPPER, .nodes = 1};
    TtStats unused = {0};
    tt_store(&fixture.tt, child->pos.key, (SearchPoint){child->ply, child->pos.rule50}, &data,
             &unused);
    worker_undo(n.w);
    ck_assert_int_le(search_move(&n, &loop), n.alpha);
    ck_assert_uint_eq(n.w->stats.lmr_researches, 1);
    ck_assert_int_eq((*history)[W_PAWN][H3],
                     -history_bonus(4) * params.history_research_share / 100);
}
END_TEST

START_TEST(a_re_search_inside_the_window_or_of_a_capture_changes_no_continuation_history)
{
    Node n = open_node(DRAWN, -100, 6, 0);
    PieceToHistory *const history = parent_history(&n);
    MoveLoop loop;
    set_move(&n, &loop, "a1b1", 10);
    loop.reduction = 2 * 1024;
    n.beta = 100;
    search_move(&n, &loop);
    ck_assert_uint_eq(n.w->stats.lmr_researches, 1);
    ck_assert_int_eq((*history)[W_ROOK][B1], 0);
    fixture_close(&fixture);
    n = open_node(MIDDLEGAME, -3000, 4, 0);
    PieceToHistory *const again = parent_history(&n);
    set_move(&n, &loop, "d4c5", 10);
    loop.reduction = 2 * 1024;
    search_move(&n, &loop);
    ck_assert_uint_eq(n.w->stats.lmr_researches, 1);
    ck_assert_int_eq((*again)[W_PAWN][C5], 0);
}
END_TEST

/* The searches of the child, to depth 3 and 6, give the move a bonus, too, but a smaller one. */
START_TEST(a_late_move_that_fails_high_in_its_re_search_gains_continuation_history)
{
    Node n = open_node(MIDDLEGAME, -3000, 6, 0);
    PieceToHistory *const history = parent_history(&n);
    MoveLoop loop;
    set_move(&n, &loop, "h2h3", 10);
    loop.reduction = 2 * 1024;
    ck_assert_int_ge(search_move(&n, &loop), n.beta);
    const int bonus = history_bonus(6) * params.history_research_share / 100;
    ck_assert_int_lt(history_parent_bonus(3) + history_parent_bonus(6), bonus);
    ck_assert_int_gt((*history)[W_PAWN][H3], bonus);
}
END_TEST

START_TEST(a_score_above_alpha_raises_it_and_one_above_beta_ends_the_node)
{
    Node n = open_node(MIDDLEGAME, 0, 6, 0);
    MoveLoop loop;
    n.beta = 100;
    n.pv_node = true;
    n.cut_node = false;
    set_move(&n, &loop, "e1g1", 1);
    stack_at(n.ss, 1)->pv_length = 0;
    ck_assert(!update_best(&n, &loop, -10));
    ck_assert_int_eq(n.best, -10);
    ck_assert_int_eq(n.alpha, 0);
    ck_assert_int_eq(n.best_move, MOVE_NONE);
    ck_assert(!update_best(&n, &loop, 40));
    ck_assert_int_eq(n.alpha, 40);
    ck_assert_int_eq(n.best_move, loop.move);
    ck_assert_int_eq(n.ss->pv[0], loop.move);
    ck_assert_int_eq(loop.raises, 1);
    ck_assert_int_eq(n.depth, 6 - params.alpha_raise_reduction);
    ck_assert_int_eq(loop.tried.quiet.count, 2);
    loop.move = fixture_move(&n, "h2h3");
    loop.number = 3;
    ck_assert(update_best(&n, &loop, 100));
    ck_assert_uint_eq(n.w->stats.fail_highs, 1);
    ck_assert_uint_eq(n.w->stats.first_fail_highs, 0);
    ck_assert_uint_eq(n.w->stats.third_fail_highs, 1);
    ck_assert_int_gt(history_quiet(&n.w->histories, n.pos, &loop.picker.context, loop.move), 0);
}
END_TEST

START_TEST(a_raise_of_alpha_reduces_the_other_moves_only_at_medium_depth)
{
    const int min = params.alpha_raise_min_depth, max = params.alpha_raise_max_depth,
              less = params.alpha_raise_reduction;
    const int depths[][2] = {{min - 1, 0}, {min, less}, {max, less}, {max + 1, 0}};
    Node n = open_node(MIDDLEGAME, 0, depths[_i][0], 0);
    MoveLoop loop;
    n.beta = 100;
    set_move(&n, &loop, "e1g1", 1);
    n.ss->pv_length = 7;
    ck_assert(!update_best(&n, &loop, 0)); // equal to alpha
    ck_assert_int_eq(n.best_move, MOVE_NONE);
    ck_assert(!update_best(&n, &loop, 40));
    ck_assert_int_eq(n.depth, depths[_i][0] - depths[_i][1]);
    ck_assert_int_eq(n.ss->pv_length, 7); // only a PV node has a variation
}
END_TEST

START_TEST(cutoffs_of_the_second_tt_move_are_counted)
{
    Node n = open_node(MIDDLEGAME, 0, 6, 0);
    MoveLoop loop;
    set_move(&n, &loop, "e1g1", 2);
    ck_assert(update_best(&n, &loop, 100));
    ck_assert_uint_eq(n.w->stats.second_move_cutoffs, 0);
    n.tt_moves[1] = loop.move;
    ck_assert(update_best(&n, &loop, 100));
    ck_assert_uint_eq(n.w->stats.second_move_cutoffs, 1);
}
END_TEST

/* The other moves may give a faster mate. */
START_TEST(a_mate_that_raises_alpha_keeps_the_depth)
{
    Node n = open_node(MIDDLEGAME, 0, 6, 0);
    MoveLoop loop;
    n.beta = SCORE_INF;
    n.pv_node = true;
    n.cut_node = false;
    set_move(&n, &loop, "e1g1", 1);
    stack_at(n.ss, 1)->pv_length = 0;
    ck_assert(!update_best(&n, &loop, SCORE_MATE - 9));
    ck_assert_int_eq(n.alpha, SCORE_MATE - 9);
    ck_assert_int_eq(n.depth, 6);
}
END_TEST

START_TEST(a_fail_high_of_a_singular_search_is_not_counted)
{
    Node n = open_node(MIDDLEGAME, 0, 6, 0);
    MoveLoop loop;
    n.ss->excluded = fixture_move(&n, "d4c5");
    n.ss->fail_highs = 0;
    set_move(&n, &loop, "e1g1", 1);
    ck_assert(update_best(&n, &loop, 100));
    ck_assert_uint_eq(n.w->stats.fail_highs, 0);
    ck_assert_uint_eq(n.w->stats.first_fail_highs, 0);
    ck_assert_uint_eq(n.w->stats.third_fail_highs, 0);
    ck_assert_int_eq(n.ss->fail_highs, 1);
    ck_assert_int_gt(history_quiet(&n.w->histories, n.pos, &loop.picker.context, loop.move), 0);
}
END_TEST

START_TEST(a_fail_high_is_softened_more_at_low_depth)
{
    Node n = open_node(MIDDLEGAME, 0, 1, 0);
    n.best = 401;
    soften_fail_high(&n);
    ck_assert_int_eq(n.best, 201);
    n.best = 401;
    n.depth = 9;
    soften_fail_high(&n);
    ck_assert_int_eq(n.best, 361);
    n.best = SCORE_TB;
    soften_fail_high(&n);
    ck_assert_int_eq(n.best, SCORE_TB);
    n.best = n.beta - 100;
    soften_fail_high(&n);
    ck_assert_int_eq(n.best, n.beta - 100);
    n.best = 401;
    n.beta = -SCORE_TB;
    soften_fail_high(&n);
    ck_assert_int_eq(n.best, 401);
}
END_TEST

Suite *suite_move_loop(void);
Suite *suite_move_loop(void)
{
    Suite *suite = suite_create("move_loop");
    TCase *tcase = tcase_create("move_loop");
    tcase_add_checked_fixture(tcase, NULL, fixture_teardown);
    tcase_add_test(tcase, each_property_of_a_late_move_changes_its_reduction);
    tcase_add_test(tcase, each_property_of_a_node_changes_its_reductions);
    tcase_add_test(tcase, late_moves_of_a_pv_node_are_reduced_less_with_a_wide_window);
    tcase_add_test(tcase, no_move_is_pruned_before_a_non_losing_score_is_known);
    tcase_add_test(tcase, no_move_is_pruned_at_the_root_or_in_pawn_endings);
    tcase_add_test(tcase, late_move_pruning_ends_the_quiet_moves);
    tcase_add_test(tcase, late_move_pruning_needs_low_depth_and_prunes_later_when_improving);
    tcase_add_test(tcase, a_job_may_ask_for_more_moves_before_late_move_pruning);
    tcase_add_test(tcase, futile_quiet_moves_are_pruned_and_bound_the_result);
    tcase_add_test(tcase, futility_counts_whole_plies_of_reduction_and_never_lowers_the_result);
    tcase_add_test(tcase, futility_needs_low_depth_and_no_check);
    tcase_add_test(tcase, checks_are_not_futile);
    tcase_add_test(tcase, quiet_moves_of_bad_history_are_pruned);
    tcase_add_test(tcase, moves_that_lose_material_are_pruned_at_low_depth);
    tcase_add_test(tcase, captures_that_cannot_reach_alpha_are_pruned);
    tcase_add_loop_test(tcase, late_moves_are_reduced_by_whole_plies, 0, 5);
    tcase_add_test(tcase, a_move_close_to_the_best_score_is_searched_again_a_ply_shallower);
    tcase_add_test(tcase, a_move_far_above_the_best_score_is_searched_again_a_ply_deeper);
    tcase_add_loop_test(
        tcase, a_child_is_expected_to_fail_high_if_the_node_is_not_or_if_it_is_reduced, 0, 4);
    tcase_add_test(tcase, a_late_move_that_fails_high_in_its_re_search_gains_continuation_history);
    tcase_add_test(tcase, a_late_move_that_fails_low_in_its_re_search_loses_continuation_history);
    tcase_add_test(tcase,
                   a_re_search_inside_the_window_or_of_a_capture_changes_no_continuation_history);
    tcase_add_test(tcase, a_score_above_alpha_raises_it_and_one_above_beta_ends_the_node);
    tcase_add_loop_test(tcase, a_raise_of_alpha_reduces_the_other_moves_only_at_medium_depth, 0, 4);
    tcase_add_test(tcase, cutoffs_of_the_second_tt_move_are_counted);
    tcase_add_test(tcase, a_mate_that_raises_alpha_keeps_the_depth);
    tcase_add_test(tcase, a_fail_high_of_a_singular_search_is_not_counted);
    tcase_add_test(tcase, a_fail_high_is_softened_more_at_low_depth);
    suite_add_tcase(suite, tcase);
    return suite;
}
