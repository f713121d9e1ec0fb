// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/deepening.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "search/params.h"
#include "search/pvs.h"
#include "search/root_cache.h"
#include "search/worker.h"

enum {
    PEAK_DEPTH_MIN = 4,   // scores of shallower iterations say little
    WORDY_AFTER_MS = 3000 // from then on window failures and the lines of an unfinished iteration
                          // are shown
};

void search_stats_add(SearchStats *sum, const SearchStats *from)
{
    sum->nodes += from->nodes;
    sum->qnodes += from->qnodes;
    sum->fail_highs += from->fail_highs;
    sum->first_fail_highs += from->first_fail_highs;
    sum->third_fail_highs += from->third_fail_highs;
    sum->null_tries += from->null_tries;
    sum->null_cutoffs += from->null_cutoffs;
    sum->rfp_cutoffs += from->rfp_cutoffs;
    sum->probcut_tries += from->probcut_tries;
    sum->probcut_cutoffs += from->probcut_cutoffs;
    sum->singular_tries += from->singular_tries;
    sum->singular_extensions += from->singular_extensions;
    sum->multicuts += from->multicuts;
    sum->lmr_tries += from->lmr_tries;
    sum->lmr_researches += from->lmr_researches;
    sum->second_moves += from->second_moves;
    sum->second_move_cutoffs += from->second_move_cutoffs;
    sum->learned_hits += from->learned_hits;
    sum->learned_cutoffs += from->learned_cutoffs;
    tt_stats_add(&sum->tt, &from->tt);
}

static int64_t elapsed_ms(const Worker *w)
{
    return clock_ms() - w->shared->start_ms;
}

/* The best known score of a root move: this iteration's, or the last one's where there is none yet.
 */
static Score root_score(const RootMove *root)
{
    return root->score != -SCORE_INF ? root->score : root->previous;
}

static bool is_before(const RootMove *a, const RootMove *b)
{
    return a->score != b->score ? a->score > b->score : a->previous > b->previous;
}

/* Sorts the root moves from `first` on, best first; moves without a score keep their order. */
static void sort_roots(Worker *w, int first)
{
    for (int i = first + 1; i < w->root_count; i++) {
        int to = i;
        while (to > first && is_before(&w->roots[i], &w->roots[to - 1]))
            to--;
        if (to == i)
            continue;
        const RootMove moved = w->roots[i];
        memmove(&w->roots[to + 1], &w->roots[to], (size_t)(i - to) * sizeof moved);
        w->roots[to] = moved;
    }
}

static void report_line(const Worker *w, int index)
{
    const SearchShared *shared = w->shared;
    const RootMove *root = &w->roots[index];
    if (shared->job->report == NULL)
        return;
    /* What the tablebases say of the root is shown in place of an estimate, but not of a mate. */
    const Score searched = root_score(root);
    const bool is_known = shared->root_is_known && !score_is_mate(searched);
    const Score known = syzygy_score(shared->root_wdl, shared->syzygy.rule50, 0);
    const Report report = {.kind = REPORT_LINE,
                           .depth = root->depth,
                           .seldepth = root->seldepth > root->depth ? root->seldepth : root->depth,
                           .multipv = index + 1,
                           .score = is_known ? known : searched,
                           .bound = is_known ? BOUND_EXACT : root->bound,
                           .nodes = worker_total_nodes(shared),
                           .tb_hits = worker_total_tb_hits(shared),
                           .elapsed_ms = elapsed_ms(w),
                           .hashfull = tt_hashfull(shared->tt),
                           .pv = root->pv,
                           .pv_length = root->pv_length};
    shared->job->report(shared->job->ctx, &report);
}

static int line_count(const Worker *w)
{
    const SearchJob *const job = w->shared->job;
    const int wanted = job->strength.lines > job->multi_pv ? job->strength.lines : job->multi_pv;
    return wanted < w->root_count ? wanted : w->root_count;
}

/* Lines to be shown: those that were asked for, not those that weaker play chooses from. */
static int shown_count(const Worker *w)
{
    const int lines = line_count(w), wanted = w->shared->job->multi_pv;
    return wanted < lines ? wanted : lines;
}

/* All lines that are shown and known, each at the depth of the iteration it is from. */
static void report_lines(const Worker *w)
{
    for (int i = 0; i < shown_count(w); i++)
        if (w->roots[i].depth > 0)
            report_line(w, i);
}

/* The first window around the move's average score: wider the more the score swings, and open where
 * it says little. */
static Score first_delta(Score average)
{
    return params.aspiration_delta + average * average / 13000;
}

/* Searches the line w->pv_index to the iteration's depth, widening the window until the score lies
 * inside. A fail-high is searched again one ply shallower: its depth is not needed to confirm it.
 */
