// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/winrate.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "chess/fen.h"

enum { MATERIAL_STEP = 3 };

START_TEST(shares_are_a_thousand_rise_with_the_score_and_mirror_each_other)
{
    for (int material = 0; material <= 100; material += MATERIAL_STEP) {
        bool is_good = true;
        WinShares before = {.losses = 1000};
        for (Score s = -SCORE_EVAL_MAX; s <= SCORE_EVAL_MAX; s++) {
            const WinShares here = winrate_shares(s, material),
                            there = winrate_shares(-s, material);
            is_good &= here.wins + here.draws + here.losses == 1000 && here.draws >= 0 &&
                       here.wins >= before.wins && here.losses <= before.losses &&
                       here.wins == there.losses;
            before = here;
        }
        ck_assert_msg(is_good, "at a material of %d", material);
        ck_assert_int_eq(before.wins, 1000);
    }
}
END_TEST

START_TEST(a_hundred_centipawns_win_half_of_the_games)
{
    for (int material = 0; material <= 100; material += MATERIAL_STEP) {
        const Score half = winrate_units(100, material);
        ck_assert_int_ge(half, 50);
        ck_assert_int_le(abs(winrate_shares(half, material).wins - 500), 3);
        ck_assert_int_eq(winrate_units(-100, material), -half);
        for (int centipawns = -1000; centipawns <= 1000; centipawns += 50) {
            const Score units = winrate_units(centipawns, material);
            ck_assert_int_le(abs(winrate_centipawns(units, material) - centipawns), 1);
        }
    }
    ck_assert_int_eq(winrate_units(1e9, 40), SCORE_EVAL_MAX);
    ck_assert_int_eq(winrate_units(-1e9, 40), -SCORE_EVAL_MAX);
}
END_TEST

START_TEST(proven_scores_are_certain)
{
    static const Score WINS[] = {SCORE_TB_MIN, SCORE_TB - 3, SCORE_MATE_MIN, SCORE_MATE - 1};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(winrate_shares(WINS[i], 40).wins, 1000);
        ck_assert_int_eq(winrate_shares(-WINS[i], 40).losses, 1000);
    }
    ck_assert_int_eq(winrate_shares(score_mated_in(0), 78).losses, 1000);
}
END_TEST

/* Properties of the games of any chess program, independent of its unit. */
START_TEST(equal_positions_are_mostly_drawn_and_more_so_with_less_material)
{
    for (int material = WINRATE_MATERIAL_MIN; material <= WINRATE_MATERIAL_MAX; material++) {
        const WinShares equal = winrate_shares(SCORE_DRAW, material);
        ck_assert_int_gt(equal.draws, 200);
        ck_assert_int_gt(equal.wins, 0); // never certain
        ck_assert_int_eq(equal.wins, equal.losses);
    }
    ck_assert_int_gt(winrate_shares(SCORE_DRAW, 20).draws, winrate_shares(SCORE_DRAW, 70).draws);
}
END_TEST

START_TEST(half_of_the_games_are_won_at_the_half_score_and_material_is_clamped)
{
    const WinRate model = {.half = {300.0, 50.0, -20.0}, .spread = {100.0, -10.0, 5.0}};
    ck_assert_double_eq_tol(winrate_half(&model, 0), 300.0 - 50.0 - 20.0, 1e-9);
    ck_assert_double_eq_tol(winrate_half(&model, 17), 300.0 - 50.0 - 20.0, 1e-9);
    ck_assert_double_eq_tol(winrate_spread(&model, 78), 100.0 - 10.0 + 5.0, 1e-9);
    ck_assert_double_eq_tol(winrate_spread(&model, 103), 100.0 - 10.0 + 5.0, 1e-9);
    ck_assert_double_eq_tol(winrate_win(&model, 330, 90), 0.5, 1e-9);
    ck_assert_double_eq_tol(winrate_win(&model, 330 + 95, 90), 1.0 / (1.0 + exp(-1.0)), 1e-9);
    ck_assert_double_eq_tol(winrate_place(17), -1.0, 1e-9);
    ck_assert_double_eq_tol(winrate_place(78), 1.0, 1e-9);
}
END_TEST

static const struct {
    const char *fen;
    int material;
} BOARDS[] = {{FEN_START, 78},
              {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0},
              {"4k3/p7/8/1n6/2B5/3q4/8/R3K3 w Q - 0 1", 1 + 3 + 3 + 9 + 5}};

START_TEST(material_counts_both_sides)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, BOARDS[_i].fen, false, error));
    ck_assert_int_eq(pos_material(&pos), BOARDS[_i].material);
}
END_TEST

Suite *suite_winrate(void);
Suite *suite_winrate(void)
{
    Suite *suite = suite_create("winrate");
    TCase *tcase = tcase_create("winrate");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, shares_are_a_thousand_rise_with_the_score_and_mirror_each_other);
    tcase_add_test(tcase, a_hundred_centipawns_win_half_of_the_games);
    tcase_add_test(tcase, proven_scores_are_certain);
    tcase_add_test(tcase, equal_positions_are_mostly_drawn_and_more_so_with_less_material);
    tcase_add_test(tcase, half_of_the_games_are_won_at_the_half_score_and_material_is_clamped);
    tcase_add_loop_test(tcase, material_counts_both_sides, 0, 3);
    suite_add_tcase(suite, tcase);
    return suite;
}
