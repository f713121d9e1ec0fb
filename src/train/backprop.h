// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Forward pass, loss and gradients of a chunk of positions (Rumelhart, Hinton & Williams 1986). A
 * hidden neuron with the sum h has the activation clip(h, 0, 1)^2, which feeds the direct output
 * and the dense layers; the output is the sum of both. An output of 1.0 means NNUE_SCALE internal
 * units, so the prediction is sigmoid(output * NNUE_SCALE / unit). The loss of a position is weight
 * * |prediction - target|^power. A chunk is processed in blocks of columns (model.h). A chunk has
 * few positions, so that its activations stay in the cache. */

#include "train/dense_backprop.h"
#include "train/lanes.h"
#include "train/model.h"
#include "train/sample.h"

enum { BACKPROP_CHUNK = 256 }; // positions

/* Working memory of one thread for one chunk. Large: allocate with backprop_create(). */
typedef struct {
    int count; // of positions; 0 starts a new chunk
    SampleInputs inputs[BACKPROP_CHUNK];
    float targets[BACKPROP_CHUNK];  // expected points, 0..1
    float weights[BACKPROP_CHUNK];  // of the losses
    uint8_t bounds[BACKPROP_CHUNK]; // of the targets: a met bound has no loss (tree_learning.h)
    float outputs[BACKPROP_CHUNK];  // set by backprop_forward()
    float slopes[BACKPROP_CHUNK];   // set by backprop_loss(): derivative of the loss by the output
    Lanes partial[BACKPROP_CHUNK];  // sums of the outputs, one per lane
    /* Sums of the hidden neurons before clipping: of the side to move [0] and the opponent [1]. */
    alignas(64) float hidden[MODEL_BLOCKS][BACKPROP_CHUNK][2][MODEL_BLOCK];
    DenseSums dense[BACKPROP_CHUNK];
    /* Set by backprop_backward(): derivatives of the loss by the squares of the hidden neurons, as
     * far as these act through the dense layers. */
    alignas(64) float square_slopes[MODEL_BLOCKS][BACKPROP_CHUNK][2][MODEL_BLOCK];
} Chunk;

enum { ENDGAME_FEW = 8, ENDGAME_MANY = 20 };

/* The training objective. */
typedef struct {
    float lambda;  // weight of the game's result in the target, 0..1; the score has 1 - lambda
    float endgame; // added to lambda up to ENDGAME_FEW pieces; less with more pieces, 0 from
                   // ENDGAME_MANY on
    float unit;    // score with sigmoid(1) = 73% expected points, internal units
    float power;   // exponent of the error in the loss
    float weights[NNUE_BUCKETS]; // factor of the loss of a position, by its output bucket
} Objective;

/* Allocates an empty chunk; NULL if memory runs out. Free with backprop_free(). */
Chunk *backprop_create(void);
void backprop_free(Chunk *chunk);

/* Returns lambda for a position with this number of pieces: 0..1. */
float backprop_lambda(const Objective *objective, int pieces);

/* Returns the target of a position of a game: expected points, 0..1. */
float backprop_target(const Sample *sample, const Objective *objective);

/* Adds a position to a chunk that has fewer than BACKPROP_CHUNK; `flip`: see sample_inputs(). */
void backprop_add(Chunk *chunk, const Sample *sample, bool flip, const Objective *objective);

/* Computes the outputs of all positions. */
void backprop_forward(Chunk *chunk, const Parameters *weights);

/* After backprop_forward(): computes the slopes and returns the sum of the losses. */
double backprop_loss(Chunk *chunk, const Objective *objective);

/* After backprop_loss(): adds the derivative of `scale` times the sum of the losses to `gradient`.
 */
void backprop_backward(Chunk *chunk, const Parameters *weights, float scale, Parameters *gradient);
