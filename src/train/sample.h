// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A training position in 32 bytes: the inputs of the network, a score and the result of the game.
 * The position is turned so that the side to move is White. */

#include "chess/position.h"
#include "nnue/arch.h"

enum { SAMPLE_PIECES_MAX = 32 };

typedef struct {
    uint64_t occupied;
    uint8_t pieces[SAMPLE_PIECES_MAX / 2]; // four bits each, in the order of the squares
    int16_t score;                         // internal units, for the side to move
    uint8_t result; // of the game for the side to move: 0 lost, 1 drawn, 2 won
    uint8_t kings[COLOR_NB];
    uint8_t spare[3];
} Sample;

/* The inputs that a sample sets, in the view of the side to move [0] and of the opponent [1]. */
typedef struct {
    uint16_t rows[2][SAMPLE_PIECES_MAX];
    uint8_t count;  // number of pieces
    uint8_t bucket; // output, see feature_bucket()
} SampleInputs;

/* Packs `pos`, with at most 32 pieces. `score` and `result` (0 lost, 1 drawn, 2 won) are from the
 * view of the side to move. */
void sample_pack(Sample *sample, const Position *pos, int score, int result);

/* Computes the inputs of `sample`; if `flip`, of the position with files a and h exchanged. */
void sample_inputs(const Sample *sample, bool flip, SampleInputs *inputs);
