// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/quantise.h"

#include <assert.h>
#include <math.h>

#include "nnue/dense.h"
#include "train/dense_backprop.h"

/* Returns `x` times `unit`, rounded and clipped to -limit..limit. Adds 1 to `*clipped` if it clips.
 */
static int32_t rounded(double x, double unit, double limit, size_t *clipped)
{
    const double scaled = round(x * unit);
    *clipped += fabs(scaled) > limit;
    return (int32_t)(fabs(scaled) > limit ? copysign(limit, scaled) : scaled);
}

static void quantise_dense(DenseLayers *to, const DenseParameters *from, size_t *clipped)
{
    const double bias_one = DENSE_ONE * DENSE_WEIGHT_ONE;
    for (int j = 0; j < DENSE_FIRST; j++) {
        const float *const row = from->first[j][0][0];
        for (int i = 0; i < DENSE_INPUTS; i++)
            to->first[i / 8][j][i % 8] =
                (int8_t)rounded(row[i], DENSE_WEIGHT_ONE, DENSE_WEIGHT_LIMIT, clipped);
        to->first_bias[j] = rounded(from->first_bias[j], bias_one, DENSE_BIAS_LIMIT, clipped);
    }
    for (int k = 0; k < DENSE_SECOND; k++) {
        for (int j = 0; j < 2 * DENSE_FIRST; j++)
            to->second[j / 8][k][j % 8] =
                (int8_t)rounded(from->second[j][k], DENSE_WEIGHT_ONE, DENSE_WEIGHT_LIMIT, clipped);
        to->second_bias[k] = rounded(from->second_bias[k], bias_one, DENSE_BIAS_LIMIT, clipped);
        to->output[k] = (int16_t)rounded(from->output[k], DENSE_OUTPUT_ONE, INT16_MAX, clipped);
    }
}

static void dense_undo(DenseParameters *to, const DenseLayers *from)
{
    const float bias_one = DENSE_ONE * DENSE_WEIGHT_ONE;
    for (int j = 0; j < DENSE_FIRST; j++) {
        float *const row = to->first[j][0][0];
        for (int i = 0; i < DENSE_INPUTS; i++)
            row[i] = (float)from->first[i / 8][j][i % 8] / DENSE_WEIGHT_ONE;
        to->first_bias[j] = (float)from->first_bias[j] / bias_one;
    }
    for (int k = 0; k < DENSE_SECOND; k++) {
        for (int j = 0; j < 2 * DENSE_FIRST; j++)
            to->second[j][k] = (float)from->second[j / 8][k][j % 8] / DENSE_WEIGHT_ONE;
        to->second_bias[k] = (float)from->second_bias[k] / bias_one;
        to->output[k] = (float)from->output[k] / DENSE_OUTPUT_ONE;
    }
}

size_t quantise_model(Network *network, const Parameters *weights, double output_scale)
{
    size_t clipped = 0;
    *network = (Network){0};
    for (int column = 0; column < NNUE_HIDDEN; column++) {
        const int block = column / MODEL_BLOCK, i = column % MODEL_BLOCK;
        for (int row = 0; row < NNUE_INPUTS; row++)
            network->input[row][column] =
                (int8_t)rounded(weights->input[block][row][i], NNUE_QA, NNUE_INPUT_LIMIT, &clipped);
        network->input_bias[column] =
            (int16_t)rounded(weights->input_bias[block][i], NNUE_QA, NNUE_INPUT_LIMIT, &clipped);
        for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++)
            for (int view = 0; view < 2; view++)
                network->output[bucket][view][column] = (int16_t)rounded(
                    weights->output[bucket][view][block][i], NNUE_QB, NNUE_OUTPUT_LIMIT, &clipped);
    }
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++)
        quantise_dense(&network->dense[bucket], &weights->dense[bucket], &clipped);
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++)
        network->output_bias[bucket] =
            rounded(weights->output_bias[bucket], NNUE_QA * NNUE_QB, INT32_MAX / 2, &clipped);
    network->scale = rounded(output_scale, NNUE_SCALE, NNUE_SCALE_MAX, &clipped);
    network->scale += network->scale < 1;
    return clipped;
}

