// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/quantise.h"

#include <assert.h>
#include <math.h>

/* Returns `x` times `unit`, rounded and clipped to -limit..limit. Adds 1 to `*clipped` if it clips.
 */
static int32_t rounded(double x, double unit, double limit, size_t *clipped)
{
    const double scaled = round(x * unit);
    *clipped += fabs(scaled) > limit;
    return (int32_t)(fabs(scaled) > limit ? copysign(limit, scaled) : scaled);
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
        network->output_bias[bucket] =
            rounded(weights->output_bias[bucket], NNUE_QA * NNUE_QB, INT32_MAX / 2, &clipped);
    network->scale = rounded(output_scale, NNUE_SCALE, NNUE_SCALE_MAX, &clipped);
    network->scale += network->scale < 1;
    return clipped;
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
        weights->output_bias[bucket] =
            (float)((double)network->output_bias[bucket] / (NNUE_QA * NNUE_QB));
}

int quantise_evaluate(const Network *network, const SampleInputs *inputs)
{
    int64_t sum = 0;
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
        }
    }
    const int64_t in_units = sum / NNUE_QA + network->output_bias[inputs->bucket];
    return (int)(in_units * network->scale / (NNUE_QA * NNUE_QB));
}

double quantise_evaluate_model(const Parameters *weights, const SampleInputs *inputs)
{
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
            }
        }
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
    QuantiseLoss loss = {.is_within = true};
    double sum = 0.0;
    for (size_t s = 0; s < count; s++) {
        SampleInputs inputs;
        sample_inputs(&samples[s], false, &inputs);
        double exact;
        const double difference = fabs(excess(network, weights, output_scale, &inputs, &exact));
        sum += difference;
        loss.worst = fmax(loss.worst, difference);
        loss.is_within &= difference <= QUANTISE_WORST_BOUND + fabs(exact) / QUANTISE_WORST_PART;
    }
    loss.mean = count > 0 ? sum / (double)count : 0.0;
    loss.is_within &= loss.mean <= QUANTISE_MEAN_BOUND;
    return loss;
}
