// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Perft counts the legal move sequences of a given length. A move generator is tested by comparing
 * its counts with published ones. */

#include "chess/position.h"

/* Returns the number of leaves `depth` plies below `pos`; 1 at depth 0. The moves of the last ply
 * are counted, not played. */
uint64_t perft(const Position *pos, int depth);

/* Callbacks of a long count. Both get `ctx`. */
typedef struct {
    /* Called after each root move with its number of leaves, in generation order. */
    void (*report)(void *ctx, Move move, uint64_t leaves);
    /* Called every few milliseconds. True ends the count; all later calls must return true, too. */
    bool (*is_stopped)(void *ctx);
    void *ctx;
} PerftWatch;

/* As perft(), for `depth` >= 1: writes the sum over all root moves to `*leaves`. False, with a part
 * of the sum in `*leaves`, when the count was stopped; the unfinished root move is not reported. */
bool perft_divide(const Position *pos, int depth, const PerftWatch *watch, uint64_t *leaves);
