// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The network in floating point, for training. A hidden neuron of 1.0 corresponds to NNUE_QA in the
 * integer network (arch.h), an output weight of 1.0 to NNUE_QB; in the dense layers a neuron of 1.0
 * to DENSE_ONE, a weight of 1.0 to DENSE_WEIGHT_ONE, one of their output to DENSE_OUTPUT_ONE.
 *
 * The input layer has one row of weights per input and one column per hidden neuron. It is stored
 * in blocks of MODEL_BLOCK columns of all rows. While a chunk of positions is processed, only one
 * block of weights and its gradient are needed, 3 MiB each. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nnue/arch.h"

enum {
    MODEL_BLOCK = NNUE_HIDDEN % 64 == 0 ? 64 : 32, // columns
    MODEL_BLOCKS = NNUE_HIDDEN / MODEL_BLOCK,
    MODEL_BIASES = 16 // size of an array of few biases; those beyond them stay 0
};

/* Limits of the weights, so that they fit into a Network. */
#define MODEL_INPUT_LIMIT ((float)NNUE_INPUT_LIMIT / NNUE_QA)
#define MODEL_OUTPUT_LIMIT ((float)NNUE_OUTPUT_LIMIT / NNUE_QB)
#define MODEL_DENSE_LIMIT ((float)DENSE_WEIGHT_LIMIT / DENSE_WEIGHT_ONE) // biases and output, too

/* The dense layers of one bucket. As everywhere, index 0 of the two views is that of the side to
 * move. */
typedef struct {
    alignas(64) float first[DENSE_FIRST][2][MODEL_BLOCKS][MODEL_BLOCK]; // by neuron, then by input
    alignas(64) float second[2 * DENSE_FIRST][DENSE_SECOND];            // by input, then by neuron
    alignas(64) float first_bias[MODEL_BIASES];                         // DENSE_FIRST are used
    alignas(64) float second_bias[DENSE_SECOND];
    alignas(64) float output[DENSE_SECOND];
} DenseParameters;

/* Parameters of the model, or their gradients or moving averages. All members are floats, so the
 * struct can also be read as an array of MODEL_PARAMETERS floats. */
typedef struct {
    alignas(64) float input[MODEL_BLOCKS][NNUE_INPUTS][MODEL_BLOCK];
    alignas(64) float input_bias[MODEL_BLOCKS][MODEL_BLOCK];
    alignas(64) float output[NNUE_BUCKETS][2][MODEL_BLOCKS][MODEL_BLOCK];
    alignas(64) float output_bias[MODEL_BIASES]; // NNUE_BUCKETS are used
    DenseParameters dense[NNUE_BUCKETS];
} Parameters;

#define MODEL_PARAMETERS (sizeof(Parameters) / sizeof(float))
#define MODEL_INPUT_PARAMETERS (offsetof(Parameters, output) / sizeof(float)) // biases included
#define MODEL_DIRECT_PARAMETERS                                                                    \
    (offsetof(Parameters, dense) / sizeof(float)) // all before the dense layers

/* The whole state of training; a checkpoint stores it. */
typedef struct {
    Parameters weights;
    Parameters mean, square; // moving averages of the gradient and of its square
    uint64_t step;           // batches done
    double loss_sum;         // sum of the losses in the current epoch
    uint64_t loss_count;     // positions in loss_sum
} Model;

/* Sets the weights of the dense layers to random numbers that depend only on `seed`, and those of
 * their outputs to 0: at first they have no effect, but they learn. */
void model_start_dense(Parameters *weights, uint64_t seed);

/* Creates a model with small random weights that depend only on `seed`. Returns NULL if memory runs
 * out. Free with model_free(). */
Model *model_create(uint64_t seed);
void model_free(Model *model);

/* Creates zeroed parameters, for gradients; NULL if memory runs out. Free with parameters_free().
 */
Parameters *parameters_create(void);
void parameters_free(Parameters *parameters);
