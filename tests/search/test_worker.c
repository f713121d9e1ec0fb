// SPDX-License-Identifier: GPL-3.0-or-later
/* The state of a search thread: limits, stack, root moves and draws. */
#include "search/worker.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "search/worker_fixture.h"

/* The legal move `text` at `ss`. */
static Move move_at(const SearchStack *ss, const char *text)
{
    const Node here = {.pos = &ss->pos};
    return fixture_move(&here, text);
}

/* Counts one node, as a search would, and stays at the root. */
static void count_node(Worker *w)
{
    worker_play(w, worker_stack(w, 0), MOVE_NULL);
    worker_undo(w);
}

/* Nodes that `w` makes until it must stop, at most `max`. */
static uint64_t nodes_until_stop(Worker *w, uint64_t max)
{
    const uint64_t before = worker_nodes(w);
    while (worker_nodes(w) - before < max && !worker_must_stop(w))
        count_node(w);
    return worker_nodes(w) - before;
}

/* ---- Limits ---- */

/* The interval between two checks depends on the clock: it must not decide how long the search goes
 * on once it has a move. */
START_TEST(a_limit_reached_before_the_first_move_ends_the_search_right_after_it)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    fixture.job.limits.nodes = 3;
    nodes_until_stop(w, 2);
    w->check_interval = 512;
    ck_assert_uint_eq(nodes_until_stop(w, 8), 8);
    ck_assert(w->stop_pending);
    w->may_stop = true;
    ck_assert(worker_must_stop(w));
}
END_TEST

START_TEST(a_search_without_limits_does_not_stop)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    w->may_stop = true;
    ck_assert_uint_eq(nodes_until_stop(w, 5000), 5000);
    ck_assert(!worker_must_stop(w));
}
END_TEST

START_TEST(a_node_limit_stops_the_main_worker_at_exactly_that_node)
{
    static const uint64_t LIMITS[] = {1, 100, 1023, 1024, 1025, 5000};
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    fixture.job.limits.nodes = LIMITS[_i];
    w->may_stop = true;
    ck_assert_uint_eq(nodes_until_stop(w, 20000), LIMITS[_i]);
    ck_assert(atomic_load(&fixture.shared.stop));
    ck_assert(w->stopped);
}
END_TEST

START_TEST(no_limit_stops_a_worker_before_its_first_root_move_is_searched)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    fixture.job.limits.nodes = 10;
    fixture.shared.plan.hard_ms = 0;
    ck_assert_uint_eq(nodes_until_stop(w, 50), 50);
    w->may_stop = true;
    ck_assert(worker_must_stop(w));
}
END_TEST

/* While one worker waits for a processor, the other one must not make the nodes of both. */
START_TEST(every_worker_checks_the_node_limit_of_all)
{
    for (int i = 0; i < 2; i++) {
        fixture_open(&fixture, MIDDLEGAME, 2);
        Worker *const busy = fixture.workers[i], *const other = fixture.workers[1 - i];
        fixture.job.limits.nodes = 100;
        busy->may_stop = other->may_stop = true;
        ck_assert_uint_eq(nodes_until_stop(busy, 60), 60);
        ck_assert_uint_eq(nodes_until_stop(other, 2000), 40);
        ck_assert_uint_eq(worker_total_nodes(&fixture.shared), 100);
        ck_assert(worker_must_stop(busy));
        if (i == 0)
            fixture_close(&fixture);
    }
}
END_TEST

START_TEST(every_worker_stops_at_the_hard_time_limit_but_not_while_pondering)
{
    fixture_open(&fixture, MIDDLEGAME, 2);
    Worker *const helper = fixture.workers[1];
    helper->may_stop = true;
    fixture.shared.plan.hard_ms = 1; // the fixture's start time is long ago
    atomic_store(&fixture.shared.pondering, true);
    ck_assert(!worker_must_stop(helper));
    atomic_store(&fixture.shared.pondering, false);
    ck_assert_uint_le(nodes_until_stop(helper, 5000), 1024);
    ck_assert(helper->stopped);
}
END_TEST

