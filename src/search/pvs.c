// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/pvs.h"

#include <assert.h>
#include <stdlib.h>

#include "chess/see.h"
#include "search/movepick.h"
#include "search/node.h"
#include "search/params.h"
#include "search/prune.h"
#include "search/qsearch.h"
#include "search/shortcut.h"

/* The move loop's own facts, beside the node's. */
typedef struct {
    MovePicker picker;
    CheckMap checks;
    TriedMoves tried; // moves searched so far
    int number;       // of the current move, from 1
    int root_next;    // at the root: next root move
    Move move;
    bool quiet;
    bool gives_check;
    int node_reduction; // of all late moves, 1/1024 ply
    int history;        // what is known of the move
    int raises;         // moves that raised alpha so far
    int reduction;      // 1/1024 ply
    int extension;      // plies
} Loop;

/* The evaluation is better than it was when this side last moved, as far as known. */
static bool is_improving(const Node *n)
{
    for (int back = 2; back <= 4; back += 2) {
        const Score before = worker_ply(n->w, n->ply - back)->eval;
        if (before != SCORE_NONE)
            return n->eval > before;
    }
    return true;
}

/* What the table adds to the reduction: where it has a result as deep as wanted the node is looked
 * at more closely, and a node that was once on a PV less so when it has fallen below alpha. */
static int reduction_by_table(const Node *n)
{
    if (n->table_count == 0)
        return 0;
    const TtData *entry = &n->table[0];
    const bool has_fallen = entry->bound == BOUND_UPPER && entry->score <= n->alpha;
    return (n->was_pv && has_fallen) * params.lmr_was_pv_low -
           (entry->depth >= n->depth) * params.lmr_deep_entry;
}

/* The part of the reduction that all late moves of a node share: more when they are expected to
 * fail anyway, less where the evaluation is often wrong. */
static int node_reduction(const Node *n, bool improving)
{
    int r = reduction_by_table(n) - abs(n->correction) * params.lmr_correction;
    if (n->pv)
        r -= params.lmr_pv;
    if (n->was_pv)
        r -= params.lmr_was_pv;
    if (n->cut)
        r += params.lmr_cut + (n->hash[0] == MOVE_NONE) * params.lmr_cut_no_move;
    if (node_hash_is_noisy(n))
        r += params.lmr_noisy_hash;
    if (!improving)
        r += params.lmr_not_improving;
    return r;
}

/* The reduction a late move deserves: less when its history is good. */
static int late_move_reduction(const Node *n, const Loop *loop)
{
    int r = loop->node_reduction + prune_reduction(loop->quiet, n->depth, loop->number);
    if (loop->gives_check)
        r -= params.lmr_check;
    if (worker_ply(n->w, n->ply + 1)->fail_highs >= params.lmr_fail_highs_min)
        r += params.lmr_fail_highs;
    r += loop->raises * params.lmr_alpha_raise;
    const int known = loop->history * 1024;
    return r -
           (loop->quiet ? known / params.lmr_history_divisor : known / params.lmr_capture_divisor);
}

/* Late moves and those that cannot lift the static evaluation to alpha, among the quiet ones.
 * Checks are exempt: after a sacrifice they are all the attacker has. */
static bool is_futile(Node *n, const Loop *loop, bool improving, int lmr_depth)
{
    if (loop->gives_check)
        return false;
    if (n->depth <= params.lmp_max_depth &&
        loop->number >= prune_late_move_count(n->depth, improving))
        return true;
    if (n->in_check || lmr_depth > params.futility_max_depth)
        return false;
    const Score value = prune_futility_value(n->eval, lmr_depth);
    if (value > n->alpha)
        return false;
    if (value > n->best)
        n->best = value;
    return true;
}

