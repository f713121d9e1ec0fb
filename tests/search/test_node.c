// SPDX-License-Identifier: GPL-3.0-or-later
/* The steps that the main search and quiescence share, each called directly. */
#include "search/node.h"

#include <check.h>

#include "chess/movegen.h"
#include "search/params.h"
#include "search/worker_fixture.h"

static const char IN_CHECK[] = "4k3/8/8/8/8/8/3PrP2/3QKB2 w - - 0 1";

/* A node at `fen`, at ply 1, with this window. */
static Node open_node(const char *fen, Score alpha, Score beta, int depth)
{
    fixture_open(&fixture, fen, 1);
    return fixture_node(&fixture, alpha, beta, depth);
}

/* ---- The end of the line ---- */

START_TEST(a_node_without_a_reason_to_end_goes_on_with_its_window)
{
    Node n = open_node(MIDDLEGAME, -50, 50, 5);
    Score score;
    ck_assert(!node_is_over(&n, &score));
    ck_assert_int_eq(n.alpha, -50);
    ck_assert_int_eq(n.beta, 50);
    ck_assert_int_eq(n.draw_floor, -SCORE_INF);
}
END_TEST

START_TEST(a_node_ends_when_the_search_must_stop)
{
    Node n = open_node(MIDDLEGAME, -50, 50, 5);
    Score score;
    n.w->may_stop = true;
    atomic_store(&fixture.shared.stop, true);
    ck_assert(node_is_over(&n, &score));
    ck_assert(n.w->stopped);
}
END_TEST

START_TEST(a_drawn_node_has_a_score_within_one_unit_of_a_draw)
{
    static const char *const FENS[] = {"4k3/8/8/8/8/8/8/R3K3 w - - 100 80",
                                       "4k3/8/8/8/8/8/8/N3K3 w - - 0 1"};
    Node n = open_node(FENS[_i], 200, 300, 5);
    Score score = SCORE_NONE;
    ck_assert(node_is_over(&n, &score));
    ck_assert_int_eq(score, worker_draw_score(n.w));
    ck_assert_int_ge(score, SCORE_DRAW - 1);
    ck_assert_int_le(score, SCORE_DRAW + 1);
}
END_TEST

START_TEST(the_last_ply_of_the_stack_is_evaluated_but_a_check_there_is_a_draw)
{
    Node n = open_node(MIDDLEGAME, -50, 50, 5);
    Score score;
    n.ply = MAX_PLY - 1;
    ck_assert(!node_is_over(&n, &score));
    n.ply = MAX_PLY;
    ck_assert(node_is_over(&n, &score));
    ck_assert_int_eq(score, eval_from_scratch(&fixture.eval, n.pos));
    fixture_close(&fixture);

    n = open_node(IN_CHECK, -50, 50, 5);
    n.ply = MAX_PLY;
    ck_assert(node_is_over(&n, &score));
    ck_assert_int_eq(score, SCORE_DRAW);
}
END_TEST

START_TEST(mate_distance_narrows_the_window_and_ends_a_node_that_cannot_improve_it)
{
    Node n = open_node(MIDDLEGAME, -SCORE_INF, SCORE_INF, 5);
    Score score;
    ck_assert(!node_is_over(&n, &score));
    ck_assert_int_eq(n.alpha, score_mated_in(1));
    ck_assert_int_eq(n.beta, score_mate_in(2));
    n.alpha = score_mate_in(2); // as fast as any mate from here
    n.beta = SCORE_INF;
    ck_assert(node_is_over(&n, &score));
    ck_assert_int_eq(score, score_mate_in(2));
}
END_TEST

/* Plays the moves from the root, in coordinates, and returns the stack entry after them. */
static SearchStack *play(Worker *w, const char *const *moves, int count)
{
    SearchStack *ss = worker_stack(w, 0);
    for (int i = 0; i < count; i++) {
        const Node here = {.pos = &ss->pos};
        worker_play(w, ss, fixture_move(&here, moves[i]));
        ss = stack_at(ss, 1);
    }
    return ss;
}

