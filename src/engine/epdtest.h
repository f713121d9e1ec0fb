// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Searches a test position (epdgoal.h) and says from when on the engine had the right answer and
 * kept it. The answer is seen at the end of each iteration, so times are those of whole
 * iterations. */

#include "chess/epdgoal.h"
#include "engine/engine.h"

/* A moment of a search. */
typedef struct {
    int depth; // plies
    uint64_t nodes;
    int64_t ms;
} EpdTestMoment;

typedef struct {
    Move move; // the engine's answer; MOVE_NONE: the root has no move
    Score score;
    bool is_solved;
    int points;
    EpdTestMoment found; // from here on the answer solved the test; zeros: it is not solved
    EpdTestMoment end;
} EpdTestAnswer;

/* Searches job->root within job->limits and compares the answer with the goal. If a mate is asked
 * and `job` does not limit mates, the search ends when it has found that mate. The job's own report
 * function is not called. Clears the table first, except in analysis mode (engine_new_game()).
 * Returns false when `stops` ended the search. */
bool epd_test_search(Engine *engine, const SearchJob *job, const EpdGoal *goal, EngineStopsFn stops,
                     void *ctx, EpdTestAnswer *answer);