START_TEST(a_soft_limit_hit_while_pondering_stops_the_search_at_the_ponderhit)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    w->may_stop = true;
    atomic_store(&fixture.shared.pondering, true);
    atomic_store(&fixture.shared.soft_limit_hit, true);
    ck_assert(!worker_must_stop(w));
    atomic_store(&fixture.shared.pondering, false);
    ck_assert_uint_le(nodes_until_stop(w, 5000), 1024);
    ck_assert(w->stopped);
}
END_TEST

START_TEST(with_nodes_as_time_the_hard_limit_is_a_node_limit)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    w->may_stop = true;
    fixture.job.nodes_per_ms = 30;
    fixture.shared.plan.hard_ms = 50;
    ck_assert_uint_eq(nodes_until_stop(w, 20000), 1500);
    ck_assert_int_eq(worker_spent_ms(&fixture.shared), 50);
}
END_TEST

START_TEST(limits_are_checked_at_the_node_after_a_tablebase_hit)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    w->may_stop = true;
    nodes_until_stop(w, 5000);
    ck_assert_uint_gt(w->next_check, worker_nodes(w) + 1); // otherwise the test shows nothing
    fixture.shared.plan.hard_ms = 1;
    count_node(w);
    ck_assert(!worker_must_stop(w));
    worker_count_tb_hit(w);
    count_node(w);
    ck_assert(worker_must_stop(w));
    fixture.shared.root_tb_hits = 4;
    ck_assert_uint_eq(worker_total_tb_hits(&fixture.shared), 5);
}
END_TEST

/* ---- Root moves ---- */

START_TEST(a_root_move_brought_forward_keeps_the_order_of_those_it_passes)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    Move before[MAX_MOVES];
    const int count = w->root_move_count, index = 5;
    ck_assert_int_gt(count, index);
    for (int i = 0; i < count; i++)
        before[i] = w->root_moves[i].move;
    ck_assert(worker_bring_to_front(w, before[index]));
    ck_assert_int_eq(w->root_moves[0].move, before[index]);
    for (int i = 1; i < count; i++)
        ck_assert_int_eq(w->root_moves[i].move, before[i <= index ? i - 1 : i]);
    ck_assert(worker_bring_to_front(w, before[index]));
    ck_assert_int_eq(w->root_moves[0].move, before[index]);
    ck_assert(worker_bring_to_front(w, before[count - 1]));
    ck_assert_int_eq(w->root_moves[0].move, before[count - 1]);
    ck_assert_int_eq(w->root_moves[1].move, before[index]);
}
END_TEST

/* In an iteration most moves have no score of their own. */
START_TEST(root_moves_of_equal_score_are_sorted_by_their_previous_score_and_then_stay_in_order)
{
    static const Score SCORES[][2] = {{40, 0}, {-SCORE_INF, 10}, {-SCORE_INF, 30},
                                      {60, 0}, {-SCORE_INF, 10}, {-SCORE_INF, -SCORE_INF}};
    static const int SORTED[] = {3, 0, 2, 1, 4, 5};
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    Move moves[6];
    w->root_move_count = 6;
    for (int i = 0; i < 6; i++) {
        moves[i] = w->root_moves[i].move;
        w->root_moves[i].score = SCORES[i][0];
        w->root_moves[i].previous = SCORES[i][1];
    }
    worker_sort_root_moves(w, 0);
    for (int i = 0; i < 6; i++)
        ck_assert_int_eq(w->root_moves[i].move, moves[SORTED[i]]);
}
END_TEST

START_TEST(a_move_that_is_no_root_move_changes_nothing)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    RootMove before[MAX_MOVES];
    const size_t bytes = (size_t)w->root_move_count * sizeof *before;
    memcpy(before, w->root_moves, bytes);
    ck_assert(!worker_bring_to_front(w, MOVE_NULL));
    ck_assert_mem_eq(w->root_moves, before, bytes);
    w->root_move_count = 0;
    ck_assert(!worker_bring_to_front(w, before[0].move));
}
END_TEST

