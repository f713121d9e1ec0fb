// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/adam.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const float MEAN_DECAY = 0.9f, SQUARE_DECAY = 0.999f, WEIGHT_DECAY = 0.01f;
static const float EPSILON = 1e-8f;
static const float DENSE_RATE = 10.0f; // factor of the learning rate of the dense layers

enum { TILE = 256 };

/* Constants of one step. `rate` and `root_scale` include the bias correction for moving averages
 * that start at 0. */
typedef struct {
    float rate;       // learning rate
    float shrink;     // factor of the weights: their decay
    float root_scale; // factor of the root of the mean square
    float limit;      // of the absolute value of a weight
} Step;

/* Returns the square root of x >= 0 as x times its inverse square root, by Newton's method from an
 * estimate that halves the exponent. sqrtf() sets errno, which prevents vectorisation. */
static float root(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = 0x5F375A86u - (bits >> 1);
    float inverse;
    memcpy(&inverse, &bits, sizeof inverse);
    inverse *= 1.5f - 0.5f * x * inverse * inverse; // no loop, because -O2 would keep it
    inverse *= 1.5f - 0.5f * x * inverse * inverse;
    inverse *= 1.5f - 0.5f * x * inverse * inverse;
    return x * inverse;
}

static inline void step_tile(const Step *step, const float *restrict gradient, int count,
                             float *restrict weights, float *restrict mean, float *restrict square)
{
    const Step s = *step;
    for (int i = 0; i < count; i++) {
        const float g = gradient[i];
        mean[i] = MEAN_DECAY * mean[i] + (1.0f - MEAN_DECAY) * g;
        square[i] = SQUARE_DECAY * square[i] + (1.0f - SQUARE_DECAY) * g * g;
        float w = s.shrink * weights[i];
        w -= s.rate * mean[i] / (s.root_scale * root(square[i]) + EPSILON);
        w = w < s.limit ? w : s.limit;
        weights[i] = w > -s.limit ? w : -s.limit;
    }
}

static void step_range(Model *model, Parameters *const *gradients, int count, const Step *step,
                       const size_t range[2])
{
    for (size_t begin = range[0]; begin < range[1]; begin += TILE) {
        const size_t left = range[1] - begin;
        const int length = left < TILE ? (int)left : TILE;
        alignas(64) float sum[TILE] = {0};
        for (int t = 0; t < count; t++) {
            float *const gradient = (float *)gradients[t] + begin;
            for (int i = 0; i < length; i++)
                sum[i] += gradient[i];
            memset(gradient, 0, (size_t)length * sizeof *gradient);
        }
        float *const weights = (float *)&model->weights + begin;
        float *const mean = (float *)&model->mean + begin;
        float *const square = (float *)&model->square + begin;
        if (length == TILE) // -O2, as in tests, makes vectors only of loops of known length
            step_tile(step, sum, TILE, weights, mean, square);
        else
            step_tile(step, sum, length, weights, mean, square);
    }
}

/* Sets `range` to the begin and the end of slice `slice` of begin..end, in whole vectors of 16. */
static void cut(size_t begin, size_t end, int slice, int slices, size_t range[2])
{
    const size_t vectors = (end - begin) / 16;
    range[0] = begin + vectors * (size_t)slice / (size_t)slices * 16;
    range[1] = begin + vectors * (size_t)(slice + 1) / (size_t)slices * 16;
}

void adam_step(Model *model, Parameters *const *gradients, int count, float rate, int slice,
               int slices)
{
    assert(0 <= slice && slice < slices);
    const double steps = (double)model->step + 1.0;
    Step step = {
        .rate = (float)(rate / (1.0 - pow(MEAN_DECAY, steps))),
        .shrink = 1.0f - rate * WEIGHT_DECAY,
        .root_scale = (float)(1.0 / sqrt(1.0 - pow(SQUARE_DECAY, steps))),
        .limit = MODEL_INPUT_LIMIT,
    };
    size_t range[2];
    cut(0, MODEL_INPUT_PARAMETERS, slice, slices, range);
    step_range(model, gradients, count, &step, range);
    step.limit = MODEL_OUTPUT_LIMIT;
    cut(MODEL_INPUT_PARAMETERS, MODEL_DIRECT_PARAMETERS, slice, slices, range);
    step_range(model, gradients, count, &step, range);
    step.rate *= DENSE_RATE;
    step.limit = MODEL_DENSE_LIMIT;
    cut(MODEL_DIRECT_PARAMETERS, MODEL_PARAMETERS, slice, slices, range);
    step_range(model, gradients, count, &step, range);
}
