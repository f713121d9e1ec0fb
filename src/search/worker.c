// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/worker.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/thread.h"
#include "chess/movegen.h"
#include "chess/play.h"

enum {
    CHECK_INTERVAL_MIN = 1, // nodes between two checks of the limits
    CHECK_INTERVAL_MAX = 1024,
    CHECK_MS_MAX = 2, // a longer time between two checks resets the interval to the minimum
    REPORT_FIGURES_AFTER_MS = 3000,
    REPORT_FIGURES_MS = 1000 // without a line
};

Worker *worker_create(SearchShared *shared, int index)
{
    /* Huge pages save page-table walks. Workers beyond the number of processors use ordinary pages:
     * zeroing huge pages for hundreds of them would take seconds. */
    const bool without_huge_pages = index >= thread_hardware_count();
    Worker *w = without_huge_pages ? mem_alloc_sparse(sizeof *w) : mem_alloc_large(sizeof *w, NULL);
    if (w == NULL)
        return NULL;
    w->shared = shared;
    w->index = index;
    w->without_huge_pages = without_huge_pages;
    eval_prepare(&w->evaluator, shared->eval);
    for (int i = 0; i < STACK_BELOW + MAX_PLY + 2; i++)
        w->stack[i].pv = w->pv_table[i];
    w->last_score = SCORE_NONE; // histories are zero: the memory is fresh
    return w;
}

void worker_destroy(Worker *w)
{
    mem_free_large(w, sizeof *w);
}

void worker_clear(Worker *w)
{
    if (w->without_huge_pages) {
        mem_zero_sparse(&w->histories, sizeof w->histories);
        mem_zero_sparse(&w->corrections, sizeof w->corrections);
    } else {
        history_clear(&w->histories);
        correction_clear(&w->corrections);
    }
    /* Null move and ProbCut read counters of plies that no move loop of this search has reset. */
    for (int i = 0; i < STACK_BELOW + MAX_PLY + 2; i++)
        w->stack[i].fail_highs = 0;
    w->last_score = SCORE_NONE;
}

bool worker_bring_to_front(Worker *w, Move move)
{
    int index = 0;
    while (index < w->root_move_count && w->root_moves[index].move != move)
        index++;
    if (index == w->root_move_count)
        return false;
    const RootMove moved = w->root_moves[index];
    memmove(&w->root_moves[1], &w->root_moves[0], (size_t)index * sizeof moved);
    w->root_moves[0] = moved;
    return true;
}

static bool is_before(const RootMove *a, const RootMove *b)
{
    return a->rank != b->rank     ? a->rank > b->rank
           : a->score != b->score ? a->score > b->score
                                  : a->previous > b->previous;
}

void worker_sort_root_moves(Worker *w, int first)
{
    for (int i = first + 1; i < w->root_move_count; i++) {
        int to = i;
        while (to > first && is_before(&w->root_moves[i], &w->root_moves[to - 1]))
            to--;
        if (to == i)
            continue;
        const RootMove moved = w->root_moves[i];
        memmove(&w->root_moves[to + 1], &w->root_moves[to], (size_t)(i - to) * sizeof moved);
        w->root_moves[to] = moved;
    }
}

/* Puts the learned move first, then those of the table: the first iteration searches them first,
 * and a search that is stopped in it plays the first. */
static void put_known_moves_first(Worker *w)
{
    const Position *const root = &w->shared->job->root;
    const SearchPoint point = {.ply = 0, .rule50 = root->rule50};
    TtData found[2];
    for (int i = tt_probe(w->shared->tt, table_key(root), point, found, &w->stats.tt) - 1; i >= 0;
         i--)
        worker_bring_to_front(w, found[i].move);
    const LearnedTable *const learned = w->shared->learned;
    const LearnedEntry *const entry =
        learned != NULL ? learned_table_find(learned, root->key) : NULL;
    if (entry != NULL)
        worker_bring_to_front(w, entry->move);
}

/* Sets up the stack for `root`, and resets counters and flags. */
static void start_at(Worker *w, const Position *root)
{
    for (int i = 0; i < STACK_BELOW + 1; i++) {
        SearchStack *below = &w->stack[i];
        below->ply = i - STACK_BELOW;
        below->move = MOVE_NULL;
        below->eval = SCORE_NONE;
        below->continuation = history_continuation(&w->histories, NO_PIECE, 0);
    }
    worker_stack(w, 0)->pos = *root;
    w->root_move_count = 0;
    w->has_repeated = false;
    atomic_store_explicit(&w->nodes, 0, memory_order_relaxed);
    atomic_store_explicit(&w->tb_hits, 0, memory_order_relaxed);
    w->probes_tablebases = false;
    w->next_check = 0;
    w->check_interval = CHECK_INTERVAL_MIN;
    w->last_check_ms = w->shared->start_ms;
    w->longest_pause_ms = 0;
    w->may_stop = w->stop_pending = false;
    w->stopped = false;
    w->seldepth = w->root_depth = w->completed_depth = w->cached_depth = w->pv_index = 0;
    w->root_width = 2 * SCORE_INF;
    w->peak = SCORE_NONE;
    memset(&w->stats, 0, sizeof w->stats);
    worker_publish(w);
}

