// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/dense_backprop.h"

#include <string.h>

#include "train/lanes.h"

enum { INPUT_VECTORS = DENSE_INPUTS / LANES, SECOND_VECTORS = DENSE_SECOND / LANES, CHAINS = 4 };

static inline float clipped(float sum)
{
    return sum < 0.0f ? 0.0f : sum > 1.0f ? 1.0f : sum;
}

static inline bool is_clipped(float sum)
{
    return sum <= 0.0f || sum >= 1.0f;
}

static float dot(const float *a, const float *b)
{
    Lanes sums[CHAINS] = {{0}};
    for (int v = 0; v < INPUT_VECTORS; v += CHAINS)
        for (int i = 0; i < CHAINS; i++)
            sums[i] += lanes(a)[v + i] * lanes(b)[v + i];
    return lanes_sum(sums[0] + sums[1] + (sums[2] + sums[3]));
}

/* Sets the inputs of the second layer. */
static void activate(const float first[DENSE_FIRST], float neurons[2 * DENSE_FIRST])
{
    for (int j = 0; j < DENSE_FIRST; j++) {
        neurons[j] = clipped(first[j]);
        neurons[DENSE_FIRST + j] = neurons[j] * neurons[j];
    }
}

float dense_forward(const DenseParameters *weights, const float *squares, DenseSums *sums)
{
    float neurons[2 * DENSE_FIRST], output = 0.0f;
    for (int j = 0; j < DENSE_FIRST; j++)
        sums->first[j] = weights->first_bias[j] + dot(squares, weights->first[j][0][0]);
    activate(sums->first, neurons);
    memcpy(sums->second, weights->second_bias, sizeof sums->second);
    for (int j = 0; j < 2 * DENSE_FIRST; j++)
        for (int v = 0; v < SECOND_VECTORS; v++)
            lanes_of(sums->second)[v] += neurons[j] * lanes(weights->second[j])[v];
    for (int k = 0; k < DENSE_SECOND; k++)
        output += clipped(sums->second[k]) * weights->output[k];
    return output;
}

/* The second layer and the output: sets the slopes of the second layer's inputs. */
static void second_backward(const DenseParameters *weights, const DenseSums *sums, float slope,
                            DenseParameters *gradient, float input_slopes[2 * DENSE_FIRST])
{
    float neurons[2 * DENSE_FIRST];
    alignas(64) float slopes[DENSE_SECOND];
    activate(sums->first, neurons);
    for (int k = 0; k < DENSE_SECOND; k++) {
        const float sum = sums->second[k];
        slopes[k] = is_clipped(sum) ? 0.0f : slope * weights->output[k];
        gradient->output[k] += slope * clipped(sum);
        gradient->second_bias[k] += slopes[k];
    }
    for (int j = 0; j < 2 * DENSE_FIRST; j++) {
        Lanes sum = {0};
        for (int v = 0; v < SECOND_VECTORS; v++) {
            lanes_of(gradient->second[j])[v] += neurons[j] * lanes(slopes)[v];
            sum += lanes(slopes)[v] * lanes(weights->second[j])[v];
        }
        input_slopes[j] = lanes_sum(sum);
    }
}

void dense_backward(const DenseParameters *weights, const float *squares, const DenseSums *sums,
                    float slope, DenseParameters *gradient, float *square_slopes)
{
    float input_slopes[2 * DENSE_FIRST], slopes[DENSE_FIRST];
    second_backward(weights, sums, slope, gradient, input_slopes);
    for (int j = 0; j < DENSE_FIRST; j++) {
        const float sum = sums->first[j];
        slopes[j] =
            is_clipped(sum) ? 0.0f : input_slopes[j] + 2.0f * sum * input_slopes[DENSE_FIRST + j];
        gradient->first_bias[j] += slopes[j];
    }
    for (int v = 0; v < INPUT_VECTORS; v++) {
        const Lanes square = lanes(squares)[v];
        Lanes sum = {0};
        for (int j = 0; j < DENSE_FIRST; j++) {
            sum += slopes[j] * lanes(weights->first[j][0][0])[v];
            lanes_of(gradient->first[j][0][0])[v] += slopes[j] * square;
        }
        lanes_of(square_slopes)[v] = sum;
    }
}
