// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/epdtest.h"

#include <stdlib.h>

#include "base/clock.h"

/* Context of follow(). */
typedef struct {
    const EpdGoal *goal;
    EpdTestAnswer *answer;
} EpdTestWatch;

/* Records the answer of the search so far and, if it has become right, the moment. */
static void note(const EpdTestWatch *watch, Move move, EpdTestMoment now)
{
    EpdTestAnswer *const answer = watch->answer;
    const bool was_solved = answer->is_solved;
    answer->move = move;
    answer->end = now;
    answer->is_solved = epd_goal_is_met(watch->goal, move, score_mate_moves(answer->score));
    if (!answer->is_solved)
        answer->found = (EpdTestMoment){0};
    else if (!was_solved)
        answer->found = now;
}

/* A report function: follows the best move of a search, and its score if that is exact. */
static void follow(void *ctx, const Report *report)
{
    const EpdTestWatch *const watch = ctx;
    if (report->kind == REPORT_DONE) {
        note(watch, report->best, watch->answer->end);
    } else if (report->kind == REPORT_LINE && report->multipv == 1) {
        if (report->bound == BOUND_EXACT)
            watch->answer->score = report->score;
        note(watch, report->pv_length > 0 ? report->pv[0] : MOVE_NONE,
             (EpdTestMoment){report->depth, report->nodes, report->elapsed_ms});
    }
}

bool epd_test_search(Engine *engine, const SearchJob *job, const EpdGoal *goal, EngineStopsFn stops,
                     void *ctx, EpdTestAnswer *answer)
{
    EpdTestWatch watch = {.goal = goal, .answer = answer};
    SearchStats stats;
    SearchJob watched = *job;
    *answer = (EpdTestAnswer){.move = MOVE_NONE};
    if (goal->mate != 0 && goal->best.count == 0 && goal->avoid.count == 0 &&
        watched.limits.mate == 0)
        watched.limits.mate = abs(goal->mate);
    watched.no_learning = true;
    watched.report = follow;
    watched.ctx = &watch;
    engine_new_test(engine);
    const int64_t start_ms = clock_ms();
    const bool is_complete = engine_search(engine, &watched, stops, ctx);
    engine_stats(engine, &stats);
    answer->end.nodes = stats.nodes;
    answer->end.ms = clock_ms() - start_ms;
    answer->points = epd_goal_points(goal, answer->move);
    return is_complete;
}
