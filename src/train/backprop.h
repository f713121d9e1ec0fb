// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the network says of a chunk of positions, and how the loss would change with each parameter
 * (Rumelhart, Hinton & Williams 1986). A hidden neuron h gives clip(h, 0, 1)^2; the prediction is
 * sigmoid(output * NNUE_SCALE / unit), as an output of 1.0 stands for NNUE_SCALE internal units;
 * the loss is |prediction - target|^power. A chunk goes through the columns block by block
 * (model.h), and is as long as its activations are welcome in the cache. */

#include "nnue/simd.h"
#include "train/model.h"
#include "train/sample.h"

enum { BACKPROP_CHUNK = 256 };

/* Numbers that are worked on together: as many as the machine's vectors hold. Wider ones the
 * compiler splits through memory, at a fifth of the speed. */

typedef float Lanes __attribute__((vector_size(SIMD_BYTES), may_alias));

/* Work space of one thread. Large: get it with backprop_create(). */
typedef struct {
    int count;
    SampleInputs inputs[BACKPROP_CHUNK];
    float targets[BACKPROP_CHUNK];
    float outputs[BACKPROP_CHUNK]; // of backprop_forward()
    float slopes[BACKPROP_CHUNK];  // of backprop_loss(): loss by output
    Lanes partial[BACKPROP_CHUNK];
    alignas(64) float hidden[MODEL_BLOCKS][BACKPROP_CHUNK][2][MODEL_BLOCK];
} Chunk;

/* What is aimed at. */
typedef struct {
    float lambda; // share of the game's result in the target, the rest is what the score says
    float unit;   // internal units that a share of points of sigmoid(1), 73%, is reckoned to take
    float power;  // of the error in the loss
} Aim;

/* An empty chunk; NULL without memory. Free with backprop_free(). */
Chunk *backprop_create(void);
void backprop_free(Chunk *chunk);

/* The share of points to expect of `sample`. */
float backprop_target(const Sample *sample, const Aim *aim);

/* Adds a position to a chunk of fewer than BACKPROP_CHUNK. */
void backprop_add(Chunk *chunk, const Sample *sample, bool flip, const Aim *aim);

/* Sets the outputs of all positions. */
void backprop_forward(Chunk *chunk, const Parameters *weights);

/* Sets the slopes, after backprop_forward(), and returns the sum of the losses. */
double backprop_loss(Chunk *chunk, const Aim *aim);

/* Adds to `gradient` the derivative of `scale` times that sum, after backprop_loss(). */
void backprop_backward(const Chunk *chunk, const Parameters *weights, float scale,
                       Parameters *gradient);
