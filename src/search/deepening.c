// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/deepening.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "chess/movegen.h"
#include "search/matesearch.h"
#include "search/params.h"
#include "search/root_cache.h"
#include "search/search.h"
#include "search/vote.h"

enum {
    PEAK_DEPTH_MIN = 4,           // shallower iterations do not count for SearchOutcome.peak
    REPORT_BOUNDS_AFTER_MS = 3000 // later, window failures and unfinished iterations are reported
};

static int64_t elapsed_ms(const Worker *w)
{
    return clock_ms() - w->shared->start_ms;
}

/* Whether line `index` of this iteration is finished. A stop inside the first line keeps its best
 * move, unless that failed low (search_line()). */
static bool is_finished(const Worker *w, int index)
{
    return index == 0 || index < w->pv_index || (index == w->pv_index && !w->stopped);
}

/* The depth to report for a line. Until its own line is finished, a move is reported at most with
 * the depth of the last completed iteration, even if an earlier line has searched it in this one.
 */
static int line_depth(const Worker *w, int index)
{
    const int depth = w->root_moves[index].depth;
    const bool is_known = is_finished(w, index) || w->completed_depth == 0;
    return is_known || depth < w->completed_depth ? depth : w->completed_depth;
}

/* Reports root move `index` as line `rank` of MultiPV, counted from 0. */
static void report_ranked(const Worker *w, int index, int rank)
{
    const SearchShared *shared = w->shared;
    const RootMove *root = &w->root_moves[index];
    const int depth = line_depth(w, index);
    if (shared->job->report == NULL)
        return;
    /* The result in the tablebases replaces the score, unless that is a mate. */
    const Score searched = root_move_score(root);
    const bool is_known = shared->root_has_dtz && !score_is_mate(searched);
    const SyzygyWdl wdl = syzygy_outcome(root->rank, shared->syzygy.rule50);
    const Score known = syzygy_score(wdl, shared->syzygy.rule50, 0);
    Report report = {.kind = REPORT_LINE,
                     .depth = depth,
                     .seldepth = root->seldepth > depth ? root->seldepth : depth,
                     .multipv = rank + 1,
                     .score = is_known ? known : searched,
                     .is_tablebase = is_known,
                     .bound = is_known ? BOUND_EXACT : root->bound,
                     .pv = root->pv,
                     .pv_length = root->pv_length};
    worker_report(w, &report);
}

static void report_line(const Worker *w, int index)
{
    report_ranked(w, index, index);
}

static int line_count(const Worker *w)
{
    const SearchJob *const job = w->shared->job;
    const int wanted = job->strength.lines > job->multi_pv ? job->strength.lines : job->multi_pv;
    return wanted < w->root_move_count ? wanted : w->root_move_count;
}

/* Number of lines to report: those of MultiPV, not the extra lines of limited strength. */
static int reported_count(const Worker *w)
{
    const int lines = line_count(w), wanted = w->shared->job->multi_pv;
    return wanted < lines ? wanted : lines;
}

/* Whether line `b` must be reported before line `a`, although `a` comes first in the list.
 * Unfinished lines are sorted by the ranks of the tablebases, but not by their last scores: the
 * list has the order in which the next line will search their moves. */
static bool is_misplaced(const Worker *w, int a, int b)
{
    const RootMove *const first = &w->root_moves[a], *const second = &w->root_moves[b];
    return !is_finished(w, a) && second->rank == first->rank &&
           root_move_score(second) > root_move_score(first);
}

/* Reports all lines searched so far, each with the depth of its iteration. */
static void report_lines(const Worker *w)
{
    int order[MULTI_PV_MAX];
    const int count = reported_count(w);
    for (int i = 0; i < count; i++) {
        int rank = i;
        for (; rank > 0 && is_misplaced(w, order[rank - 1], i); rank--)
            order[rank] = order[rank - 1];
        order[rank] = i;
    }
    for (int rank = 0; rank < count; rank++)
        if (w->root_moves[order[rank]].depth > 0)
            report_ranked(w, order[rank], rank);
}

/* Half the width of the first aspiration window; wider for large scores, which vary more. */
static Score first_delta(Score average)
{
    return params.aspiration_delta + average * average / params.aspiration_square_divisor;
}

/* Searches the line w->pv_index to the iteration's depth. The aspiration window around the move's
 * average score widens until the score lies inside: after a fail-low alpha falls and beta moves to
 * the middle of the window, after a fail-high only beta rises. After each fail-high the next search
 * is one ply shallower (up to aspiration_shallower_max), which is enough to confirm the fail-high.
 */