/* A capture that cannot lift the evaluation to alpha, even when it wins what it takes. */
static bool is_futile_noisy(Node *n, const Loop *loop, int lmr_depth)
{
    if (n->in_check || loop->gives_check || lmr_depth >= params.noisy_futility_max_depth)
        return false;
    const int victim = see_value[pos_captured(n->pos, loop->move)];
    const Score value = prune_futility_value_noisy(n->eval, lmr_depth, victim);
    if (value > n->alpha)
        return false;
    if (value > n->best)
        n->best = value;
    return true;
}

/* Moves that are not worth a search once something better than a loss is in hand. A futile quiet
 * move ends the others, too, but for checks. */
static bool is_prunable(Node *n, Loop *loop, bool improving)
{
    if (n->ply == 0 || n->best <= -SCORE_TB_MIN || !pos_has_pieces(n->pos, n->pos->side))
        return false;
    const int reduced = n->depth - 1 - loop->reduction / 1024;
    const int lmr_depth = reduced > 0 ? reduced : 0;
    if (!loop->quiet)
        return is_futile_noisy(n, loop, lmr_depth) ||
               (n->depth <= params.see_max_depth &&
                !see_ge(n->pos, loop->move, prune_see_noisy(n->depth)));
    if (is_futile(n, loop, improving, lmr_depth)) {
        loop->picker.checks_only = &loop->checks;
        return true;
    }
    if (loop->number > 1 && lmr_depth <= params.history_prune_max_depth &&
        loop->history < -params.history_prune_slope * n->depth - params.history_prune_offset)
        return true;
    return lmr_depth <= params.see_max_depth &&
           !see_ge(n->pos, loop->move, prune_see_quiet(lmr_depth));
}

/* Searches a late move again that beat alpha at reduced depth: to about the full one, by how much
 * it did so. What comes of it is a lesson for the same reply elsewhere. */
static Score search_again(Node *n, const Loop *loop, Score score, int reduced)
{
    Worker *w = n->w;
    const int depth = n->depth - 1 + loop->extension + (score > n->best + params.lmr_deeper) -
                      (score < n->best + params.lmr_shallower);
    if (depth <= reduced)
        return score;
    w->stats.lmr_researches++;
    score = -pvs(w, n->ply + 1, -n->alpha - 1, -n->alpha, depth, !n->cut);
    if (loop->quiet && !w->stopped && (score <= n->alpha || score >= n->beta)) {
        const int bonus = history_bonus(n->depth) * params.history_again_share / 100;
        history_teach_reply(&w->histories, n->pos, &loop->picker.context, loop->move,
                            score >= n->beta ? bonus : -bonus);
    }
    return score;
}

/* Zero-window search of a move that is not the first, at reduced depth where that is safe. */
static Score search_zero_window(Node *n, const Loop *loop)
{
    Worker *w = n->w;
    const int full = n->depth - 1 + loop->extension;
    const int wanted = full - (loop->reduction + 512) / 1024;
    const int reduced = wanted < 1 ? 1 : wanted > full ? full : wanted;
    if (n->depth < params.lmr_min_depth || loop->number < 2 || reduced >= full)
        return -pvs(w, n->ply + 1, -n->alpha - 1, -n->alpha, full, !n->cut);

    w->stats.lmr_tries++;
    n->at->reduction = full - reduced;
    const Score score = -pvs(w, n->ply + 1, -n->alpha - 1, -n->alpha, reduced, true);
    n->at->reduction = 0;
    return score <= n->alpha || w->stopped ? score : search_again(n, loop, score, reduced);
}

/* The depth at which the open window is searched. The hash move of a PV node at the horizon, once
 * searched deeper, keeps the main line out of quiescence. */
enum { KEEP_LINE_FROM = 9 }; // plies of the iteration
static int open_window_depth(const Node *n, const Loop *loop)
{
    const int depth = n->depth - 1 + loop->extension, iteration = n->w->root_depth;
    const bool keeps_line = loop->move == n->hash[0] && n->table_count > 0 &&
                            n->table[0].depth > 1 && iteration >= KEEP_LINE_FROM &&
                            n->ply < 2 * iteration;
    return depth < 1 && keeps_line ? 1 : depth;
}