START_TEST(only_the_moves_of_searchmoves_become_root_moves)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    Limits *const limits = &fixture.job.limits;
    limits->has_search_moves = true;
    limits->search_move_count = 2;
    limits->search_moves[0] = move_at(worker_stack(w, 0), "h2h3");
    limits->search_moves[1] = move_at(worker_stack(w, 0), "e1g1");
    worker_prepare(w);
    ck_assert_int_eq(w->root_move_count, 2);
    for (int i = 0; i < 2; i++)
        ck_assert(limits_allow(limits, w->root_moves[i].move));
    limits->search_move_count = 0;
    worker_prepare(w);
    ck_assert_int_eq(w->root_move_count, 0);
}
END_TEST

START_TEST(the_first_root_moves_are_those_of_the_best_tablebase_rank)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    Limits *const limits = &fixture.job.limits;
    static const char *const texts[] = {"h2h3", "e1g1", "a2a3"};
    static const int ranks[] = {-950, 0, 950};
    limits->has_search_moves = true;
    limits->search_move_count = 3;
    fixture.shared.root_tb_hits = 3;
    for (int i = 0; i < 3; i++) {
        limits->search_moves[i] = move_at(worker_stack(w, 0), texts[i]);
        fixture.shared.root_ranks[i] = ranks[i];
    }
    worker_prepare(w);
    ck_assert_int_eq(w->root_move_count, 3);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(w->root_moves[i].move, limits->search_moves[2 - i]);
        ck_assert_int_eq(w->root_moves[i].rank, ranks[2 - i]);
    }
}
END_TEST

START_TEST(a_learned_move_is_the_first_root_move)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    const int count = w->root_move_count;
    const Move last = w->root_moves[count - 1].move;
    LearnedTable learned = {.policy = LEARN_BEBE};
    const LearnedEntry entry = {.key = fixture.job.root.key, .move = last, .score = SCORE_NONE};
    ck_assert(learned_table_put(&learned, &entry, true));
    fixture.shared.learned = &learned;
    worker_prepare(w);
    ck_assert_int_eq(w->root_move_count, count);
    ck_assert_int_eq(w->root_moves[0].move, last);
    learned_table_clear(&learned);
}
END_TEST

/* ---- The stack ---- */

START_TEST(the_principal_variation_is_the_move_and_that_of_the_child)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    SearchStack *const ss = worker_stack(w, 0), *const child = stack_at(ss, 1);
    ss->pv_length = 9;
    child->pv_length = 0;
    stack_update_pv(ss, 11);
    ck_assert_int_eq(ss->pv_length, 1);
    ck_assert_int_eq(ss->pv[0], 11);
    child->pv_length = 2;
    child->pv[0] = 22;
    child->pv[1] = 33;
    stack_update_pv(ss, 44);
    ck_assert_int_eq(ss->pv_length, 3);
    ck_assert_int_eq(ss->pv[0], 44);
    ck_assert_int_eq(ss->pv[1], 22);
    ck_assert_int_eq(ss->pv[2], 33);
}
END_TEST

START_TEST(playing_a_move_fills_the_next_stack_entry_and_undo_restores_the_path)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    SearchStack *const ss = worker_stack(w, 0), *const child = stack_at(ss, 1);
    const Move move = move_at(ss, "f3e5");
    worker_play(w, ss, move);
    ck_assert_int_eq(ss->move, move);
    ck_assert_ptr_eq(ss->continuation, history_continuation(&w->histories, W_KNIGHT, E5));
    ck_assert_int_eq(child->ply, 1);
    ck_assert_int_eq(child->pos.side, BLACK);
    ck_assert_uint_eq(worker_nodes(w), 1);
    ck_assert_uint_eq(w->path.keys[w->path.count - 1], child->pos.key);
    worker_undo(w);
    ck_assert_uint_eq(w->path.keys[w->path.count - 1], ss->pos.key);
    worker_play(w, ss, MOVE_NULL);
    ck_assert_ptr_eq(ss->continuation, history_continuation(&w->histories, NO_PIECE, 0));
    ck_assert_int_eq(child->pos.side, BLACK);
    ck_assert_uint_eq(worker_nodes(w), 2);
}
END_TEST

