// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A chess clock that runs on nodes. What the GUI's clock says at a side's first move of a game
 * counts for so many nodes a millisecond; from then on the time left is kept here, since the GUI's
 * own clock goes by the machine's speed, and a game can be repeated move by move. */

#include "search/limits.h"

typedef struct {
    bool runs;       // this side has moved in this game
    int64_t left;    // nodes; negative when overdrawn
    int64_t control; // nodes that each time control brings
    int moves_left;  // to the next control after the last move; -1: sudden death
} NodeClockSide;

/* Zero is the clock of a game that has not begun. */
typedef struct {
    int nodes_per_ms;
    NodeClockSide sides[COLOR_NB];
} NodeClock;

/* Puts the time that `side` has left here in place of the GUI's, at `nodes_per_ms` > 0; another
 * rate than before begins anew. A time control has been reached when there are more moves to go
 * than before. Limits without a clock stay as they are. */
void nodeclock_read(NodeClock *clock, Color side, int nodes_per_ms, Limits *limits);

/* Books a move of `side` that took so many nodes, and the increment it brings, under limits that
 * nodeclock_read() has seen. */
void nodeclock_spend(NodeClock *clock, Color side, const Limits *limits, uint64_t nodes);
