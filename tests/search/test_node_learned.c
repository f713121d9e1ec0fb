// SPDX-License-Identifier: GPL-3.0-or-later
/* What a node takes from the learned positions. */
#include <check.h>

#include "search/node.h"
#include "search/search_steps.h"
#include "search/worker_fixture.h"

static LearnedTable learned;

static void teardown(void)
{
    fixture_close(&fixture);
    learned_table_clear(&learned);
}

/* A node at `fen`, at ply 1, with this window. */
static Node open_node(const char *fen, Score alpha, Score beta, int depth)
{
    fixture_open(&fixture, fen, 1);
    return fixture_node(&fixture, alpha, beta, depth);
}

/* Gives the search one learned position: that of the node, with a score within +-20. */
static void learn(const Node *n, const char *move, Score score, int depth)
{
    learned.policy = LEARN_BEBE;
    learned.fuzz = 20;
    learned.network = 7;
    const LearnedEntry entry = {.key = n->pos->key,
                                .network = 7,
                                .score = (int16_t)score,
                                .move = fixture_move(n, move),
                                .depth = (uint8_t)depth};
    ck_assert(learned_table_put(&learned, &entry, true));
    fixture.shared.learned = &learned;
}

START_TEST(a_learned_score_outside_the_window_cuts_the_node)
{
    Node n = open_node(MIDDLEGAME, 0, 1, 6);
    Score score;
    learn(&n, "e1g1", 100, 6);
    ck_assert(probe_learned(&n, &score));
    ck_assert_int_eq(score, 80);
    ck_assert_uint_eq(n.w->stats.learned_cutoffs, 1);
    n = fixture_node(&fixture, 120, 121, 6);
    ck_assert(probe_learned(&n, &score));
    ck_assert_int_eq(score, 120);
    n = fixture_node(&fixture, 110, 111, 6); // inside the interval 80..120
    ck_assert(!probe_learned(&n, &score));
    ck_assert_int_eq(n.tt_moves[0], fixture_move(&n, "e1g1"));
    ck_assert_uint_eq(n.w->stats.learned_hits, 3);
    ck_assert_uint_eq(n.w->stats.learned_cutoffs, 2);
}
END_TEST

START_TEST(a_learned_score_narrows_the_window_of_a_pv_node)
{
    Node n = open_node(MIDDLEGAME, -500, 500, 6);
    Score score;
    learn(&n, "e1g1", 100, 6);
    ck_assert(!probe_learned(&n, &score));
    ck_assert_int_eq(n.alpha, 80);
    ck_assert_int_eq(n.best, 80);
    ck_assert_int_eq(n.lower, 80);
    ck_assert_int_eq(n.upper, 120);
    ck_assert_int_eq(n.beta, 500);
    ck_assert_int_eq(n.ss->pv_length, 1);
    ck_assert_int_eq(n.ss->pv[0], fixture_move(&n, "e1g1"));
}
END_TEST

/* The singular search uses the stack entry of the node. */
START_TEST(a_learned_move_stays_the_variation_over_a_singular_search)
{
    Node n = open_node(MIDDLEGAME, -500, 500, 8);
    Score score;
    learn(&n, "e1g1", 100, 8);
    ck_assert(!probe_learned(&n, &score));
    fixture_add_entry(&n, fixture_move(&n, "e1g1"), 90, BOUND_LOWER, 8);
    singular_extension(&n, &score);
    ck_assert_uint_eq(n.w->stats.singular_tries, 1);
    ck_assert_int_eq(n.ss->pv_length, 1);
    ck_assert_int_eq(n.ss->pv[0], fixture_move(&n, "e1g1"));
}
END_TEST

START_TEST(an_exact_learned_score_ends_a_pv_node)
{
    Node n = open_node(MIDDLEGAME, -500, 500, 6);
    Score score;
    learn(&n, "e1g1", 100, 6);
    learned.policy = LEARN_CRAFTY;
    ck_assert(probe_learned(&n, &score));
    ck_assert_int_eq(score, 100);
}
END_TEST

/* The line to the mate is unknown. */
START_TEST(a_learned_mate_is_no_mate_at_a_pv_node)
{
    Node n = open_node(MIDDLEGAME, -500, 500, 6);
    Score score;
    learn(&n, "e1g1", score_mate_in(5), 6);
    ck_assert(probe_learned(&n, &score));
    ck_assert_int_eq(score, SCORE_EVAL_MAX);
    n = fixture_node(&fixture, 0, 1, 6);
    ck_assert(probe_learned(&n, &score));
    ck_assert_int_eq(score, score_mate_in(6));
}
END_TEST

