// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/adam.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"

enum { STEPS = 12, WATCHED = 500 };
static const float RATE = 1e-3f;

static Model *model;
static Parameters *gradients[2];

static void setup(void)
{
    model = model_create(1);
    gradients[0] = parameters_create();
    gradients[1] = parameters_create();
    ck_assert(model != NULL && gradients[0] != NULL && gradients[1] != NULL);
}

static void teardown(void)
{
    model_free(model);
    parameters_free(gradients[0]);
    parameters_free(gradients[1]);
}

/* Gradients of different magnitudes, many of them 0. */
static void fill(Parameters *gradient, Rng *rng)
{
    static const float SIZES[] = {1, 1e-1f, 1e-2f, 1e-3f, 1e-4f, 1e-5f, 1e-6f, 1e-7f, 1e-8f};
    float *const numbers = (float *)gradient;
    for (size_t i = 0; i < MODEL_PARAMETERS; i++) {
        const float size = SIZES[rng_below(rng, 9)];
        numbers[i] = rng_below(rng, 4) == 0 ? 0.0f : size * ((float)rng_below(rng, 2001) - 1000.0f);
    }
}

START_TEST(steps_follow_the_formula)
{
    Rng rng;
    rng_seed(&rng, 1);
    size_t places[WATCHED];
    double weights[WATCHED], means[WATCHED] = {0}, squares[WATCHED] = {0};
    for (int i = 0; i < WATCHED; i++) {
        const size_t first = i % 2 == 0 ? 0 : MODEL_DIRECT_PARAMETERS; // often a dense layer
        places[i] = first + rng_below(&rng, MODEL_PARAMETERS - first);
        weights[i] = ((const float *)&model->weights)[places[i]];
    }
    for (int step = 1; step <= STEPS; step++) {
        fill(gradients[0], &rng);
        fill(gradients[1], &rng);
        for (int i = 0; i < WATCHED; i++) {
            const double g = (double)((const float *)gradients[0])[places[i]] +
                             ((const float *)gradients[1])[places[i]];
            means[i] = 0.9 * means[i] + 0.1 * g;
            squares[i] = 0.999 * squares[i] + 0.001 * g * g;
            const double mean = means[i] / (1.0 - pow(0.9, step));
            const double square = squares[i] / (1.0 - pow(0.999, step));
            const double factor = places[i] < MODEL_DIRECT_PARAMETERS ? 1.0 : 10.0;
            weights[i] -= RATE * (0.01 * weights[i] + factor * mean / (sqrt(square) + 1e-8));
        }
        adam_step(model, gradients, 2, RATE, 0, 1);
        model->step++;
    }
    for (int i = 0; i < WATCHED; i++)
        ck_assert_double_eq_tol(((const float *)&model->weights)[places[i]], weights[i], 2e-6);
}
END_TEST

START_TEST(slices_make_a_whole_step_and_clear_the_gradients)
{
    Rng rng;
    rng_seed(&rng, 2);
    fill(gradients[0], &rng);
    *gradients[1] = *gradients[0];
    Model *const other = model_create(1);
    adam_step(model, &gradients[0], 1, RATE, 0, 1);
    for (int slice = 0; slice < 5; slice++)
        adam_step(other, &gradients[1], 1, RATE, slice, 5);
    ck_assert_mem_eq(model, other, sizeof *model);
    static const Parameters none;
    ck_assert_mem_eq(gradients[0], &none, sizeof none);
    ck_assert_mem_eq(gradients[1], &none, sizeof none);
    model_free(other);
}
END_TEST

START_TEST(weights_stay_within_the_limits_of_a_network)
{
    for (int step = 0; step < 60; step++) {
        for (size_t i = 0; i < MODEL_PARAMETERS; i++)
            ((float *)gradients[0])[i] = i % 2 == 0 ? 1.0f : -1.0f;
        adam_step(model, gradients, 1, 0.1f, 0, 1);
        model->step++;
    }
    const float *const weights = (const float *)&model->weights;
    for (size_t i = 0; i < MODEL_PARAMETERS; i++) {
        const float limit = i < MODEL_INPUT_PARAMETERS    ? MODEL_INPUT_LIMIT
                            : i < MODEL_DIRECT_PARAMETERS ? MODEL_OUTPUT_LIMIT
                                                          : MODEL_DENSE_LIMIT;
        ck_assert_float_eq(weights[i], i % 2 == 0 ? -limit : limit);
    }
}
END_TEST

Suite *suite_adam(void);
Suite *suite_adam(void)
{
    Suite *suite = suite_create("adam");
    TCase *tcase = tcase_create("adam");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, steps_follow_the_formula);
    tcase_add_test(tcase, slices_make_a_whole_step_and_clear_the_gradients);
    tcase_add_test(tcase, weights_stay_within_the_limits_of_a_network);
    suite_add_tcase(suite, tcase);
    return suite;
}