static const char *const SHUFFLE[] = {"f3g1", "f6e8", "g1f3", "e8f6"};

/* After the shuffle, the move f3g1 would repeat the position of ply 1. */
START_TEST(a_repetition_that_can_be_forced_is_a_lower_bound_of_the_result)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    SearchStack *const ss = play(w, SHUFFLE, 4);
    Score score;
    Node n = node_enter(w, ss, -300, -200, 5);
    ck_assert(node_is_over(&n, &score));
    ck_assert_int_eq(score, worker_draw_score(w));

    n = node_enter(w, ss, -300, 200, 5);
    ck_assert(!node_is_over(&n, &score));
    ck_assert_int_eq(n.alpha, worker_draw_score(w));
    n.best = -120;
    ck_assert_int_eq(node_result(&n), worker_draw_score(w));
    n.best = 120;
    ck_assert_int_eq(node_result(&n), 120);

    n = node_enter(w, ss, 100, 200, 5); // a draw does not help here
    ck_assert(!node_is_over(&n, &score));
    ck_assert_int_eq(n.alpha, 100);
}
END_TEST

/* ---- Transposition table ---- */

/* Stores a result for the position of `n`. */
static void store(const Node *n, Move move, Score score, Bound bound, int depth)
{
    TtStats unused = {0};
    const TtData data = {.move = move,
                         .score = score,
                         .eval = 33,
                         .depth = depth,
                         .bound = bound,
                         .nodes = (uint64_t)depth + 1};
    tt_store(&fixture.tt, n->pos->key, (SearchPoint){n->ply, n->pos->rule50}, &data, &unused);
}

START_TEST(an_entry_with_an_illegal_move_is_a_type_1_error_and_is_ignored)
{
    Node n = open_node(MIDDLEGAME, 0, 1, 5);
    const Move illegal = move_make(A1, H8, KIND_NORMAL);
    ck_assert(!gen_is_legal(n.pos, illegal));
    tt_clear(&fixture.tt);
    store(&n, illegal, 500, BOUND_EXACT, 9);
    node_probe_table(&n);
    ck_assert_int_eq(n.tt_count, 0);
    ck_assert_int_eq(n.tt_moves[0], MOVE_NONE);
    ck_assert_uint_eq(n.w->stats.tt.type1_errors, 1);
    Score score;
    ck_assert(!node_table_cutoff(&n, &score));
}
END_TEST

START_TEST(a_table_cutoff_is_not_below_a_draw_that_can_be_forced)
{
    Node n = open_node(MIDDLEGAME, -1, 0, 5);
    Score score;
    store(&n, MOVE_NONE, -300, BOUND_UPPER, 9);
    node_probe_table(&n);
    ck_assert(node_table_cutoff(&n, &score));
    ck_assert_int_eq(score, -300);
    n.draw_floor = -1;
    ck_assert(node_table_cutoff(&n, &score));
    ck_assert_int_eq(score, -1);
}
END_TEST

START_TEST(a_type_1_error_in_one_entry_leaves_the_other_entry)
{
    Node n = open_node(MIDDLEGAME, 0, 1, 5);
    fixture.tt.replacement = REPLACE_THOMPSON; // a position can have two entries
    const Move shallow = fixture_move(&n, "d4c5");
    store(&n, move_make(A1, H8, KIND_NORMAL), 10, BOUND_LOWER, 9);
    store(&n, shallow, 20, BOUND_LOWER, 3);
    node_probe_table(&n);
    ck_assert_int_eq(n.tt_count, 1);
    ck_assert_int_eq(n.tt_entries[0].depth, 3);
    ck_assert_int_eq(n.tt_moves[0], shallow);
    ck_assert_int_eq(n.tt_moves[1], MOVE_NONE);
    ck_assert_uint_eq(n.w->stats.tt.type1_errors, 1);
}
END_TEST

