// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Time: numbers in, deadlines out. No clock is read here. Milliseconds since the start of the
 * search. */

#include "eval/score.h"
#include "search/limits.h"

enum { TIME_UNLIMITED = 1000000000 };

typedef struct {
    int64_t soft_ms; // a finished iteration ends the search beyond this, scaled by time_scaled()
    int64_t hard_ms; // the search is cut off here
    bool fixed;      // movetime: use it all, whatever the search looks like
} TimePlan;

/* How settled the search looks after an iteration. */
typedef struct {
    int depth;             // of the finished iteration, plies
    double best_share;     // share of all root nodes spent on the best move, 0..1
    int stable_iterations; // iterations since the best move last changed
    Score score_drop;      // score of the previous iteration minus this one's
    Score
        previous_drop; // score of the previous search of this game minus this one's, 0 when unknown
    int legal_moves;   // at the root
    bool mate_found;   // the score is a mate
} TimeSigns;

/* The deadlines for `side` under `limits`, with `overhead_ms` lost on the way for every move.
 * Always at least 1 ms, never more than the clock holds; TIME_UNLIMITED where nothing limits the
 * time. */
TimePlan time_plan(const Limits *limits, Color side, int overhead_ms);

/* The soft deadline as the search looks now, never beyond the hard one. */
int64_t time_scaled(const TimePlan *plan, const TimeSigns *signs);
