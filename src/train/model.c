// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/model.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"

static_assert(NNUE_BUCKETS <= MODEL_BIASES, "a bias for each bucket");
static_assert(sizeof(Parameters) % 64 == 0, "whole vectors");

/* Fills `count` weights with numbers uniform in -limit..limit. */
static void randomise(float *weights, size_t count, float limit, Rng *rng)
{
    for (size_t i = 0; i < count; i++)
        weights[i] = limit * ((float)(int)(rng_next(rng) >> 40) / (float)(1 << 23) - 1.0f);
}

void model_start_dense(Parameters *weights, uint64_t seed)
{
    Rng rng;
    rng_seed(&rng, ~seed); // other numbers than those of model_create()
    memset(weights->dense, 0, sizeof weights->dense);
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++) {
        DenseParameters *const dense = &weights->dense[bucket];
        randomise(dense->first[0][0][0], sizeof dense->first / sizeof(float),
                  3.0f / sqrtf(DENSE_INPUTS), &rng);
        randomise(dense->second[0], sizeof dense->second / sizeof(float),
                  1.7f / sqrtf(2 * DENSE_FIRST), &rng);
        for (int i = 0; i < DENSE_FIRST; i++) // so that few neurons are clipped
            dense->first_bias[i] = 0.3f;
        for (int i = 0; i < DENSE_SECOND; i++)
            dense->second_bias[i] = 0.1f;
    }
}

Model *model_create(uint64_t seed)
{
    Model *const model = mem_alloc_large(sizeof *model, NULL);
    if (model == NULL)
        return NULL;
    /* The usual limit is 1 / sqrt(inputs). The marked states of a piece on a square exclude each
     * other, so only the places count. Biases are 0, so about half of the neurons are clipped in
     * any position. */
    Rng rng;
    rng_seed(&rng, seed);
    Parameters *const weights = &model->weights;
    randomise(weights->input[0][0], sizeof weights->input / sizeof(float),
              1.0f / sqrtf(NNUE_PIECE_SQUARES), &rng);
    randomise(weights->output[0][0][0], sizeof weights->output / sizeof(float),
              1.0f / sqrtf(2 * NNUE_HIDDEN), &rng);
    model_start_dense(weights, seed);
    return model;
}

void model_free(Model *model)
{
    mem_free_large(model, sizeof *model);
}

Parameters *parameters_create(void)
{
    return mem_alloc_large(sizeof(Parameters), NULL);
}

void parameters_free(Parameters *parameters)
{
    mem_free_large(parameters, sizeof *parameters);
}
