// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/search.h"

#include <assert.h>
#include <stdlib.h>

#include "chess/movegen.h"
#include "chess/see.h"
#include "search/params.h"
#include "search/qsearch.h"
#include "search/search_steps.h"

enum {
    SINGULAR_UNIT = 16, // singular_margin is in 1/16 internal units a ply
    LN_MAX = 256,       // size of the logarithm table
    REPORT_MOVE_AFTER_NODES = 4000000
};

/* ---- Margins and reductions ---- */

static int ln_table[LN_MAX]; // ln(n) * 1024; filled by search_init(), constant afterwards

/* ln(n) * 1024 in integers, so that every machine and compiler searches the same tree: log2 bit by
 * bit, by squaring the mantissa. */
static int ln_1024(int n)
{
    int log2 = 0;
    uint64_t mantissa = (uint64_t)n << 16; // 16 fractional bits
    while (mantissa >= 2u << 16) {
        mantissa >>= 1;
        log2 += 1 << 16;
    }
    for (int bit = 1 << 15; bit > 0; bit >>= 1) {
        mantissa = mantissa * mantissa >> 16;
        if (mantissa >= 2u << 16) {
            mantissa >>= 1;
            log2 += bit;
        }
    }
    return (int)((int64_t)log2 * 45426 >> 22); // ln 2 * 65536 = 45426
}

void search_init(void)
{
    for (int n = 1; n < LN_MAX; n++)
        ln_table[n] = ln_1024(n);
}

int reverse_futility_margin(int depth, bool improving, bool cut_node)
{
    const int margin = params.rfp_margin * (depth - improving);
    const int least = cut_node ? params.rfp_least : 2 * params.rfp_least;
    return margin > least ? margin : least;
}

int null_move_reduction(int depth, Score estimate, Score beta)
{
    const int by_eval = (estimate - beta) / params.null_eval_divisor;
    return params.null_base + depth / params.null_depth_divisor +
           (by_eval < params.null_eval_max ? by_eval : params.null_eval_max);
}

int late_move_count(int depth, bool improving, int more)
{
    const int count = params.lmp_base + more + depth * depth;
    return improving ? count : count / 2;
}

Score futility_value(Score eval, int lmr_depth)
{
    return score_clamp_eval(eval + params.futility_base + params.futility_slope * lmr_depth);
}

Score futility_value_noisy(Score eval, int lmr_depth, int victim)
{
    return score_clamp_eval(eval + params.noisy_futility_base +
                            params.noisy_futility_slope * lmr_depth +
                            victim * params.noisy_futility_victim / 100);
}

int see_threshold_quiet(int lmr_depth)
{
    return -params.see_quiet * lmr_depth * lmr_depth;
}

int see_threshold_noisy(int depth)
{
    return -params.see_noisy * depth;
}

int base_reduction(bool quiet, int depth, int number)
{
    const int product = ln_table[depth < LN_MAX ? depth : LN_MAX - 1] *
                        ln_table[number < LN_MAX ? number : LN_MAX - 1] / 1024;
    return quiet ? params.lmr_quiet_base + product * 1000 / params.lmr_quiet_divisor
                 : params.lmr_noisy_base + product * 1000 / params.lmr_noisy_divisor;
}

/* ---- Before the moves: tablebases, depth, pruning of the whole node ---- */

/* Out of line, so that a search without tablebases pays one predictable branch. */
__attribute__((noinline)) bool probe_tablebases(Node *n, Score *score)
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
        node_store_tablebase(n, *score, bound);
        return true;
    }
    if (!n->pv_node)
        return false;
    if (bound == BOUND_UPPER) {
        n->upper = *score;
    } else {
        n->lower = n->best = *score;
        n->alpha = *score > n->alpha ? *score : n->alpha;
    }
    return false;
}

bool is_improving(const Node *n)
{
    for (int back = 2; back <= 4; back += 2) {
        const Score before = stack_at(n->ss, -back)->eval;
        if (before != SCORE_NONE)
            return n->eval > before;
    }
    return true;
}

