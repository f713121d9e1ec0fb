// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/backprop.h"

#include <check.h>
#include <math.h>

#include "base/rng.h"
#include "made_data.h"

enum { COUNT = 24, PROBES = 400 };

enum { AIMS = 3 };
static Objective aims[AIMS] = { // setup() sets the weights
    {.lambda = 0.3f, .unit = 400.0f, .power = 2.0f},
    {.lambda = 0.25f, .unit = 208.0f, .power = 2.6f},
    {.lambda = 0.3f, .endgame = 0.6f, .unit = 300.0f, .power = 2.0f}};
static const double STEP = 1e-6;

static Sample samples[COUNT];
static Parameters *weights, *gradient;
static Chunk *chunk;

/* A parameter, by its index, and the change to try. */
typedef struct {
    const float *place;
    double added;
} Change;

static double value(const float *place, const Change *change)
{
    return (double)*place + (place == change->place ? change->added : 0.0);
}

static double clipped(double sum)
{
    return fmin(fmax(sum, 0.0), 1.0);
}

/* The output of the dense layers by the definition. */
static double slow_dense(const DenseParameters *dense, const double *squares, const Change *change)
{
    double neurons[2 * DENSE_FIRST], sum = 0.0;
    for (int j = 0; j < DENSE_FIRST; j++) {
        const float *const row = dense->first[j][0][0];
        double first = value(&dense->first_bias[j], change);
        for (int i = 0; i < DENSE_INPUTS; i++)
            first += squares[i] * value(row + i, change);
        neurons[j] = clipped(first);
        neurons[DENSE_FIRST + j] = neurons[j] * neurons[j];
    }
    for (int k = 0; k < DENSE_SECOND; k++) {
        double second = value(&dense->second_bias[k], change);
        for (int j = 0; j < 2 * DENSE_FIRST; j++)
            second += neurons[j] * value(&dense->second[j][k], change);
        sum += clipped(second) * value(&dense->output[k], change);
    }
    return sum;
}

/* The output for a sample by the definition, in double precision. */
static double slow_output(const SampleInputs *inputs, const Change *change)
{
    double sum = value(&weights->output_bias[inputs->bucket], change);
    double squares[DENSE_INPUTS];
    for (int block = 0; block < MODEL_BLOCKS; block++)
        for (int i = 0; i < MODEL_BLOCK; i++)
            for (int view = 0; view < 2; view++) {
                double hidden = value(&weights->input_bias[block][i], change);
                for (int p = 0; p < inputs->count; p++)
                    hidden += value(&weights->input[block][inputs->rows[view][p]][i], change);
                const double x = clipped(hidden);
                sum += x * x * value(&weights->output[inputs->bucket][view][block][i], change);
                squares[view * NNUE_HIDDEN + block * MODEL_BLOCK + i] = x * x;
            }
    return sum + slow_dense(&weights->dense[inputs->bucket], squares, change);
}

static double slow_loss(const Objective *objective, const Change *change)
{
    double sum = 0.0;
    for (int s = 0; s < COUNT; s++) {
        SampleInputs inputs;
        sample_inputs(&samples[s], false, &inputs);
        const double lambda =
            (double)backprop_lambda(objective, __builtin_popcountll(samples[s].occupied));
        const double target = lambda * samples[s].result / 2.0 +
                              (1.0 - lambda) / (1.0 + exp(-samples[s].score / objective->unit));
        const double prediction =
            1.0 / (1.0 + exp(-slow_output(&inputs, change) * 400.0 / objective->unit));
        sum += (double)objective->weights[inputs.bucket] *
               pow(fabs(prediction - target), objective->power);
    }
    return sum;
}

static void setup(void)
{
    for (int a = 0; a < AIMS; a++)
        for (int b = 0; b < NNUE_BUCKETS; b++)
            aims[a].weights[b] = a == AIMS - 1 ? 0.4f + 0.3f * (float)b : 1.0f;
    made_samples(samples, COUNT, 5);
    weights = made_parameters(2);
    gradient = parameters_create();
    chunk = backprop_create();
    ck_assert(gradient != NULL && chunk != NULL);
}

static void teardown(void)
{
    backprop_free(chunk);
    parameters_free(gradient);
    parameters_free(weights);
}

static double run(int first, int end, const Objective *objective, float scale)
{
    chunk->count = 0;
    for (int s = first; s < end; s++)
        backprop_add(chunk, &samples[s], false, objective);
    backprop_forward(chunk, weights);
    const double loss = backprop_loss(chunk, objective);
    backprop_backward(chunk, weights, scale, gradient);
    return loss;
}

START_TEST(lambda_grows_towards_the_endgame)
{
    const Objective objective = {.lambda = 0.2f, .endgame = 0.6f};
    ck_assert_float_eq_tol(backprop_lambda(&objective, 32), 0.2f, 1e-6f);
    ck_assert_float_eq_tol(backprop_lambda(&objective, 20), 0.2f, 1e-6f);
    ck_assert_float_eq_tol(backprop_lambda(&objective, 14), 0.5f, 1e-6f);
    ck_assert_float_eq_tol(backprop_lambda(&objective, 8), 0.8f, 1e-6f);
    ck_assert_float_eq_tol(backprop_lambda(&objective, 3), 0.8f, 1e-6f);
    const Objective large = {.lambda = 0.7f, .endgame = 0.6f}; // --lambda-end may have raised it
    ck_assert_float_eq_tol(backprop_lambda(&large, 3), 1.0f, 1e-6f);
    const Objective small = {.lambda = 0.1f, .endgame = -0.7f}; // --lambda-end may have lowered it
    ck_assert_float_eq_tol(backprop_lambda(&small, 3), 0.0f, 1e-6f);
}
END_TEST

