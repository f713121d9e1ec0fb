// SPDX-License-Identifier: GPL-3.0-or-later
/* Quiescence, called directly. */
#include "search/qsearch.h"

#include <check.h>

#include "search/params.h"
#include "search/worker_fixture.h"

static const char DEFENDED_PAWN[] = "4k3/8/3p4/4p3/8/8/8/4R1K1 w - - 0 1";

static Score quiesce(const char *fen, Score alpha, Score beta)
{
    Worker *const w = fixture_open(&fixture, fen, 1);
    return qsearch(w, worker_stack(w, 0), alpha, beta);
}

/* The static evaluation of `fen`. */
static Score eval_of(const char *fen)
{
    fixture_open(&fixture, fen, 1);
    const Score eval = fixture_node(&fixture, -1, 1, 0).eval;
    fixture_close(&fixture);
    return eval;
}

/* The legal move `text` at the root. */
static Move root_move(const char *text)
{
    const Node here = {.pos = &worker_stack(fixture.workers[0], 0)->pos};
    return fixture_move(&here, text);
}

/* Stores `data` for the root. */
static void store(TtData data)
{
    const Position *const root = &worker_stack(fixture.workers[0], 0)->pos;
    TtStats unused = {0};
    tt_store(&fixture.tt, table_key(root), (SearchPoint){0, root->rule50}, &data, &unused);
}

/* Opens `fen` with the TT move `text`, of which no score is known. */
static Worker *open_with_tt_move(const char *fen, const char *text)
{
    Worker *const w = fixture_open(&fixture, fen, 1);
    store((TtData){.move = root_move(text), .score = SCORE_NONE, .eval = SCORE_NONE});
    return w;
}

/* The table entry of the root; fails the test when there is none. */
static TtData stored(void)
{
    const Position *const root = &worker_stack(fixture.workers[0], 0)->pos;
    TtData found[2];
    ck_assert_int_eq(tt_peek(&fixture.tt, table_key(root), (SearchPoint){0, root->rule50}, found),
                     1);
    return found[0];
}

/* ---- Stand pat ---- */

START_TEST(quiescence_stands_pat_without_captures)
{
    const Score score = quiesce(PAWN_ENDING, -SCORE_INF, SCORE_INF);
    Node n = fixture_node(&fixture, -1, 1, 0);
    ck_assert_int_eq(score, n.eval);
    ck_assert_uint_eq(worker_nodes(n.w), 0);
}
END_TEST

START_TEST(a_stand_pat_above_beta_is_moved_halfway_to_beta)
{
    const Score eval = eval_of(PAWN_ENDING);
    ck_assert_int_eq(quiesce(PAWN_ENDING, eval - 101, eval - 100), eval - 50);
    ck_assert_int_eq(stored().score, eval - 50);
    ck_assert_int_eq(stored().bound, BOUND_LOWER);
    ck_assert_int_eq(stored().eval, eval);
}
END_TEST

/* Halfway to a mate score is no score of anything. */
START_TEST(a_stand_pat_is_not_moved_towards_a_proven_score)
{
    const Score eval = eval_of(PAWN_ENDING);
    ck_assert_int_eq(quiesce(PAWN_ENDING, score_mated_in(8), score_mated_in(9)), eval);
}
END_TEST

START_TEST(a_stand_pat_leaves_a_deeper_table_entry)
{
    const Score eval = eval_of(PAWN_ENDING);
    Worker *const w = fixture_open(&fixture, PAWN_ENDING, 1);
    store((TtData){.move = root_move("e1e2"),
                   .score = eval - 300,
                   .eval = SCORE_NONE,
                   .bound = BOUND_LOWER,
                   .depth = 5});
    ck_assert_int_ge(qsearch(w, worker_stack(w, 0), eval - 101, eval - 100), eval - 100);
    ck_assert_int_eq(stored().depth, 5);
    ck_assert_int_eq(stored().score, eval - 300);
}
END_TEST

/* The trade of the rooks brings the black king towards the centre. */
START_TEST(a_capture_worse_than_standing_pat_is_not_in_the_line)
{
    static const char TRADE[] = "8/p6p/2k5/2r5/8/8/P6P/2R3K1 w - - 0 1";
    const Score eval = eval_of(TRADE);
    ck_assert_int_eq(quiesce(TRADE, -SCORE_INF, SCORE_INF), eval);
    ck_assert_uint_gt(worker_nodes(fixture.workers[0]), 0);
    ck_assert_int_eq(worker_stack(fixture.workers[0], 0)->pv_length, 0);
    ck_assert_int_eq(stored().move, MOVE_NONE);
}
END_TEST