/* Rounds `count` numbers of at most 2^21 / `unit` to multiples of 1 / `unit`. The sum with a large
 * number has no fractional bits left; unlike rintf(), this becomes vectors on every processor. */
static void round_numbers(float *restrict to, const float *restrict from, size_t count, float unit)
{
    const float large = 0x1.8p23f;
    for (size_t i = 0; i < count; i++)
        to[i] = (from[i] * unit + large - large) / unit;
}

/* Rounds an array of Parameters or DenseParameters. */
#define ROUND(to, from, member, unit)                                                              \
    round_numbers((float *)(to)->member, (const float *)(from)->member,                            \
                  sizeof(to)->member / sizeof(float), unit)

static void round_outputs(Parameters *rounded, const Parameters *weights)
{
    const float bias_one = DENSE_ONE * DENSE_WEIGHT_ONE;
    ROUND(rounded, weights, input_bias, NNUE_QA);
    ROUND(rounded, weights, output, NNUE_QB);
    ROUND(rounded, weights, output_bias, NNUE_QA * NNUE_QB);
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++) {
        DenseParameters *const to = &rounded->dense[bucket];
        const DenseParameters *const from = &weights->dense[bucket];
        ROUND(to, from, first, DENSE_WEIGHT_ONE);
        ROUND(to, from, second, DENSE_WEIGHT_ONE);
        ROUND(to, from, first_bias, bias_one);
        ROUND(to, from, second_bias, bias_one);
        ROUND(to, from, output, DENSE_OUTPUT_ONE);
    }
}

void quantise_round(Parameters *rounded, const Parameters *weights, int slice, int slices)
{
    assert(0 <= slice && slice < slices);
    const size_t inputs = sizeof weights->input / sizeof(float);
    const size_t begin = inputs * (size_t)slice / (size_t)slices;
    const size_t end = inputs * (size_t)(slice + 1) / (size_t)slices;
    round_numbers((float *)rounded->input + begin, (const float *)weights->input + begin,
                  end - begin, NNUE_QA);
    if (slice == 0) // the rest is small
        round_outputs(rounded, weights);
}

void quantise_undo(Parameters *weights, const Network *network)
{
    for (int column = 0; column < NNUE_HIDDEN; column++) {
        const int block = column / MODEL_BLOCK, i = column % MODEL_BLOCK;
        for (int row = 0; row < NNUE_INPUTS; row++)
            weights->input[block][row][i] = (float)network->input[row][column] / NNUE_QA;
        weights->input_bias[block][i] = (float)network->input_bias[column] / NNUE_QA;
        for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++)
            for (int view = 0; view < 2; view++)
                weights->output[bucket][view][block][i] =
                    (float)network->output[bucket][view][column] / NNUE_QB;
    }
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++)
        dense_undo(&weights->dense[bucket], &network->dense[bucket]);
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++)
        weights->output_bias[bucket] =
            (float)((double)network->output_bias[bucket] / (NNUE_QA * NNUE_QB));
}

int quantise_evaluate(const Network *network, const SampleInputs *inputs)
{
    int64_t sum = 0;
    uint8_t squares[DENSE_INPUTS];
    for (int view = 0; view < 2; view++) {
        int32_t hidden[NNUE_HIDDEN];
        for (int i = 0; i < NNUE_HIDDEN; i++)
            hidden[i] = network->input_bias[i];
        for (int p = 0; p < inputs->count; p++) {
            const int8_t *const row = network->input[inputs->rows[view][p]];
            for (int i = 0; i < NNUE_HIDDEN; i++)
                hidden[i] += row[i];
        }
        const int16_t *const output = network->output[inputs->bucket][view];
        for (int i = 0; i < NNUE_HIDDEN; i++) {
            const int32_t low = hidden[i] < 0 ? 0 : hidden[i];
            const int32_t x = low > NNUE_QA ? NNUE_QA : low;
            sum += x * x * output[i];
            squares[view * NNUE_HIDDEN + i] = (uint8_t)((x * x + 256) / 512);
        }
    }
    const int64_t dense = dense_evaluate_reference(&network->dense[inputs->bucket], squares);
    const int64_t in_units = sum / NNUE_QA + network->output_bias[inputs->bucket] +
                             dense * (NNUE_QA * NNUE_QB) / (DENSE_ONE * DENSE_OUTPUT_ONE);
    return (int)(in_units * network->scale / (NNUE_QA * NNUE_QB));
}

