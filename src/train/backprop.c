// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/backprop.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/mem.h"
#include "train/points.h"
#include "train/tree_learning.h"

enum { VECTORS = MODEL_BLOCK / LANES };
typedef int32_t LaneMask __attribute__((vector_size(sizeof(Lanes)))); // -1: true, 0: false

Chunk *backprop_create(void)
{
    return mem_alloc_large(sizeof(Chunk), NULL);
}

void backprop_free(Chunk *chunk)
{
    mem_free_large(chunk, sizeof *chunk);
}

float backprop_lambda(const Objective *objective, int pieces)
{
    const int above = pieces < ENDGAME_FEW ? 0 : pieces - ENDGAME_FEW;
    const int below = above < ENDGAME_MANY - ENDGAME_FEW ? ENDGAME_MANY - ENDGAME_FEW - above : 0;
    const float share = (float)below / (ENDGAME_MANY - ENDGAME_FEW);
    return fmaxf(0.0f, fminf(objective->lambda + objective->endgame * share, 1.0f));
}

float backprop_target(const Sample *sample, const Objective *objective)
{
    const float lambda = backprop_lambda(objective, popcount(sample->occupied));
    return lambda * 0.5f * (float)sample->result +
           (1.0f - lambda) * points_of_float((float)sample->score, objective->unit);
}

void backprop_add(Chunk *chunk, const Sample *sample, bool flip, const Objective *objective)
{
    assert(chunk->count < BACKPROP_CHUNK);
    sample_inputs(sample, flip, &chunk->inputs[chunk->count]);
    chunk->targets[chunk->count] = sample->bound == 0
                                       ? backprop_target(sample, objective)
                                       : tree_learning_target(sample, objective->unit);
    chunk->weights[chunk->count] = (float)sample->weight / SAMPLE_WEIGHT_ONE;
    chunk->bounds[chunk->count] = sample->bound;
    chunk->count++;
}

/* Computes the sums of one block of the hidden layer of one view, before clipping. Both views
 * together would need more registers than some processors have. */
static void sum_rows(const uint16_t *inputs, int count, const float (*restrict rows)[MODEL_BLOCK],
                     const float *restrict bias, float *restrict hidden)
{
    Lanes sums[VECTORS];
    for (int v = 0; v < VECTORS; v++)
        sums[v] = lanes(bias)[v];
    for (int i = 0; i < count; i++) {
        const Lanes *const row = lanes(rows[inputs[i]]);
        for (int v = 0; v < VECTORS; v++)
            sums[v] += row[v];
    }
    for (int v = 0; v < VECTORS; v++)
        lanes_of(hidden)[v] = sums[v];
}

/* Sets `*clipped` to min(max(x, 0), 1) in each lane, and `*below_one` to true where x < 1. */
static inline void clip(const Lanes *x, Lanes *clipped, LaneMask *below_one)
{
    const Lanes one = (Lanes){0} + 1.0f;
    const LaneMask positive = (LaneMask)*x & (*x > (Lanes){0});
    *below_one = (Lanes)positive < one;
    *clipped = (Lanes)((positive & *below_one) | ((LaneMask)one & ~*below_one));
}

/* Adds the contribution of one block of hidden neurons to the output; `sums` has one sum per lane.
 */
static void add_output(const Lanes *restrict hidden, const Lanes *restrict weights,
                       Lanes *restrict sums)
{
    for (int v = 0; v < VECTORS; v++) {
        Lanes x;
        LaneMask below_one;
        clip(&hidden[v], &x, &below_one);
        *sums += x * x * weights[v];
    }
}

/* Sets `squares` (DENSE_INPUTS) to the activations of the hidden neurons of a position. */
static void activate(const Chunk *chunk, int p, float *squares)
{
    for (int view = 0; view < 2; view++)
        for (int block = 0; block < MODEL_BLOCKS; block++) {
            const Lanes *const hidden = lanes(chunk->hidden[block][p][view]);
            Lanes *const to = lanes_of(squares + view * NNUE_HIDDEN + block * MODEL_BLOCK);
            for (int v = 0; v < VECTORS; v++) {
                Lanes x;
                LaneMask below_one;
                clip(&hidden[v], &x, &below_one);
                to[v] = x * x;
            }
        }
}

static float dense_output(Chunk *chunk, int p, const Parameters *weights)
{
    alignas(64) float squares[DENSE_INPUTS];
    activate(chunk, p, squares);
    return dense_forward(&weights->dense[chunk->inputs[p].bucket], squares, &chunk->dense[p]);
}

void backprop_forward(Chunk *chunk, const Parameters *weights)
{
    for (int p = 0; p < chunk->count; p++)
        chunk->partial[p] = (Lanes){0};
    for (int block = 0; block < MODEL_BLOCKS; block++)
        for (int p = 0; p < chunk->count; p++) {
            const SampleInputs *const inputs = &chunk->inputs[p];
            for (int view = 0; view < 2; view++) {
                float *const hidden = chunk->hidden[block][p][view];
                sum_rows(inputs->rows[view], inputs->count, weights->input[block],
                         weights->input_bias[block], hidden);
                add_output(lanes(hidden), lanes(weights->output[inputs->bucket][view][block]),
                           &chunk->partial[p]);
            }
        }
    for (int p = 0; p < chunk->count; p++)
        chunk->outputs[p] = lanes_sum(chunk->partial[p]) +
                            weights->output_bias[chunk->inputs[p].bucket] +
                            dense_output(chunk, p, weights);
}