START_TEST(the_move_of_the_deeper_entry_is_the_first_tt_move)
{
    Node n = open_node(MIDDLEGAME, 0, 1, 5);
    fixture.tt.replacement = REPLACE_THOMPSON; // a position can have two entries
    const Move deep = fixture_move(&n, "e1g1"), shallow = fixture_move(&n, "d4c5");
    store(&n, deep, 10, BOUND_LOWER, 9);
    store(&n, shallow, 20, BOUND_LOWER, 3);
    node_probe_table(&n);
    ck_assert_int_eq(n.tt_count, 2);
    ck_assert_int_eq(n.tt_moves[0], deep);
    ck_assert_int_eq(n.tt_moves[1], shallow);
    ck_assert_uint_eq(n.w->stats.tt.type1_errors, 0);
}
END_TEST

START_TEST(equal_moves_of_two_entries_are_one_tt_move)
{
    Node n = open_node(MIDDLEGAME, 0, 1, 5);
    fixture.tt.replacement = REPLACE_THOMPSON;
    const Move move = fixture_move(&n, "e1g1");
    store(&n, move, 10, BOUND_LOWER, 9);
    store(&n, move, 20, BOUND_LOWER, 3);
    node_probe_table(&n);
    ck_assert_int_eq(n.tt_count, 2);
    ck_assert_int_eq(n.tt_moves[0], move);
    ck_assert_int_eq(n.tt_moves[1], MOVE_NONE);
}
END_TEST

START_TEST(a_pv_mark_in_the_table_marks_node_and_stack)
{
    Node n = open_node(MIDDLEGAME, 0, 1, 5);
    node_probe_table(&n);
    ck_assert(!n.tt_pv);
    ck_assert(!n.ss->tt_pv);
    n.tt_pv = true;
    n.best = 5;
    node_store(&n);
    Node again = fixture_node(&fixture, 0, 1, 5);
    node_probe_table(&again);
    ck_assert(again.tt_pv);
    ck_assert(again.ss->tt_pv);
}
END_TEST

START_TEST(a_table_entry_cuts_only_in_the_direction_of_its_bound)
{
    static const struct {
        Bound bound;
        Score score;
        bool is_cutoff;
    } CASES[] = {
        {BOUND_LOWER, 101, true},  {BOUND_LOWER, 100, false}, {BOUND_UPPER, 100, true},
        {BOUND_UPPER, 101, false}, {BOUND_EXACT, 300, true},  {BOUND_EXACT, -300, true},
        {BOUND_NONE, 300, false},
    };
    Node n = open_node(MIDDLEGAME, 100, 101, 4);
    fixture_add_entry(&n, MOVE_NONE, CASES[_i].score, CASES[_i].bound, 4);
    Score score = SCORE_NONE;
    ck_assert_int_eq(node_table_cutoff(&n, &score), CASES[_i].is_cutoff);
    if (CASES[_i].is_cutoff)
        ck_assert_int_eq(score, CASES[_i].score);
    ck_assert_uint_eq(n.w->stats.tt.cutoffs[CASES[_i].bound], CASES[_i].is_cutoff);
}
END_TEST

START_TEST(no_table_cutoff_at_pv_nodes_in_singular_searches_near_fifty_moves_or_by_shallow_entries)
{
    Node n = open_node(MIDDLEGAME, 100, 101, 4);
    Score score;
    fixture_add_entry(&n, MOVE_NONE, 300, BOUND_LOWER, 4);
    n.pv_node = true;
    ck_assert(!node_table_cutoff(&n, &score));
    n.pv_node = false;
    n.ss->excluded = fixture_move(&n, "e1g1");
    ck_assert(!node_table_cutoff(&n, &score));
    n.ss->excluded = MOVE_NONE;
    n.depth = 5;
    ck_assert(!node_table_cutoff(&n, &score));
    n.depth = 4;
    n.ss->pos.rule50 = params.tt_cutoff_rule50_max;
    ck_assert(!node_table_cutoff(&n, &score));
    n.ss->pos.rule50--;
    ck_assert(node_table_cutoff(&n, &score));
}
END_TEST

