// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/node.h"

#include <assert.h>

#include "chess/movegen.h"
#include "eval/eval.h"
#include "search/params.h"

enum { PROVEN_DEPTH = 6 }; // plies that an answer of the tablebases is worth beyond those wanted

/* The measure of subtrees: nodes, and under BigAll those that answers of the table once cost. */
static uint64_t nodes_counted(const Worker *w)
{
    return worker_nodes(w) + w->stats.tt.nodes_saved;
}

Node node_enter(Worker *w, int ply, Score alpha, Score beta, int depth)
{
    assert(-SCORE_INF <= alpha && alpha < beta && beta <= SCORE_INF);
    Ply *at = worker_ply(w, ply);
    return (Node){
        .w = w,
        .at = at,
        .pos = &at->pos,
        .ply = ply,
        .depth = depth,
        .alpha = alpha,
        .beta = beta,
        .pv = beta - alpha > 1,
        .in_check = pos_in_check(&at->pos),
        .raw = SCORE_NONE,
        .eval = SCORE_NONE,
        .estimate = SCORE_NONE,
        .best = -SCORE_INF,
        .low = -SCORE_INF,
        .high = SCORE_INF,
        .floor = -SCORE_INF,
        .first_node = nodes_counted(w),
    };
}

bool node_is_over(Node *n, Score *score)
{
    Worker *w = n->w;
    *score = SCORE_DRAW;
    if (worker_must_stop(w))
        return true;
    if (worker_is_draw(w, n->ply)) {
        *score = worker_draw(w);
        return true;
    }
    if (n->ply >= MAX_PLY) {
        *score = n->in_check ? SCORE_DRAW : eval_raw(&w->evaluator, n->pos, n->ply);
        return true;
    }
    /* Even a mate on the next move would be longer than one already found: the window closes
     * (mate-distance pruning). */
    if (n->alpha < score_mated_in(n->ply))
        n->alpha = score_mated_in(n->ply);
    if (n->beta > score_mate_in(n->ply + 1))
        n->beta = score_mate_in(n->ply + 1);
    *score = n->alpha;
    if (n->alpha >= n->beta)
        return true;
    /* The side to move can repeat if it likes: it has at least a draw. */
    if (n->alpha < SCORE_DRAW && path_upcoming_repetition(&w->path, n->pos, n->ply)) {
        *score = n->floor = worker_draw(w);
        if (*score >= n->beta)
            return true;
        if (*score > n->alpha)
            n->alpha = *score;
    }
    return false;
}

void node_probe(Node *n)
{
    Worker *w = n->w;
    TtData found[2];
    const SearchPoint point = {n->ply, n->pos->rule50};
    const int count = tt_probe(w->shared->tt, n->pos->key, point, found, &w->stats.tt);
    n->was_pv = n->pv;
    for (int i = 0; i < count; i++) {
        const Move move = found[i].move;
        if (move != MOVE_NONE && !gen_is_legal(n->pos, move)) {
            w->stats.tt.type1_errors++;
            continue;
        }
        n->table[n->table_count++] = found[i];
        n->was_pv |= found[i].was_pv;
        if (move == MOVE_NONE || move == n->hash[0])
            continue;
        if (n->hash[0] == MOVE_NONE)
            n->hash[0] = move;
        else
            n->hash[1] = move;
    }
    n->at->was_pv = n->was_pv;
}

/* True when a score with this bound is outside the window (alpha, beta) for certain, or exact. */
static bool bound_settles(const TtData *entry, Score alpha, Score beta)
{
    switch (entry->bound) {
    case BOUND_EXACT: return true;
    case BOUND_LOWER: return entry->score >= beta;
    case BOUND_UPPER: return entry->score <= alpha;
    default: return false;
    }
}

/* Counts a node that `entry` answers for all the nodes of that answer (Breuker et al. 1994,
 * BigAll); one it counts for anyway. What stands for a tree larger than any search is not told
 * apart, so that the sums cannot overflow. */
static void count_answer(Node *n, const TtData *entry)
{
    const uint64_t most = UINT64_C(1) << 40;
    n->w->stats.tt.nodes_saved += (entry->nodes < most ? entry->nodes : most) - 1;
}