/* Plays the move and searches it: zero window for all but the first move of a PV node, then the
 * open window if it may matter. */
static Score search_move(Node *n, Loop *loop)
{
    Worker *w = n->w;
    Score score = SCORE_NONE;
    worker_play(w, n->ply, loop->move);
    if (!n->pv || loop->number > 1)
        score = search_zero_window(n, loop);
    if (n->pv && !w->stopped && (loop->number == 1 || score > n->alpha))
        score = -pvs(w, n->ply + 1, -n->beta, -n->alpha, open_window_depth(n, loop), false);
    worker_undo(w);
    return score;
}

/* Keeps the record of a root move up to date: one that did not beat alpha has no known score. */
static void update_root_move(Node *n, const Loop *loop, Score score, uint64_t nodes)
{
    Worker *w = n->w;
    RootMove *root = &w->roots[loop->root_next - 1];
    assert(root->move == loop->move);
    root->nodes += nodes;
    if (loop->number > 1 && score <= n->alpha) {
        /* What an earlier window of this iteration made of it goes with the line it left. */
        if (root->score != -SCORE_INF)
            root->previous = root->score;
        root->score = -SCORE_INF;
        return;
    }
    const Ply *child = worker_ply(w, 1);
    root->score = score;
    root->depth = w->root_depth;
    root->average = root->average == SCORE_NONE ? score : (root->average + score) / 2;
    root->bound = score >= n->beta ? BOUND_LOWER : score <= n->alpha ? BOUND_UPPER : BOUND_EXACT;
    root->seldepth = w->seldepth;
    root->pv_length = child->pv_length + 1;
    for (int i = 0; i < child->pv_length; i++)
        root->pv[i + 1] = child->pv[i];
}

/* The main worker tells which root move it works on once a search has become long. */
enum { REPORT_MOVE_AFTER_NODES = 4000000 };
static void report_root_move(const Node *n, const Loop *loop)
{
    const Worker *w = n->w;
    const SearchJob *job = w->shared->job;
    if (w->index != 0 || job->report == NULL || worker_nodes(w) < REPORT_MOVE_AFTER_NODES)
        return;
    const Report report = {.kind = REPORT_MOVE,
                           .depth = n->depth,
                           .move = loop->move,
                           .move_number = w->pv_index + loop->number};
    job->report(job->ctx, &report);
}

/* The next move of the node: from the picker, or at the root from the list of the iteration. */
static Move next_move(const Node *n, Loop *loop)
{
    if (n->ply > 0)
        return pick_next(&loop->picker);
    return loop->root_next < n->w->root_count ? n->w->roots[loop->root_next++].move : MOVE_NONE;
}

/* Books a fail-high: for the health statistics, and as a lesson to move ordering. */
static void learn_from_fail_high(Node *n, const Loop *loop)
{
    SearchStats *stats = &n->w->stats;
    n->at->fail_highs++;
    stats->fail_highs++;
    stats->first_fail_highs += loop->number == 1;
    stats->third_fail_highs += loop->number <= 3;
    stats->second_move_cutoffs += loop->move == n->hash[1];
    history_reward(&n->w->histories, n->pos, &loop->picker.context, loop->move, &loop->tried,
                   n->depth);
}

/* Takes note of a searched move's score; true on a fail-high. */
static bool take_score(Node *n, Loop *loop, Score score)
{
    if (score > n->best)
        n->best = score;
    if (score > n->alpha) {
        n->best_move = loop->move;
        if (n->pv)
            worker_update_pv(n->w, n->ply, loop->move);
        if (score >= n->beta) {
            learn_from_fail_high(n, loop);
            return true;
        }
        n->alpha = score;
        loop->raises++;
        if (n->depth >= params.raised_min_depth && n->depth <= params.raised_max_depth &&
            !score_is_proven(score))
            n->depth -= params.raised_less_deep;
    }
    tried_add(&loop->tried, loop->quiet, loop->move);
    return false;
}