START_TEST(a_node_expected_to_fail_low_also_takes_a_fail_high_from_the_table)
{
    Node n = open_node(MIDDLEGAME, 100, 101, 12);
    Score score;
    fixture_add_entry(&n, MOVE_NONE, 300, BOUND_LOWER, 12);
    n.cut_node = false;
    ck_assert(node_table_cutoff(&n, &score));
    n.cut_node = true;
    ck_assert(node_table_cutoff(&n, &score));
    n.tt_entries[0].bound = BOUND_UPPER;
    n.tt_entries[0].score = 50;
    ck_assert(node_table_cutoff(&n, &score));
}
END_TEST

/* Refuses the first cutoffs, as many as `ctx` points to. */
static bool refuse_some(void *ctx, const Node *n, const TtData *entry)
{
    int *const left = ctx;
    ck_assert_int_ge(entry->depth, n->depth);
    return (*left)-- <= 0;
}

START_TEST(a_judge_may_refuse_table_cutoffs)
{
    Node n = open_node(MIDDLEGAME, 100, 101, 4);
    int left = 1;
    const CutoffJudge judge = {refuse_some, &left};
    Score score;
    fixture.shared.judge = &judge;
    fixture_add_entry(&n, MOVE_NONE, 300, BOUND_LOWER, 4);
    ck_assert(!node_table_cutoff(&n, &score));
    ck_assert_uint_eq(n.w->stats.tt.cutoffs[BOUND_LOWER], 0);
    ck_assert(node_table_cutoff(&n, &score));
    left = 1;
    n.depth = 0; // quiescence
    ck_assert(!node_table_cutoff(&n, &score));
    ck_assert(node_table_cutoff(&n, &score));
}
END_TEST

START_TEST(the_quiet_move_of_a_table_cutoff_gains_history)
{
    Node n = open_node(MIDDLEGAME, 100, 101, 4);
    const Move move = fixture_move(&n, "h2h3");
    Score score;
    fixture_add_entry(&n, move, 300, BOUND_LOWER, 4);
    ck_assert(node_table_cutoff(&n, &score));
    const HistoryContext context = worker_context(n.w, n.ss);
    ck_assert_int_gt(history_quiet(&n.w->histories, n.pos, &context, move), 0);
    ck_assert_int_eq(history_quiet(&n.w->histories, n.pos, &context, fixture_move(&n, "a2a3")), 0);
}
END_TEST

START_TEST(only_a_quiet_move_that_reaches_beta_by_the_table_gains_history)
{
    Node n = open_node(MIDDLEGAME, 100, 101, 4);
    const Move move = fixture_move(&n, "h2h3"), capture = fixture_move(&n, "d4c5");
    const int16_t *const entry =
        &n.w->histories.butterfly[WHITE][history_butterfly_index(n.pos, move)];
    Score score;
    fixture_add_entry(&n, move, 50, BOUND_UPPER, 4);
    ck_assert(node_table_cutoff(&n, &score));
    ck_assert_int_eq(*entry, 0);
    n.tt_entries[0] = (TtData){.move = move, .score = 300, .bound = BOUND_LOWER, .depth = 4};
    ck_assert(node_table_cutoff(&n, &score));
    ck_assert_int_eq(*entry, history_bonus(4) * params.history_tt_cutoff_share / 100);
    n.tt_entries[0].move = capture;
    ck_assert(node_table_cutoff(&n, &score));
    const HistoryContext context = worker_context(n.w, n.ss);
    ck_assert_int_eq(history_quiet(&n.w->histories, n.pos, &context, capture), 0);
    ck_assert_int_eq(history_noisy(&n.w->histories, n.pos, capture), 0);
}
END_TEST