/* Until the first root move is searched there is nothing to play: the search must not stop, but it
 * must end soon. */
START_TEST(a_search_in_a_hurry_stands_pat_but_still_gets_out_of_check)
{
    const Score eval = eval_of(HANGING_QUEEN);
    Worker *w = fixture_open(&fixture, HANGING_QUEEN, 1);
    w->stop_pending = true;
    ck_assert_int_eq(qsearch(w, worker_stack(w, 0), -SCORE_INF, SCORE_INF), eval);
    ck_assert_uint_eq(worker_nodes(w), 0);
    fixture_close(&fixture);
    w = fixture_open(&fixture, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", 1);
    w->stop_pending = true;
    ck_assert(!score_is_proven(qsearch(w, worker_stack(w, 0), -SCORE_INF, SCORE_INF)));
    ck_assert_uint_gt(worker_nodes(w), 0);
}
END_TEST

/* The node limit is reached when a rook has been taken: the recapture is left out. */
START_TEST(a_search_in_a_hurry_stores_no_result)
{
    Worker *const w = fixture_open(&fixture, "6k1/8/3p4/4r3/8/8/8/4R1K1 w - - 0 1", 1);
    const Position *const root = &worker_stack(w, 0)->pos;
    TtData found[2];
    TtStats unused = {0};
    fixture.job.limits.nodes = 1;
    qsearch(w, worker_stack(w, 0), -SCORE_INF, SCORE_INF);
    ck_assert(w->stop_pending);
    ck_assert_uint_eq(worker_nodes(w), 1);
    ck_assert_int_eq(
        tt_probe(&fixture.tt, table_key(root), (SearchPoint){0, root->rule50}, found, &unused), 0);
}
END_TEST

/* ---- Captures ---- */

START_TEST(quiescence_takes_a_hanging_queen)
{
    const Score score = quiesce(HANGING_QUEEN, -SCORE_INF, SCORE_INF);
    Node n = fixture_node(&fixture, -1, 1, 0);
    ck_assert_int_gt(score, n.eval + 400);
}
END_TEST

START_TEST(the_selective_depth_includes_the_captures_of_an_open_window)
{
    quiesce(HANGING_QUEEN, -SCORE_INF, SCORE_INF);
    ck_assert_int_eq(fixture.workers[0]->seldepth, 2); // the root and the capture
    fixture_close(&fixture);
    quiesce(HANGING_QUEEN, 0, 1);
    ck_assert_int_eq(fixture.workers[0]->seldepth, 0);
}
END_TEST

/* The rook takes a rook that a pawn defends: an equal trade. */
START_TEST(far_below_alpha_an_equal_trade_is_pruned_and_bounds_the_result)
{
    static const char TRADE[] = "4k3/8/3p4/4r3/8/8/8/4R1K1 w - - 0 1";
    const Score futility = eval_of(TRADE) + params.qsearch_futility;
    ck_assert_int_eq(quiesce(TRADE, futility, futility + 1), futility);
    ck_assert_uint_eq(worker_nodes(fixture.workers[0]), 0);
    fixture_close(&fixture);
    quiesce(TRADE, futility - 1, futility);
    ck_assert_uint_gt(worker_nodes(fixture.workers[0]), 0);
}
END_TEST

START_TEST(far_below_alpha_a_winning_capture_is_still_searched)
{
    static const char HANGING_PAWN[] = "7k/8/8/4p3/8/8/8/4R1K1 w - - 0 1";
    const Score eval = eval_of(HANGING_PAWN);
    ck_assert_int_gt(quiesce(HANGING_PAWN, eval + 1000, eval + 1001), eval);
    ck_assert_uint_eq(worker_nodes(fixture.workers[0]), 1);
}
END_TEST

START_TEST(losing_captures_are_pruned_and_do_not_change_the_result)
{
    const Score eval = eval_of(DEFENDED_PAWN);
    ck_assert_int_eq(quiesce(DEFENDED_PAWN, -SCORE_INF, SCORE_INF), eval);
    ck_assert_uint_eq(worker_nodes(fixture.workers[0]), 0);
}
END_TEST

/* The table may have the largest evaluation; the window asks for a mate. */
START_TEST(delta_pruning_makes_no_proven_score)
{
    Worker *const w = fixture_open(&fixture, DEFENDED_PAWN, 1);
    store((TtData){.score = SCORE_NONE, .eval = SCORE_EVAL_MAX});
    const Score score = qsearch(w, worker_stack(w, 0), SCORE_MATE - 20, SCORE_MATE - 19);
    ck_assert_int_eq(score, SCORE_EVAL_MAX);
}
END_TEST

START_TEST(quiescence_searches_no_quiet_tt_move)
{
    const Score eval = eval_of(PAWN_ENDING);
    Worker *const w = open_with_tt_move(PAWN_ENDING, "e1e2");
    ck_assert_int_eq(qsearch(w, worker_stack(w, 0), -SCORE_INF, SCORE_INF), eval);
    ck_assert_uint_eq(worker_nodes(w), 0);
}
END_TEST

/* Without it the pawn would take the queen first. */
START_TEST(quiescence_searches_a_capture_of_the_table_first)
{
    static const char TWO_PIECES[] = "4k3/8/8/3q1r2/4P3/8/8/4K3 w - - 0 1";
    const Score eval = eval_of(TWO_PIECES);
    Worker *const w = open_with_tt_move(TWO_PIECES, "e4f5");
    ck_assert_int_gt(qsearch(w, worker_stack(w, 0), eval, eval + 1), eval);
    ck_assert_int_eq(stored().move, root_move("e4f5"));
}
END_TEST

/* Four captures of undefended pieces by pawns, that of the pawn d3 last. The window is so high that
 * Black stands pat after each, so the nodes are the captures searched. */
static uint64_t captures_searched(const char *fen, Move last)
{
    const Score eval = eval_of(fen);
    Worker *const w = fixture_open(&fixture, fen, 1);
    worker_stack(w, -1)->move = last;
    ck_assert_int_le(qsearch(w, worker_stack(w, 0), eval + 3000, eval + 3001), eval + 3000);
    return worker_nodes(w);
}

START_TEST(after_some_captures_only_recaptures_checks_and_promotions_are_searched)
{
    static const struct {
        const char *fen;
        Square last; // target of the last move
        bool is_searched;
    } CASES[] = {
        {"7k/8/8/1n1n3b/P3P1P1/3p4/2P5/7K w - - 0 1", H8, false},
        {"7k/8/8/1n1n3b/P3P1P1/3p4/2P5/7K w - - 0 1", D3, true},    // recaptures
        {"2k5/8/8/1n1n3b/P3P1P1/3p4/2P5/2R4K w - - 0 1", H8, true}, // uncovers a check
        {"8/PPPP4/8/7k/8/8/8/4K3 w - - 0 1", H5, true},             // four promotions
    };
    const Move last = move_make(G8, CASES[_i].last, KIND_NORMAL);
    const uint64_t count = captures_searched(CASES[_i].fen, last);
    if (CASES[_i].is_searched)
        ck_assert_uint_gt(count, (uint64_t)params.qsearch_moves);
    else
        ck_assert_uint_eq(count, (uint64_t)params.qsearch_moves);
}
END_TEST

/* Only recaptures are exempt from the limit of captures. The code of a null move has the target b1,
 * so a capture on b1 must not count as a recapture after it. */
START_TEST(quiescence_knows_no_recapture_after_a_null_move)
{
    static const char FIVE_CAPTURES[] = "5k2/8/8/1p2p3/R2Q3p/2n3R1/8/1N5K b - - 0 1";
    uint64_t nodes[2];
    for (int i = 0; i < 2; i++) {
        Worker *const w = fixture_open(&fixture, FIVE_CAPTURES, 1);
        worker_stack(w, -1)->move = i == 0 ? MOVE_NULL : move_make(G1, H1, KIND_NORMAL);
        qsearch(w, worker_stack(w, 0), -SCORE_INF, SCORE_INF);
        nodes[i] = worker_nodes(w);
        if (i == 0)
            fixture_close(&fixture);
    }
    ck_assert_uint_eq(nodes[0], nodes[1]);
}
END_TEST

/* ---- In check ---- */

/* The bishop gives check. After Kh1 or Kf1 the queen mates on d1. */
static const char LAST_RESORT[] = "3q2k1/8/8/2b5/8/8/6PP/3R2K1 w - - 0 1";     // Rd4
static const char LAST_CAPTURE[] = "3q2k1/8/1pQ5/2b5/8/8/6PP/3B2K1 w - - 0 1"; // Qxc5 bxc5

START_TEST(in_check_all_evasions_are_searched_until_one_is_not_mated)
{
    const char *const fen = _i == 0 ? LAST_RESORT : LAST_CAPTURE;
    Worker *const w = open_with_tt_move(fen, "g1h1");
    ck_assert(!score_is_loss(qsearch(w, worker_stack(w, 0), -SCORE_INF, SCORE_INF)));
}
END_TEST

/* The bishop is defended: taking it loses the queen. */
START_TEST(after_a_quiet_evasion_quiet_moves_and_losing_captures_are_pruned)
{
    Worker *const w = open_with_tt_move("6k1/8/1p6/2b5/8/2Q5/6PP/6K1 w - - 0 1", "g1h1");
    ck_assert(!score_is_proven(qsearch(w, worker_stack(w, 0), -SCORE_INF, SCORE_INF)));
    ck_assert_uint_eq(worker_nodes(w), 1);
}
END_TEST

START_TEST(after_a_quiet_evasion_the_capture_of_the_checking_piece_is_searched)
{
    Worker *const w = open_with_tt_move("6k1/8/8/2b5/8/2Q5/6PP/6K1 w - - 0 1", "g1h1");
    qsearch(w, worker_stack(w, 0), -SCORE_INF, SCORE_INF);
    ck_assert_int_eq(worker_stack(w, 0)->pv[0], root_move("c3c5"));
}
END_TEST

/* The queen takes the bishop first and is lost. The only other move loses a rook for the bishop. */
START_TEST(after_a_capture_one_quiet_evasion_is_searched_even_if_it_loses_material)
{
    Worker *const w = open_with_tt_move("4k3/3p4/Q1b5/8/8/8/7P/6RK w - - 0 1", "a6c6");
    qsearch(w, worker_stack(w, 0), -SCORE_INF, SCORE_INF);
    ck_assert_int_eq(worker_stack(w, 0)->pv[0], root_move("g1g2"));
}
END_TEST

START_TEST(quiescence_announces_mate_only_in_check)
{
    ck_assert_int_eq(quiesce("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", -SCORE_INF, SCORE_INF),
                     score_mated_in(0));
    fixture_close(&fixture);
    ck_assert(!score_is_proven(quiesce("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", -SCORE_INF, SCORE_INF)));
}
END_TEST

START_TEST(quiescence_stays_within_the_bounds_it_proves)
{
    const Score score = quiesce(HANGING_QUEEN, -SCORE_INF, SCORE_INF);
    fixture_close(&fixture);
    ck_assert_int_ge(quiesce(HANGING_QUEEN, score - 51, score - 50), score - 50);
    fixture_close(&fixture);
    ck_assert_int_le(quiesce(HANGING_QUEEN, score + 50, score + 51), score + 50);
}
END_TEST

Suite *suite_qsearch(void);
Suite *suite_qsearch(void)
{
    Suite *suite = suite_create("qsearch");
    TCase *tcase = tcase_create("qsearch");
    tcase_add_checked_fixture(tcase, NULL, fixture_teardown);
    tcase_add_test(tcase, quiescence_stands_pat_without_captures);
    tcase_add_test(tcase, a_stand_pat_above_beta_is_moved_halfway_to_beta);
    tcase_add_test(tcase, a_stand_pat_is_not_moved_towards_a_proven_score);
    tcase_add_test(tcase, a_stand_pat_leaves_a_deeper_table_entry);
    tcase_add_test(tcase, a_capture_worse_than_standing_pat_is_not_in_the_line);
    tcase_add_test(tcase, a_search_in_a_hurry_stands_pat_but_still_gets_out_of_check);
    tcase_add_test(tcase, a_search_in_a_hurry_stores_no_result);
    tcase_add_test(tcase, quiescence_takes_a_hanging_queen);
    tcase_add_test(tcase, the_selective_depth_includes_the_captures_of_an_open_window);
    tcase_add_test(tcase, far_below_alpha_an_equal_trade_is_pruned_and_bounds_the_result);
    tcase_add_test(tcase, far_below_alpha_a_winning_capture_is_still_searched);
    tcase_add_test(tcase, losing_captures_are_pruned_and_do_not_change_the_result);
    tcase_add_test(tcase, delta_pruning_makes_no_proven_score);
    tcase_add_test(tcase, quiescence_searches_no_quiet_tt_move);
    tcase_add_test(tcase, quiescence_searches_a_capture_of_the_table_first);
    tcase_add_loop_test(
        tcase, after_some_captures_only_recaptures_checks_and_promotions_are_searched, 0, 4);
    tcase_add_test(tcase, quiescence_knows_no_recapture_after_a_null_move);
    tcase_add_loop_test(tcase, in_check_all_evasions_are_searched_until_one_is_not_mated, 0, 2);
    tcase_add_test(tcase, after_a_quiet_evasion_quiet_moves_and_losing_captures_are_pruned);
    tcase_add_test(tcase, after_a_quiet_evasion_the_capture_of_the_checking_piece_is_searched);
    tcase_add_test(tcase, after_a_capture_one_quiet_evasion_is_searched_even_if_it_loses_material);
    tcase_add_test(tcase, quiescence_announces_mate_only_in_check);
    tcase_add_test(tcase, quiescence_stays_within_the_bounds_it_proves);
    suite_add_tcase(suite, tcase);
    return suite;
}