static void aspiration_search(Worker *w)
{
    const Score average = w->root_moves[w->pv_index].average;
    Score alpha = -SCORE_INF, beta = SCORE_INF, delta = SCORE_INF;
    if (w->root_depth >= params.aspiration_min_depth && average != SCORE_NONE &&
        average < params.aspiration_full && average > -params.aspiration_full) {
        delta = first_delta(average);
        alpha = average - delta;
        beta = average + delta;
    }
    int fail_highs = 0;
    while (true) {
        const int depth = w->root_depth - fail_highs;
        const Score score = pvs(w, worker_stack(w, 0), alpha, beta, depth < 1 ? 1 : depth, false);
        worker_sort_root_moves(w, w->pv_index);
        if (w->stopped)
            return;
        w->root_moves[w->pv_index].searched_depth = w->root_searched_depth;
        if (score > alpha && score < beta)
            return;
        if (w->index == 0 && line_count(w) == 1 && elapsed_ms(w) > REPORT_BOUNDS_AFTER_MS)
            report_line(w, w->pv_index);
        if (score <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = score - delta;
            fail_highs = 0;
        } else {
            beta = score + delta;
            fail_highs += fail_highs < params.aspiration_shallower_max;
        }
        delta = delta * params.aspiration_growth / 100 + 1;
        if (alpha < -params.aspiration_full)
            alpha = -SCORE_INF;
        if (beta > params.aspiration_full)
            beta = SCORE_INF;
    }
}

/* Restores the result from before this line (w->before_line), but not the nodes, for each of the
 * `count` moves that this line has given only a bound. */
static void replace_bounds(const Worker *w, RootMove *moves, int count)
{
    for (int i = 0; i < count; i++) {
        if (moves[i].bound == BOUND_EXACT)
            continue;
        const RootMove *before = w->before_line;
        while (before->move != moves[i].move)
            before++;
        const uint64_t nodes = moves[i].nodes;
        moves[i] = *before;
        moves[i].nodes = nodes;
    }
}

/* Searches line w->pv_index of several. The moves after the line keep their last exact results: if
 * their own lines are not finished, these are shown to the user. If the search stops in this line,
 * all moves get their results from before the line back, with one exception: the best move of the
 * first line keeps its new result unless it failed low. */
static void search_line(Worker *w)
{
    RootMove *const first = &w->root_moves[w->pv_index];
    const int count = w->root_move_count - w->pv_index;
    memcpy(w->before_line, first, (size_t)count * sizeof *first);
    aspiration_search(w);
    if (!w->stopped) {
        replace_bounds(w, first + 1, count - 1);
        return;
    }
    const RootMove best = *first;
    memcpy(first, w->before_line, (size_t)count * sizeof *first);
    if (w->pv_index == 0 && best.bound != BOUND_UPPER) {
        worker_bring_to_front(w, best.move);
        *first = best;
    }
}

/* One iteration over all lines; false when the search stopped. */
static bool search_iteration(Worker *w, int depth)
{
    w->root_depth = depth;
    for (int i = 0; i < w->root_move_count; i++) {
        w->root_moves[i].previous = w->root_moves[i].score;
        w->root_moves[i].score = -SCORE_INF;
    }
    const int lines = line_count(w);
    const Move first = w->root_moves[0].move;
    for (w->pv_index = 0; w->pv_index < lines; w->pv_index++) {
        w->seldepth = 0;
        if (lines == 1)
            aspiration_search(w);
        else
            search_line(w);
        if (w->stopped)
            return false;
        if (w->pv_index == 0)
            w->keeps_best = w->root_moves[0].move == first;
        worker_sort_root_moves(w, 0); // a later line may turn out better than an earlier one
        if (w->index == 0 && (w->pv_index + 1 == lines || elapsed_ms(w) > REPORT_BOUNDS_AFTER_MS))
            report_lines(w);
    }
    w->completed_depth = depth;
    w->completed = w->root_moves[0];
    if (depth >= PEAK_DEPTH_MIN && (w->peak == SCORE_NONE || w->completed.score > w->peak))
        w->peak = w->completed.score;
    return true;
}

/* In an unfinished iteration the best move may get a losing score before the other moves are
 * searched. Then the line of the last completed iteration becomes the best line again, unless a
 * move that loses later has replaced it. */