START_TEST(only_big_all_counts_the_nodes_that_a_table_cutoff_saves)
{
    Node n = open_node(MIDDLEGAME, 100, 101, 4);
    Score score;
    fixture_add_entry(&n, MOVE_NONE, 300, BOUND_LOWER, 4);
    n.tt_entries[0].nodes = 1000;
    ck_assert(node_table_cutoff(&n, &score));
    ck_assert_uint_eq(n.w->stats.tt.nodes_saved, 0);
    fixture.tt.replacement = REPLACE_BIG_ALL;
    ck_assert(node_table_cutoff(&n, &score));
    ck_assert_uint_eq(n.w->stats.tt.nodes_saved, 999);
}
END_TEST

/* ---- Static evaluation ---- */

START_TEST(the_table_gives_the_evaluation_if_it_has_one)
{
    Node n = open_node(MIDDLEGAME, 0, 1, 5);
    node_probe_table(&n);
    ck_assert_int_eq(n.raw_eval, eval_from_scratch(&fixture.eval, n.pos));
    const TtData entry = {.score = SCORE_NONE, .eval = 123};
    TtStats stats = {0};
    tt_store(&fixture.tt, n.pos->key, (SearchPoint){n.ply, n.pos->rule50}, &entry, &stats);
    n = node_enter(n.w, n.ss, 0, 1, 5);
    node_probe_table(&n);
    node_evaluate(&n);
    ck_assert_int_eq(n.raw_eval, 123);
    ck_assert_int_eq(n.eval, eval_scale_rule50(n.raw_eval, n.pos->rule50));
    ck_assert_int_eq(n.ss->eval, n.eval);
}
END_TEST

START_TEST(only_a_new_evaluation_is_stored_in_the_table)
{
    Node n = open_node(MIDDLEGAME, 0, 1, 5);
    node_probe_table(&n);
    ck_assert_int_eq(n.raw_eval, eval_from_scratch(&fixture.eval, n.pos));
    ck_assert(n.is_eval_new);
    node_store_evaluation(&n);
    Node again = node_enter(n.w, n.ss, 0, 1, 5);
    node_probe_table(&again);
    ck_assert_int_eq(again.tt_count, 1);
    ck_assert_int_eq(again.tt_entries[0].eval, n.raw_eval);
    ck_assert_int_eq(again.tt_entries[0].bound, BOUND_NONE);
    ck_assert(!again.is_eval_new);
    tt_clear(&fixture.tt);
    node_store_evaluation(&again);
    n = node_enter(n.w, n.ss, 0, 1, 5);
    node_probe_table(&n);
    ck_assert_int_eq(n.tt_count, 0);
}
END_TEST

START_TEST(a_node_in_check_has_no_evaluation)
{
    Node n = open_node(IN_CHECK, 0, 1, 5);
    ck_assert(n.in_check);
    ck_assert_int_eq(n.eval, SCORE_NONE);
    ck_assert_int_eq(n.ss->eval, SCORE_NONE);
    node_probe_table(&n);
    ck_assert_int_eq(n.tt_count, 0);
}
END_TEST

START_TEST(a_table_score_replaces_the_estimate_only_where_its_bound_says_more)
{
    static const struct {
        Bound bound;
        Score score;
        Score estimate;
    } CASES[] = {
        {BOUND_LOWER, 50, 50},      {BOUND_LOWER, -50, 0}, {BOUND_UPPER, -50, -50},
        {BOUND_UPPER, 50, 0},       {BOUND_EXACT, 50, 50}, {BOUND_NONE, 50, 0},
        {BOUND_LOWER, SCORE_TB, 0},
    };
    Node n = open_node(MIDDLEGAME, 0, 1, 5);
    fixture_add_entry(&n, MOVE_NONE, CASES[_i].score, CASES[_i].bound, 3);
    n.raw_eval = 0;
    node_evaluate(&n);
    ck_assert_int_eq(n.eval, 0);
    ck_assert_int_eq(n.estimate, CASES[_i].estimate);
}
END_TEST

