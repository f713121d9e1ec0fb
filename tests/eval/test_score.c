// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/score.h"

#include <check.h>

START_TEST(ranges_are_disjoint_and_mirrored)
{
    ck_assert_int_lt(SCORE_EVAL_MAX, SCORE_TB_MIN);
    ck_assert_int_lt(SCORE_TB, SCORE_MATE_MIN);
    for (Score s = -SCORE_MATE; s <= SCORE_MATE; s++) {
        ck_assert(!(score_is_win(s) && score_is_loss(s)));
        ck_assert_int_eq(score_is_win(s), score_is_loss(-s));
        ck_assert_int_eq(score_is_mate(s), score_is_mate(-s));
        ck_assert_int_eq(score_is_proven(s), s > SCORE_EVAL_MAX || s < -SCORE_EVAL_MAX);
        ck_assert(!score_is_mate(s) || score_is_proven(s));
    }
}
END_TEST

START_TEST(mates_of_every_length_are_mates)
{
    for (int ply = 0; ply <= MAX_PLY; ply++) {
        ck_assert(score_is_mate(score_mate_in(ply)) && score_is_win(score_mate_in(ply)));
        ck_assert(score_is_mate(score_mated_in(ply)) && score_is_loss(score_mated_in(ply)));
        ck_assert_int_eq(score_mated_in(ply), -score_mate_in(ply));
        ck_assert(!score_is_mate(SCORE_TB - ply) && score_is_win(SCORE_TB - ply));
    }
}
END_TEST

START_TEST(mates_are_counted_in_moves)
{
    ck_assert_int_eq(score_mate_moves(score_mate_in(1)), 1);
    ck_assert_int_eq(score_mate_moves(score_mate_in(3)), 2);
    ck_assert_int_eq(score_mate_moves(score_mated_in(2)), -1);
    ck_assert_int_eq(score_mate_moves(score_mated_in(4)), -2);
    ck_assert_int_eq(score_mate_moves(score_mated_in(0)), 0);
    ck_assert_int_eq(score_mate_moves(SCORE_TB), 0);
    ck_assert_int_eq(score_mate_moves(31), 0);
}
END_TEST

START_TEST(sooner_mates_are_better)
{
    for (int ply = 1; ply <= MAX_PLY; ply++) {
        ck_assert_int_gt(score_mate_in(ply - 1), score_mate_in(ply));
        ck_assert_int_lt(score_mated_in(ply - 1), score_mated_in(ply));
    }
}
END_TEST

START_TEST(clamped_estimates_are_never_proven)
{
    for (int s = -70000; s <= 70000; s++) {
        ck_assert(!score_is_proven(score_clamp_eval(s)));
        if (-SCORE_EVAL_MAX <= s && s <= SCORE_EVAL_MAX)
            ck_assert_int_eq(score_clamp_eval(s), s);
    }
}
END_TEST

START_TEST(estimates_pass_the_table_unchanged)
{
    for (Score s = -SCORE_EVAL_MAX; s <= SCORE_EVAL_MAX; s += 7)
        for (int ply = 0; ply <= MAX_PLY; ply += 41) {
            ck_assert_int_eq(score_to_table(s, ply), s);
            ck_assert_int_eq(score_from_table(s, ply, 99), s);
        }
    ck_assert_int_eq(score_from_table(SCORE_NONE, 17, 40), SCORE_NONE);
}
END_TEST

/* Mates and table wins `distance` plies from a node that one path reaches after `from` plies,
 * another after `to`. */
START_TEST(proven_scores_move_with_their_node)
{
    static const Score BEST[] = {SCORE_MATE, SCORE_TB};
    for (int i = 0; i < 2; i++)
        for (int distance = 0; distance <= 100; distance += 4)
            for (int from = 0; from + distance <= MAX_PLY; from += 5) {
                const Score win = BEST[i] - from - distance;
                const Score stored = score_to_table(win, from);
                ck_assert_int_eq(stored, BEST[i] - distance);
                ck_assert_int_eq(score_to_table(-win, from), -stored);
                bool moves = true;
                for (int to = 0; to + distance <= MAX_PLY; to += 3) {
                    const Score read = BEST[i] - to - distance;
                    moves &= score_from_table(stored, to, 0) == read &&
                             score_from_table(-stored, to, 0) == -read;
                }
                ck_assert_msg(moves, "%d plies from a node at ply %d", distance, from);
            }
}
END_TEST

START_TEST(win_prevented_by_the_fifty_move_rule_is_unproven)
{
    static const Score BEST[] = {SCORE_MATE, SCORE_TB};
    for (int i = 0; i < 2; i++)
        for (int rule50 = 0; rule50 <= 100; rule50++) {
            const Score in_time = BEST[i] - (100 - rule50), late = in_time - 1;
            ck_assert_int_eq(score_from_table(in_time, 9, rule50), in_time - 9);
            ck_assert_int_eq(score_from_table(-in_time, 9, rule50), 9 - in_time);
            ck_assert_int_eq(score_from_table(late, 9, rule50), SCORE_EVAL_MAX);
            ck_assert_int_eq(score_from_table(-late, 9, rule50), -SCORE_EVAL_MAX);
        }
}
END_TEST

/* Read far from the root, a long win may end beyond the last ply. */
START_TEST(nothing_read_lies_between_the_ranges)
{
    for (int ply = 0; ply <= MAX_PLY; ply++)
        for (int distance = 0; distance <= MAX_PLY; distance++) {
            const Score mate = score_from_table(SCORE_MATE - distance, ply, 0);
            const Score table = score_from_table(SCORE_TB - distance, ply, 0);
            ck_assert_msg(score_is_mate(mate) || mate == SCORE_EVAL_MAX, "%d at ply %d", mate, ply);
            ck_assert_msg((SCORE_TB_MIN <= table && table <= SCORE_TB) || table == SCORE_EVAL_MAX,
                          "%d at ply %d", table, ply);
        }
}
END_TEST

Suite *suite_score(void);

Suite *suite_score(void)
{
    Suite *const suite = suite_create("score");
    TCase *const ranges = tcase_create("ranges");
    tcase_add_test(ranges, ranges_are_disjoint_and_mirrored);
    tcase_add_test(ranges, mates_of_every_length_are_mates);
    tcase_add_test(ranges, mates_are_counted_in_moves);
    tcase_add_test(ranges, sooner_mates_are_better);
    tcase_add_test(ranges, clamped_estimates_are_never_proven);
    suite_add_tcase(suite, ranges);
    TCase *const table = tcase_create("table");
    tcase_add_test(table, estimates_pass_the_table_unchanged);
    tcase_add_test(table, proven_scores_move_with_their_node);
    tcase_add_test(table, win_prevented_by_the_fifty_move_rule_is_unproven);
    tcase_add_test(table, nothing_read_lies_between_the_ranges);
    suite_add_tcase(suite, table);
    return suite;
}