void adjust_depth(Node *n)
{
    if (n->ply == 0 || n->ss->excluded != MOVE_NONE)
        return;
    /* Hindsight. The parent's evaluation is that of the other side. So the sum of both evaluations
     * says how far the evaluation has fallen for the side that moved. */
    const SearchStack *parent = stack_at(n->ss, -1);
    if (!n->in_check && parent->eval != SCORE_NONE && parent->reduction > 0) {
        if (parent->reduction >= params.hindsight_deeper && n->eval <= -parent->eval)
            n->depth++;
        else if (parent->reduction >= params.hindsight_shallower && n->depth >= 2 &&
                 n->eval + parent->eval > params.hindsight_margin)
            n->depth--;
    }
    /* Internal iterative reduction. Without a TT move, or with one from a much shallower search,
     * move ordering is poor, and earlier searches did not need this node much. */
    const bool has_useful_tt_move =
        n->tt_moves[0] != MOVE_NONE &&
        (n->tt_count == 0 || n->tt_entries[0].depth + params.iir_shallower >= n->depth);
    if (n->depth >= params.iir_min_depth && (n->pv_node || n->cut_node) && !has_useful_tt_move)
        n->depth--;
}

bool reverse_futility(Node *n, Score *score)
{
    const bool has_quiet_tt_move = n->tt_moves[0] != MOVE_NONE && !node_tt_move_is_noisy(n);
    const int margin = reverse_futility_margin(n->depth, n->improving, n->cut_node);
    if (n->depth <= params.rfp_max_depth && !n->tt_pv && !score_is_proven(n->beta) &&
        n->estimate - margin >= n->beta && !has_quiet_tt_move) {
        n->w->stats.rfp_cutoffs++;
        *score = (n->estimate + n->beta) / 2;
        return true;
    }
    return false;
}

/* Whether a table entry of at least `depth` has an upper bound below `score`. */
static bool has_upper_bound_below(const Node *n, Score score, int depth)
{
    for (int i = 0; i < n->tt_count; i++) {
        const TtData *entry = &n->tt_entries[i];
        if (entry->bound == BOUND_UPPER && entry->score < score && entry->depth >= depth)
            return true;
    }
    return false;
}

bool null_move_pruning(Node *n, Score *score)
{
    Worker *w = n->w;
    /* Null-move pruning assumes that some move is better than passing. With only king and pawns
     * zugzwang is common, so the side to move must have a piece. */
    const bool is_tried = n->depth >= params.null_min_depth && n->cut_node &&
                          stack_at(n->ss, -1)->move != MOVE_NULL && n->estimate >= n->beta &&
                          n->eval >= n->beta + params.null_margin && !score_is_proven(n->beta) &&
                          pos_has_pieces(n->pos, n->pos->side) && !node_tt_move_is_noisy(n) &&
                          !has_upper_bound_below(n, n->beta, 0);
    if (!is_tried)
        return false;
    w->stats.null_tries++;
    worker_prefetch(w, n->ss, MOVE_NULL);
    const int depth = n->depth - null_move_reduction(n->depth, n->estimate, n->beta);
    worker_play(w, n->ss, MOVE_NULL);
    *score = -pvs(w, stack_at(n->ss, 1), -n->beta, -n->beta + 1, depth, !n->cut_node);
    worker_undo(w);
    if (w->stopped)
        return true;
    if (*score < n->beta)
        return false;
    w->stats.null_cutoffs++;
    if (score_is_proven(*score))
        *score = n->beta;
    return true;
}

/* Searches one noisy move of ProbCut: quiescence first, then the shallow search. */
static Score probcut_capture(Node *n, Move move, Score probcut_beta)
{
    Worker *w = n->w;
    SearchStack *const child = stack_at(n->ss, 1);
    worker_play(w, n->ss, move);
    Score score = -qsearch(w, child, -probcut_beta, -probcut_beta + 1);
    if (score >= probcut_beta && !w->stopped && n->depth > params.probcut_plies)
        score = -pvs(w, child, -probcut_beta, -probcut_beta + 1, n->depth - params.probcut_plies,
                     !n->cut_node);
    worker_undo(w);
    return score;
}

/* Stores the ProbCut result as a lower bound of the shallower depth. */
static void probcut_store(const Node *n, Move move, Score score)
{
    Node proof = *n;
    proof.best = score;
    proof.best_move = move;
    proof.depth = n->depth - params.probcut_plies + 1;
    node_store(&proof);
}

