// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/quantise.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chess/random_game.h"
#include "made_data.h"
#include "nnue/forward.h"
#include "nnue/network.h"
#include "train/backprop.h"

enum { COUNT = 500 };

static Sample samples[COUNT];
static Network network;
static Parameters *weights;

static void setup(void)
{
    made_samples(samples, COUNT, 11);
    weights = made_parameters(4);
}

static void teardown(void)
{
    parameters_free(weights);
}

START_TEST(the_trainer_evaluates_a_network_as_the_engine_does)
{
    network_randomise(&network, (uint64_t)_i);
    Walk walk;
    walk_start(&walk, (uint64_t)_i);
    for (int ply = 0; ply < 60; ply++) {
        Sample sample;
        SampleInputs inputs;
        sample_pack(&sample, &walk.pos, 0, 1);
        sample_inputs(&sample, false, &inputs);
        ck_assert_int_eq(quantise_evaluate(&network, &inputs),
                         nnue_evaluate_reference(&network, &walk.pos));
        if (walk_step(&walk) == MOVE_NONE)
            break;
    }
}
END_TEST

START_TEST(the_model_evaluates_as_in_training)
{
    Chunk *const chunk = backprop_create();
    for (int i = 0; i < BACKPROP_CHUNK && i < COUNT; i++)
        backprop_add(chunk, &samples[i], false, &(Objective){.unit = 400.0f});
    backprop_forward(chunk, weights);
    for (int i = 0; i < chunk->count; i++)
        ck_assert_double_eq_tol(quantise_evaluate_model(weights, &chunk->inputs[i]),
                                chunk->outputs[i] * NNUE_SCALE, 0.05);
    backprop_free(chunk);
}
END_TEST

START_TEST(a_network_evaluates_within_the_bound_of_its_model)
{
    ck_assert_uint_eq(quantise_model(&network, weights, 1.0), 0);
    double largest = 0.0;
    for (int i = 0; i < COUNT; i++) {
        SampleInputs inputs;
        sample_inputs(&samples[i], false, &inputs);
        largest = fmax(largest, fabs(quantise_evaluate_model(weights, &inputs)));
    }
    ck_assert_double_gt(largest, 300.0); // far more than the bound
    const QuantiseLoss loss = quantise_compare(&network, weights, 1.0, samples, COUNT);
    ck_assert_msg(loss.is_within, "mean %f worst %f", loss.mean, loss.worst);
    ck_assert_double_gt(loss.mean, 0.1);
    ck_assert_double_ge(loss.worst, loss.mean);
    ck_assert_double_le(loss.mean, QUANTISE_MEAN_BOUND);
}
END_TEST

START_TEST(a_network_read_back_rounds_to_the_same_network)
{
    Network again;
    Parameters *const back = parameters_create();
    ck_assert_uint_eq(quantise_model(&network, weights, 1.25), 0);
    quantise_undo(back, &network);
    ck_assert_uint_eq(quantise_model(&again, back, 1.25), 0);
    ck_assert_mem_eq(&again, &network, sizeof network);
    for (int i = 0; i < COUNT; i++) {
        SampleInputs inputs;
        sample_inputs(&samples[i], false, &inputs);
        const double evaluation = quantise_evaluate_model(back, &inputs);
        ck_assert_double_eq_tol(1.25 * evaluation, quantise_evaluate(&network, &inputs), 8.0);
    }
    parameters_free(back);
}
END_TEST

START_TEST(rounded_weights_are_those_of_the_network)
{
    Parameters *const rounded = parameters_create(), *const back = parameters_create();
    for (int slice = 0; slice < 3; slice++)
        quantise_round(rounded, weights, slice, 3);
    quantise_model(&network, weights, 1.0);
    quantise_undo(back, &network);
    for (size_t i = 0; i < MODEL_PARAMETERS; i++)
        ck_assert_float_eq_tol(((float *)rounded)[i], ((float *)back)[i], 1e-6f);
    parameters_free(back);
    parameters_free(rounded);
}
END_TEST

