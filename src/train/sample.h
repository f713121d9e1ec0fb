// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A training position in 32 bytes: pieces, score and result of the game. The position is seen from
 * the side to move: if Black is to move, colours are exchanged and ranks mirrored. */

#include "chess/position.h"

enum { SAMPLE_PIECES_MAX = 32, SAMPLE_WEIGHT_ONE = 64 };

typedef struct {
    uint64_t occupied;                     // bitboard of all pieces
    uint8_t pieces[SAMPLE_PIECES_MAX / 2]; // four bits each, in the order of the squares
    int16_t score;                         // internal units, for the side to move
    uint8_t result;          // of the game for the side to move: 0 lost, 1 drawn, 2 won. Not used
                             // for a tree node
    uint8_t kings[COLOR_NB]; // squares; WHITE: the side to move
    uint8_t bound;           // of the score of a tree node (TreeBound); 0: a position of a game
    uint8_t weight;          // of the loss, in 1/SAMPLE_WEIGHT_ONE
    uint8_t spare;           // 0
} Sample;

/* The network inputs of a sample, in the view of the side to move [0] and of the opponent [1]. */
typedef struct {
    uint16_t rows[2][SAMPLE_PIECES_MAX]; // rows of the input layer; the first `count` are valid
    uint8_t count;                       // number of pieces
    uint8_t bucket;                      // output bucket, see feature_bucket()
} SampleInputs;

/* Packs `pos`, which has at most 32 pieces. `score` (internal units, 16 bits) and `result` (0 lost,
 * 1 drawn, 2 won) are from the view of the side to move. The sample is a position of a game with
 * weight 1. */
void sample_pack(Sample *sample, const Position *pos, int score, int result);

/* Computes the inputs of `sample`. If `flip` is true, the position is first mirrored left to right
 * (file a becomes file h). */
void sample_inputs(const Sample *sample, bool flip, SampleInputs *inputs);
