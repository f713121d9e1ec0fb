// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What goes into a search and what comes out of it: the job, the reports while it runs, and the
 * outcome. The search prints nothing: it calls the report function of its job. */

#include "chess/game.h"
#include "eval/score.h"
#include "search/limits.h"
#include "search/strength.h"

typedef enum {
    REPORT_LINE,    // a principal variation: depth .. pv are set
    REPORT_TEXT,    // a message: text
    REPORT_MOVE,    // the root move being searched (long searches only): depth, move, move_number
    REPORT_FIGURES, // nodes, tb_hits, elapsed_ms, hashfull: about every second without a line
    REPORT_DONE     // the end: best and ponder, the first two moves of the best line
} ReportKind;

typedef struct {
    ReportKind kind;
    int depth, seldepth; // plies
    int multipv;         // rank of the line: 1, 2, ...
    Score score;         // internal units, for the side to move at the root
    bool is_tablebase;   // `score` is the result of the root move in DTZ tables
    Bound bound;         // BOUND_EXACT, or the edge of an aspiration window
    uint64_t nodes, tb_hits;
    int64_t elapsed_ms;
    int hashfull;   // per mille of the table
    const Move *pv; // legal from the root on; empty only when the root has no move
    int pv_length;
    const char *text;  // REPORT_TEXT
    Move move;         // REPORT_MOVE
    int move_number;   // REPORT_MOVE; from 1
    Move best, ponder; // REPORT_DONE; MOVE_NONE when there is none
} Report;

/* Called from the main worker's thread, never from two threads at once. `report` is valid during
 * the call only. */
typedef void (*ReportFn)(void *ctx, const Report *report);

enum { MULTI_PV_MAX = 256 };

/* The parameters of one search. */
typedef struct {
    Position root;
    Path path; // the game so far, ending in `root`
    Limits limits;
    int multi_pv;      // number of lines, 1..MULTI_PV_MAX
    Strength strength; // below full strength: one thread, no tablebases, no learned positions
    int overhead_ms;   // time lost per move between GUI and engine
    int nodes_per_ms;  // 0: the real clock counts; else this many nodes count as one millisecond
    int lmp_extra;     // more moves before late-move pruning, see late_move_count()
    bool no_learning;  // neither uses nor records learned positions
    ReportFn report;   // NULL: silence
    void *ctx;         // first argument of `report`
} SearchJob;

/* A root move and its results in one thread. */
typedef struct {
    Move move;
    int rank;       // of the tablebases, as in SyzygyMove; without them 0
    Score score;    // of this iteration; -SCORE_INF: not searched, or a late move not above alpha
    Score previous; // of the last iteration, or of an earlier aspiration window of this one
    Score average;  // over the iterations, centre of the aspiration window; SCORE_NONE at first
    Bound bound;
    int depth;          // iteration that set `pv`
    int searched_depth; // of the last finished search of the root with this move as best move
    uint64_t nodes;     // spent on this move in this search, for the first line of MultiPV
    int seldepth;
    int pv_length;
    Move pv[MAX_PLY + 1];
} RootMove;

/* Score of a root move in this iteration, or in the last one if it has none yet. */
static inline Score root_move_score(const RootMove *root)
{
    return root->score != -SCORE_INF ? root->score : root->previous;
}

/* The result of a search. */
typedef struct {
    Move best;   // MOVE_NONE when the root has no move to search
    Score score; // internal units, for the side to move at the root; see deepening_outcome()
    /* False: only a bound is known of the score of `best`. Then `score` is that of the last
     * completed iteration, which may have another best move. */
    bool is_exact;
    /* Depth in plies to which the last completed iteration really searched the root. Fail-highs of
     * the aspiration window and raises of alpha make it less than the number of the iteration. */
    int depth;
    Score peak; // best score of the completed iterations from depth 4 on; SCORE_NONE: none
} SearchOutcome;