START_TEST(a_defective_network_exceeds_the_bound)
{
    const double scale = _i == 0 ? 1.0 : 8.0;
    quantise_model(&network, weights, scale);
    for (int i = 0; i < NNUE_HIDDEN; i++) // the two views exchanged
        for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++) {
            const int16_t own = network.output[bucket][0][i];
            network.output[bucket][0][i] = network.output[bucket][1][i];
            network.output[bucket][1][i] = own;
        }
    ck_assert(!quantise_compare(&network, weights, scale, samples, COUNT).is_within);
}
END_TEST

/* Compares `count` samples: the first is worth `exact` units for the model and `found` for the
 * network, the others, of other buckets, are worth 0. */
static bool is_within(int count, int exact, int found)
{
    enum { MOST = 21 };
    Sample chosen[MOST] = {samples[0]};
    SampleInputs inputs;
    sample_inputs(&samples[0], false, &inputs);
    const int bucket = inputs.bucket;
    for (int i = 1, next = 1; next < MOST; i++) {
        ck_assert_int_lt(i, COUNT);
        sample_inputs(&samples[i], false, &inputs);
        if (inputs.bucket != bucket)
            chosen[next++] = samples[i];
    }
    Parameters *const model = parameters_create();
    memset(&network, 0, sizeof network);
    network.scale = NNUE_SCALE;
    network.output_bias[bucket] = (found * NNUE_QA * NNUE_QB + NNUE_SCALE - 1) / NNUE_SCALE;
    model->output_bias[bucket] = (float)exact / NNUE_SCALE;
    const QuantiseLoss loss = quantise_compare(&network, model, 1.0, chosen, (size_t)count);
    ck_assert_double_eq(loss.worst, found - exact);
    ck_assert_double_eq_tol(loss.mean, (double)(found - exact) / count, 1e-9);
    parameters_free(model);
    return loss.is_within;
}

START_TEST(the_bounds_hold_for_the_mean_and_for_each_position)
{
    ck_assert(is_within(1, 0, QUANTISE_MEAN_BOUND));
    ck_assert(!is_within(1, 0, QUANTISE_MEAN_BOUND + 1));
    ck_assert(is_within(21, 0, QUANTISE_WORST_BOUND));
    ck_assert(!is_within(21, 0, QUANTISE_WORST_BOUND + 1));
    const int more = QUANTISE_WORST_BOUND + 800 / QUANTISE_WORST_PART;
    ck_assert(is_within(21, 800, 800 + more));
    ck_assert(!is_within(21, 800, 800 + more + 1));
}
END_TEST

START_TEST(the_output_scale_scales_evaluations)
{
    ck_assert_uint_eq(quantise_model(&network, weights, 1.5), 0);
    const QuantiseLoss loss = quantise_compare(&network, weights, 1.5, samples, COUNT);
    ck_assert_msg(loss.is_within, "mean %f worst %f", loss.mean, loss.worst);
    ck_assert(!quantise_compare(&network, weights, 1.0, samples, COUNT).is_within);
}
END_TEST

/* A larger scale makes the rounding error larger, but the network no worse. */
START_TEST(the_bounds_grow_with_the_output_scale)
{
    const double scale = 8.0;
    quantise_model(&network, weights, scale);
    quantise_centre(&network, weights, scale, samples, COUNT);
    const QuantiseLoss loss = quantise_compare(&network, weights, scale, samples, COUNT);
    ck_assert_double_gt(loss.mean, QUANTISE_MEAN_BOUND);
    ck_assert_msg(loss.is_within, "mean %f worst %f", loss.mean, loss.worst);
}
END_TEST

START_TEST(centring_removes_most_of_the_rounding_error)
{
    const double scale = _i == 0 ? 1.0 : 2.0;
    quantise_model(&network, weights, scale);
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++) // make it worse
        network.output_bias[bucket] += 40 * NNUE_QA * NNUE_QB / NNUE_SCALE;
    const QuantiseLoss before = quantise_compare(&network, weights, scale, samples, COUNT);
    quantise_centre(&network, weights, scale, samples, COUNT / 2);
    const QuantiseLoss after = quantise_compare(&network, weights, scale, samples, COUNT);
    ck_assert_double_gt(before.mean, 25.0 * scale);
    ck_assert_msg(after.mean < 16.0 * scale && after.is_within, "mean %f", after.mean);
}
END_TEST

