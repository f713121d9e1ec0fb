// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Counting the legal paths of a given length: the proof of the move generator. */

#include "chess/position.h"

/* Number of leaves `depth` plies below `pos`; 1 at depth 0. The last ply is counted, not played. */
uint64_t perft(const Position *pos, int depth);

/* As perft(), and calls `visit` with each root move and its share, in generation order. `depth`
 * >= 1. A visit that returns false ends the count early. */
typedef bool (*PerftVisit)(void *ctx, Move move, uint64_t leaves);
uint64_t perft_divide(const Position *pos, int depth, PerftVisit visit, void *ctx);