/* A quiet move that the table says fails high is rewarded as if it had been searched. */
static void learn_from_answer(Node *n, Move move)
{
    if (move == MOVE_NONE || pos_is_noisy(n->pos, move))
        return;
    node_map_threats(n);
    const HistoryContext context = worker_context(n->w, n->ply);
    history_teach(&n->w->histories, n->pos, &context, move,
                  history_bonus(n->depth) * params.history_table_share / 100);
}

bool node_table_cutoff(Node *n, Score *score)
{
    if (n->pv || n->pos->rule50 >= params.table_rule50_max || n->at->excluded != MOVE_NONE)
        return false;
    for (int i = 0; i < n->table_count; i++) {
        const TtData *entry = &n->table[i];
        const bool is_expected =
            n->depth <= params.table_any_type_depth || n->cut || entry->score <= n->alpha;
        if (entry->depth >= n->depth && is_expected && bound_settles(entry, n->alpha, n->beta)) {
            n->w->stats.tt.cutoffs[entry->bound]++;
            if (n->w->shared->tt->replacement == REPLACE_BIG_ALL)
                count_answer(n, entry);
            if (entry->score >= n->beta && n->depth > 0)
                learn_from_answer(n, entry->move);
            *score = entry->score;
            return true;
        }
    }
    return false;
}

/* Puts a move that was learned among those to be tried first: before those of the table when it was
 * searched deeper. */
static void offer_recalled(Node *n, const LearnedEntry *entry)
{
    const bool is_first = n->table_count == 0 || entry->depth > n->table[0].depth;
    if (entry->move == n->hash[0] || (!is_first && n->hash[0] != MOVE_NONE)) {
        if (entry->move != n->hash[0] && n->hash[1] == MOVE_NONE)
            n->hash[1] = entry->move;
        return;
    }
    n->hash[1] = n->hash[0];
    n->hash[0] = entry->move;
}

/* What a memo says of the node's score. A mate is told to a PV node as the best or worst score that
 * is none, since the line to it is not at hand. */
static LearnedBounds recalled_window(const Node *n, const LearnedEntry *entry)
{
    const LearnedTable *learned = n->w->shared->learned;
    const Score score = score_from_table(entry->score, n->ply, n->pos->rule50);
    const LearnedBounds window = learned_bounds(learned->policy, learned->fuzz, score);
    return n->pv ? (LearnedBounds){score_clamp_eval(window.low), score_clamp_eval(window.high)}
                 : window;
}

/* Takes the window as what is known of the node: true when that settles it, its score in `*score`.
 * A PV node whose score is known but for a few units is searched within these. Its line, should no
 * move turn out better, is the move that was learned. */
static bool take_window(Node *n, LearnedBounds known, Move move, Score *score)
{
    const bool settles = known.low >= n->beta || known.high <= n->alpha || known.low == known.high;
    *score = known.low >= n->beta ? known.low : known.high;
    if (!n->pv)
        return settles;
    n->at->pv[0] = move;
    n->at->pv_length = 1;
    n->high = known.high;
    if (!settles && known.low > n->alpha)
        n->low = n->best = n->alpha = known.low;
    return settles;
}

__attribute__((noinline)) bool probe_learned(Node *n, Score *score)
{
    const LearnedTable *learned = n->w->shared->learned;
    const LearnedEntry *entry =
        n->depth >= LEARNED_DEPTH_MIN ? learned_table_find(learned, n->pos->key) : NULL;
    if (entry == NULL || !gen_is_legal(n->pos, entry->move))
        return false;
    n->w->stats.learned_hits++;
    offer_recalled(n, entry);
    const bool is_bounded = n->low > -SCORE_INF || n->high < SCORE_INF; // by the tablebases
    if (entry->score == SCORE_NONE || entry->network != learned->network ||
        entry->depth < n->depth || n->pos->rule50 >= LEARNED_RULE50_MAX || is_bounded ||
        !take_window(n, recalled_window(n, entry), entry->move, score))
        return false;
    n->w->stats.learned_cutoffs++;
    return true;
}

