// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The shape of the network, defined once for engine and trainer: (768 -> N) x 2 -> 1. One layer is
 * kept for each side's view of the board (the "efficiently updatable" part, Nasu 2018); clipped and
 * squared (SCReLU) the two, side to move first, feed one output chosen by how many pieces are left.
 * The three numbers below may be set on the compiler's command line, for experiments: a network
 * file tells its own and is refused where they differ. */

#include <stdalign.h>
#include <stdint.h>

#ifndef NNUE_HIDDEN
#define NNUE_HIDDEN 256 // neurons of one side's view: a multiple of 32, at most 512
#endif
#ifndef NNUE_BUCKETS
#define NNUE_BUCKETS 8 // outputs by piece count: 1, 2, 4 or 8
#endif
#ifndef NNUE_MIRRORED
#define NNUE_MIRRORED 1 // 1: a view with its king on files e..h is seen in a mirror
#endif

enum {
    NNUE_INPUTS = 768,     // own or enemy x piece type x square
    NNUE_QA = 255,         // integer that stands for 1.0 in the hidden layer
    NNUE_QB = 64,          // integer that stands for 1.0 in the output weights
    NNUE_SCALE = 400,      // internal units (score.h) for an output of 1.0 in training,
    NNUE_SCALE_MAX = 4000, // and at most in a network
    /* Weights are kept below 1.98 in training. So a sum of 33 fits 16 bits and so does a clipped
     * neuron times an output weight. */
    NNUE_INPUT_LIMIT = 505, // 1.98 * QA
    NNUE_OUTPUT_LIMIT = 126 // 1.98 * QB
};

/* The parameters in integers, as the engine uses them. An evaluation is
 * (sum of clip(hidden, 0, QA)^2 * output / QA + bias) * scale / (QA * QB), divisions towards 0. */
typedef struct {
    alignas(64) int16_t input[NNUE_INPUTS][NNUE_HIDDEN];
    alignas(64) int16_t input_bias[NNUE_HIDDEN];
    alignas(64) int16_t output[NNUE_BUCKETS][2][NNUE_HIDDEN]; // [0]: the side to move's view
    alignas(64) int32_t output_bias[NNUE_BUCKETS];            // in units of 1 / (QA * QB)
    int32_t scale; // internal units for an output of 1.0, 1..NNUE_SCALE_MAX
} Network;