START_TEST(the_correction_history_moves_the_evaluation)
{
    Node n = open_node(MIDDLEGAME, 0, 1, 8);
    const Score before = n.eval;
    n.best_move = fixture_move(&n, "e1g1");
    n.best = before + 200;
    node_update_correction(&n);
    Node again = fixture_node(&fixture, 0, 1, 8);
    ck_assert_int_gt(again.correction, 0);
    ck_assert_int_eq(again.eval, before + again.correction);
}
END_TEST

START_TEST(a_deeper_search_corrects_the_evaluation_more)
{
    Node n = open_node(MIDDLEGAME, 0, 1, 2);
    n.best_move = fixture_move(&n, "e1g1");
    n.best = n.eval + 50;
    node_update_correction(&n);
    const Score shallow = fixture_node(&fixture, 0, 1, 2).correction;
    correction_clear(&n.w->corrections);
    n.depth = 8;
    n.raw_eval = n.best; // the error is that of the corrected evaluation
    node_update_correction(&n);
    ck_assert_int_gt(shallow, 0);
    ck_assert_int_gt(fixture_node(&fixture, 0, 1, 2).correction, 2 * shallow);
}
END_TEST

START_TEST(no_correction_in_check)
{
    Node n = open_node(MIDDLEGAME, 0, 1, 8);
    n.best_move = fixture_move(&n, "e1g1");
    n.best = n.eval + 200;
    n.in_check = true;
    node_update_correction(&n);
    ck_assert_int_eq(fixture_node(&fixture, 0, 1, 8).correction, 0);
}
END_TEST

START_TEST(no_correction_after_a_capture_or_a_bound_that_fits_the_evaluation)
{
    Node n = open_node(MIDDLEGAME, 0, 1, 8);
    n.best_move = fixture_move(&n, "d4c5"); // a capture
    n.best = n.eval + 200;
    node_update_correction(&n);
    n.best_move = fixture_move(&n, "e1g1");
    n.beta = n.eval - 200; // a fail-high below the evaluation
    n.best = n.beta;
    node_update_correction(&n);
    n.best_move = MOVE_NONE;
    n.beta = n.eval + 301; // a fail-low above the evaluation
    n.best = n.eval + 200;
    node_update_correction(&n);
    n.best_move = fixture_move(&n, "e1g1");
    n.beta = SCORE_INF;
    n.best = SCORE_MATE - 5; // a mate
    node_update_correction(&n);
    ck_assert_int_eq(fixture_node(&fixture, 0, 1, 8).correction, 0);
}
END_TEST

/* The evaluation falls from -470 to -500 for the side to move: the parent's move was good. */
START_TEST(a_quiet_move_that_raised_the_evaluation_gains_history)
{
    Worker *const w = fixture_open(&fixture, MIDDLEGAME, 1);
    SearchStack *const root = worker_stack(w, 0);
    root->eval = _i == 1 ? SCORE_NONE : 470; // 1: in check
    SearchStack *const ss = play(w, (const char *const[]){"h2h3"}, 1);
    ss->excluded = _i == 2 ? move_make(A7, A6, KIND_NORMAL) : MOVE_NONE; // 2: singular search
    Node n = node_enter(w, ss, 0, 1, 5);
    n.raw_eval = -500;
    node_evaluate(&n);
    const int index = history_butterfly_index(&root->pos, root->move);
    ck_assert_int_eq(w->histories.butterfly[WHITE][index], _i == 0 ? history_eval_bonus(30) : 0);
}
END_TEST

/* ---- The result ---- */