/* Searches the moves until one fails high; false when the search must stop. */
static bool search_moves(Node *n, bool improving)
{
    Loop loop; // large: what is not set here is set for each move
    loop.tried.quiet.count = loop.tried.noisy.count = 0;
    loop.number = loop.raises = 0;
    loop.root_next = n->w->pv_index;
    node_map_threats(n);
    worker_ply(n->w, n->ply + 2)->fail_highs = 0;
    if (n->ply == 0)
        worker_ply(n->w, 1)->fail_highs = 0; // no node above the root does that
    pick_init(&loop.picker, n->pos, &n->w->histories, worker_context(n->w, n->ply), n->hash, false);
    pos_map_checks(&loop.checks, n->pos);
    loop.node_reduction = node_reduction(n, improving);
    while ((loop.move = next_move(n, &loop)) != MOVE_NONE) {
        if (loop.move == n->at->excluded)
            continue;
        loop.number++;
        loop.quiet = !pos_is_noisy(n->pos, loop.move);
        loop.gives_check = pos_checks_by_map(&loop.checks, n->pos, loop.move);
        loop.history =
            loop.quiet ? history_quiet(&n->w->histories, n->pos, &loop.picker.context, loop.move)
                       : history_noisy(&n->w->histories, n->pos, loop.move);
        loop.reduction = late_move_reduction(n, &loop);
        if (is_prunable(n, &loop, improving))
            continue;
        loop.extension = loop.move == n->hash[0] ? n->extension : 0;
        n->w->stats.second_moves += loop.move == n->hash[1];
        if (n->ply == 0)
            report_root_move(n, &loop);

        const uint64_t before = worker_nodes(n->w);
        const Score score = search_move(n, &loop);
        if (n->w->stopped)
            return false;
        if (n->ply == 0) {
            update_root_move(n, &loop, score, worker_nodes(n->w) - before);
            n->w->may_stop = true;
        }
        if (take_score(n, &loop, score))
            return true;
    }
    if (loop.number == 0)
        n->best = n->at->excluded != MOVE_NONE ? n->alpha
                  : n->in_check                ? score_mated_in(n->ply)
                                               : SCORE_DRAW;
    return true;
}

/* Asks the tablebases (de Man 2013). True when they settle the node, its score in `*score`; what
 * else they say bounds a PV node, whose best line may still end in mate. Out of line, so that a
 * search without them pays one predictable branch. */
__attribute__((noinline)) static bool probe_tablebases(Node *n, Score *score)
{
    Worker *w = n->w;
    const SyzygyUse *use = &w->shared->syzygy;
    if (!syzygy_may_probe(use, n->pos, n->depth))
        return false;
    const SyzygyWdl wdl = syzygy_probe(n->pos);
    if (wdl == SYZYGY_UNKNOWN)
        return false;
    worker_count_tb_hit(w);
    *score = syzygy_score(wdl, use->rule50, n->ply);
    const Bound bound = score_is_win(*score)    ? BOUND_LOWER
                        : score_is_loss(*score) ? BOUND_UPPER
                                                : BOUND_EXACT;
    if (bound == BOUND_EXACT || (bound == BOUND_LOWER ? *score >= n->beta : *score <= n->alpha)) {
        node_store_proven(n, *score, bound);
        return true;
    }
    if (!n->pv)
        return false;
    if (bound == BOUND_UPPER) {
        n->high = *score;
    } else {
        n->low = n->best = *score;
        n->alpha = *score > n->alpha ? *score : n->alpha;
    }
    return false;
}

/* Second thoughts about the depth, now that more is known. A reduction made by the parent on a
 * guess is taken back when the move has not made things worse for it, or made larger when both
 * evaluations agree that little happens. Without a hash move the node was not important so far, and
 * its moves are badly ordered (internal iterative reduction: Schroeder 2019); with one from a much
 * shallower search hardly better. */