void worker_prepare_position(Worker *w, const Position *root)
{
    start_at(w, root);
    w->next_check = UINT64_MAX; // no limit ends the search
    path_start(&w->path, root);
}

/* The rank that the tablebases gave a root move to search; without tablebases 0. */
static int root_rank(const SearchShared *shared, Move move)
{
    int i = 0;
    if (shared->root_tb_hits == 0)
        return 0;
    while (shared->job->limits.search_moves[i] != move)
        i++;
    return shared->root_ranks[i];
}

void worker_prepare(Worker *w)
{
    const SearchJob *job = w->shared->job;
    start_at(w, &job->root);
    w->path = job->path;
    w->probes_tablebases = w->shared->syzygy.men > 0;
    w->lmp_extra = job->lmp_extra;
    Move moves[MAX_MOVES];
    const int count = gen_legal(&job->root, moves);
    for (int i = 0; i < count; i++) {
        if (limits_allow(&job->limits, moves[i]))
            w->root_moves[w->root_move_count++] = (RootMove){.move = moves[i],
                                                             .rank = root_rank(w->shared, moves[i]),
                                                             .score = -SCORE_INF,
                                                             .previous = -SCORE_INF,
                                                             .average = SCORE_NONE,
                                                             .pv_length = 1,
                                                             .pv = {moves[i]}};
    }
    w->has_repeated = path_has_repeated(&w->path, &job->root);
    put_known_moves_first(w);
    worker_sort_root_moves(w, 0);
}

void worker_join_line(Worker *w, const Worker *from)
{
    start_at(w, &from->stack[STACK_BELOW].pos);
    w->path = from->path;
    w->histories = from->histories;
    w->corrections = from->corrections;
    for (int i = 0; i < STACK_BELOW + MAX_PLY + 2; i++) {
        const PieceToHistory *const first = &from->histories.continuation[0][0];
        SearchStack *const ss = &w->stack[i];
        *ss = from->stack[i];
        ss->pv = w->pv_table[i];
        ss->pv_length = 0;
        if (ss->continuation != NULL) // the same row of w's own histories
            ss->continuation = &w->histories.continuation[0][0] + (ss->continuation - first);
    }
    w->root_depth = from->root_depth;
    w->root_width = from->root_width;
    w->pv_index = from->pv_index;
    w->lmp_extra = w->shared->job->lmp_extra;
    w->may_stop = true;
}

void worker_leave_line(Worker *w)
{
    for (int i = 0; i < STACK_BELOW + MAX_PLY + 2; i++) {
        w->stack[i].excluded = MOVE_NONE;
        w->stack[i].reduction = 0;
    }
}

uint64_t worker_total_nodes(const SearchShared *shared)
{
    uint64_t sum = peers_nodes(shared->peers);
    for (int i = 0; i < shared->worker_count; i++)
        sum += worker_nodes(shared->workers[i]);
    return sum;
}

void worker_publish(Worker *w)
{
    const TtStats *const tt = &w->stats.tt;
    const uint64_t values[] = {tt->replaced_empty, tt->replaced_same, tt->replaced_stale,
                               tt->replaced_other};
    for (int i = 0; i < 4; i++)
        atomic_store_explicit(&w->written[i], values[i], memory_order_relaxed);
}

SearchProgress worker_progress(const SearchShared *shared)
{
    uint64_t sums[4] = {0};
    for (int i = 0; i < shared->worker_count; i++)
        for (int k = 0; k < 4; k++)
            sums[k] += atomic_load_explicit(&shared->workers[i]->written[k], memory_order_relaxed);
    return (SearchProgress){.nodes = worker_total_nodes(shared),
                            .replaced_empty = sums[0],
                            .replaced_same = sums[1],
                            .replaced_stale = sums[2],
                            .replaced_other = sums[3]};
}

int64_t worker_spent_ms(const SearchShared *shared)
{
    const int nodes_per_ms = shared->job->nodes_per_ms;
    if (nodes_per_ms > 0)
        return (int64_t)(worker_total_nodes(shared) / (uint64_t)nodes_per_ms);
    return clock_ms() - shared->start_ms;
}

uint64_t worker_total_tb_hits(const SearchShared *shared)
{
    uint64_t sum = shared->root_tb_hits + peers_tb_hits(shared->peers);
    for (int i = 0; i < shared->worker_count; i++)
        sum += atomic_load_explicit(&shared->workers[i]->tb_hits, memory_order_relaxed);
    return sum;
}