double backprop_loss(Chunk *chunk, const Objective *objective)
{
    const float power = objective->power, steepness = NNUE_SCALE / objective->unit;
    double sum = 0.0;
    for (int p = 0; p < chunk->count; p++) {
        /* The output times `steepness` is a score in units. */
        const float prediction = points_of_float(steepness * chunk->outputs[p], 1.0f);
        const float weight = objective->weights[chunk->inputs[p].bucket] * chunk->weights[p];
        const float error = tree_learning_error(chunk->bounds[p], prediction - chunk->targets[p]);
        const float size = fabsf(error);
        /* |error|^power and its derivative; power 2 without powf(). */
        const float slope = power == 2.0f ? 2.0f * error
                            : size > 0.0f ? copysignf(power * powf(size, power - 1.0f), error)
                                          : 0.0f;
        sum += weight * (power == 2.0f ? size * size : powf(size, power));
        chunk->slopes[p] = weight * slope * steepness * prediction * (1.0f - prediction);
    }
    return sum;
}

/* Propagates the slope of the output back to the squares of the hidden neurons of a position,
 * through the dense layers, and adds to the gradient of these. */
static void propagate_dense(Chunk *chunk, int p, const Parameters *weights, float slope,
                            Parameters *gradient)
{
    alignas(64) float squares[DENSE_INPUTS], slopes[DENSE_INPUTS];
    const int bucket = chunk->inputs[p].bucket;
    activate(chunk, p, squares);
    dense_backward(&weights->dense[bucket], squares, &chunk->dense[p], slope,
                   &gradient->dense[bucket], slopes);
    for (int view = 0; view < 2; view++)
        for (int block = 0; block < MODEL_BLOCKS; block++)
            memcpy(chunk->square_slopes[block][p][view],
                   slopes + view * NNUE_HIDDEN + block * MODEL_BLOCK,
                   sizeof chunk->square_slopes[block][p][view]);
}

/* Propagates the slope of the output, and the slopes of the squares, back to one block of hidden
 * neurons, and adds to the gradient of the direct output weights of this block. The slope of a
 * clipped neuron is 0. */
static void propagate_slope(const Lanes *restrict hidden, const Lanes *restrict weights,
                            float slope, const Lanes *restrict square_slopes,
                            Lanes *restrict output_gradient, Lanes *restrict hidden_slopes)
{
    for (int v = 0; v < VECTORS; v++) {
        Lanes x;
        LaneMask below_one;
        clip(&hidden[v], &x, &below_one);
        output_gradient[v] += slope * x * x;
        const Lanes slope_of_square = slope * weights[v] + square_slopes[v];
        hidden_slopes[v] = (Lanes)((LaneMask)(2.0f * x * slope_of_square) & below_one);
    }
}

/* Adds the slopes of one block of hidden neurons of one view to the gradients of the biases and of
 * the input rows of all pieces. */
static void scatter_rows(const uint16_t *inputs, int count, const Lanes *restrict slopes,
                         float (*restrict rows)[MODEL_BLOCK], float *restrict bias)
{
    Lanes added[VECTORS];
    for (int v = 0; v < VECTORS; v++) {
        added[v] = slopes[v];
        lanes_of(bias)[v] += added[v];
    }
    for (int i = 0; i < count; i++) {
        Lanes *const row = lanes_of(rows[inputs[i]]);
        for (int v = 0; v < VECTORS; v++)
            row[v] += added[v];
    }
}

void backprop_backward(Chunk *chunk, const Parameters *weights, float scale, Parameters *gradient)
{
    for (int p = 0; p < chunk->count; p++) {
        const float slope = scale * chunk->slopes[p];
        gradient->output_bias[chunk->inputs[p].bucket] += slope;
        if (chunk->slopes[p] != 0.0f)
            propagate_dense(chunk, p, weights, slope, gradient);
    }
    for (int block = 0; block < MODEL_BLOCKS; block++)
        for (int p = 0; p < chunk->count; p++) {
            if (chunk->slopes[p] == 0.0f)
                continue; // usually a tree node whose bound is met
            const SampleInputs *const inputs = &chunk->inputs[p];
            const int bucket = inputs->bucket;
            for (int view = 0; view < 2; view++) {
                Lanes slopes[VECTORS];
                propagate_slope(lanes(chunk->hidden[block][p][view]),
                                lanes(weights->output[bucket][view][block]),
                                scale * chunk->slopes[p],
                                lanes(chunk->square_slopes[block][p][view]),
                                lanes_of(gradient->output[bucket][view][block]), slopes);
                scatter_rows(inputs->rows[view], inputs->count, slopes, gradient->input[block],
                             gradient->input_bias[block]);
            }
        }
}
