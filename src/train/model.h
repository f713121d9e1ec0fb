// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The network in floating point, for training. 1.0 of a hidden neuron corresponds to NNUE_QA of
 * arch.h, 1.0 of an output weight to NNUE_QB.
 *
 * The rows of the input layer are divided into blocks of columns, and each block of all rows is
 * contiguous. One block of weights and its gradient then stay in the second-level cache while a
 * chunk of positions is processed. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nnue/arch.h"

enum {
    MODEL_BLOCK = NNUE_HIDDEN % 64 == 0 ? 64 : 32, // columns
    MODEL_BLOCKS = NNUE_HIDDEN / MODEL_BLOCK,
    MODEL_BIASES = 16 // NNUE_BUCKETS are used, the others stay 0
};

/* Limits of the weights, from those of Network. */
#define MODEL_INPUT_LIMIT ((float)NNUE_INPUT_LIMIT / NNUE_QA)
#define MODEL_OUTPUT_LIMIT ((float)NNUE_OUTPUT_LIMIT / NNUE_QB)

/* Parameters, or their gradients or moments. Contains only floats, so it can also be read as an
 * array of MODEL_PARAMETERS. Initially zeroed. */
typedef struct {
    alignas(64) float input[MODEL_BLOCKS][NNUE_INPUTS][MODEL_BLOCK];
    alignas(64) float input_bias[MODEL_BLOCKS][MODEL_BLOCK];
    alignas(64) float output[NNUE_BUCKETS][2][MODEL_BLOCKS][MODEL_BLOCK];
    alignas(64) float output_bias[MODEL_BIASES];
} Parameters;

#define MODEL_PARAMETERS (sizeof(Parameters) / sizeof(float))
#define MODEL_INPUT_PARAMETERS (offsetof(Parameters, output) / sizeof(float)) // biases included

/* The whole state of training, as checkpoints store it. */
typedef struct {
    Parameters weights;
    Parameters mean, square; // moving averages of the gradient and of its square
    uint64_t step;           // batches done
    double loss_sum;         // of the current epoch
    uint64_t loss_count;     // positions in loss_sum
} Model;

/* Creates a model with small random weights that depend only on `seed`. Returns NULL if memory runs
 * out. Free with model_free(). */
Model *model_create(uint64_t seed);
void model_free(Model *model);

/* Creates zeroed parameters, for gradients; NULL if memory runs out. Free with parameters_free().
 */
Parameters *parameters_create(void);
void parameters_free(Parameters *parameters);