START_TEST(centring_leaves_buckets_without_a_sample)
{
    quantise_model(&network, weights, 1.0);
    int32_t before[NNUE_BUCKETS];
    memcpy(before, network.output_bias, sizeof before);
    quantise_centre(&network, weights, 1.0, samples, 0);
    ck_assert_mem_eq(network.output_bias, before, sizeof before);
}
END_TEST

START_TEST(parameters_beyond_the_limits_are_clipped_and_counted)
{
    weights->input[0][3][5] = 2.5f;
    weights->input_bias[0][0] = -2.5f;
    weights->output[0][1][0][1] = 1.99f;
    ck_assert_uint_eq(quantise_model(&network, weights, 1.0), 3);
    ck_assert_int_eq(network.input[3][5], NNUE_INPUT_LIMIT);
    ck_assert_int_eq(network.input_bias[0], -NNUE_INPUT_LIMIT);
    ck_assert_int_eq(network.output[0][1][1], NNUE_OUTPUT_LIMIT);
    weights->input[0][3][5] = MODEL_INPUT_LIMIT;
    weights->input_bias[0][0] = -MODEL_INPUT_LIMIT;
    weights->output[0][1][0][1] = MODEL_OUTPUT_LIMIT;
    ck_assert_uint_eq(quantise_model(&network, weights, 1.0), 0);
    ck_assert_uint_eq(quantise_model(&network, weights, 1.5), 0); // the scale changes no weight
    ck_assert_int_eq(network.scale, 600);
    ck_assert_uint_eq(quantise_model(&network, weights, 11.0), 1);
    ck_assert_int_eq(network.scale, NNUE_SCALE_MAX);
    quantise_model(&network, weights, 0.0);
    ck_assert_int_eq(network.scale, 1); // files have no smaller scale
}
END_TEST

START_TEST(outputs_beyond_their_range_are_clipped_and_counted)
{
    weights->dense[1].output[2] = -40.0f;
    weights->output_bias[3] = 1e5f;
    ck_assert_uint_eq(quantise_model(&network, weights, 1.0), 2);
    ck_assert_int_eq(network.dense[1].output[2], -INT16_MAX);
    ck_assert_int_eq(network.output_bias[3], INT32_MAX / 2);
}
END_TEST

START_TEST(without_samples_there_is_no_loss)
{
    const QuantiseLoss loss = quantise_compare(&network, weights, 1.0, samples, 0);
    ck_assert_double_eq(loss.mean, 0.0);
    ck_assert(loss.is_within);
}
END_TEST

Suite *suite_quantise(void);
Suite *suite_quantise(void)
{
    Suite *suite = suite_create("quantise");
    TCase *tcase = tcase_create("quantise");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, the_trainer_evaluates_a_network_as_the_engine_does, 0, 10);
    tcase_add_test(tcase, the_model_evaluates_as_in_training);
    tcase_add_test(tcase, a_network_evaluates_within_the_bound_of_its_model);
    tcase_add_test(tcase, a_network_read_back_rounds_to_the_same_network);
    tcase_add_test(tcase, rounded_weights_are_those_of_the_network);
    tcase_add_loop_test(tcase, a_defective_network_exceeds_the_bound, 0, 2);
    tcase_add_test(tcase, the_bounds_hold_for_the_mean_and_for_each_position);
    tcase_add_test(tcase, the_output_scale_scales_evaluations);
    tcase_add_test(tcase, the_bounds_grow_with_the_output_scale);
    tcase_add_loop_test(tcase, centring_removes_most_of_the_rounding_error, 0, 2);
    tcase_add_test(tcase, centring_leaves_buckets_without_a_sample);
    tcase_add_test(tcase, parameters_beyond_the_limits_are_clipped_and_counted);
    tcase_add_test(tcase, outputs_beyond_their_range_are_clipped_and_counted);
    tcase_add_test(tcase, without_samples_there_is_no_loss);
    suite_add_tcase(suite, tcase);
    return suite;
}
