// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A chess clock that counts nodes instead of time (option nodestime), so that a timed game can be
 * repeated exactly. At a side's first move, the time on the GUI's clock is converted to nodes.
 * After that the GUI's clock times are ignored, because they depend on the machine's speed. */

#include "search/limits.h"

typedef struct {
    bool runs;       // the side has moved in this game
    int64_t left;    // nodes; negative when overdrawn
    int64_t control; // nodes added at each time control
    int moves_left;  // before the next control, counted after the last move; -1: sudden death
} NodeClockSide;

/* All zero: a new game. */
typedef struct {
    int nodes_per_ms;
    NodeClockSide sides[COLOR_NB];
} NodeClock;

/* Replaces the clock of `side` in `limits` by this clock, at `nodes_per_ms` > 0 nodes per
 * millisecond. A new rate resets the clock. Adds the nodes of the next control when a control has
 * passed: its last move was played, or the moves to go have increased. Limits without a clock stay
 * unchanged. */
void nodestime_read(NodeClock *clock, Color side, int nodes_per_ms, Limits *limits);

/* Subtracts the `nodes` that `side` spent on a move and adds the increment. `limits`: those of this
 * move, after nodestime_read() has changed them. */
void nodestime_spend(NodeClock *clock, Color side, const Limits *limits, uint64_t nodes);