START_TEST(only_a_quiet_move_makes_a_quiet_parent)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    SearchStack *const root = worker_stack(w, 0), *const ss = stack_at(root, 1);
    ck_assert_ptr_null(stack_quiet_parent(root));
    worker_play(w, root, move_at(root, "e1g1"));
    ck_assert_ptr_eq(stack_quiet_parent(ss), root);
    worker_undo(w);
    worker_play(w, root, move_at(root, "d4c5"));
    ck_assert_ptr_null(stack_quiet_parent(ss));
    worker_undo(w);
    worker_play(w, root, MOVE_NULL);
    ck_assert_ptr_null(stack_quiet_parent(ss));
}
END_TEST

START_TEST(forgetting_clears_histories_corrections_and_the_last_score)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    SearchStack *const ss = worker_stack(w, 0);
    const HistoryContext context = worker_context(w, ss);
    const CorrectionPoint point = stack_correction_point(ss);
    const Move move = move_at(ss, "h2h3");
    history_update_quiet(&w->histories, &ss->pos, &context, move, 1000);
    correction_update(&w->corrections, point, 200, 10);
    worker_stack(w, 5)->fail_highs = 3;
    w->last_score = 50;
    ck_assert_int_gt(history_quiet(&w->histories, &ss->pos, &context, move), 0);
    ck_assert_int_gt(correction_value(&w->corrections, point), 0);
    worker_clear(w);
    ck_assert_int_eq(history_quiet(&w->histories, &ss->pos, &context, move), 0);
    ck_assert_int_eq(correction_value(&w->corrections, point), 0);
    ck_assert_int_eq(worker_stack(w, 5)->fail_highs, 0);
    ck_assert_int_eq(w->last_score, SCORE_NONE);
}
END_TEST

/* ---- Draws ---- */

START_TEST(fifty_moves_and_missing_material_are_draws)
{
    static const struct {
        const char *fen;
        bool is_draw;
    } CASES[] = {
        {"4k3/8/8/8/8/8/8/R3K3 w - - 99 80", false},
        {"4k3/8/8/8/8/8/8/R3K3 w - - 100 80", true},
        {"R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 80", false}, // mate comes first
        {"4k3/8/8/8/8/8/8/N3K3 w - - 0 1", true},
        {"4k3/8/8/8/8/8/8/NN2K3 w - - 0 1", false},
    };
    Worker *const w = fixture_open(&fixture, CASES[_i].fen, 1);
    ck_assert_int_eq(worker_is_draw(w, worker_stack(w, 0)), CASES[_i].is_draw);
}
END_TEST

/* The root does not count as a first occurrence: a player may return to it once. */
START_TEST(the_first_repetition_below_the_root_is_a_draw_but_not_that_of_the_root)
{
    static const char *const MOVES[] = {"f3g1", "f6e8", "g1f3", "e8f6", "f3g1"};
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    SearchStack *ss = worker_stack(w, 0);
    for (int i = 0; i < 5; i++) {
        worker_play(w, ss, move_at(ss, MOVES[i]));
        ss = stack_at(ss, 1);
        ck_assert_int_eq(worker_is_draw(w, ss), i == 4);
    }
}
END_TEST

START_TEST(the_draw_score_varies_with_the_nodes_around_zero)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    int sum = 0, distinct = 0;
    for (int i = 0; i < 8; i++) {
        const Score score = worker_draw_score(w);
        ck_assert_int_le(abs(score - SCORE_DRAW), 1);
        sum += score;
        count_node(w);
        distinct += worker_draw_score(w) != score;
    }
    ck_assert_int_eq(sum, 0);
    ck_assert_int_gt(distinct, 0);
}
END_TEST