static void search_window(Worker *w)
{
    const Score average = w->roots[w->pv_index].average;
    Score alpha = -SCORE_INF, beta = SCORE_INF, delta = SCORE_INF;
    if (w->root_depth >= params.aspiration_min_depth && average != SCORE_NONE &&
        average < params.aspiration_full && average > -params.aspiration_full) {
        delta = first_delta(average);
        alpha = average - delta;
        beta = average + delta;
    }
    int fail_highs = 0;
    while (true) {
        const int shallower = w->root_depth - fail_highs;
        const Score score = pvs(w, 0, alpha, beta, shallower < 1 ? 1 : shallower, false);
        sort_roots(w, w->pv_index);
        if (w->stopped || (score > alpha && score < beta))
            return;
        if (w->index == 0 && line_count(w) == 1 && elapsed_ms(w) > WORDY_AFTER_MS)
            report_line(w, w->pv_index);
        if (score <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = score - delta;
            fail_highs = 0;
        } else {
            beta = score + delta;
            fail_highs += fail_highs < 3;
        }
        delta = delta * params.aspiration_growth / 100 + 1;
        if (alpha < -params.aspiration_full)
            alpha = -SCORE_INF;
        if (beta > params.aspiration_full)
            beta = SCORE_INF;
    }
}

/* One iteration over all lines; false when it was cut off. */
static bool search_depth(Worker *w, int depth)
{
    w->root_depth = depth;
    for (int i = 0; i < w->root_count; i++) {
        w->roots[i].previous = w->roots[i].score;
        w->roots[i].score = -SCORE_INF;
    }
    const int lines = line_count(w);
    for (w->pv_index = 0; w->pv_index < lines; w->pv_index++) {
        w->seldepth = 0;
        search_window(w);
        if (w->stopped)
            return false;
        sort_roots(w, 0); // a later line may turn out better than an earlier one
        if (w->index == 0 && (w->pv_index + 1 == lines || elapsed_ms(w) > WORDY_AFTER_MS))
            report_lines(w);
    }
    w->completed_depth = depth;
    w->settled = w->roots[0];
    if (depth >= PEAK_DEPTH_MIN && (w->peak == SCORE_NONE || w->settled.score > w->peak))
        w->peak = w->settled.score;
    return true;
}

/* An iteration that was cut off after its first move turned out lost, with the others unsearched,
 * says nothing about the position: goes back to the line of the last finished iteration. */
static void forget_unfinished_loss(Worker *w)
{
    if (w->completed_depth == 0 || w->pv_index > 0 || !score_is_loss(root_score(&w->roots[0])))
        return;
    int at = 0;
    while (w->roots[at].move != w->settled.move)
        at++;
    worker_bring_forward(w, at);
    w->roots[0] = w->settled;
    w->roots[0].previous = w->settled.score;
    w->roots[0].score = -SCORE_INF;
}

/* What the main worker remembers from one iteration to the next to judge how settled the search is.
 */
typedef struct {
    Move best;
    int stable; // iterations since it changed
    Score score;
    uint64_t nodes; // of the search so far
    uint64_t spent; // in the last iteration
} Progress;

static TimeSigns read_signs(Worker *w, const Progress *before, int depth)
{
    const RootMove *best = &w->roots[0];
    const uint64_t nodes = worker_nodes(w);
    return (TimeSigns){.depth = depth,
                       .best_share = nodes == 0 ? 1.0 : (double)best->nodes / (double)nodes,
                       .stable_iterations = before->stable,
                       .score_drop = depth > 1 ? before->score - best->score : 0,
                       .previous_drop =
                           w->last_score != SCORE_NONE ? w->last_score - best->score : 0,
                       .legal_moves = w->root_count,
                       .mate_found = score_is_mate(best->score)};
}

static bool mate_limit_reached(const Worker *w)
{
    const int wanted = w->shared->job->limits.mate;
    const Score score = w->roots[0].score;
    return wanted > 0 && score >= SCORE_MATE_MIN && (SCORE_MATE - score + 1) / 2 <= wanted;
}

/* Updates the record after a finished iteration and says whether to start another one. */
static bool wants_another(Worker *w, Progress *progress, int depth)
{
    const SearchShared *shared = w->shared;
    const Limits *limits = &shared->job->limits;
    progress->stable = w->roots[0].move == progress->best ? progress->stable + 1 : 0;
    const TimeSigns signs = read_signs(w, progress, depth);
    const uint64_t nodes = worker_nodes(w), spent = nodes - progress->nodes;
    if (progress->spent > 0)
        w->stats.branching = (double)spent / (double)progress->spent;
    *progress = (Progress){w->roots[0].move, progress->stable, w->roots[0].score, nodes, spent};

    if (mate_limit_reached(w))
        return false;
    if (limits->soft_nodes != 0 && worker_total_nodes(shared) >= limits->soft_nodes)
        return false;
    return shared->plan.soft_ms >= TIME_UNLIMITED ||
           worker_spent_ms(shared) < time_scaled(&shared->plan, &signs);
}

