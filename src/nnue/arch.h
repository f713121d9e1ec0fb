// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The shape of the network, (12288 -> 384) x 2 -> (direct output + 8 -> 32 -> 1) x 8, defined once
 * for engine and trainer. The inputs are piece, square and four marks of the piece (marks.h). There
 * is one hidden layer for each perspective, that is, each side's view of the board (the efficiently
 * updatable part, Nasu 2018). Both are clipped and squared (SCReLU). These squares, the side to
 * move's view first, feed a direct output and the dense layers (dense.h), which add their own
 * output to it. The piece count selects one of NNUE_BUCKETS sets of output weights and dense
 * layers.
 *
 * For experiments the first four numbers below can be set on the compiler's command line. Network
 * files store them; a file with other numbers is refused, except that it may have fewer marks. */

#include <stdalign.h>
#include <stdint.h>

#ifndef NNUE_HIDDEN
#define NNUE_HIDDEN 384 // neurons of one side's view: a multiple of 32 (AVX-512: 64), up to 512
#endif
#ifndef NNUE_BUCKETS
#define NNUE_BUCKETS 8 // sets of outputs, selected by piece count: 1, 2, 4 or 8
#endif
#ifndef NNUE_MIRRORED
#define NNUE_MIRRORED 1 // 1: horizontal mirroring of a view with its king on files e..h
#endif
#ifndef NNUE_MARKS
#define NNUE_MARKS 4 // marks of a piece (marks.h): 0, 2 (attacked, defended), 3 or 4
#endif

enum {
    NNUE_PIECE_SQUARES = 768, // own or enemy x piece type x square
    NNUE_INPUTS = NNUE_PIECE_SQUARES << NNUE_MARKS,
    NNUE_QA = 255,         // integer for 1.0 in the hidden layer
    NNUE_QB = 64,          // integer for 1.0 in the output weights
    NNUE_SCALE = 400,      // internal units (score.h) for an output of 1.0 in training
    NNUE_SCALE_MAX = 4000, // the largest scale of a network file
    /* Training keeps input weights and their biases within -0.498..0.498, so that they fit 8 bits:
     * the rows of the input layer, which are read at every node, then need half of the memory.
     * Output weights stay within -1.98..1.98; the product of a clipped neuron and an output weight
     * then fits 16 bits. */
    NNUE_INPUT_LIMIT = 127, // 0.498 * QA
    NNUE_OUTPUT_LIMIT = 126 // 1.98 * QB
};

/* The dense layers: two layers of clipped neurons and an output. The second layer has the neurons
 * of the first and their squares as inputs. These numbers are not in network files: other ones need
 * a new version of the format (network.c). */
enum {
    DENSE_INPUTS = 2 * NNUE_HIDDEN,
    DENSE_FIRST = 8,           // neurons of the first layer
    DENSE_SECOND = 32,         // neurons of the second layer
    DENSE_ONE = 127,           // integer for 1.0 in inputs and neurons
    DENSE_WEIGHT_ONE = 64,     // integer for 1.0 in the weights of the two layers
    DENSE_WEIGHT_LIMIT = 127,  // 1.98; only in training
    DENSE_OUTPUT_ONE = 1024,   // integer for 1.0 in the weights of the output
    DENSE_BIAS_LIMIT = 1 << 24 // of the biases of the two layers; files are checked for it
};

/* The weights of eight inputs for one neuron are neighbours, then those for the next neuron follow.
 * A neuron is clip((sum + 32) / 64, 0, DENSE_ONE), a square (neuron^2 + 63) / DENSE_ONE. */
typedef struct {
    alignas(64) int8_t first[DENSE_INPUTS / 8][DENSE_FIRST][8];
    alignas(64) int8_t second[2 * DENSE_FIRST / 8][DENSE_SECOND][8];
    int32_t first_bias[DENSE_FIRST];   // in units of 1 / (DENSE_ONE * DENSE_WEIGHT_ONE)
    int32_t second_bias[DENSE_SECOND]; // the same
    int16_t output[DENSE_SECOND];      // in units of 1 / DENSE_OUTPUT_ONE
    int8_t unused[32];                 // 0; fills the cache line
} DenseLayers;

/* The quantised parameters, as the engine uses them. The evaluation is
 *   (sum of clip(hidden, 0, QA)^2 * output / QA + bias + dense) * scale / (QA * QB)
 * with divisions towards 0. `dense` is the output of dense_evaluate() in units of 1 / (QA * QB).
 * Its inputs are the squares in units of 1 / DENSE_ONE: (clip(hidden, 0, QA)^2 + 256) / 512. */
typedef struct {
    alignas(64) int8_t input[NNUE_INPUTS][NNUE_HIDDEN];
    alignas(64) int16_t input_bias[NNUE_HIDDEN];
    alignas(64) int16_t output[NNUE_BUCKETS][2][NNUE_HIDDEN]; // [0]: the side to move's view
    alignas(64) int32_t output_bias[NNUE_BUCKETS];            // in units of 1 / (QA * QB)
    DenseLayers dense[NNUE_BUCKETS];                          // all 0: without effect
    int32_t scale; // internal units for an output of 1.0, 1..NNUE_SCALE_MAX
} Network;