START_TEST(a_worker_that_joins_a_line_has_its_own_copy_of_it)
{
    Worker *const from = fixture_open(&fixture, MIDDLEGAME, 2), *const to = fixture.workers[1];
    SearchStack *const root = worker_stack(from, 0);
    const Move move = move_at(root, "h2h3");
    HistoryContext context = worker_context(from, root);
    history_update_quiet(&from->histories, &root->pos, &context, move, 500);
    worker_play(from, root, move);
    from->lmp_extra = 0;
    fixture.job.lmp_extra = 26;
    worker_join_line(to, from);

    const SearchStack *const ss = worker_stack(to, 1);
    ck_assert_uint_eq(ss->pos.key, worker_stack(from, 1)->pos.key);
    ck_assert_int_eq(to->path.count, from->path.count);
    ck_assert_uint_eq(worker_nodes(to), 0);
    ck_assert(!to->stopped && to->may_stop);
    ck_assert_int_eq(to->lmp_extra, 26);
    for (int ply = -STACK_BELOW; ply <= 1; ply++) {
        const SearchStack *const copy = worker_stack(to, ply), *const original =
                                                                   worker_stack(from, ply);
        ck_assert_ptr_ne(copy->pv, original->pv);
        if (original->continuation != NULL)
            ck_assert_int_eq(copy->continuation - &to->histories.continuation[0][0],
                             original->continuation - &from->histories.continuation[0][0]);
    }
    context = worker_context(to, worker_stack(to, 0));
    ck_assert_int_gt(history_quiet(&to->histories, &root->pos, &context, move), 0);
    worker_undo(from);
}
END_TEST

Suite *suite_worker(void);
Suite *suite_worker(void)
{
    Suite *suite = suite_create("worker");
    TCase *tcase = tcase_create("worker");
    tcase_add_checked_fixture(tcase, NULL, fixture_teardown);
    tcase_add_test(tcase, a_limit_reached_before_the_first_move_ends_the_search_right_after_it);
    tcase_add_test(tcase, a_search_without_limits_does_not_stop);
    tcase_add_loop_test(tcase, a_node_limit_stops_the_main_worker_at_exactly_that_node, 0, 6);
    tcase_add_test(tcase, no_limit_stops_a_worker_before_its_first_root_move_is_searched);
    tcase_add_test(tcase, every_worker_checks_the_node_limit_of_all);
    tcase_add_test(tcase, every_worker_stops_at_the_hard_time_limit_but_not_while_pondering);
    tcase_add_test(tcase, a_soft_limit_hit_while_pondering_stops_the_search_at_the_ponderhit);
    tcase_add_test(tcase, with_nodes_as_time_the_hard_limit_is_a_node_limit);
    tcase_add_test(tcase, limits_are_checked_at_the_node_after_a_tablebase_hit);
    tcase_add_test(tcase, a_root_move_brought_forward_keeps_the_order_of_those_it_passes);
    tcase_add_test(
        tcase, root_moves_of_equal_score_are_sorted_by_their_previous_score_and_then_stay_in_order);
    tcase_add_test(tcase, a_move_that_is_no_root_move_changes_nothing);
    tcase_add_test(tcase, only_the_moves_of_searchmoves_become_root_moves);
    tcase_add_test(tcase, the_first_root_moves_are_those_of_the_best_tablebase_rank);
    tcase_add_test(tcase, a_learned_move_is_the_first_root_move);
    tcase_add_test(tcase, the_principal_variation_is_the_move_and_that_of_the_child);
    tcase_add_test(tcase, playing_a_move_fills_the_next_stack_entry_and_undo_restores_the_path);
    tcase_add_test(tcase, only_a_quiet_move_makes_a_quiet_parent);
    tcase_add_test(tcase, forgetting_clears_histories_corrections_and_the_last_score);
    tcase_add_loop_test(tcase, fifty_moves_and_missing_material_are_draws, 0, 5);
    tcase_add_test(tcase, the_first_repetition_below_the_root_is_a_draw_but_not_that_of_the_root);
    tcase_add_test(tcase, the_draw_score_varies_with_the_nodes_around_zero);
    tcase_add_test(tcase, a_worker_that_joins_a_line_has_its_own_copy_of_it);
    suite_add_tcase(suite, tcase);
    return suite;
}