bool probcut(Node *n, Score *score)
{
    const Score probcut_beta =
        n->beta + params.probcut_margin - params.probcut_improving * n->improving;
    const bool is_tried =
        n->depth >= params.probcut_min_depth && n->depth >= params.probcut_plies &&
        !score_is_proven(n->beta) && !score_is_proven(probcut_beta) &&
        !has_upper_bound_below(n, probcut_beta, n->depth - params.probcut_plies + 1);
    if (!is_tried)
        return false;
    const int min_gain = (probcut_beta - n->eval) * params.probcut_see / 100;
    const Move first = node_tt_move_is_noisy(n) && see_ge(n->pos, n->tt_moves[0], min_gain)
                           ? n->tt_moves[0]
                           : MOVE_NONE;
    MovePicker picker;
    pick_init(&picker, n->pos, &n->w->histories, worker_context(n->w, n->ss),
              (Move[2]){first, MOVE_NONE}, true);
    n->w->stats.probcut_tries++;
    for (Move move = pick_next(&picker); move != MOVE_NONE; move = pick_next(&picker)) {
        worker_prefetch(n->w, n->ss, move);
        if (move != first && !see_ge(n->pos, move, min_gain))
            continue;
        const Score found = probcut_capture(n, move, probcut_beta);
        if (n->w->stopped)
            return true;
        if (found >= probcut_beta) {
            n->w->stats.probcut_cutoffs++;
            probcut_store(n, move, found);
            *score = score_is_proven(found) ? found : found - (probcut_beta - n->beta);
            return true;
        }
    }
    return false;
}

/* No extensions beyond twice the depth of the iteration. */
static bool may_extend(const Node *n)
{
    return n->ply < 2 * n->w->root_depth;
}

/* The table entry that makes the TT move a candidate for extension: a lower or exact bound from a
 * search nearly as deep. NULL when there is none. */
static const TtData *singular_entry(const Node *n)
{
    for (int i = 0; i < n->tt_count; i++) {
        const TtData *entry = &n->tt_entries[i];
        if (entry->move == n->tt_moves[0] && entry->move != MOVE_NONE &&
            entry->depth >= n->depth - params.singular_plies &&
            (entry->bound == BOUND_LOWER || entry->bound == BOUND_EXACT) &&
            !score_is_proven(entry->score))
            return entry;
    }
    return NULL;
}

/* Searches the node without its TT move to half the depth. That search uses the same stack entry;
 * afterwards the fields that the children of this node read are restored. */
static Score search_excluding_tt_move(Node *n, Score singular_beta)
{
    SearchStack *const ss = n->ss;
    const bool tt_pv = ss->tt_pv;
    const Score eval = ss->eval;
    const int pv_length = ss->pv_length; // a learned position may have given a move
    ss->excluded = n->tt_moves[0];
    const Score score =
        pvs(n->w, ss, singular_beta - 1, singular_beta, (n->depth - 1) / 2, n->cut_node);
    ss->excluded = MOVE_NONE;
    ss->tt_pv = tt_pv;
    ss->eval = eval;
    ss->pv_length = pv_length;
    return score;
}

bool singular_extension(Node *n, Score *score)
{
    Worker *w = n->w;
    if (n->depth < params.singular_min_depth || n->ss->excluded != MOVE_NONE || !may_extend(n))
        return false;
    const TtData *entry = singular_entry(n);
    if (entry == NULL)
        return false;
    w->stats.singular_tries++;
    const bool is_former_pv = n->tt_pv && !n->pv_node;
    const Score singular_beta =
        entry->score - n->depth * params.singular_margin * (1 + is_former_pv) / SINGULAR_UNIT;
    const Score others_score = search_excluding_tt_move(n, singular_beta);
    if (w->stopped)
        return true;
    if (others_score < singular_beta) {
        const int margin = n->pv_node ? params.double_extension_pv : params.double_extension;
        w->stats.singular_extensions++;
        n->extension = 1 + (others_score < singular_beta - margin);
    } else if (others_score >= n->beta && !n->pv_node && !score_is_proven(others_score)) {
        w->stats.multicuts++;
        *score = others_score;
        return true;
    } else if (entry->score >= n->beta) {
        n->extension = -params.negative_extension + n->pv_node;
    } else if (n->cut_node) {
        n->extension = -params.negative_extension_cut;
    }
    return false;
}

