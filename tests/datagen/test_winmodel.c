// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "datagen/winmodel.h"

static WinCounts counts; // large

static void empty_counts(void)
{
    memset(&counts, 0, sizeof counts);
}

/* Fills the counts from the model itself. */
static void draw_from_model(double a, double b, int positions)
{
    Rng rng;
    rng_seed(&rng, 17);
    for (int i = 0; i < positions; i++) {
        const int score = (int)rng_below(&rng, 4001) - 2000;
        const double p = 1.0 / (1.0 + exp((a - score) / b));
        winmodel_count(&counts, i % WINMODEL_GROUPS, score,
                       (double)rng_below(&rng, 1000000) < 1e6 * p);
    }
}

static const struct {
    double a, b;
} MODELS[] = {{390.0, 120.0}, {150.0, 400.0}, {-20.0, 80.0}, {900.0, 300.0}};

START_TEST(the_model_that_made_the_results_is_found)
{
    WinModel model;
    draw_from_model(MODELS[_i].a, MODELS[_i].b, 200000);
    ck_assert(winmodel_fit(&counts, &model));
    ck_assert_double_gt(model.a_error, 0.2);
    ck_assert_double_lt(model.a_error, 12.0);
    ck_assert_msg(fabs(model.a - MODELS[_i].a) < 5 * model.a_error, "a = %f +- %f", model.a,
                  model.a_error);
    ck_assert_msg(fabs(model.b - MODELS[_i].b) < 0.05 * MODELS[_i].b, "b = %f", model.b);
}
END_TEST

START_TEST(what_determines_no_model_is_refused)
{
    WinModel model;
    ck_assert(!winmodel_fit(&counts, &model));
    for (int group = 0; group < WINMODEL_GROUPS; group++)
        for (int score = -2000; score <= 2000; score += 100)
            winmodel_count(&counts, group, score, score > 350);
    ck_assert_msg(!winmodel_fit(&counts, &model), "a step has no slope");
}
END_TEST

START_TEST(scores_that_say_the_opposite_are_refused)
{
    WinModel model;
    Rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < 20000; i++) {
        const int score = (int)rng_below(&rng, 2001) - 1000;
        winmodel_count(&counts, i % WINMODEL_GROUPS, score,
                       (int)rng_below(&rng, 2001) - 1000 > score);
    }
    ck_assert(!winmodel_fit(&counts, &model));
}
END_TEST

Suite *suite_winmodel(void);
Suite *suite_winmodel(void)
{
    Suite *suite = suite_create("winmodel");
    TCase *tcase = tcase_create("winmodel");
    tcase_set_timeout(tcase, 20);
    tcase_add_checked_fixture(tcase, empty_counts, NULL);
    tcase_add_loop_test(tcase, the_model_that_made_the_results_is_found, 0,
                        sizeof MODELS / sizeof MODELS[0]);
    tcase_add_test(tcase, what_determines_no_model_is_refused);
    tcase_add_test(tcase, scores_that_say_the_opposite_are_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