START_TEST(a_learned_score_is_not_below_a_draw_that_can_be_forced)
{
    Node n = open_node(MIDDLEGAME, -500, 500, 6);
    Score score;
    learn(&n, "e1g1", -200, 6);
    learned.policy = LEARN_CRAFTY;
    n.draw_floor = n.alpha = 1;
    ck_assert(probe_learned(&n, &score));
    ck_assert_int_eq(score, 1);
    ck_assert_int_eq(n.ss->pv_length, 0);
    n = fixture_node(&fixture, -500, 500, 6); // without a repetition
    ck_assert(probe_learned(&n, &score));
    ck_assert_int_eq(score, -200);
    ck_assert_int_eq(n.ss->pv_length, 1);
}
END_TEST

/* Each case takes one condition away from a learned score that would cut the node. */
START_TEST(a_learned_score_that_is_not_trusted_still_gives_its_move)
{
    Node n = open_node(MIDDLEGAME, 0, 1, 6);
    Score score;
    learn(&n, "e1g1", _i == 0 ? SCORE_NONE : _i == 6 ? score_mate_in(95) : 100, 6);
    switch (_i) {
    case 1: learned.network++; break;                         // of another network
    case 2: n.depth = 7; break;                               // searched less deep
    case 3: n.ss->pos.rule50 = LEARNED_RULE50_MAX; break;     // draws come near
    case 4: n.upper = SCORE_TB; break;                        // the tablebases say more
    case 5: n.ss->pos.rule50 = LEARNED_RULE50_MAX - 1; break; // trusted
    case 6: n.ss->pos.rule50 = 10; break; // the mate may come after the fifty moves
    default: break;
    }
    ck_assert_int_eq(probe_learned(&n, &score), _i == 5);
    ck_assert_int_eq(n.tt_moves[0], fixture_move(&n, "e1g1"));
    ck_assert_uint_eq(n.w->stats.learned_hits, 1);
}
END_TEST

START_TEST(shallow_nodes_and_illegal_learned_moves_take_nothing_from_learned_positions)
{
    Node n = open_node(MIDDLEGAME, 0, 1, LEARNED_DEPTH_MIN - 1);
    Score score;
    learn(&n, "e1g1", 100, 6);
    ck_assert(!probe_learned(&n, &score));
    n.depth = LEARNED_DEPTH_MIN;
    learned_table_clear(&learned);
    const LearnedEntry other = {.key = n.pos->key,
                                .network = 7,
                                .score = 100,
                                .move = move_make(A1, H8, KIND_NORMAL),
                                .depth = 6};
    ck_assert(learned_table_put(&learned, &other, true));
    ck_assert(!probe_learned(&n, &score));
    ck_assert_uint_eq(n.w->stats.learned_hits, 0);
    ck_assert_int_eq(n.tt_moves[0], MOVE_NONE);
}
END_TEST

START_TEST(a_learned_move_is_the_first_tt_move_only_if_it_was_searched_deeper)
{
    Node n = open_node(MIDDLEGAME, 0, 1, 20);
    Score score;
    learn(&n, "e1g1", 100, 8);
    const Move tt_move = fixture_move(&n, "d4c5"), learned_move = fixture_move(&n, "e1g1");
    fixture_add_entry(&n, tt_move, 0, BOUND_LOWER, 8);
    probe_learned(&n, &score);
    ck_assert_int_eq(n.tt_moves[0], tt_move);
    ck_assert_int_eq(n.tt_moves[1], learned_move);
    n.tt_moves[1] = MOVE_NONE;
    n.tt_entries[0].depth = 7;
    probe_learned(&n, &score);
    ck_assert_int_eq(n.tt_moves[0], learned_move);
    ck_assert_int_eq(n.tt_moves[1], tt_move);
}
END_TEST

Suite *suite_node_learned(void);
Suite *suite_node_learned(void)
{
    Suite *suite = suite_create("node_learned");
    TCase *tcase = tcase_create("learned positions");
    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, a_learned_score_outside_the_window_cuts_the_node);
    tcase_add_test(tcase, a_learned_score_narrows_the_window_of_a_pv_node);
    tcase_add_test(tcase, a_learned_move_stays_the_variation_over_a_singular_search);
    tcase_add_test(tcase, an_exact_learned_score_ends_a_pv_node);
    tcase_add_test(tcase, a_learned_mate_is_no_mate_at_a_pv_node);
    tcase_add_test(tcase, a_learned_score_is_not_below_a_draw_that_can_be_forced);
    tcase_add_loop_test(tcase, a_learned_score_that_is_not_trusted_still_gives_its_move, 0, 7);
    tcase_add_test(tcase,
                   shallow_nodes_and_illegal_learned_moves_take_nothing_from_learned_positions);
    tcase_add_test(tcase, a_learned_move_is_the_first_tt_move_only_if_it_was_searched_deeper);
    suite_add_tcase(suite, tcase);
    return suite;
}