/* The steps that may end the node before its moves are searched. The first two give no result to
 * store, only the evaluation. */
static bool try_pruning(Node *n, Score *score)
{
    if (n->pv_node || n->in_check || n->ss->excluded != MOVE_NONE)
        return false;
    if (!reverse_futility(n, score) && !null_move_pruning(n, score))
        return probcut(n, score);
    if (!n->w->stopped)
        node_store_evaluation(n);
    return true;
}

/* ---- Late-move reductions ---- */

/* The part of the reduction that depends on the first TT entry: less if the entry is at least as
 * deep as this search; more if the entry shows that a former PV node fails low. */
static int reduction_by_table(const Node *n)
{
    if (n->tt_count == 0)
        return 0;
    const TtData *entry = &n->tt_entries[0];
    const bool fails_low = entry->bound == BOUND_UPPER && entry->score <= n->alpha;
    return (n->tt_pv && fails_low) * params.lmr_tt_pv_fail_low -
           (entry->depth >= n->depth) * params.lmr_deep_entry;
}

/* `amount` times the width of the node's window, divided by that of the root's window. */
static int window_share(const Node *n, int amount)
{
    const int width = n->beta - n->alpha, root_width = n->w->root_width;
    return amount * (width < root_width ? width : root_width) / root_width;
}

int node_reduction(const Node *n)
{
    int r = reduction_by_table(n) - abs(n->correction) * params.lmr_correction;
    if (n->pv_node)
        r -= params.lmr_pv + window_share(n, params.lmr_window);
    if (n->tt_pv)
        r -= params.lmr_tt_pv;
    if (n->cut_node)
        r += params.lmr_cut + (n->tt_moves[0] == MOVE_NONE) * params.lmr_cut_no_move;
    if (node_tt_move_is_noisy(n))
        r += params.lmr_noisy_tt_move;
    if (!n->improving)
        r += params.lmr_not_improving;
    return r;
}

int late_move_reduction(const Node *n, const MoveLoop *loop)
{
    int r = loop->node_reduction + base_reduction(loop->quiet, n->depth, loop->number);
    if (loop->gives_check)
        r -= params.lmr_check;
    if (stack_at(n->ss, 1)->fail_highs >= params.lmr_fail_highs_min)
        r += params.lmr_fail_highs;
    r += loop->raises * params.lmr_alpha_raise;
    return r - (loop->quiet ? loop->history * 1024 / params.lmr_history_divisor
                            : loop->history * 1024 / params.lmr_capture_divisor);
}

/* ---- Shallow pruning of single moves ---- */

/* True when even `value`, the assumed maximum of the move, is not above alpha. The node's best
 * score is then at least `value` (fail-soft). */
static bool is_futile(Node *n, Score value)
{
    if (value > n->alpha)
        return false;
    if (value > n->best)
        n->best = value;
    return true;
}

static bool prune_noisy(Node *n, const MoveLoop *loop, int lmr_depth)
{
    if (!n->in_check && !loop->gives_check && lmr_depth <= params.noisy_futility_max_depth) {
        const int victim = see_value[pos_captured(n->pos, loop->move)];
        if (is_futile(n, futility_value_noisy(n->eval, lmr_depth, victim)))
            return true;
    }
    return n->depth <= params.see_max_depth &&
           !see_ge(n->pos, loop->move, see_threshold_noisy(n->depth));
}

/* Late-move pruning and futility, which end the quiet moves. Checks are exempt, because a
 * sacrifice may depend on them. */
static bool ends_quiet_moves(Node *n, const MoveLoop *loop, int lmr_depth)
{
    if (loop->gives_check)
        return false;
    if (n->depth <= params.lmp_max_depth &&
        loop->number >= late_move_count(n->depth, n->improving, n->w->lmp_extra))
        return true;
    return !n->in_check && lmr_depth <= params.futility_max_depth &&
           is_futile(n, futility_value(n->eval, lmr_depth));
}

