// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/dense.h"

#include <check.h>
#include <string.h>

#include "base/rng.h"
#include "nnue/network.h"

static Network network;
static DenseLayers *layers;
static alignas(64) uint8_t inputs[DENSE_INPUTS];

static void setup(void)
{
    network_randomise(&network, 5);
    layers = &network.dense[0];
    memset(inputs, 0, sizeof inputs);
}

START_TEST(all_vector_paths_equal_the_reference)
{
    Rng rng;
    rng_seed(&rng, (uint64_t)_i);
    int32_t least = INT32_MAX, greatest = INT32_MIN;
    for (int trial = 0; trial < 300; trial++) {
        const uint64_t zeros = rng_below(&rng, 10); // of ten inputs
        for (int i = 0; i < DENSE_INPUTS; i++)
            inputs[i] = rng_below(&rng, 10) < zeros ? 0 : (uint8_t)rng_below(&rng, DENSE_ONE + 1);
        layers = &network.dense[trial % NNUE_BUCKETS];
        const int32_t value = dense_evaluate(layers, inputs);
        ck_assert_int_eq(value, dense_evaluate_reference(layers, inputs));
        least = value < least ? value : least;
        greatest = value > greatest ? value : greatest;
    }
    ck_assert_int_lt(least, -DENSE_OUTPUT_ONE);
    ck_assert_int_gt(greatest, DENSE_OUTPUT_ONE);
}
END_TEST

/* With the extremes of all weights the sums come closest to an overflow. */
START_TEST(extreme_weights_do_not_overflow)
{
    memset(inputs, DENSE_ONE, sizeof inputs);
    for (int kind = 0; kind < 8; kind++) {
        memset(layers->first, kind & 1 ? INT8_MAX : INT8_MIN, sizeof layers->first);
        memset(layers->second, kind & 2 ? INT8_MAX : INT8_MIN, sizeof layers->second);
        for (int i = 0; i < DENSE_SECOND; i++)
            layers->output[i] = kind & 4 ? INT16_MAX : INT16_MIN;
        ck_assert_int_eq(dense_evaluate(layers, inputs), dense_evaluate_reference(layers, inputs));
    }
}
END_TEST

/* One input, one neuron in each layer; expected values by hand. */
START_TEST(the_layers_follow_their_formula)
{
    memset(layers, 0, sizeof *layers);
    const int input = DENSE_INPUTS - 3, first = 5, second = 30;
    inputs[input] = 100;
    layers->first[input / 8][first][input % 8] = 40;
    layers->first_bias[first] = 450;
    layers->second[first / 8][second][first % 8] = 50;
    layers->output[second] = -300;
    /* (100 * 40 + 450 + 32) / 64 = 70; (70 * 50 + 32) / 64 = 55 */
    ck_assert_int_eq(dense_evaluate(layers, inputs), 55 * -300);
    const int square = DENSE_FIRST + first;
    layers->second[square / 8][second][square % 8] = -20;
    /* (70 * 70 + 63) / 127 = 39; (70 * 50 - 39 * 20 + 32) / 64 = 43 */
    ck_assert_int_eq(dense_evaluate(layers, inputs), 43 * -300);
    layers->first_bias[first] = -4000; // the neuron is clipped to 0
    layers->second_bias[second] = 6400;
    ck_assert_int_eq(dense_evaluate(layers, inputs), 100 * -300);
    layers->second_bias[second] = 20000; // clipped to DENSE_ONE
    ck_assert_int_eq(dense_evaluate(layers, inputs), DENSE_ONE * -300);
    layers->second_bias[second] = -1;
    ck_assert_int_eq(dense_evaluate(layers, inputs), 0);
    ck_assert_int_eq(dense_evaluate_reference(layers, inputs), 0);
}
END_TEST

Suite *suite_dense(void);
Suite *suite_dense(void)
{
    Suite *const suite = suite_create("dense");
    TCase *const tcase = tcase_create("dense");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_loop_test(tcase, all_vector_paths_equal_the_reference, 0, 4);
    tcase_add_test(tcase, extreme_weights_do_not_overflow);
    tcase_add_test(tcase, the_layers_follow_their_formula);
    suite_add_tcase(suite, tcase);
    return suite;
}