void worker_play(Worker *w, SearchStack *ss, Move move)
{
    SearchStack *const child = stack_at(ss, 1);
    ss->move = move;
    child->ply = ss->ply + 1;
    if (move == MOVE_NULL) {
        ss->continuation = history_continuation(&w->histories, NO_PIECE, 0);
        pos_play_null(&child->pos, &ss->pos);
    } else {
        const Piece piece = pos_piece_on(&ss->pos, move_from(move));
        ss->continuation = history_continuation(&w->histories, piece, move_to(move));
        pos_play(&child->pos, &ss->pos, move);
        correction_prefetch(&w->corrections, stack_correction_point(child));
    }
    path_push(&w->path, child->pos.key);
    worker_count_node(w);
}

/* True when the search has made `limit` nodes. Otherwise the next check comes when this worker has
 * made its share of the rest: the limit is exact with one thread. */
static bool nodes_reached(Worker *w, uint64_t limit)
{
    const uint64_t total = worker_total_nodes(w->shared);
    if (total >= limit)
        return true;
    const uint64_t share = (limit - total - 1) / (uint64_t)w->shared->worker_count + 1;
    if (share < CHECK_INTERVAL_MAX && worker_nodes(w) + share < w->next_check)
        w->next_check = worker_nodes(w) + share;
    return false;
}

/* Sets the node count of the next check so that little time passes until then. A node takes
 * microseconds, but much longer if it touches a page of a large table for the first time. */
static void plan_next_check(Worker *w)
{
    const int64_t now_ms = clock_ms(), pause_ms = now_ms - w->last_check_ms;
    if (pause_ms > w->longest_pause_ms)
        w->longest_pause_ms = pause_ms;
    if (pause_ms > CHECK_MS_MAX)
        w->check_interval = CHECK_INTERVAL_MIN;
    else if (w->check_interval < CHECK_INTERVAL_MAX)
        w->check_interval *= 2;
    w->last_check_ms = now_ms;
    w->next_check = worker_nodes(w) + w->check_interval;
}

void worker_report(const Worker *w, Report *report)
{
    SearchShared *const shared = w->shared;
    shared->reported_ms = clock_ms();
    report->nodes = worker_total_nodes(shared);
    report->tb_hits = worker_total_tb_hits(shared);
    report->elapsed_ms = shared->reported_ms - shared->start_ms;
    report->hashfull = tt_hashfull(shared->tt);
    shared->job->report(shared->job->ctx, report);
}

/* GUIs show nodes and speed, and a search without news would look dead. */
static void report_figures(const Worker *w)
{
    const SearchShared *const shared = w->shared;
    if (w->index == 0 && shared->job->report != NULL &&
        w->last_check_ms - shared->start_ms >= REPORT_FIGURES_AFTER_MS &&
        w->last_check_ms - shared->reported_ms >= REPORT_FIGURES_MS)
        worker_report(w, &(Report){.kind = REPORT_FIGURES});
}

/* Checks the limits. Every worker does, because with more workers than processors the main worker
 * may be waiting when a limit is reached. Not inlined, because few nodes call it. */
__attribute__((noinline)) static bool limit_reached(Worker *w)
{
    const SearchShared *shared = w->shared;
    const SearchJob *job = shared->job;
    const int64_t hard_ms = shared->plan.hard_ms;
    plan_next_check(w);
    worker_publish(w);
    report_figures(w);
    thread_web_turn();
    if (job->limits.nodes != 0 && nodes_reached(w, job->limits.nodes))
        return true;
    if (atomic_load_explicit(&shared->pondering, memory_order_relaxed))
        return false;
    if (atomic_load_explicit(&shared->soft_limit_hit, memory_order_relaxed))
        return true;
    if (hard_ms >= TIME_UNLIMITED)
        return false;
    if (job->nodes_per_ms > 0)
        return nodes_reached(w, (uint64_t)hard_ms * (uint64_t)job->nodes_per_ms);
    return worker_spent_ms(shared) >= hard_ms;
}

bool worker_must_stop(Worker *w)
{
    if (w->stopped)
        return true;
    atomic_bool *stop = &w->shared->stop;
    if (!w->may_stop) {
        if (!w->stop_pending && worker_nodes(w) >= w->next_check)
            w->stop_pending = limit_reached(w) || atomic_load_explicit(stop, memory_order_relaxed);
        if (w->stop_pending)
            w->next_check = 0; // the first node that may stop does, whatever the interval was
        return false;
    }
    if (worker_nodes(w) >= w->next_check && limit_reached(w))
        atomic_store_explicit(stop, true, memory_order_relaxed);
    w->stopped = atomic_load_explicit(stop, memory_order_relaxed);
    return w->stopped;
}

void stack_update_pv(SearchStack *ss, Move move)
{
    const SearchStack *const child = stack_at(ss, 1);
    assert(child->pv_length <= MAX_PLY);
    ss->pv[0] = move;
    memcpy(ss->pv + 1, child->pv, (size_t)child->pv_length * sizeof child->pv[0]);
    ss->pv_length = child->pv_length + 1;
}

bool worker_is_draw(const Worker *w, const SearchStack *ss)
{
    return game_fifty_moves(&ss->pos) || pos_insufficient_material(&ss->pos) ||
           path_is_repetition(&w->path, &ss->pos, ss->ply);
}
