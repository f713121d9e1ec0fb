// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/winfit.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"

static WinTable table; // large

static void empty_table(void)
{
    memset(&table, 0, sizeof table);
}

static const WinRate MODELS[] = {
    {.half = {105.0, 0.0, 0.0}, .spread = {117.0, 0.0, 0.0}},
    {.half = {100.0, -50.0, 60.0}, .spread = {128.0, 40.0, 4.0}},
    {.half = {390.0, 120.0, -80.0}, .spread = {200.0, -60.0, 30.0}},
    {.half = {900.0, -300.0, 100.0}, .spread = {350.0, 100.0, -50.0}},
};

/* Fills the table with random results under the model. The positions come in games, as real ones
 * do.
 */
static void draw_from_model(const WinRate *model, int positions)
{
    Rng rng;
    rng_seed(&rng, 23);
    for (int i = 0; i < positions; i++) {
        const int material = WINRATE_MATERIAL_MIN + (int)rng_below(&rng, WINFIT_MATERIALS);
        const Score score = WINFIT_BIN * ((int)rng_below(&rng, 301) - 150);
        const double luck = (double)rng_below(&rng, 1000000) / 1e6;
        const double win = winrate_win(model, score, material);
        const double loss = winrate_win(model, -score, material);
        winfit_count(&table, i % WINFIT_GROUPS, score, material,
                     luck < win          ? OUTCOME_WIN
                     : luck < win + loss ? OUTCOME_LOSS
                                         : OUTCOME_DRAW);
    }
}

START_TEST(the_model_that_made_the_results_is_found)
{
    const WinRate *const made = &MODELS[_i];
    WinFit fit;
    draw_from_model(made, 400000);
    ck_assert(winfit_fit(&table, WINRATE_TERMS, &fit));
    for (int material = WINRATE_MATERIAL_MIN; material <= WINRATE_MATERIAL_MAX; material += 10) {
        const double half = winrate_half(&fit.model, material),
                     true_half = winrate_half(made, material);
        const double error = winfit_half_error(&fit, material);
        ck_assert_double_gt(error, 0.1);
        ck_assert_double_lt(error, 12.0);
        ck_assert_msg(fabs(half - true_half) < 5 * error, "half %f +- %f, not %f at %d", half,
                      error, true_half, material);
        const double spread = winrate_spread(&fit.model, material);
        ck_assert_msg(fabs(spread / winrate_spread(made, material) - 1.0) < 0.05, "spread %f",
                      spread);
    }
}
END_TEST

START_TEST(data_that_determine_no_model_are_refused)
{
    WinFit fit;
    ck_assert_msg(!winfit_fit(&table, WINRATE_TERMS, &fit), "nothing");
    for (int i = 0; i < 100000; i++) {
        const Score score = (i % 401 - 200) * WINFIT_BIN;
        winfit_count(&table, i % WINFIT_GROUPS, score, 17 + i % 62,
                     score > 300    ? OUTCOME_WIN
                     : score < -300 ? OUTCOME_LOSS
                                    : OUTCOME_DRAW);
    }
    ck_assert_msg(!winfit_fit(&table, WINRATE_TERMS, &fit), "a step has no spread");
}
END_TEST

/* Half of the games are won from 0 units on, and rounding makes that a little more or less. */
START_TEST(games_without_a_draw_are_refused)
{
    for (int seed = 0; seed < 20; seed++) {
        WinFit fit;
        empty_table();
        for (int i = 0; i < 20000; i++) {
            const Score score = (i % 81 - 40) * WINFIT_BIN;
            const bool is_win = (i * 37 + seed) % 100 < 100 / (1 + exp(-score / 100.0));
            const int group = i % WINFIT_GROUPS, material = 17 + i % 62;
            winfit_count(&table, group, score, material, is_win ? OUTCOME_WIN : OUTCOME_LOSS);
            winfit_count(&table, group, -score, material, is_win ? OUTCOME_LOSS : OUTCOME_WIN);
        }
        ck_assert(!winfit_fit(&table, 1, &fit));
    }
}
END_TEST

START_TEST(with_one_term_the_model_ignores_material)
{
    WinFit fit;
    draw_from_model(&MODELS[0], 100000);
    ck_assert(winfit_fit(&table, 1, &fit));
    ck_assert_double_eq(fit.model.half[1], 0.0);
    ck_assert_double_eq(fit.model.spread[2], 0.0);
    ck_assert_double_lt(fabs(fit.model.half[0] - 105.0), 5 * winfit_half_error(&fit, 0));
    ck_assert_double_lt(fabs(fit.model.spread[0] - 117.0), 6.0);
}
END_TEST

