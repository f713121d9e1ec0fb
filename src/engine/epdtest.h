// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Searches a test position (epdgoal.h) and finds out since when the answer was right: the first
 * moment after which it did not change to a wrong one. The answer is read at the end of each
 * iteration, so the moments are ends of iterations. */

#include "chess/epdgoal.h"
#include "engine/engine.h"

/* A moment of a search. */
typedef struct {
    int depth; // plies
    uint64_t nodes;
    int64_t ms;
} EpdTestMoment;

typedef struct {
    Move move;   // the engine's answer; MOVE_NONE: the root has no move
    Score score; // for the side to move, internal units
    bool is_solved;
    int points;
    EpdTestMoment found; // from here on the answer was right; all zero: not solved
    EpdTestMoment end;
} EpdTestAnswer;

/* Searches job->root within job->limits and compares the answer with the goal. If the goal is a
 * mate and `job` has no mate limit, the search ends when it has found that mate. The job's own
 * report function is not called. Clears the table first, except in analysis mode and if a new game
 * keeps it (engine_new_test()). Learned positions are neither used nor recorded: no test depends on
 * another. Returns false when `stops` ended the search. */
bool epd_test_search(Engine *engine, const SearchJob *job, const EpdGoal *goal, EngineStopsFn stops,
                     void *ctx, EpdTestAnswer *answer);
