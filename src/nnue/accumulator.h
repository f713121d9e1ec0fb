// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The accumulators: the hidden layer before clipping, updated from one position to the next
 * ("efficiently updatable", Nasu 2018).
 *
 * Invariant: an accumulator stores the board it was computed from, with the marks of its pieces
 * (marks.h), and is correct for that board. To evaluate another position, compare the two boards,
 * then add and subtract the rows of the pieces that differ. The search need not report moves made
 * or taken back.
 *
 * The update starts from the board with the fewest differences: the empty board, the last board at
 * this ply or at the ply before. If that differs in many squares, the last board two plies before
 * and a cached board are compared, too.
 *
 * A king on files e to h mirrors its view of the board, which changes the rows of all pieces. So
 * the update starts only from a board with the same mirroring of both views. Each of the two views
 * is mirrored or not; the cache has one board for each of these four cases (as "Finny tables" have
 * one for each king bucket). */

#include "chess/position.h"
#include "nnue/marks.h"

enum { ACCUMULATOR_PLIES = 256 }; // more than MAX_PLY, see eval.c

/* The hidden layer of one board, for both perspectives. */
typedef struct {
    alignas(64) int16_t values[COLOR_NB][NNUE_HIDDEN]; // by perspective, before clipping
    alignas(64) uint8_t board[SQ_NB]; // marked piece (marks.h) or NO_PIECE on each square
    Bitboard occupied;                // squares with a piece
    uint64_t cache_tag; // 4 * `resets` when it was computed + index in `cache` of its mirroring
} Accumulator;

/* All accumulators of one thread, about 420 KiB: allocate on the heap, zeroed. */
typedef struct {
    const Network *network; // the network that all values were computed with
    uint64_t resets;        // number of resets; accumulators of an earlier number are invalid
    int piece_parts[COLOR_NB][MARKED_NB]; // feature_of_piece(), set by the first reset
    Accumulator plies[ACCUMULATOR_PLIES];
    Accumulator cache[4]; // index: 1 if White's view is mirrored, plus 2 if Black's is
} Accumulators;

/* Invalidates all accumulators and sets their network. Call before first use and whenever the
 * network changes, in place or by pointer. Fast: it only changes a counter. */
void accumulators_reset(Accumulators *all, const Network *network);

/* Returns the hidden layer of `pos`. Any `ply` (0..ACCUMULATOR_PLIES-1) gives the correct result;
 * the ply of the search is the fastest. The result is valid until the next call for this ply. */
const Accumulator *accumulators_get(Accumulators *all, const Position *pos, int ply);