START_TEST(the_forward_pass_follows_the_definition)
{
    const Change none = {0};
    const double loss = run(0, COUNT, &aims[_i], 1.0f);
    ck_assert_double_eq_tol(loss, slow_loss(&aims[_i], &none), 1e-4);
    double spread = 0.0;
    for (int s = 0; s < COUNT; s++) {
        const double output = slow_output(&chunk->inputs[s], &none);
        ck_assert_double_eq_tol(chunk->outputs[s], output, 1e-4);
        spread = fmax(spread, fabs(output - chunk->outputs[0]));
    }
    ck_assert_double_gt(spread, 0.5); // the outputs differ enough for the test
}
END_TEST

/* A random parameter of each kind; usually some sample depends on it. */
static float *choose(Rng *rng)
{
    const int block = (int)rng_below(rng, MODEL_BLOCKS), i = (int)rng_below(rng, MODEL_BLOCK);
    const int view = (int)rng_below(rng, 2);
    const SampleInputs *const inputs = &chunk->inputs[rng_below(rng, COUNT)];
    DenseParameters *const dense = &weights->dense[inputs->bucket];
    const int first = (int)rng_below(rng, DENSE_FIRST), second = (int)rng_below(rng, DENSE_SECOND);
    switch (rng_below(rng, 10)) {
    case 0: return &weights->output_bias[inputs->bucket];
    case 1: return &weights->output[inputs->bucket][view][block][i];
    case 2: return &weights->input_bias[block][i];
    case 3: return &weights->input[block][rng_below(rng, NNUE_INPUTS)][i];
    case 4: return &dense->first[first][view][block][i];
    case 5: return &dense->first_bias[first];
    case 6: return &dense->second[rng_below(rng, 2 * DENSE_FIRST)][second];
    case 7: return &dense->second_bias[second];
    case 8: return &dense->output[second];
    default: return &weights->input[block][inputs->rows[view][rng_below(rng, inputs->count)]][i];
    }
}

START_TEST(gradients_are_finite_differences)
{
    const Objective *const objective = &aims[_i];
    const float scale = 0.5f;
    run(0, COUNT, objective, scale);
    Rng rng;
    rng_seed(&rng, 3);
    int flat = 0;
    for (int probe = 0; probe < PROBES; probe++) {
        const float *const place = choose(&rng);
        const Change up = {place, STEP}, down = {place, -STEP};
        const double expected =
            scale * (slow_loss(objective, &up) - slow_loss(objective, &down)) / (2 * STEP);
        const double found = ((const float *)gradient)[place - (const float *)weights];
        ck_assert_msg(fabs(found - expected) <= 2e-6 + 1e-4 * fabs(expected),
                      "parameter %td: %.9f, should be %.9f", place - (const float *)weights, found,
                      expected);
        flat += fabs(expected) < 1e-7;
    }
    ck_assert_int_lt(flat, PROBES / 2);
}
END_TEST

START_TEST(gradients_of_parts_add_up)
{
    run(0, COUNT, &aims[0], 1.0f);
    static Parameters whole;
    whole = *gradient;
    *gradient = (Parameters){0};
    run(0, 7, &aims[0], 1.0f);
    run(7, COUNT, &aims[0], 1.0f);
    for (size_t i = 0; i < MODEL_PARAMETERS; i++)
        ck_assert_float_eq_tol(((const float *)gradient)[i], ((const float *)&whole)[i], 1e-5f);
}
END_TEST

START_TEST(targets_mix_result_and_score)
{
    Sample sample = samples[0];
    sample.score = 0;
    sample.result = 2;
    ck_assert_float_eq_tol(backprop_target(&sample, &(Objective){.lambda = 0.0f, .unit = 400.0f}),
                           0.5f, 1e-6f);
    ck_assert_float_eq_tol(backprop_target(&sample, &(Objective){.lambda = 1.0f, .unit = 400.0f}),
                           1.0f, 1e-6f);
    ck_assert_float_eq_tol(backprop_target(&sample, &(Objective){.lambda = 0.4f, .unit = 400.0f}),
                           0.7f, 1e-6f);
    sample.score = 400;
    sample.result = 1;
    ck_assert_float_eq_tol(backprop_target(&sample, &(Objective){.lambda = 0.0f, .unit = 400.0f}),
                           0.7310586f, 1e-6f);
    ck_assert_float_eq_tol(backprop_target(&sample, &(Objective){.lambda = 0.0f, .unit = 200.0f}),
                           0.8807971f, 1e-6f);
    sample.result = 0;
    ck_assert_float_eq_tol(backprop_target(&sample, &(Objective){.lambda = 0.5f, .unit = 400.0f}),
                           0.3655293f, 1e-6f);
}
END_TEST

Suite *suite_backprop(void);
Suite *suite_backprop(void)
{
    Suite *suite = suite_create("backprop");
    TCase *tcase = tcase_create("backprop");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, lambda_grows_towards_the_endgame);
    tcase_add_loop_test(tcase, the_forward_pass_follows_the_definition, 0, AIMS);
    tcase_add_loop_test(tcase, gradients_are_finite_differences, 0, AIMS);
    tcase_add_test(tcase, gradients_of_parts_add_up);
    tcase_add_test(tcase, targets_mix_result_and_score);
    suite_add_tcase(suite, tcase);
    return suite;
}