void search_iterate(Worker *w)
{
    SearchShared *shared = w->shared;
    const int limit = shared->job->limits.depth;
    const int deepest = w->index == 0 && limit > 0 && limit < MAX_DEPTH ? limit : MAX_DEPTH;
    Progress progress = {0};
    if (shared->uses_root_cache && root_cache_load(w, deepest) && w->index == 0)
        report_line(w, 0);
    for (int depth = w->completed_depth + 1; depth <= deepest && search_depth(w, depth); depth++) {
        if (w->index != 0)
            continue;
        /* While pondering the clock does not count yet, but a search that has had enough ends at
         * the ponderhit. */
        const bool has_enough = !wants_another(w, &progress, depth);
        atomic_store_explicit(&shared->has_enough, has_enough, memory_order_relaxed);
        if (has_enough && !atomic_load_explicit(&shared->pondering, memory_order_relaxed))
            break;
    }
    if (w->stopped)
        forget_unfinished_loss(w);
}

/* Lazy SMP's vote: each worker speaks for its move with the depth it finished and how far its score
 * stands above the worst; a proven result needs no vote. */
static Worker *elect(const SearchShared *shared)
{
    Worker **workers = shared->workers;
    Score worst = SCORE_INF;
    for (int i = 0; i < shared->worker_count; i++) {
        const Score score = root_score(&workers[i]->roots[0]);
        worst = score < worst ? score : worst;
    }
    Worker *elected = workers[0];
    int64_t most = -1;
    for (int i = 0; i < shared->worker_count; i++) {
        Worker *candidate = workers[i];
        const Score own = root_score(&candidate->roots[0]);
        int64_t votes = 0;
        for (int j = 0; j < shared->worker_count; j++) {
            const RootMove *root = &workers[j]->roots[0];
            if (root->move == candidate->roots[0].move)
                votes += (int64_t)(root_score(root) - worst + 14) * workers[j]->completed_depth;
        }
        const Score best = root_score(&elected->roots[0]);
        const bool proven = score_is_win(own) || score_is_win(best);
        if (candidate->completed_depth > 0 && (proven ? own > best : votes > most)) {
            elected = candidate;
            most = votes;
        }
    }
    return elected;
}

/* A root without a move: mate, stalemate, or nothing to search among the moves asked for. */
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

/* The rule of search_conclude(): an unfinished iteration counts as far as it got, and a line it has
 * not reached keeps the score of the iteration before. The first iteration has no window, so that
 * whatever is cut off has a settled line or an exact score. */
SearchOutcome search_outcome(const Worker *w)
{
    const RootMove *best = &w->roots[0];
    const bool is_reached = best->score != -SCORE_INF;
    const bool is_exact = !is_reached || best->bound == BOUND_EXACT;
    assert(is_exact || w->completed_depth > 0);
    return (SearchOutcome){.best = best->move,
                           .score = !is_reached ? best->previous
                                    : is_exact  ? best->score
                                                : w->settled.score,
                           .is_exact = is_exact,
                           .depth = w->completed_depth,
                           .peak = w->peak};
}

/* Below full strength: puts the line to be played in front of the others. Lines that were not
 * reached, which there may be if the first iteration was cut off, are not to be chosen. */
static void choose_line(Worker *w)
{
    const SearchJob *const job = w->shared->job;
    Score scores[STRENGTH_LINES];
    int count = 0;
    while (count < job->strength.lines && count < w->root_count &&
           root_score(&w->roots[count]) != -SCORE_INF) {
        scores[count] = root_score(&w->roots[count]);
        count++;
    }
    const int at = strength_choose(&job->strength, scores, count, job->root.key);
    worker_bring_forward(w, at);
}

Worker *search_conclude(Worker *main_worker)
{
    const SearchShared *shared = main_worker->shared;
    const SearchJob *job = shared->job;
    if (main_worker->root_count == 0) {
        if (job->report != NULL)
            report_no_move(main_worker);
        return main_worker;
    }
    const bool is_full = strength_is_full(&job->strength);
    if (!is_full)
        choose_line(main_worker);
    Worker *w = job->multi_pv == 1 && is_full ? elect(shared) : main_worker;
    RootMove *best = &w->roots[0];
    main_worker->last_score = search_outcome(w).score;
    const int length = best->pv_length;
    if (length == 1)
        root_cache_extend_pv(w, best, 2); // a reply to ponder on
    if (job->report == NULL)
        return w;
    if (!is_full || (w->stopped && w == main_worker))
        report_lines(w);
    else if (w != main_worker || best->pv_length != length)
        report_line(w, 0);
    const Report done = {.kind = REPORT_DONE,
                         .best = best->pv[0],
                         .ponder = best->pv_length > 1 ? best->pv[1] : MOVE_NONE};
    job->report(job->ctx, &done);
    return w;
}
