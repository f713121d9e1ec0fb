// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The state of one search thread: its stack of positions, game path, root moves, histories and
 * counters. Workers of one search share only SearchShared: the table, the stop flags, and what no
 * search changes (job, deadlines, network, tablebases, learned positions). */

#include <assert.h>
#include <stdatomic.h>

#include "eval/eval.h"
#include "search/correction.h"
#include "search/history.h"
#include "search/job.h"
#include "search/learned_table.h"
#include "search/peers.h"
#include "search/stats.h"
#include "search/table_key.h"
#include "search/timeman.h"
#include "syzygy/syzygy.h"

/* One ply of the line being searched. STACK_BELOW sentinel entries before the root let every
 * node read the entries of earlier plies. */
enum { STACK_BELOW = 6 };
typedef struct {
    _Alignas(64) Position pos;    // playing a move copies it, a cache line at a time
    PieceToHistory *continuation; // continuation history after `move`
    Move *pv;                     // principal variation, `pv_length` moves, see Worker.pv_table
    int ply;                      // from the root; set by the parent
    Score eval;                   // corrected static evaluation; SCORE_NONE in check
    int fail_highs;               // at this ply, since the last move loop two plies above began
    int reduction;                // plies by which the search of `move` is reduced
    int16_t pv_length;
    Move move;     // played from here; MOVE_NULL for the null move
    Move excluded; // singular search: the move left out; else MOVE_NONE
    bool tt_pv;    // the position is or was on a principal variation
} SearchStack;

static_assert(sizeof(SearchStack) == 256, "an entry fills four cache lines");

/* What all workers of a search share. While they run, only the atomics and `reported_ms` change. */
typedef struct {
    Tt *tt;
    const EvalSource *eval;
    const SearchJob *job;
    TimePlan plan;
    const LearnedTable *learned; // learned positions; NULL: none
    SyzygyUse syzygy;            // tablebases to probe during the search
    bool root_has_dtz;           // the ranks are those of DTZ tables: they give exact results
    uint64_t root_tb_hits;       // tablebase probes for the root
    int root_ranks[MAX_MOVES];   // if root_tb_hits > 0: the ranks of limits.search_moves
    bool uses_root_cache;        // start from the cached result of this root, if there is one
    int64_t start_ms;            // clock_ms() at the start
    int64_t reported_ms;         // of the main worker: clock_ms() when it last reported the nodes
    atomic_bool stop;            // all workers end now
    atomic_bool soft_limit_hit;  // no further iteration; ends the search unless it is pondering
    atomic_bool pondering;       // time limits count, but do not end the search yet
    struct Worker **workers;
    int worker_count;
    SearchPeers *peers;              // other processes (peers.h); NULL: none
    const PeerResult *peer_results;  // their results; set at the end of the search
    int peer_count;                  // number of these results
    const struct CutoffJudge *judge; // accepts or rejects table cutoffs (node.h); NULL: accepts all
} SearchShared;

typedef struct Worker {
    SearchShared *shared;
    int index;                   // 0: the main worker, which alone reports and checks soft limits
    bool without_huge_pages;     // index >= number of processors: see mem_alloc_sparse()
    _Atomic uint64_t nodes;      // moves made; only the owner writes
    _Atomic uint64_t tb_hits;    // tablebase hits; only the owner writes
    _Atomic uint64_t written[4]; // copies of stats.tt.replaced_..., for other threads, which may
                                 // not read `stats` during a search; see worker_publish()
    bool probes_tablebases;      // shared->syzygy.men > 0
    int lmp_extra;               // shared->job->lmp_extra
    uint64_t next_check;         // node count at which the limits are checked next
    uint64_t check_interval;     // nodes between two checks
    int64_t last_check_ms;       // clock_ms() at the last check
    int64_t longest_pause_ms;    // between two checks of this search
    bool may_stop;               // true once a root move was searched: then there is a best move
    bool stop_pending;           // the search should stop, but !may_stop: quiescence stands pat
    bool stopped;                // this worker has read the stop flag and must unwind
    int seldepth;   // selective depth: highest ply reached in this line of MultiPV, plus one
    int root_depth; // of the current iteration
    int root_width; // beta - alpha of the last search of the root
    int root_searched_depth; // depth at the end of the last search of the root; fail-highs and
                             // raises of alpha make it less than root_depth
    int completed_depth;     // of the last completed iteration
    int cached_depth;        // of the result loaded from the root cache; 0: none
    int pv_index;            // current line of MultiPV, from 0
    bool keeps_best;         // the first line of the last iteration did not change the best move
    int root_move_count;
    bool has_repeated; // a position of the game has occurred twice: the third time is a draw, so
                       // the result of the root depends on the game
    Path path;
    SearchStats stats;  // its field `nodes` stays 0: see worker_nodes()
    RootMove completed; // best line of the last completed iteration
    Score peak;         // as in SearchOutcome
    Score last_score;   // result of the last search of this game, unless it still pondered at its
                        // end; SCORE_NONE: unknown
    Color last_side;    // side to move at the root of that search
    SearchStack stack[STACK_BELOW + MAX_PLY + 2];
    Move pv_table[STACK_BELOW + MAX_PLY + 2][MAX_PLY + 1]; // kept apart, so that `stack` is small
    RootMove root_moves[MAX_MOVES];
    RootMove before_line[MAX_MOVES];  // MultiPV: root moves before the line that is searched now
    _Alignas(64) Histories histories; // a row of a PieceToHistory fills two cache lines
    Corrections corrections;
    Evaluator evaluator;
} Worker;

/* Creates a worker with empty histories for the evaluation in `shared`. NULL when memory is short.
 * worker_destroy() frees it. */