static bool prune_quiet(Node *n, MoveLoop *loop, int lmr_depth)
{
    if (ends_quiet_moves(n, loop, lmr_depth)) {
        loop->picker.checks_only = &loop->checks;
        return true;
    }
    if (loop->number > 1 && lmr_depth <= params.history_prune_max_depth &&
        loop->history < -params.history_prune_slope * n->depth - params.history_prune_offset)
        return true;
    return lmr_depth <= params.see_max_depth &&
           !see_ge(n->pos, loop->move, see_threshold_quiet(lmr_depth));
}

bool prune_move(Node *n, MoveLoop *loop)
{
    if (n->ply == 0 || score_is_loss(n->best) || !pos_has_pieces(n->pos, n->pos->side))
        return false;
    const int reduced = n->depth - 1 - loop->reduction / 1024;
    const int lmr_depth = reduced > 0 ? reduced : 0;
    return loop->quiet ? prune_quiet(n, loop, lmr_depth) : prune_noisy(n, loop, lmr_depth);
}

/* ---- One move ---- */

/* Searches a late move again, to full depth, because it beat alpha at reduced depth. One ply deeper
 * if its score is far above the best score, one ply shallower if it is close. The result updates
 * the continuation histories. */
static Score re_search(Node *n, const MoveLoop *loop, Score score, int reduced_depth)
{
    Worker *w = n->w;
    const int depth = n->depth - 1 + loop->extension + (score > n->best + params.lmr_deeper) -
                      (score < n->best + params.lmr_shallower);
    if (depth <= reduced_depth)
        return score;
    w->stats.lmr_researches++;
    score = -pvs(w, stack_at(n->ss, 1), -n->alpha - 1, -n->alpha, depth, !n->cut_node);
    if (loop->quiet && !w->stopped && (score <= n->alpha || score >= n->beta)) {
        const int bonus = history_bonus(n->depth) * params.history_research_share / 100;
        history_update_continuation(&w->histories, n->pos, &loop->picker.context, loop->move,
                                    score >= n->beta ? bonus : -bonus);
    }
    return score;
}

/* Null-window search of a move: a late move at reduced depth and, if it beats alpha, again at full
 * depth; any other move at full depth. */
static Score search_null_window(Node *n, const MoveLoop *loop)
{
    Worker *w = n->w;
    SearchStack *const child = stack_at(n->ss, 1);
    const int full = n->depth - 1 + loop->extension;
    const int after_reduction = full - (loop->reduction + 512) / 1024;
    const int reduced = after_reduction < 1 ? 1 : after_reduction;
    if (n->depth < params.lmr_min_depth || loop->number < 2 || reduced >= full)
        return -pvs(w, child, -n->alpha - 1, -n->alpha, full, !n->cut_node);

    w->stats.lmr_tries++;
    n->ss->reduction = full - reduced;
    const Score score = -pvs(w, child, -n->alpha - 1, -n->alpha, reduced, true);
    n->ss->reduction = 0;
    return score <= n->alpha || w->stopped ? score : re_search(n, loop, score, reduced);
}

/* Depth of the open-window search. The TT move of a PV node at the horizon gets one ply, so that
 * the principal variation does not end in quiescence. */
static int open_window_depth(const Node *n, const MoveLoop *loop)
{
    const int depth = n->depth - 1 + loop->extension, iteration = n->w->root_depth;
    const bool keeps_pv = loop->move == n->tt_moves[0] && n->tt_count > 0 &&
                          n->tt_entries[0].depth > 1 && iteration >= params.keep_pv_min_iteration &&
                          n->ply < 2 * iteration;
    return depth < 1 && keeps_pv ? 1 : depth;
}

Score search_move(Node *n, MoveLoop *loop)
{
    Worker *w = n->w;
    Score score = SCORE_NONE;
    worker_play(w, n->ss, loop->move);
    if (!n->pv_node || loop->number > 1)
        score = search_null_window(n, loop);
    if (n->pv_node && !w->stopped && (loop->number == 1 || score > n->alpha))
        score = -pvs(w, stack_at(n->ss, 1), -n->beta, -n->alpha, open_window_depth(n, loop), false);
    worker_undo(w);
    return score;
}

