// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/tree_learning.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "chess/random_game.h"
#include "made_data.h"
#include "train/backprop.h"

enum { COUNT = 48 };

static const Objective AIMS[] = {
    {.lambda = 0.3f, .unit = 400.0f, .power = 2.0f, .weights = {[0 ... NNUE_BUCKETS - 1] = 1.0f}},
    {.lambda = 0.3f, .unit = 208.0f, .power = 2.6f, .weights = {[0 ... NNUE_BUCKETS - 1] = 1.0f}}};
static Sample samples[COUNT];
static Chunk *chunk;
static Parameters *weights;

/* Positions of games (every fourth) and tree nodes with all bounds and different weights. */
static void setup(void)
{
    made_samples(samples, COUNT, 5);
    for (int s = 0; s < COUNT; s++) {
        samples[s].bound = (uint8_t)(s % 4);
        samples[s].weight = (uint8_t)(s % 4 == 0 ? SAMPLE_WEIGHT_ONE : 16 + 3 * s);
    }
    weights = made_parameters(6);
    chunk = backprop_create();
    ck_assert_ptr_nonnull(chunk);
}

static void teardown(void)
{
    backprop_free(chunk);
    parameters_free(weights);
}

/* Fills the chunk with the samples of `from` and computes outputs and slopes. */
static double run(const Sample *from, int count, const Objective *objective)
{
    chunk->count = 0;
    for (int s = 0; s < count; s++)
        backprop_add(chunk, &from[s], false, objective);
    backprop_forward(chunk, weights);
    return backprop_loss(chunk, objective);
}

/* The loss of a sample by the definition. */
static double slow_loss(const Sample *sample, double output, const Objective *objective)
{
    const double lambda = sample->bound == 0 ? (double)objective->lambda : 0.0;
    const double target = lambda * sample->result / 2.0 +
                          (1.0 - lambda) / (1.0 + exp(-sample->score / (double)objective->unit));
    const double prediction = 1.0 / (1.0 + exp(-output * NNUE_SCALE / (double)objective->unit));
    if ((sample->bound == TREE_LOWER && prediction > target) ||
        (sample->bound == TREE_UPPER && prediction < target))
        return 0.0;
    return sample->weight / 64.0 * pow(fabs(prediction - target), (double)objective->power);
}

START_TEST(slopes_are_finite_differences_and_zero_where_a_bound_is_met)
{
    const Objective *const objective = &AIMS[_i];
    const double step = 1e-5, loss = run(samples, COUNT, objective);
    double sum = 0.0;
    int met[TREE_BOUND_NB] = {0}, missed[TREE_BOUND_NB] = {0};
    for (int s = 0; s < COUNT; s++) {
        const double output = (double)chunk->outputs[s], slope = (double)chunk->slopes[s];
        const double own = slow_loss(&samples[s], output, objective);
        const double expected = (slow_loss(&samples[s], output + step, objective) -
                                 slow_loss(&samples[s], output - step, objective)) /
                                (2 * step);
        ck_assert_msg(fabs(slope - expected) <= 1e-5 + 1e-4 * fabs(expected), "%f, should be %f",
                      slope, expected);
        sum += own;
        met[samples[s].bound] += own == 0.0 && slope == 0.0;
        missed[samples[s].bound] += own > 0.0 && slope != 0.0;
    }
    ck_assert_double_eq_tol(loss, sum, 1e-4);
    for (int bound = TREE_UPPER; bound <= TREE_LOWER; bound++) {
        ck_assert(met[bound] > 0 && missed[bound] > 0);
        ck_assert_int_eq(met[bound] + missed[bound], COUNT / 4);
    }
    ck_assert_int_eq(met[0] + met[TREE_EXACT], 0);
}
END_TEST

START_TEST(met_bounds_leave_the_gradient_as_it_is)
{
    Sample unmet[COUNT];
    int count = 0;
    Parameters *const all = parameters_create(), *const some = parameters_create();
    run(samples, COUNT, &AIMS[0]);
    backprop_backward(chunk, weights, 1.0f, all);
    for (int s = 0; s < COUNT; s++)
        if (chunk->slopes[s] != 0.0f)
            unmet[count++] = samples[s];
    ck_assert(0 < count && count < COUNT);
    run(unmet, count, &AIMS[0]);
    backprop_backward(chunk, weights, 1.0f, some);
    ck_assert_int_eq(memcmp(all, some, sizeof *all), 0);
    parameters_free(all);
    parameters_free(some);
}
END_TEST

START_TEST(the_target_is_the_score_alone)
{
    Sample sample = {.score = 0, .result = 2, .bound = TREE_EXACT};
    ck_assert_float_eq_tol(tree_learning_target(&sample, 400.0f), 0.5f, 1e-6f);
    sample.score = 400;
    ck_assert_float_eq_tol(tree_learning_target(&sample, 400.0f), 0.7310586f, 1e-6f);
    sample.score = -400;
    ck_assert_float_eq_tol(tree_learning_target(&sample, 200.0f), 0.1192029f, 1e-6f);
}
END_TEST

START_TEST(a_bound_allows_errors_on_its_right_side_only)
{
    ck_assert_float_eq(tree_learning_error(TREE_LOWER, 0.1f), 0.0f);
    ck_assert_float_eq(tree_learning_error(TREE_LOWER, -0.1f), -0.1f);
    ck_assert_float_eq(tree_learning_error(TREE_UPPER, -0.1f), 0.0f);
    ck_assert_float_eq(tree_learning_error(TREE_UPPER, 0.1f), 0.1f);
    for (int sign = -1; sign <= 1; sign += 2) {
        const float error = 0.1f * (float)sign;
        ck_assert_float_eq(tree_learning_error(TREE_EXACT, error), error);
        ck_assert_float_eq(tree_learning_error(0, error), error);
    }
}
END_TEST

START_TEST(samples_have_weights_and_scaled_scores)
{
    Walk walk;
    Sample sample;
    TreeLearning learning = {.weight = 2.0, .bounds = 0.375, .scale = 0.6};
    TreeNode node = {.score = -500, .bound = TREE_EXACT};
    walk_start(&walk, 1);
    ck_assert(tree_learning_sample(&sample, &walk.pos, &node, &learning));
    ck_assert_int_eq(sample.score, -300);
    ck_assert_uint_eq(sample.bound, TREE_EXACT);
    ck_assert_uint_eq(sample.weight, 2 * SAMPLE_WEIGHT_ONE);
    node.bound = TREE_LOWER;
    ck_assert(tree_learning_sample(&sample, &walk.pos, &node, &learning));
    ck_assert_uint_eq(sample.bound, TREE_LOWER);
    ck_assert_uint_eq(sample.weight, SAMPLE_WEIGHT_ONE * 3 / 4);
    learning.bounds = 0.0;
    ck_assert(!tree_learning_sample(&sample, &walk.pos, &node, &learning));
}
END_TEST

Suite *suite_tree_learning(void);
Suite *suite_tree_learning(void)
{
    Suite *suite = suite_create("tree_learning");
    TCase *tcase = tcase_create("tree_learning");
    tcase_set_timeout(tcase, 30);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, slopes_are_finite_differences_and_zero_where_a_bound_is_met, 0, 2);
    tcase_add_test(tcase, met_bounds_leave_the_gradient_as_it_is);
    tcase_add_test(tcase, the_target_is_the_score_alone);
    tcase_add_test(tcase, a_bound_allows_errors_on_its_right_side_only);
    tcase_add_test(tcase, samples_have_weights_and_scaled_scores);
    suite_add_tcase(suite, tcase);
    return suite;
}