static void drop_unfinished_loss(Worker *w)
{
    RootMove *const first = &w->root_moves[0];
    if (w->completed_depth == 0 || w->pv_index > 0 || !score_is_loss(root_move_score(first)))
        return;
    if (first->move != w->completed.move && first->score != -SCORE_INF &&
        first->bound != BOUND_UPPER) {
        first->bound = BOUND_LOWER; // a move that is not searched yet may be better
        return;
    }
    worker_bring_to_front(w, w->completed.move);
    assert(w->root_moves[0].move == w->completed.move);
    w->root_moves[0] = w->completed;
    w->root_moves[0].previous = w->completed.score;
    w->root_moves[0].score = -SCORE_INF;
}

/* The last completed iteration, for time management. Main worker only. */
typedef struct {
    int stable; // iterations since the best move changed
    Score score;
    uint64_t nodes; // of the search so far
    uint64_t spent; // in the last iteration
} IterationRecord;

/* The score of the previous search of this game minus `score`. 0 if there is none, or if the other
 * side was to move in that search: then the two scores cannot be compared. */
static Score previous_drop(const Worker *w, Score score)
{
    const bool is_known = w->last_score != SCORE_NONE && w->last_side == w->shared->job->root.side;
    return is_known ? w->last_score - score : 0;
}

/* Share of the best move in the nodes of all root moves. With several lines only the first counts:
 * the others search the other moves, however clear the best move is. */
static double best_share(const Worker *w)
{
    uint64_t nodes = 0;
    for (int i = 0; i < w->root_move_count; i++)
        nodes += w->root_moves[i].nodes;
    return nodes == 0 ? 1.0 : (double)w->root_moves[0].nodes / (double)nodes;
}

static TimeSigns read_signs(Worker *w, const IterationRecord *before, int depth)
{
    const RootMove *best = &w->root_moves[0];
    return (TimeSigns){.depth = depth,
                       .best_share = best_share(w),
                       .stable_iterations = before->stable,
                       .score_drop = depth > 1 ? before->score - best->score : 0,
                       .previous_drop = previous_drop(w, best->score),
                       .root_moves = w->root_move_count,
                       .mate_found = score_is_mate(best->score)};
}

/* Updates the record after a completed iteration; true when another iteration should start. */
static bool should_continue(Worker *w, IterationRecord *record, int depth)
{
    const SearchShared *shared = w->shared;
    const Limits *limits = &shared->job->limits;
    record->stable = w->keeps_best && record->nodes > 0 ? record->stable + 1 : 0;
    const TimeSigns signs = read_signs(w, record, depth);
    const uint64_t nodes = worker_nodes(w), spent = nodes - record->nodes;
    if (record->spent > 0)
        w->stats.branching = (double)spent / (double)record->spent;
    *record = (IterationRecord){record->stable, w->root_moves[0].score, nodes, spent};

    if (limits->soft_nodes != 0 && worker_total_nodes(shared) >= limits->soft_nodes)
        return false;
    return shared->plan.soft_ms >= TIME_UNLIMITED ||
           worker_spent_ms(shared) < time_scaled(&shared->plan, &signs);
}

/* Reports a text, formatted as by printf. */
__attribute__((format(printf, 2, 3))) static void report_text(const Worker *w, const char *format,
                                                              ...)
{
    const SearchJob *const job = w->shared->job;
    char text[100];
    va_list values;
    if (job->report == NULL)
        return;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    const Report report = {.kind = REPORT_TEXT, .text = text};
    job->report(job->ctx, &report);
}

/* The proof of mates between two iterations; true when the search is over. */
static bool search_mate(Worker *w, MateSearch *mate)
{
    MateStep step = matesearch_step(mate);
    while (step == MATE_STEP_FOUND) {
        report_lines(w);
        step = matesearch_step(mate);
    }
    if (step == MATE_STEP_NONE)
        report_text(w, "no mate in %d", mate->wanted);
    return step != MATE_STEP_GO_ON;
}

