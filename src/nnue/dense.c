// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/dense.h"

#include <assert.h>

#include "nnue/simd.h"

/* Vectors of sums in the first layer. FIRST_CHAINS: independent sums of each neuron, so that the
 * next addition need not wait for the last one. */
enum { FIRST_VECTORS = 8, FIRST_CHAINS = FIRST_VECTORS * SIMD_OUTPUTS / DENSE_FIRST };
enum { VECTORS_MAX = DENSE_SECOND / SIMD_OUTPUTS };

static_assert(DENSE_FIRST % SIMD_OUTPUTS == 0 && DENSE_SECOND % SIMD_OUTPUTS == 0, "whole vectors");
static_assert((int64_t)DENSE_INPUTS * DENSE_ONE * 128 + DENSE_BIAS_LIMIT <= INT32_MAX,
              "no sum overflows");
static_assert((int64_t)DENSE_SECOND * DENSE_ONE * (INT16_MAX + 1) <= INT32_MAX,
              "the output does not overflow");

/* Computes a layer of `outputs` neurons: their sums, before bias and clipping. `weights` are in the
 * order of DenseLayers (arch.h). `chains`: independent sums of each neuron, as FIRST_CHAINS. Always
 * inlined, so that all numbers are constants. */
__attribute__((always_inline)) static inline void sum_layer(const uint8_t *inputs, int input_count,
                                                            int chains, const int8_t *weights,
                                                            int outputs, int32_t *sums)
{
    const int vectors = outputs / SIMD_OUTPUTS;
    SimdSum partial[FIRST_CHAINS][VECTORS_MAX] = {{{0}}};
#pragma GCC unroll 3 // saves two of three jumps
    for (int i = 0; i < input_count; i += 8 * chains)
        for (int chain = 0; chain < chains; chain++) {
            const int first = i + 8 * chain;
            for (int v = 0; v < vectors; v++)
                partial[chain][v] =
                    simd_add_outputs(partial[chain][v], inputs + first,
                                     weights + first * outputs + v * 8 * SIMD_OUTPUTS);
        }
    for (int v = 0; v < vectors; v++) {
        SimdSum total = {0};
        for (int chain = 0; chain < chains; chain++)
            total += partial[chain][v];
        simd_store_outputs(sums + v * SIMD_OUTPUTS, total);
    }
}

static inline void add_bias(int32_t *sums, const int32_t *bias, int outputs)
{
    for (int j = 0; j < outputs; j++)
        sums[j] += bias[j];
}

/* The value of a neuron with this sum, rounded: 0..DENSE_ONE. */
static inline int clipped(int32_t sum)
{
    const uint32_t positive = sum < 0 ? 0 : (uint32_t)sum;
    const uint32_t value = (positive + DENSE_WEIGHT_ONE / 2) / DENSE_WEIGHT_ONE;
    return value > DENSE_ONE ? DENSE_ONE : (int)value;
}

/* Sets the inputs of the second layer: the neurons of the first, then their squares. */
static void activate(const int32_t sums[DENSE_FIRST], uint8_t neurons[2 * DENSE_FIRST])
{
    for (int j = 0; j < DENSE_FIRST; j++) {
        const int value = clipped(sums[j]);
        neurons[j] = (uint8_t)value;
        neurons[DENSE_FIRST + j] = (uint8_t)((value * value + DENSE_ONE / 2) / DENSE_ONE);
    }
}

static int32_t output_of(const DenseLayers *layers, const int32_t sums[DENSE_SECOND])
{
    int32_t total = 0;
    for (int k = 0; k < DENSE_SECOND; k++)
        total += clipped(sums[k]) * layers->output[k];
    return total;
}

int32_t dense_evaluate(const DenseLayers *layers, const uint8_t inputs[DENSE_INPUTS])
{
    alignas(64) int32_t first[DENSE_FIRST], second[DENSE_SECOND];
    alignas(64) uint8_t neurons[2 * DENSE_FIRST];
    sum_layer(inputs, DENSE_INPUTS, FIRST_CHAINS, layers->first[0][0], DENSE_FIRST, first);
    add_bias(first, layers->first_bias, DENSE_FIRST);
    activate(first, neurons);
    sum_layer(neurons, 2 * DENSE_FIRST, 1, layers->second[0][0], DENSE_SECOND, second);
    add_bias(second, layers->second_bias, DENSE_SECOND);
    return output_of(layers, second);
}

static int32_t clipped_plainly(int64_t sum)
{
    const int64_t value = (sum + DENSE_WEIGHT_ONE / 2) / DENSE_WEIGHT_ONE;
    return value < 0 ? 0 : value > DENSE_ONE ? DENSE_ONE : (int32_t)value;
}

int32_t dense_evaluate_reference(const DenseLayers *layers, const uint8_t inputs[DENSE_INPUTS])
{
    int32_t neurons[2 * DENSE_FIRST], total = 0;
    for (int j = 0; j < DENSE_FIRST; j++) {
        int64_t sum = layers->first_bias[j];
        for (int i = 0; i < DENSE_INPUTS; i++)
            sum += inputs[i] * layers->first[i / 8][j][i % 8];
        neurons[j] = clipped_plainly(sum);
        neurons[DENSE_FIRST + j] = (neurons[j] * neurons[j] + 63) / DENSE_ONE;
    }
    for (int k = 0; k < DENSE_SECOND; k++) {
        int64_t sum = layers->second_bias[k];
        for (int j = 0; j < 2 * DENSE_FIRST; j++)
            sum += neurons[j] * layers->second[j / 8][k][j % 8];
        total += clipped_plainly(sum) * layers->output[k];
    }
    return total;
}