static void adjust_depth(Node *n)
{
    if (n->ply == 0 || n->at->excluded != MOVE_NONE)
        return;
    const Ply *parent = worker_ply(n->w, n->ply - 1);
    if (!n->in_check && parent->eval != SCORE_NONE && parent->reduction > 0) {
        if (parent->reduction >= params.hindsight_deeper && n->eval <= -parent->eval)
            n->depth++;
        else if (parent->reduction >= params.hindsight_shallower && n->depth >= 2 &&
                 n->eval + parent->eval > params.hindsight_margin)
            n->depth--;
    }
    const bool is_ordered =
        n->hash[0] != MOVE_NONE &&
        (n->table_count == 0 || n->table[0].depth + params.iir_shallower >= n->depth);
    if (n->depth >= params.iir_min_depth && (n->pv || n->cut) && !is_ordered)
        n->depth--;
}

/* A score above beta is drawn to it, the more the shallower the search: it is not proven as exactly
 * as it looks. */
static void temper_fail_high(Node *n)
{
    if (params.temper_fail_high && n->ply > 0 && n->best >= n->beta && !score_is_proven(n->best) &&
        !score_is_proven(n->beta))
        n->best = (n->best * n->depth + n->beta) / (n->depth + 1);
}

/* Where no move reaches alpha, the move before is the one a PV through the parent may go by. */
static void inherit_pv(Node *n)
{
    if (n->best_move == MOVE_NONE && n->ply > 0 && n->depth >= params.inherit_pv_min_depth)
        n->was_pv |= worker_ply(n->w, n->ply - 1)->was_pv;
}

/* No move reached alpha: so the quiet move before was a good one. */
static void learn_from_fail_low(const Node *n)
{
    const Ply *const parent = worker_quiet_parent(n->w, n->ply);
    if (n->best_move != MOVE_NONE || parent == NULL)
        return;
    const HistoryContext context = worker_context(n->w, n->ply - 1);
    history_teach(&n->w->histories, &parent->pos, &context, parent->move,
                  history_prior_bonus(n->depth));
}

Score pvs(Worker *w, int ply, Score alpha, Score beta, int depth, bool cut)
{
    if (depth <= 0)
        return qsearch(w, ply, alpha, beta);
    Node n = node_enter(w, ply, alpha, beta, depth < MAX_DEPTH ? depth : MAX_DEPTH);
    n.cut = cut;
    assert(!(n.pv && n.cut));
    n.at->pv_length = 0;
    if (n.pv && ply >= w->seldepth)
        w->seldepth = ply + 1;

    Score score;
    if (ply > 0 && node_is_over(&n, &score))
        return score;
    node_probe(&n);
    if (ply > 0 && node_table_cutoff(&n, &score))
        return score;
    const bool is_excluding = n.at->excluded != MOVE_NONE;
    if (__builtin_expect(w->asks_tablebases, false) && ply > 0 && !is_excluding &&
        probe_tablebases(&n, &score))
        return score;
    if (__builtin_expect(w->shared->learned != NULL, false) && ply > 0 && !is_excluding &&
        probe_learned(&n, &score))
        return score;
    node_evaluate(&n);
    const bool improving = !n.in_check && is_improving(&n);
    adjust_depth(&n);
    if (ply > 0 && (shortcut_take(&n, improving, &score) || shortcut_examine_hash_move(&n, &score)))
        return score;
    if (!search_moves(&n, improving))
        return SCORE_DRAW;
    node_keep_to_known(&n);
    assert(-SCORE_INF < n.best && n.best < SCORE_INF);
    if (is_excluding)
        return n.best;
    inherit_pv(&n);
    learn_from_fail_low(&n);
    temper_fail_high(&n);
    if (ply > 0 || (w->pv_index == 0 && !w->shared->job->limits.has_search_moves)) {
        node_store(&n);
        node_correct(&n);
    }
    return node_result(&n);
}
