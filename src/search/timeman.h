// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Time management: computes deadlines from limits and from how stable the search is. It reads no
 * clock. Times are milliseconds since the start of the search. */

#include "eval/score.h"
#include "search/limits.h"

enum { TIME_UNLIMITED = 1000000000 };

typedef struct {
    int64_t soft_ms; // time_scaled() scales it; no new iteration starts after the scaled time
    int64_t hard_ms; // the search stops here
    bool fixed;      // movetime: the soft limit is not scaled
} TimePlan;

/* Signs of how stable the search is, after an iteration. */
typedef struct {
    int depth;             // of the completed iteration, plies
    double best_share;     // share of all root nodes spent on the best move, 0..1
    int stable_iterations; // iterations since the best move last changed
    Score score_drop;      // score of the previous iteration minus this one's
    Score previous_drop;   // score of the previous search of this game minus this one's; 0: unknown
    int root_moves;        // to be searched, after searchmoves and tablebases
    bool mate_found;       // the score is a mate
} TimeSigns;

/* Deadlines for `side` under `limits` at move `move_number` of the game, from 1; every move loses
 * `overhead_ms` >= 0 between GUI and engine. Both deadlines are at least 1 ms. If the clock has
 * more than 1 ms, both are below the time on the clock. Without a time limit both are
 * TIME_UNLIMITED. */
TimePlan time_plan(const Limits *limits, Color side, int move_number, int overhead_ms);

/* Moves both deadlines to `left_ms` or before, but not to less than 1 ms. */
void time_cap(TimePlan *plan, int64_t left_ms);

/* The soft deadline scaled by the signs; never later than the hard one. */
int64_t time_scaled(const TimePlan *plan, const TimeSigns *signs);