/* ---- The root ---- */

/* Records the result of a root move. A late move that did not beat alpha has no known score. */
static void update_root_move(Node *n, const MoveLoop *loop, Score score, uint64_t nodes)
{
    Worker *w = n->w;
    RootMove *root = &w->root_moves[loop->root_next - 1];
    assert(root->move == loop->move);
    if (w->pv_index == 0)
        root->nodes += nodes;
    if (loop->number > 1 && score <= n->alpha) {
        /* An earlier aspiration window of this iteration may have set score and PV: keep that score
         * as the previous one, since it belongs to the PV. */
        if (root->score != -SCORE_INF)
            root->previous = root->score;
        root->score = -SCORE_INF;
        return;
    }
    const SearchStack *child = stack_at(n->ss, 1);
    root->score = score;
    root->depth = w->root_depth;
    root->average = root->average == SCORE_NONE ? score : (root->average + score) / 2;
    root->bound = score >= n->beta ? BOUND_LOWER : score <= n->alpha ? BOUND_UPPER : BOUND_EXACT;
    root->seldepth = w->seldepth;
    root->pv_length = child->pv_length + 1;
    for (int i = 0; i < child->pv_length; i++)
        root->pv[i + 1] = child->pv[i];
}

/* In long searches the main worker reports each root move before it searches it (`currmove`). */
static void report_root_move(const Node *n, const MoveLoop *loop)
{
    const Worker *w = n->w;
    const SearchJob *job = w->shared->job;
    if (w->index != 0 || job->report == NULL || worker_nodes(w) < REPORT_MOVE_AFTER_NODES)
        return;
    const Report report = {.kind = REPORT_MOVE,
                           .depth = w->root_depth,
                           .move = loop->move,
                           .move_number = w->pv_index + loop->number};
    job->report(job->ctx, &report);
}

static Score search_root_move(Node *n, MoveLoop *loop)
{
    Worker *w = n->w;
    report_root_move(n, loop);
    const uint64_t before = worker_nodes(w);
    const Score score = search_move(n, loop);
    if (!w->stopped) {
        update_root_move(n, loop, score, worker_nodes(w) - before);
        w->may_stop = true;
    }
    return score;
}

/* ---- The move loop ---- */

/* The statistics show how good the move ordering is. A singular search leaves out the TT move,
 * which the ordering puts first, so it is not counted. */
static void count_fail_high(const Node *n, const MoveLoop *loop)
{
    SearchStats *stats = &n->w->stats;
    if (n->ss->excluded != MOVE_NONE)
        return;
    stats->fail_highs++;
    stats->first_fail_highs += loop->number == 1;
    stats->third_fail_highs += loop->number <= 3;
    stats->second_move_cutoffs += loop->move == n->tt_moves[1];
}

static void update_on_fail_high(Node *n, const MoveLoop *loop)
{
    n->ss->fail_highs++;
    count_fail_high(n, loop);
    history_update_on_cutoff(&n->w->histories, n->pos, &loop->picker.context, loop->move,
                             &loop->tried, n->depth);
}

bool update_best(Node *n, MoveLoop *loop, Score score)
{
    if (score > n->best)
        n->best = score;
    if (score > n->alpha) {
        n->best_move = loop->move;
        if (n->pv_node)
            stack_update_pv(n->ss, loop->move);
        if (score >= n->beta) {
            update_on_fail_high(n, loop);
            return true;
        }
        n->alpha = score;
        loop->raises++;
        /* The other moves must now beat a better move, which is less likely: search them one ply
         * less deep. The node is then stored with that depth. */
        if (n->depth >= params.alpha_raise_min_depth && n->depth <= params.alpha_raise_max_depth &&
            !score_is_proven(score))
            n->depth -= params.alpha_raise_reduction;
    }
    tried_add(&loop->tried, loop->quiet, loop->move);
    return false;
}