Worker *worker_create(SearchShared *shared, int index);
void worker_destroy(Worker *w);

/* Clears histories, corrections, the counters of the stack and the last score. */
void worker_clear(Worker *w);

/* Sets up root, path and root moves from the shared job. */
void worker_prepare(Worker *w);

/* Sets up `root` without a job, without root moves and without earlier positions, for qsearch(). No
 * limit ends such a search. */
void worker_prepare_position(Worker *w, const Position *root);

/* Sets up `w` in the middle of the search of `from`: the same line, path, histories and
 * corrections. Counters start at 0, and limits and late moves are those of w's own job. Both must
 * have the same evaluation. */
void worker_join_line(Worker *w, const Worker *from);

/* To be called after a search that began with worker_join_line(). Resets `excluded` and `reduction`
 * of the copied stack entries, as other searches expect them. */
void worker_leave_line(Worker *w);

/* Stack entry of `ply`, -STACK_BELOW .. MAX_PLY + 1. */
static inline SearchStack *worker_stack(Worker *w, int ply)
{
    return &w->stack[STACK_BELOW + ply];
}

/* Stack entry `offset` plies after `ss`; negative: before. */
static inline SearchStack *stack_at(SearchStack *ss, int offset)
{
    return ss + offset;
}

static inline uint64_t worker_nodes(const Worker *w)
{
    return atomic_load_explicit(&w->nodes, memory_order_relaxed);
}

static inline void worker_count_node(Worker *w)
{
    atomic_store_explicit(&w->nodes, worker_nodes(w) + 1, memory_order_relaxed);
}

/* Copies counters for worker_progress(). Only the owner calls it: when it checks the limits, and at
 * the end of its search. */
void worker_publish(Worker *w);

/* Progress of the running search, or of the last one. Any thread. */
SearchProgress worker_progress(const SearchShared *shared);

/* Nodes of all workers, and of other processes. */
uint64_t worker_total_nodes(const SearchShared *shared);

/* Milliseconds that count against the limits: real time, or nodes where the job counts nodes as
 * time. */
int64_t worker_spent_ms(const SearchShared *shared);

/* Tablebase hits of all workers, of other processes and of the root. */
uint64_t worker_total_tb_hits(const SearchShared *shared);

/* Adds nodes, tb_hits, elapsed_ms and hashfull to the report and delivers it. The job must have a
 * report function. Main worker only. */
void worker_report(const Worker *w, Report *report);

/* Counts a tablebase hit. A probe may have waited for a slow disk, so the limits are checked at the
 * next node. */
static inline void worker_count_tb_hit(Worker *w)
{
    const uint64_t hits = atomic_load_explicit(&w->tb_hits, memory_order_relaxed);
    atomic_store_explicit(&w->tb_hits, hits + 1, memory_order_relaxed);
    w->next_check = 0;
}

/* Loads the table's slot of the position after `move` into the cache. To be called as soon as the
 * move is known, even before it is tested for pruning, because memory is slow. */
static inline void worker_prefetch(const Worker *w, const SearchStack *ss, Move move)
{
    const Key key = pos_key_after(&ss->pos, move);
    tt_prefetch(w->shared->tt, table_key_after(&ss->pos, move, key));
}

/* Plays `move` (MOVE_NULL: passes) in the position at `ss`, writes the new position to the next
 * stack entry and its key to the path, and counts a node. worker_undo() removes the key again. */
void worker_play(Worker *w, SearchStack *ss, Move move);

static inline void worker_undo(Worker *w)
{
    path_pop(&w->path);
}

/* True once the search must unwind. Checks limits and clock at intervals. */
bool worker_must_stop(Worker *w);

/* The draw score: -1 or +1, by the node count, so that the search does not treat all draws as
 * equal. Deterministic; shown as 0. */
static inline Score worker_draw_score(const Worker *w)
{
    return SCORE_DRAW + (Score)(worker_nodes(w) & 2) - 1;
}

/* History context for the quiet moves of the node at `ss`. */
static inline HistoryContext worker_context(Worker *w, SearchStack *ss)
{
    return (HistoryContext){{stack_at(ss, -1)->continuation, stack_at(ss, -2)->continuation,
                             stack_at(ss, -4)->continuation, stack_at(ss, -6)->continuation},
                            history_pawn(&w->histories, ss->pos.pawn_key)};
}

/* The parent of `ss` if a quiet move led from there; NULL at the root and after a noisy or
 * null move. */
static inline SearchStack *stack_quiet_parent(SearchStack *ss)
{
    SearchStack *const parent = stack_at(ss, -1);
    const bool is_quiet =
        ss->ply > 0 && parent->move != MOVE_NULL && !pos_is_noisy(&parent->pos, parent->move);
    return is_quiet ? parent : NULL;
}

/* The position at `ss` with the keys that the corrections of its static evaluation need. */
static inline CorrectionPoint stack_correction_point(SearchStack *ss)
{
    return (CorrectionPoint){&ss->pos, stack_at(ss, -2)->pos.key, stack_at(ss, -4)->pos.key};
}

/* Sets the principal variation at `ss` to `move` and the child's variation. */
void stack_update_pv(SearchStack *ss, Move move);

/* Makes `move` the first root move; the other moves keep their order. False, with nothing changed,
 * when it is no root move. */
bool worker_bring_to_front(Worker *w, Move move);

/* Stable sort of the root moves from `first` on, best first: by the ranks of the tablebases, then
 * by score. */
void worker_sort_root_moves(Worker *w, int first);

/* Whether the position at `ss`, below the root, is a draw by repetition, fifty-move rule or
 * material. */
bool worker_is_draw(const Worker *w, const SearchStack *ss);