/* A table score says more than the static evaluation when its bound points beyond it. */
static Score better_estimate(const Node *n)
{
    Score estimate = n->eval;
    for (int i = n->table_count - 1; i >= 0; i--) {
        const TtData *entry = &n->table[i];
        if (entry->bound == BOUND_NONE || score_is_proven(entry->score))
            continue;
        if (entry->bound == BOUND_EXACT ||
            (entry->bound == BOUND_LOWER && entry->score > estimate) ||
            (entry->bound == BOUND_UPPER && entry->score < estimate))
            estimate = entry->score;
    }
    return estimate;
}

/* A quiet move that raised its side's evaluation is worth trying elsewhere. */
static void teach_by_evaluation(Node *n)
{
    const Ply *const parent = worker_quiet_parent(n->w, n->ply);
    if (parent == NULL || parent->eval == SCORE_NONE || n->at->excluded != MOVE_NONE)
        return;
    history_nudge(&n->w->histories, &parent->pos, parent->threats, parent->move,
                  history_eval_bonus(-n->eval - parent->eval));
}

void node_evaluate(Node *n)
{
    n->at->eval = SCORE_NONE;
    if (n->in_check)
        return;
    for (int i = 0; i < n->table_count && n->raw == SCORE_NONE; i++)
        n->raw = n->table[i].eval;
    if (n->raw == SCORE_NONE) {
        n->raw = eval_raw(&n->w->evaluator, n->pos, n->ply);
        const TtData fresh = {.score = SCORE_NONE, .eval = n->raw, .was_pv = n->was_pv};
        tt_store(n->w->shared->tt, n->pos->key, (SearchPoint){n->ply, n->pos->rule50}, &fresh,
                 &n->w->stats.tt);
    }
    n->correction = correction_of(&n->w->corrections, worker_correction_point(n->w, n->ply));
    n->eval = n->at->eval =
        score_clamp_eval(eval_scale_rule50(n->raw, n->pos->rule50) + n->correction);
    n->estimate = better_estimate(n);
    teach_by_evaluation(n);
}

/* What the result says of the true score. */
static Bound node_bound(const Node *n)
{
    if (n->best >= n->beta)
        return BOUND_LOWER;
    /* No move did better than what is known: then that is the score. */
    const bool is_known = n->best == n->low;
    return n->best_move != MOVE_NONE || is_known ? BOUND_EXACT : BOUND_UPPER;
}

void node_correct(const Node *n)
{
    if (n->in_check || (n->best_move != MOVE_NONE && pos_is_noisy(n->pos, n->best_move)))
        return;
    const Bound bound = node_bound(n);
    if ((bound == BOUND_LOWER && n->best <= n->eval) ||
        (bound == BOUND_UPPER && n->best >= n->eval) || score_is_proven(n->best))
        return;
    correction_learn(&n->w->corrections, worker_correction_point(n->w, n->ply), n->best - n->eval,
                     n->depth);
}

void node_store_proven(const Node *n, Score score, Bound bound)
{
    const int deeper = n->depth + PROVEN_DEPTH;
    const TtData data = {.score = score,
                         .eval = SCORE_NONE,
                         .depth = deeper < MAX_DEPTH ? deeper : MAX_DEPTH,
                         .bound = bound,
                         .was_pv = n->was_pv,
                         .nodes = 1};
    tt_store(n->w->shared->tt, n->pos->key, (SearchPoint){n->ply, n->pos->rule50}, &data,
             &n->w->stats.tt);
}

void node_store(const Node *n)
{
    assert(!n->w->stopped && n->at->excluded == MOVE_NONE);
    const TtData data = {.move = n->best_move,
                         .score = n->best,
                         .eval = n->raw,
                         .depth = n->depth,
                         .bound = node_bound(n),
                         .was_pv = n->was_pv,
                         .nodes = nodes_counted(n->w) - n->first_node + 1};
    tt_store(n->w->shared->tt, n->pos->key, (SearchPoint){n->ply, n->pos->rule50}, &data,
             &n->w->stats.tt);
}