static void begin_moves(Node *n, MoveLoop *loop)
{
    loop->tried.quiet.count = loop->tried.noisy.count = 0;
    loop->number = loop->raises = 0;
    loop->is_forced = params.one_reply_extension && n->in_check && n->ply > 0 && may_extend(n) &&
                      gen_count(n->pos) == 1;
    loop->root_next = n->w->pv_index;
    stack_at(n->ss, 2)->fail_highs = 0;
    if (n->ply == 0)
        stack_at(n->ss, 1)->fail_highs = 0; // the root has no parent that resets it
    pick_init(&loop->picker, n->pos, &n->w->histories, worker_context(n->w, n->ss), n->tt_moves,
              false);
    loop->has_checks = false;
    loop->reduction = 0;
    loop->node_reduction = node_reduction(n);
}

/* The next move: from the picker, or at the root from the list of root moves. At the root the loop
 * ends at the first move of a lower tablebase rank, because such a move cannot be the best one of
 * this line. */
static Move next_move(const Node *n, MoveLoop *loop)
{
    if (n->ply > 0)
        return pick_next(&loop->picker);
    const Worker *const w = n->w;
    const RootMove *const root = &w->root_moves[loop->root_next];
    const bool is_of_line =
        loop->root_next < w->root_move_count && root->rank == w->root_moves[w->pv_index].rank;
    loop->root_next += is_of_line;
    return is_of_line ? root->move : MOVE_NONE;
}

/* Determines what pruning and reduction of the move depend on. */
static void rate_move(const Node *n, MoveLoop *loop)
{
    const Histories *const histories = &n->w->histories;
    if (!loop->has_checks)
        pos_find_check_squares(&loop->checks, n->pos);
    loop->has_checks = true;
    loop->gives_check = pos_gives_check_fast(&loop->checks, n->pos, loop->move);
    loop->history = loop->quiet
                        ? history_quiet(histories, n->pos, &loop->picker.context, loop->move)
                        : history_noisy(histories, n->pos, loop->move);
    loop->reduction = late_move_reduction(n, loop);
}

/* Extension of the loop's move in plies: for the TT move the result of the singular search, unless
 * that is 0; else one ply for the only legal move out of check. */
static int move_extension(const Node *n, const MoveLoop *loop)
{
    if (loop->move == n->tt_moves[0] && n->extension != 0)
        return n->extension;
    return loop->is_forced;
}

/* Searches the moves until one fails high. False when the search must stop. */
static bool search_moves(Node *n)
{
    Worker *w = n->w;
    MoveLoop loop; // large: begin_moves() sets what a node needs, the loop the rest
    begin_moves(n, &loop);
    for (loop.move = next_move(n, &loop); loop.move != MOVE_NONE; loop.move = next_move(n, &loop)) {
        if (loop.move == n->ss->excluded)
            continue;
        /* Also the slot of the TT move, which pvs() has prefetched: null move and ProbCut may have
         * displaced it, and pvs() did not know a learned move. */
        worker_prefetch(w, n->ss, loop.move);
        loop.number++;
        loop.quiet = !pos_is_noisy(n->pos, loop.move);
        if (loop.number > 1 || !score_is_loss(n->best)) { // else neither pruned nor reduced
            rate_move(n, &loop);
            if (prune_move(n, &loop))
                continue;
        }

        loop.extension = move_extension(n, &loop);
        w->stats.second_moves += n->ss->excluded == MOVE_NONE && loop.move == n->tt_moves[1];
        const Score score = n->ply == 0 ? search_root_move(n, &loop) : search_move(n, &loop);
        if (w->stopped)
            return false;
        if (update_best(n, &loop, score))
            return true;
    }
    if (loop.number == 0) {
        n->is_stalemate = !n->in_check && n->ss->excluded == MOVE_NONE;
        n->best = n->ss->excluded != MOVE_NONE ? n->alpha
                  : n->in_check                ? score_mated_in(n->ply)
                                               : SCORE_DRAW;
    }
    return true;
}

/* ---- After the moves ---- */

/* If no move raises alpha, the parent's move was good, and this node may get on a PV later. So it
 * inherits the PV flag of its parent: later searches then reduce its moves less. */
static void inherit_pv(Node *n)
{
    if (n->best_move == MOVE_NONE && n->ply > 0 && n->depth >= params.inherit_pv_min_depth)
        n->tt_pv |= stack_at(n->ss, -1)->tt_pv;
}

