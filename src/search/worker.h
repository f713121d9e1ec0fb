// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One search thread's state: its stack of positions, path, histories and counters. Workers share
 * the table, the clock and the order to stop, all of them in SearchShared, and nothing else. */

#include <stdatomic.h>

#include "eval/eval.h"
#include "search/correction.h"
#include "search/deepening.h"
#include "search/history.h"
#include "search/learned_table.h"
#include "search/timeman.h"
#include "syzygy/syzygy.h"

enum { STACK_BELOW = 6 }; // sentinel plies before the root, so that a node may look back

typedef struct {
    Position pos;
    Move move;         // played from here, or being searched; MOVE_NULL for the null move
    Piece moved;       // by that move; NO_PIECE for the null move
    Score eval;        // corrected static evaluation; SCORE_NONE in check
    HistoryPage *page; // continuation history of that move
    Move excluded;     // a search of the other moves only is under way; else MOVE_NONE
    Bitboard threats;  // squares the enemy attacks, where quiet moves are looked at
    bool was_pv;       // it was once on a principal variation
    int fail_highs;    // of the nodes below, since the node above was entered
    int reduction;     // plies by which that move's search is shortened
    int pv_length;
    Move pv[MAX_PLY + 1];
} Ply;

typedef struct {
    Move move;
    Score score;    // of this iteration; -SCORE_INF when not searched with success
    Score previous; // of the iteration before, or what the line below came to in this one before it
                    // failed low
    Score average;  // over the iterations, for the aspiration window; SCORE_NONE at first
    Bound bound;
    int depth;      // of the iteration that the line below is from
    uint64_t nodes; // spent below it in this search
    int seldepth;
    int pv_length;
    Move pv[MAX_PLY + 1];
} RootMove;

/* What all workers of a search look at. Written before they start, but for the atomics. */
typedef struct {
    Tt *tt;
    const EvalSource *eval;
    const SearchJob *job;
    TimePlan plan;
    const LearnedTable *learned; // what was learned in other games; NULL: nothing
    SyzygyUse syzygy;            // positions looked up in the tablebases while searching
    bool root_is_known;          // the root stands in them: only its best moves are searched, and
    SyzygyWdl root_wdl;          // this is what they come to
    uint64_t root_tb_hits;       // answers to questions about the root
    bool uses_root_cache;        // what the table knows of the root is not searched for again
    int64_t start_ms;            // clock_ms() at the start
    atomic_bool stop;            // end the search now
    atomic_bool has_enough; // the last finished iteration should be the last, once the clock counts
    atomic_bool pondering;  // no clock counts yet
    struct Worker **workers;
    int worker_count;
} SearchShared;

typedef struct Worker {
    SearchShared *shared;
    int index;                // 0 is the main worker: it alone reports and minds the soft limits
    bool is_sparse;           // there is no processor for it: it lives in ordinary pages
    _Atomic uint64_t nodes;   // moves made; written by the owner only
    _Atomic uint64_t tb_hits; // answers of the tablebases, likewise
    bool asks_tablebases;     // shared->syzygy.men > 0, where the search has it at hand
    uint64_t next_check;      // node count at which it looks at the clock
    uint64_t check_interval;  // nodes from one look to the next
    int64_t last_check_ms;    // clock_ms() at the last look
    bool may_stop;       // false until one root move is searched: there is always a move to play
    bool stopped;        // this worker has seen the order to stop
    int seldepth;        // deepest ply of the line being searched, plus one
    int root_depth;      // of the iteration
    int completed_depth; // of the last iteration that was finished
    int cached_depth;    // of the one that the table stood in for; 0: none
    int pv_index;        // line being searched, from 0
    int root_count;
    Path path;
    SearchStats stats; // its node count is filled in by the pool
    RootMove settled;  // best line of the last finished iteration
    Score peak;        // best score of finished iterations, see SearchOutcome
    Score last_score;  // of the previous search of this game; SCORE_NONE when unknown
    Ply stack[STACK_BELOW + MAX_PLY + 2];
    RootMove roots[MAX_MOVES];
    Histories histories;
    Corrections corrections;
    Evaluator evaluator;
} Worker;