double quantise_evaluate_model(const Parameters *weights, const SampleInputs *inputs)
{
    alignas(64) float squares[2][MODEL_BLOCKS][MODEL_BLOCK];
    double sum = weights->output_bias[inputs->bucket];
    for (int block = 0; block < MODEL_BLOCKS; block++)
        for (int view = 0; view < 2; view++) {
            float hidden[MODEL_BLOCK];
            for (int i = 0; i < MODEL_BLOCK; i++)
                hidden[i] = weights->input_bias[block][i];
            for (int p = 0; p < inputs->count; p++) {
                const float *const row = weights->input[block][inputs->rows[view][p]];
                for (int i = 0; i < MODEL_BLOCK; i++)
                    hidden[i] += row[i];
            }
            for (int i = 0; i < MODEL_BLOCK; i++) {
                const double x = fmin(fmax(hidden[i], 0.0), 1.0);
                sum += x * x * weights->output[inputs->bucket][view][block][i];
                squares[view][block][i] = (float)(x * x);
            }
        }
    DenseSums sums;
    sum += dense_forward(&weights->dense[inputs->bucket], squares[0][0], &sums);
    return sum * NNUE_SCALE;
}

/* Sets `*exact` to `output_scale` times the evaluation of the model. Returns the evaluation of the
 * network minus `*exact`. */
static double excess(const Network *network, const Parameters *weights, double output_scale,
                     const SampleInputs *inputs, double *exact)
{
    *exact = output_scale * quantise_evaluate_model(weights, inputs);
    return quantise_evaluate(network, inputs) - *exact;
}

void quantise_centre(Network *network, const Parameters *weights, double output_scale,
                     const Sample *samples, size_t count)
{
    double sums[NNUE_BUCKETS] = {0.0}, counts[NNUE_BUCKETS] = {0.0};
    for (size_t s = 0; s < count; s++) {
        SampleInputs inputs;
        double exact;
        sample_inputs(&samples[s], false, &inputs);
        sums[inputs.bucket] += excess(network, weights, output_scale, &inputs, &exact);
        counts[inputs.bucket] += 1.0;
    }
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++)
        if (counts[bucket] > 0.0)
            network->output_bias[bucket] -= (int32_t)round(sums[bucket] / counts[bucket] *
                                                           (NNUE_QA * NNUE_QB) / network->scale);
}

QuantiseLoss quantise_compare(const Network *network, const Parameters *weights,
                              double output_scale, const Sample *samples, size_t count)
{
    const double unit = fmax(1.0, (double)network->scale / NNUE_SCALE); // of the bounds
    QuantiseLoss loss = {.is_within = true};
    double sum = 0.0;
    for (size_t s = 0; s < count; s++) {
        SampleInputs inputs;
        sample_inputs(&samples[s], false, &inputs);
        double exact;
        const double difference = fabs(excess(network, weights, output_scale, &inputs, &exact));
        sum += difference;
        loss.worst = fmax(loss.worst, difference);
        loss.is_within &=
            difference <= unit * QUANTISE_WORST_BOUND + fabs(exact) / QUANTISE_WORST_PART;
    }
    loss.mean = count > 0 ? sum / (double)count : 0.0;
    loss.is_within &= loss.mean <= unit * QUANTISE_MEAN_BOUND;
    return loss;
}