/* If no move raises alpha, the parent's quiet move was good: it gets a bonus. */
static void reward_parent_move(const Node *n)
{
    const SearchStack *const parent = stack_quiet_parent(n->ss);
    if (n->best_move != MOVE_NONE || parent == NULL)
        return;
    const HistoryContext context = worker_context(n->w, stack_at(n->ss, -1));
    history_update_quiet(&n->w->histories, &parent->pos, &context, parent->move,
                         history_parent_bonus(n->depth));
}

void soften_fail_high(Node *n)
{
    if (params.soften_fail_high && n->ply > 0 && n->best >= n->beta && !score_is_proven(n->best) &&
        !score_is_proven(n->beta))
        n->best = (n->best * n->depth + n->beta) / (n->depth + 1);
}

/* Stores the result; at the root only that of the best line among all moves, and only if it would
 * be the same in another game. */
static void store_result(const Node *n)
{
    const Worker *w = n->w;
    const bool is_general =
        w->pv_index == 0 && !w->shared->job->limits.has_search_moves && !w->has_repeated;
    if (n->ply > 0 || is_general) {
        node_store(n);
        node_update_correction(n);
    }
}

/* ---- The node ---- */

/* Tablebases and learned positions. Rarely in use, hence the branch hints. */
static bool probe_knowledge(Node *n, Score *score)
{
    const Worker *w = n->w;
    if (n->ply == 0 || n->ss->excluded != MOVE_NONE)
        return false;
    return (__builtin_expect(w->probes_tablebases, false) && probe_tablebases(n, score)) ||
           (__builtin_expect(w->shared->learned != NULL, false) && probe_learned(n, score));
}

Score pvs(Worker *w, SearchStack *ss, Score alpha, Score beta, int depth, bool cut_node)
{
    /* Step 1. At the horizon, quiescence search. */
    if (depth <= 0)
        return qsearch(w, ss, alpha, beta);

    Node n = node_enter(w, ss, alpha, beta, depth < MAX_DEPTH ? depth : MAX_DEPTH);
    const bool is_root = n.ply == 0;
    Score score;
    n.cut_node = cut_node;
    if (is_root)
        w->root_width = beta - alpha;
    assert(!(n.pv_node && n.cut_node));
    ss->pv_length = 0;
    if (n.pv_node && n.ply >= w->seldepth)
        w->seldepth = n.ply + 1;

    /* Step 2. Stop flag, draws, mate-distance pruning, upcoming repetition. */
    if (!is_root && node_is_over(&n, &score))
        return score;

    /* Step 3. Transposition table. */
    node_probe_table(&n);
    if (!is_root && node_table_cutoff(&n, &score))
        return score;

    /* The TT move is searched first: its slot arrives during the next steps. */
    if (n.tt_moves[0] != MOVE_NONE)
        worker_prefetch(w, ss, n.tt_moves[0]);

    /* Step 4. Tablebases and learned positions. */
    if (probe_knowledge(&n, &score))
        return score;

    /* Step 5. Static evaluation; the depth by hindsight and internal iterative reduction. */
    node_evaluate(&n);
    n.improving = !n.in_check && is_improving(&n);
    adjust_depth(&n);

    /* Step 6. Reverse futility, null move, ProbCut. */
    if (!is_root && try_pruning(&n, &score))
        return score;

    /* Step 7. Singular extension of the TT move. */
    if (!is_root && singular_extension(&n, &score))
        return score;

    /* Step 8. All moves: shallow pruning, late-move reductions, PVS. */
    if (!search_moves(&n))
        return SCORE_DRAW;

    /* Step 9. The result: cap it, update the histories, store it. */
    node_cap_result(&n);
    assert(-SCORE_INF < n.best && n.best < SCORE_INF);
    if (ss->excluded != MOVE_NONE)
        return n.best;
    inherit_pv(&n);
    if (is_root)
        w->root_searched_depth = n.depth;
    /* The draw is exact, and says nothing about the evaluation or about the parent's move. */
    if (n.is_stalemate) {
        node_store(&n);
        return n.best;
    }
    reward_parent_move(&n);
    soften_fail_high(&n);
    store_result(&n);
    return node_result(&n);
}
