// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The hidden layer, kept from position to position. An accumulator remembers the board it was
 * summed from; to have it for another position, compare the two boards and add and subtract the
 * pieces that differ. So it is lazy by nature and cannot be out of step: whatever was played, taken
 * back or skipped since, an accumulator is right for its own board, and the search tells it
 * nothing. The nearest board known is taken: this ply's last one, its parents', or the bank's,
 * which keeps one for each way the two views can be mirrored, for kings that cross the middle. */

#include "chess/position.h"
#include "nnue/arch.h"

enum { ACCUMULATOR_PLIES = 256 };

/* Both views of one board. */
typedef struct {
    alignas(64) int16_t values[COLOR_NB][NNUE_HIDDEN]; // by perspective, before clipping
    alignas(64) uint8_t board[SQ_NB];                  // Piece or NO_PIECE on each square summed
    Bitboard occupied;                                 // the squares that have a piece
    uint64_t origin; // number of the reset it was made after * 4 + set of perspectives mirrored
} Accumulator;

/* All that one thread keeps. Large (about 300 KiB): not for the stack. Zeroed memory at first. */
typedef struct {
    const Network *network; // the one summed with
    uint64_t resets;        // an accumulator made before the last is no more than an empty board
    Accumulator plies[ACCUMULATOR_PLIES];
    Accumulator bank[4]; // by set of perspectives mirrored
} Accumulators;

/* Makes all of them empty boards of `network`: before first use, and when the network changes, in
 * place or by pointer. Touches next to no memory. */
void accumulators_reset(Accumulators *all, const Network *network);

/* The hidden layer of `pos`; it stays until the next call for this ply (0..ACCUMULATOR_PLIES-1; any
 * ply is right, the one of the search is fast). */
const Accumulator *accumulators_get(Accumulators *all, const Position *pos, int ply);