void deepening_run(Worker *w)
{
    SearchShared *shared = w->shared;
    const int limit = shared->job->limits.depth;
    const int deepest = w->index == 0 && limit > 0 && limit < MAX_DEPTH ? limit : MAX_DEPTH;
    const bool is_mate_search = w->index == 0 && shared->job->limits.mate > 0;
    IterationRecord record = {0};
    MateSearch mate = {0};
    if (is_mate_search && !matesearch_open(&mate, w))
        report_text(w, "error: out of memory for the mate proof; only alpha-beta looks for mates");
    if (shared->uses_root_cache && root_cache_load(w, deepest) && w->index == 0)
        report_line(w, 0);
    for (int depth = w->completed_depth + 1; depth <= deepest && search_iteration(w, depth);
         depth++) {
        if (w->index != 0)
            continue;
        /* While pondering, the soft limit does not end the search; the ponderhit then ends it. */
        const bool is_last = !should_continue(w, &record, depth);
        atomic_store_explicit(&shared->soft_limit_hit, is_last, memory_order_relaxed);
        if (is_last && !atomic_load_explicit(&shared->pondering, memory_order_relaxed))
            break;
        if (is_mate_search && search_mate(w, &mate))
            break;
    }
    if (w->stopped)
        drop_unfinished_loss(w);
    matesearch_close(&mate);
}

/* For a root without a move: mate, stalemate, or an empty list of searchmoves. */
static void report_no_move(const Worker *w)
{
    const SearchJob *job = w->shared->job;
    const bool mated = pos_in_check(&job->root) && !gen_any(&job->root);
    const Report line = {.kind = REPORT_LINE,
                         .multipv = 1,
                         .score = mated ? score_mated_in(0) : SCORE_DRAW,
                         .bound = BOUND_EXACT,
                         .elapsed_ms = elapsed_ms(w)};
    const Report done = {.kind = REPORT_DONE};
    job->report(job->ctx, &line);
    job->report(job->ctx, &done);
}

/* The first iteration has no aspiration window, so there is always an exact score or a completed
 * iteration. */
SearchOutcome deepening_outcome(const Worker *w)
{
    const RootMove *best = &w->root_moves[0];
    const bool is_reached = best->score != -SCORE_INF;
    const bool is_exact = !is_reached || best->bound == BOUND_EXACT;
    assert(is_exact || w->completed_depth > 0);
    return (SearchOutcome){.best = best->move,
                           .score = !is_reached ? best->previous
                                    : is_exact  ? best->score
                                                : w->completed.score,
                           .is_exact = is_exact,
                           .depth = w->completed_depth > 0 ? w->completed.searched_depth : 0,
                           .peak = w->peak};
}

/* Limited strength: moves the line to be played to the front. Lines without a score (the first
 * iteration was stopped) cannot be chosen. */
static void choose_line(Worker *w)
{
    const SearchJob *const job = w->shared->job;
    Score scores[STRENGTH_LINES];
    int count = 0;
    while (count < job->strength.lines && count < w->root_move_count &&
           root_move_score(&w->root_moves[count]) != -SCORE_INF) {
        scores[count] = root_move_score(&w->root_moves[count]);
        count++;
    }
    const int chosen = strength_choose(&job->strength, scores, count, job->root.key);
    worker_bring_to_front(w, w->root_moves[chosen].move);
}

Worker *deepening_conclude(Worker *main_worker)
{
    const SearchShared *shared = main_worker->shared;
    const SearchJob *job = shared->job;
    if (main_worker->root_move_count == 0) {
        if (job->report != NULL)
            report_no_move(main_worker);
        return main_worker;
    }
    const bool is_full = strength_is_full(&job->strength);
    if (!is_full)
        choose_line(main_worker);
    const bool is_elected = job->multi_pv == 1 && is_full;
    Worker *w = is_elected ? vote_of_workers(shared) : main_worker;
    const bool is_of_peer = is_elected && vote_of_peers(w, main_worker);
    if (is_of_peer)
        w = main_worker;
    RootMove *best = &w->root_moves[0];
    if (!atomic_load_explicit(&shared->pondering, memory_order_relaxed)) {
        main_worker->last_score = deepening_outcome(w).score;
        main_worker->last_side = job->root.side;
    }
    const int length = best->pv_length;
    if (length == 1)
        root_cache_extend_pv(w, best, 2); // a reply to ponder on
    if (job->report == NULL)
        return w;
    if (!is_full || (w->stopped && w == main_worker))
        report_lines(w);
    else if (w != main_worker || is_of_peer || best->pv_length != length)
        report_line(w, 0);
    const Report done = {.kind = REPORT_DONE,
                         .best = best->pv[0],
                         .ponder = best->pv_length > 1 ? best->pv[1] : MOVE_NONE};
    job->report(job->ctx, &done);
    return w;
}
