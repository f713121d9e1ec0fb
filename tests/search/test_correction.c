// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/correction.h"

#include <check.h>

#include "chess/fen.h"
#include "chess/pos_from_fen.h"
#include "search/params.h"

static Corrections corrections;

static CorrectionPoint point(const Position *pos)
{
    return (CorrectionPoint){pos, 0, 0};
}

static void setup(void)
{
    correction_clear(&corrections);
}

START_TEST(corrections_move_the_evaluation_towards_the_search_result)
{
    const Position pos = pos_from_fen(FEN_START);
    ck_assert_int_eq(correction_value(&corrections, point(&pos)), 0);
    for (int i = 0; i < 50; i++)
        correction_update(&corrections, point(&pos), 40, 8);
    const Score raised = correction_value(&corrections, point(&pos));
    ck_assert_int_gt(raised, 0);
    for (int i = 0; i < 100; i++)
        correction_update(&corrections, point(&pos), -40, 8);
    ck_assert_int_lt(correction_value(&corrections, point(&pos)), 0);
}
END_TEST

START_TEST(positions_with_the_same_pawns_share_a_correction)
{
    const Position taught = pos_from_fen("4k3/pp6/8/8/8/8/PP6/N3K3 w - - 0 1");
    const Position alike = pos_from_fen("3qk3/pp6/8/8/8/8/PP6/R3K2R w - - 0 1");
    const Position other = pos_from_fen("3qk3/p6p/8/8/8/8/P6P/R3K2R w - - 0 1");
    for (int i = 0; i < 50; i++)
        correction_update(&corrections, point(&taught), 60, 10);
    ck_assert_int_gt(correction_value(&corrections, point(&alike)), 0);
    ck_assert_int_eq(correction_value(&corrections, point(&other)), 0);
}
END_TEST

START_TEST(each_side_to_move_has_its_own_correction)
{
    const Position white = pos_from_fen("4k3/pp6/8/8/8/8/PP6/N3K3 w - - 0 1");
    const Position black = pos_from_fen("4k3/pp6/8/8/8/8/PP6/N3K3 b - - 0 1");
    for (int i = 0; i < 50; i++)
        correction_update(&corrections, point(&white), 60, 10);
    ck_assert_int_eq(correction_value(&corrections, point(&black)), 0);
}
END_TEST

START_TEST(corrections_stay_within_their_bound)
{
    const Position pos = pos_from_fen(FEN_START);
    for (int i = 0; i < 10000; i++)
        correction_update(&corrections, point(&pos), SCORE_EVAL_MAX, 200);
    const Score most = correction_value(&corrections, point(&pos));
    ck_assert_int_gt(most, 0);
    ck_assert_int_lt(most,
                     7 * 300); // seven entries of at most 300 units, by the ranges of params.def
}
END_TEST

START_TEST(each_feature_has_its_own_weight)
{
    const int weights[CORRECTION_TABLES] = {
        params.correction_pawn,         params.correction_minor,   params.correction_major,
        params.correction_nonpawn,      params.correction_nonpawn, params.correction_continuation,
        params.correction_continuation,
    };
    const Position pos = pos_from_fen(FEN_START);
    for (int i = 0; i < CORRECTION_SIZE; i++)
        corrections.tables[_i][i][WHITE] = CORRECTION_MAX;
    ck_assert_int_eq(correction_value(&corrections, point(&pos)), weights[_i]);
}
END_TEST

/* The entries of all features of a position with the keys 5 and 7 two and four plies before. */
START_TEST(an_update_adds_a_limited_step_to_the_entries_of_all_features)
{
    static const struct {
        int error, step; // 0: not limited
    } CASES[] = {{40, 0}, {-40, 0}, {20000, CORRECTION_MAX / 4}, {-20000, -CORRECTION_MAX / 4}};
    const int error = CASES[_i].error;
    const int step =
        CASES[_i].step != 0 ? CASES[_i].step : error * 3 * params.correction_rate / 800;
    const Position pos = pos_from_fen("2b1k3/pp6/8/8/8/8/PP6/N3K2R w - - 0 1");
    const Key keys[CORRECTION_TABLES] = {
        pos.pawn_key,           pos.minor_key, pos.major_key, pos.nonpawn_key[WHITE],
        pos.nonpawn_key[BLACK], pos.key ^ 5,   pos.key ^ 7};
    correction_update(&corrections, (CorrectionPoint){&pos, 5, 7}, error, 3);
    for (int i = 0; i < CORRECTION_TABLES; i++)
        ck_assert_int_eq(corrections.tables[i][keys[i] % CORRECTION_SIZE][WHITE], step);
}
END_TEST

Suite *suite_correction(void);
Suite *suite_correction(void)
{
    Suite *suite = suite_create("correction");
    TCase *tcase = tcase_create("correction");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, corrections_move_the_evaluation_towards_the_search_result);
    tcase_add_test(tcase, positions_with_the_same_pawns_share_a_correction);
    tcase_add_test(tcase, each_side_to_move_has_its_own_correction);
    tcase_add_test(tcase, corrections_stay_within_their_bound);
    tcase_add_loop_test(tcase, each_feature_has_its_own_weight, 0, CORRECTION_TABLES);
    tcase_add_loop_test(tcase, an_update_adds_a_limited_step_to_the_entries_of_all_features, 0, 4);
    suite_add_tcase(suite, tcase);
    return suite;
}