START_TEST(the_result_is_capped_at_the_known_upper_bound)
{
    Node n = open_node(MIDDLEGAME, 0, 500, 5);
    n.upper = 120;
    n.best = 120;
    node_cap_result(&n);
    ck_assert_int_eq(n.best, 120);
    n.best = 121;
    n.ss->pv_length = 3;
    node_cap_result(&n);
    ck_assert_int_eq(n.best, 120);
    ck_assert_int_eq(n.ss->pv_length, 3);
}
END_TEST

START_TEST(a_mate_overrides_an_estimated_upper_bound_but_not_a_proven_one)
{
    Node n = open_node(MIDDLEGAME, 0, SCORE_INF, 5);
    n.upper = 120;
    n.best = SCORE_MATE - 7;
    node_cap_result(&n);
    ck_assert_int_eq(n.best, SCORE_MATE - 7);
    n.upper = -SCORE_TB + 9; // a tablebase loss
    n.ss->pv_length = 3;
    node_cap_result(&n);
    ck_assert_int_eq(n.best, -SCORE_TB + 9);
    ck_assert_int_eq(n.ss->pv_length, 0); // the line cannot be right
}
END_TEST

START_TEST(the_stored_bound_follows_from_the_window_and_the_best_move)
{
    static const struct {
        Score best, lower;
        bool has_move;
        Bound bound;
    } CASES[] = {
        {500, -SCORE_INF, true, BOUND_LOWER},
        {100, -SCORE_INF, true, BOUND_EXACT},
        {-50, -SCORE_INF, false, BOUND_UPPER},
        {80, 80, false, BOUND_EXACT}, // no move beat the known lower bound
    };
    Node n = open_node(MIDDLEGAME, 0, 500, 5);
    n.best = CASES[_i].best;
    n.lower = CASES[_i].lower;
    n.best_move = CASES[_i].has_move ? fixture_move(&n, "e1g1") : MOVE_NONE;
    node_store(&n);
    Node again = fixture_node(&fixture, 0, 1, 5);
    node_probe_table(&again);
    ck_assert_int_ge(again.tt_count, 1);
    ck_assert_int_eq(again.tt_entries[0].bound, CASES[_i].bound);
    ck_assert_int_eq(again.tt_entries[0].score, CASES[_i].best);
    ck_assert_int_eq(again.tt_entries[0].depth, 5);
    ck_assert_int_eq(again.tt_moves[0], n.best_move);
}
END_TEST

START_TEST(a_tablebase_result_is_stored_deeper_than_the_node_but_within_the_depth_limit)
{
    Node n = open_node(MIDDLEGAME, 0, 1, 5);
    node_store_tablebase(&n, SCORE_TB - 1, BOUND_LOWER);
    node_probe_table(&n);
    ck_assert_int_gt(n.tt_entries[0].depth, 5);
    ck_assert_int_eq(n.tt_entries[0].score, SCORE_TB - 1);
    n = fixture_node(&fixture, 0, 1, MAX_DEPTH);
    tt_clear(&fixture.tt);
    node_store_tablebase(&n, SCORE_TB - 1, BOUND_LOWER);
    node_probe_table(&n);
    ck_assert_int_eq(n.tt_count, 1);
    ck_assert_int_eq(n.tt_entries[0].depth, MAX_DEPTH);
}
END_TEST

static TCase *end_of_line(void)
{
    TCase *tcase = tcase_create("end of line");
    tcase_add_checked_fixture(tcase, NULL, fixture_teardown);
    tcase_add_test(tcase, a_node_without_a_reason_to_end_goes_on_with_its_window);
    tcase_add_test(tcase, a_node_ends_when_the_search_must_stop);
    tcase_add_loop_test(tcase, a_drawn_node_has_a_score_within_one_unit_of_a_draw, 0, 2);
    tcase_add_test(tcase, the_last_ply_of_the_stack_is_evaluated_but_a_check_there_is_a_draw);
    tcase_add_test(tcase, mate_distance_narrows_the_window_and_ends_a_node_that_cannot_improve_it);
    tcase_add_test(tcase, a_repetition_that_can_be_forced_is_a_lower_bound_of_the_result);
    return tcase;
}

