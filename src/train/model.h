// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The network in floating point, as it is trained: 1.0 of a hidden neuron or of an output weight is
 * NNUE_QA or NNUE_QB of arch.h. The rows of the input layer are cut into blocks of columns, each
 * block of all rows standing together, so that one block of weights and its gradient stay in the
 * second-level cache while a chunk of positions goes by. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nnue/arch.h"

enum {
    MODEL_BLOCK = NNUE_HIDDEN % 64 == 0 ? 64 : 32, // columns
    MODEL_BLOCKS = NNUE_HIDDEN / MODEL_BLOCK,
    MODEL_BIASES = 16 // NNUE_BUCKETS of them, the rest stays 0
};

/* Weights are kept within what Network can hold. */
#define MODEL_INPUT_LIMIT ((float)NNUE_INPUT_LIMIT / NNUE_QA)
#define MODEL_OUTPUT_LIMIT ((float)NNUE_OUTPUT_LIMIT / NNUE_QB)

/* Only floats, so that it can also be taken as an array of MODEL_PARAMETERS. Serves for gradients
 * and moments too. Zeroed memory at first. */
typedef struct {
    alignas(64) float input[MODEL_BLOCKS][NNUE_INPUTS][MODEL_BLOCK];
    alignas(64) float input_bias[MODEL_BLOCKS][MODEL_BLOCK];
    alignas(64) float output[NNUE_BUCKETS][2][MODEL_BLOCKS][MODEL_BLOCK];
    alignas(64) float output_bias[MODEL_BIASES];
} Parameters;

#define MODEL_PARAMETERS (sizeof(Parameters) / sizeof(float))
#define MODEL_INPUT_PARAMETERS (offsetof(Parameters, output) / sizeof(float)) // with their biases

/* All that training changes. */
typedef struct {
    Parameters weights;
    Parameters mean, square; // moving averages of the gradient and of its square
    uint64_t step;           // batches learned from
    double loss_sum;         // in this epoch so far
    uint64_t loss_count;     // positions it is the sum of
} Model;

/* A model of small random weights, from the seed alone; NULL without memory. Free with
 * model_free().
 */
Model *model_create(uint64_t seed);
void model_free(Model *model);

/* Zeroed parameters, for gradients; NULL without memory. Free with parameters_free(). */
Parameters *parameters_create(void);
void parameters_free(Parameters *parameters);