/* A worker with empty histories, ready for the evaluation the others share; NULL when there is no
 * memory. The pool owns and frees it. */
Worker *worker_create(SearchShared *shared, int index);
void worker_destroy(Worker *w);

/* Forgets what earlier searches taught it. */
void worker_forget(Worker *w);

/* Sets up root, path and root moves from the shared job. */
void worker_prepare(Worker *w);

static inline Ply *worker_ply(Worker *w, int ply)
{
    return &w->stack[STACK_BELOW + ply];
}

static inline uint64_t worker_nodes(const Worker *w)
{
    return atomic_load_explicit(&w->nodes, memory_order_relaxed);
}

/* Nodes of all workers of the search. */
uint64_t worker_total_nodes(const SearchShared *shared);

/* Milliseconds of the search that count against its limits: nodes, where the job says that they are
 * time. */
int64_t worker_spent_ms(const SearchShared *shared);

/* Answers of the tablebases to all of them, and about the root. */
uint64_t worker_total_tb_hits(const SearchShared *shared);

/* Books an answer of the tablebases. It may have come from a slow disk: the main worker looks at
 * the clock at once. */
static inline void worker_count_tb_hit(Worker *w)
{
    const uint64_t hits = atomic_load_explicit(&w->tb_hits, memory_order_relaxed);
    atomic_store_explicit(&w->tb_hits, hits + 1, memory_order_relaxed);
    w->next_check = 0;
}

/* Plays `move` from `ply` on the stack: position, path, continuation page, node count; MOVE_NULL
 * passes. The child stands at ply + 1. worker_undo() takes the path back. */
void worker_play(Worker *w, int ply, Move move);

static inline void worker_undo(Worker *w)
{
    path_pop(&w->path);
}

/* True once the search must unwind; looks at limits and clock now and then. */
bool worker_must_stop(Worker *w);

/* The draw score, a unit to either side by node count, so that the search does not take all draws
 * for one (deterministic; shown as 0). */
static inline Score worker_draw(const Worker *w)
{
    return SCORE_DRAW + (Score)(worker_nodes(w) & 2) - 1;
}

/* Quiet-move context of the node at `ply`. */
static inline HistoryContext worker_context(Worker *w, int ply)
{
    return (HistoryContext){{worker_ply(w, ply - 1)->page, worker_ply(w, ply - 2)->page,
                             worker_ply(w, ply - 4)->page, worker_ply(w, ply - 6)->page},
                            history_pawn_page(&w->histories, worker_ply(w, ply)->pos.pawn_key),
                            worker_ply(w, ply)->threats};
}

/* The ply above `ply` when a quiet move led from there; NULL: a capture, a promotion or null move
 * did, or `ply` is the root. */
static inline const Ply *worker_quiet_parent(Worker *w, int ply)
{
    const Ply *const parent = worker_ply(w, ply - 1);
    const bool is_quiet =
        ply > 0 && parent->move != MOVE_NULL && !pos_is_noisy(&parent->pos, parent->move);
    return is_quiet ? parent : NULL;
}

/* Where to look for corrections of the evaluation at `ply`. */
static inline CorrectionPoint worker_correction_point(Worker *w, int ply)
{
    return (CorrectionPoint){&worker_ply(w, ply)->pos, worker_ply(w, ply - 2)->pos.key,
                             worker_ply(w, ply - 4)->pos.key};
}

/* Makes the `at`th root move the first; those before it keep their order. */
void worker_bring_forward(Worker *w, int at);

/* Puts `move` in front of the child's variation at `ply`. */
void worker_update_pv(Worker *w, int ply, Move move);

/* True when the position at `ply`, below the root, is drawn by repetition, fifty moves or material.
 */
bool worker_is_draw(const Worker *w, int ply);
