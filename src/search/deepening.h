// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One search of one root: iterative deepening with aspiration windows on every worker, and what it
 * tells its caller. The search prints nothing: it reports. */

#include "chess/game.h"
#include "eval/score.h"
#include "search/limits.h"
#include "search/strength.h"
#include "tt/tt.h"

typedef enum {
    REPORT_LINE, // a principal variation: depth .. pv are set
    REPORT_MOVE, // the root move now being searched: depth, move, move_number; in long searches
                 // only
    REPORT_DONE  // the end: best and ponder, equal to the first two moves of the last line reported
} ReportKind;

typedef struct {
    ReportKind kind;
    int depth, seldepth; // plies
    int multipv;         // 1, 2, ...: rank of the line
    Score score;         // from the root side's view
    Bound bound;         // BOUND_EXACT, or a window's edge
    uint64_t nodes, tb_hits;
    int64_t elapsed_ms;
    int hashfull;   // per thousand
    const Move *pv; // legal from the root on; empty only when the root has no move
    int pv_length;
    Move move;         // REPORT_MOVE
    int move_number;   // from 1
    Move best, ponder; // REPORT_DONE; MOVE_NONE when there is none
} Report;

/* Called from the main worker's thread, never from two at once. `report` lives for the call only.
 */
typedef void (*ReportFn)(void *ctx, const Report *report);

/* All a search needs to know. */
typedef struct {
    Position root;
    Path path; // of the game, ending in `root`
    Limits limits;
    int multi_pv;      // lines wanted, 1..256
    Strength strength; // to play at; below the full one no other thread, tablebase or memory helps
    int overhead_ms;   // lost per move on the way to the GUI
    int nodes_per_ms;  // 0: the clock on the wall counts; else this many nodes are a millisecond
    ReportFn report;   // NULL: silence
    void *ctx;         // for `report`
} SearchJob;

/* Health of a search, summed over its workers: a broken feature shows here before it shows in
 * games. */
typedef struct {
    uint64_t nodes, qnodes; // qnodes: in quiescence
    uint64_t fail_highs, first_fail_highs,
        third_fail_highs; // by rank of the move: all, first, first three
    uint64_t null_tries, null_cutoffs;
    uint64_t rfp_cutoffs;
    uint64_t probcut_tries, probcut_cutoffs;
    uint64_t singular_tries, singular_extensions, multicuts;
    uint64_t lmr_tries, lmr_researches;
    uint64_t second_moves, second_move_cutoffs; // the other hash move: tried, failed high
    uint64_t learned_hits, learned_cutoffs;     // positions the memory knew, and settled
    double branching;                           // nodes of the last iteration over the one before
    TtStats tt;
} SearchStats;

/* Adds the counts of `from` to those of `sum`, whose branching factor stays. */
void search_stats_add(SearchStats *sum, const SearchStats *from);

/* What a search came to, by one worker's account. */
typedef struct {
    Move best;     // MOVE_NONE when the root has no move to search
    Score score;   // from the root side's view; never a mere bound, see search_outcome()
    bool is_exact; // false: `score` is of the last finished iteration, perhaps of another move
    int depth;     // of the last finished iteration
    Score peak;    // best score of the finished iterations, but for the shallowest, which say
                   // little; SCORE_NONE when there was none
} SearchOutcome;

struct Worker;

/* Deepens iteration by iteration until a limit, the deepest depth or the order to stop. The main
 * worker (index 0) minds the soft limits and reports; the others only search. */
void search_iterate(struct Worker *w);

/* What the worker's search has come to. An iteration cut off while its window was being widened
 * knows of its best move only that it is better or worse than that window: the move stands, but the
 * score is then that of the last iteration finished. At least one root move was searched. */
SearchOutcome search_outcome(const struct Worker *w);

/* The main worker's last act, with all workers at rest: settles on one worker's result by vote,
 * reports its line when that was not the last one reported, then REPORT_DONE. Returns that worker.
 */
struct Worker *search_conclude(struct Worker *main_worker);