static TCase *table(void)
{
    TCase *tcase = tcase_create("table");
    tcase_add_checked_fixture(tcase, NULL, fixture_teardown);
    tcase_add_test(tcase, an_entry_with_an_illegal_move_is_a_type_1_error_and_is_ignored);
    tcase_add_test(tcase, a_table_cutoff_is_not_below_a_draw_that_can_be_forced);
    tcase_add_test(tcase, a_type_1_error_in_one_entry_leaves_the_other_entry);
    tcase_add_test(tcase, the_move_of_the_deeper_entry_is_the_first_tt_move);
    tcase_add_test(tcase, equal_moves_of_two_entries_are_one_tt_move);
    tcase_add_test(tcase, a_pv_mark_in_the_table_marks_node_and_stack);
    tcase_add_loop_test(tcase, a_table_entry_cuts_only_in_the_direction_of_its_bound, 0, 7);
    tcase_add_test(
        tcase,
        no_table_cutoff_at_pv_nodes_in_singular_searches_near_fifty_moves_or_by_shallow_entries);
    tcase_add_test(tcase, a_node_expected_to_fail_low_also_takes_a_fail_high_from_the_table);
    tcase_add_test(tcase, a_judge_may_refuse_table_cutoffs);
    tcase_add_test(tcase, the_quiet_move_of_a_table_cutoff_gains_history);
    tcase_add_test(tcase, only_a_quiet_move_that_reaches_beta_by_the_table_gains_history);
    tcase_add_test(tcase, only_big_all_counts_the_nodes_that_a_table_cutoff_saves);
    return tcase;
}

static TCase *evaluation(void)
{
    TCase *tcase = tcase_create("evaluation");
    tcase_add_checked_fixture(tcase, NULL, fixture_teardown);
    tcase_add_test(tcase, the_table_gives_the_evaluation_if_it_has_one);
    tcase_add_test(tcase, only_a_new_evaluation_is_stored_in_the_table);
    tcase_add_test(tcase, a_node_in_check_has_no_evaluation);
    tcase_add_loop_test(tcase, a_table_score_replaces_the_estimate_only_where_its_bound_says_more,
                        0, 7);
    tcase_add_test(tcase, the_correction_history_moves_the_evaluation);
    tcase_add_test(tcase, a_deeper_search_corrects_the_evaluation_more);
    tcase_add_test(tcase, no_correction_in_check);
    tcase_add_test(tcase, no_correction_after_a_capture_or_a_bound_that_fits_the_evaluation);
    tcase_add_loop_test(tcase, a_quiet_move_that_raised_the_evaluation_gains_history, 0, 3);
    return tcase;
}

static TCase *result(void)
{
    TCase *tcase = tcase_create("result");
    tcase_add_checked_fixture(tcase, NULL, fixture_teardown);
    tcase_add_test(tcase, the_result_is_capped_at_the_known_upper_bound);
    tcase_add_test(tcase, a_mate_overrides_an_estimated_upper_bound_but_not_a_proven_one);
    tcase_add_loop_test(tcase, the_stored_bound_follows_from_the_window_and_the_best_move, 0, 4);
    tcase_add_test(tcase,
                   a_tablebase_result_is_stored_deeper_than_the_node_but_within_the_depth_limit);
    return tcase;
}

Suite *suite_node(void);
Suite *suite_node(void)
{
    Suite *suite = suite_create("node");
    suite_add_tcase(suite, end_of_line());
    suite_add_tcase(suite, table());
    suite_add_tcase(suite, evaluation());
    suite_add_tcase(suite, result());
    return suite;
}