START_TEST(games_with_reversed_scores_are_refused)
{
    WinFit fit;
    Rng rng;
    rng_seed(&rng, 5);
    for (int i = 0; i < 100000; i++) {
        const Score score = (Score)rng_below(&rng, 2001) - 1000;
        const Score luck = (Score)rng_below(&rng, 2001) - 1000;
        winfit_count(&table, i % WINFIT_GROUPS, score, 17 + i % 62,
                     luck > score ? OUTCOME_WIN : OUTCOME_LOSS);
    }
    ck_assert(!winfit_fit(&table, WINRATE_TERMS, &fit));
}
END_TEST

START_TEST(positions_outside_the_range_are_not_counted)
{
    ck_assert(winfit_count(&table, 0, WINFIT_SCORE_MAX, 17, OUTCOME_WIN));
    ck_assert(winfit_count(&table, 0, -WINFIT_SCORE_MAX, 78, OUTCOME_DRAW));
    ck_assert(!winfit_count(&table, 0, WINFIT_SCORE_MAX + 1, 40, OUTCOME_WIN));
    ck_assert(!winfit_count(&table, 0, -WINFIT_SCORE_MAX - 1, 40, OUTCOME_WIN));
    ck_assert(!winfit_count(&table, 0, 0, 16, OUTCOME_WIN));
    ck_assert(!winfit_count(&table, 0, 0, 79, OUTCOME_WIN));
    ck_assert_uint_eq(table.seen[0][0][WINFIT_BINS - 1], 1);
    ck_assert_uint_eq(table.won[0][0][WINFIT_BINS - 1], 1);
    ck_assert_uint_eq(table.seen[0][0][0], 1); // the same position from the other side
    ck_assert_uint_eq(table.won[0][0][0], 0);
    ck_assert_int_eq(winfit_bin_score(0), -WINFIT_SCORE_MAX);
    ck_assert_int_eq(winfit_bin_score(WINFIT_BINS - 1), WINFIT_SCORE_MAX);
}
END_TEST

START_TEST(bins_are_symmetric_about_their_scores)
{
    static const struct {
        Score score;
        int bin;
    } SCORES[] = {{0, 0}, {4, 0}, {-4, 0}, {5, 1}, {-5, -1}, {14, 1}, {-14, -1}, {15, 2}};
    for (size_t i = 0; i < sizeof SCORES / sizeof SCORES[0]; i++) {
        empty_table();
        winfit_count(&table, 3, SCORES[i].score, 50, OUTCOME_WIN);
        ck_assert_uint_eq(table.won[3][50 - WINRATE_MATERIAL_MIN][WINFIT_BINS / 2 + SCORES[i].bin],
                          1);
    }
}
END_TEST

START_TEST(the_error_of_half_is_that_of_the_jackknife)
{
    static WinFit fit;
    fit.model.half[0] = 200.0;
    for (int group = 0; group < WINFIT_GROUPS; group++)
        fit.without[group].half[0] = group % 2 == 0 ? 203.0 : 197.0;
    ck_assert_double_eq_tol(winfit_half_error(&fit, 40), 3.0 * sqrt(WINFIT_GROUPS - 1), 1e-9);
}
END_TEST

Suite *suite_winfit(void);
Suite *suite_winfit(void)
{
    Suite *suite = suite_create("winfit");
    TCase *tcase = tcase_create("winfit");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, empty_table, NULL);
    tcase_add_loop_test(tcase, the_model_that_made_the_results_is_found, 0,
                        sizeof MODELS / sizeof MODELS[0]);
    tcase_add_test(tcase, data_that_determine_no_model_are_refused);
    tcase_add_test(tcase, games_without_a_draw_are_refused);
    tcase_add_test(tcase, with_one_term_the_model_ignores_material);
    tcase_add_test(tcase, games_with_reversed_scores_are_refused);
    tcase_add_test(tcase, positions_outside_the_range_are_not_counted);
    tcase_add_test(tcase, bins_are_symmetric_about_their_scores);
    tcase_add_test(tcase, the_error_of_half_is_that_of_the_jackknife);
    suite_add_tcase(suite, tcase);
    return suite;
}
