// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/node.h"

#include <assert.h>

#include "chess/movegen.h"
#include "eval/eval.h"
#include "search/params.h"

/* Node count that measures subtrees. Under the scheme BigAll it includes the nodes that table
 * cutoffs saved. */
static uint64_t nodes_counted(const Worker *w)
{
    return worker_nodes(w) + w->stats.tt.nodes_saved;
}

Node node_enter(Worker *w, SearchStack *ss, Score alpha, Score beta, int depth)
{
    assert(-SCORE_INF <= alpha && alpha < beta && beta <= SCORE_INF);
    /* Set field by field: tt_entries, the largest field, stays unset until the table is read. */
    Node n;
    n.w = w;
    n.ss = ss;
    n.pos = &ss->pos;
    n.ply = ss->ply;
    n.depth = depth;
    n.alpha = alpha;
    n.beta = beta;
    n.pv_node = beta - alpha > 1;
    n.in_check = pos_in_check(&ss->pos);
    n.is_stalemate = n.cut_node = n.improving = n.tt_pv = n.is_eval_new = false;
    n.tt_count = n.extension = 0;
    n.tt_moves[0] = n.tt_moves[1] = n.best_move = MOVE_NONE;
    n.raw_eval = n.eval = n.estimate = SCORE_NONE;
    n.correction = 0;
    n.best = n.lower = n.draw_floor = -SCORE_INF;
    n.upper = SCORE_INF;
    n.nodes_on_entry = nodes_counted(w);
    return n;
}

bool node_is_over(Node *n, Score *score)
{
    Worker *w = n->w;
    *score = SCORE_DRAW;
    if (worker_must_stop(w))
        return true;
    if (worker_is_draw(w, n->ss)) {
        *score = worker_draw_score(w);
        return true;
    }
    if (n->ply >= MAX_PLY) {
        *score = n->in_check ? SCORE_DRAW : eval_raw(&w->evaluator, n->pos, n->ply);
        return true;
    }
    /* Mate-distance pruning: no result from here can beat a shorter mate already found. */
    if (n->alpha < score_mated_in(n->ply))
        n->alpha = score_mated_in(n->ply);
    if (n->beta > score_mate_in(n->ply + 1))
        n->beta = score_mate_in(n->ply + 1);
    *score = n->alpha;
    if (n->alpha >= n->beta)
        return true;
    /* The side to move can force a repetition: it has at least a draw. */
    if (n->alpha < SCORE_DRAW && path_upcoming_repetition(&w->path, n->pos, n->ply)) {
        *score = n->draw_floor = worker_draw_score(w);
        if (*score >= n->beta)
            return true;
        if (*score > n->alpha)
            n->alpha = *score;
    }
    return false;
}

/* Accepts probed entry `index`: it becomes the node's next entry, and its move a TT move. */
static void accept_entry(Node *n, int index)
{
    if (n->tt_count < index) // an entry before it was a type-1 error
        n->tt_entries[n->tt_count] = n->tt_entries[index];
    const TtData *entry = &n->tt_entries[n->tt_count++];
    n->tt_pv |= entry->was_pv;
    if (entry->move == MOVE_NONE || entry->move == n->tt_moves[0])
        return;
    if (n->tt_moves[0] == MOVE_NONE)
        n->tt_moves[0] = entry->move;
    else
        n->tt_moves[1] = entry->move;
}

/* The static evaluation in the accepted entries; SCORE_NONE when there is none. */
static Score stored_eval(const Node *n)
{
    for (int i = 0; i < n->tt_count; i++)
        if (n->tt_entries[i].eval != SCORE_NONE)
            return n->tt_entries[i].eval;
    return SCORE_NONE;
}

void node_probe_table(Node *n)
{
    Worker *w = n->w;
    const SearchPoint point = {n->ply, n->pos->rule50};
    const int count =
        tt_probe(w->shared->tt, table_key(n->pos), point, n->tt_entries, &w->stats.tt);
    n->tt_pv = n->pv_node;
    for (int i = 0; i < count; i++) {
        const Move move = n->tt_entries[i].move;
        if (move == MOVE_NONE || move == n->tt_moves[0] || gen_is_legal(n->pos, move))
            accept_entry(n, i);
        else
            w->stats.tt.type1_errors++;
    }
    n->ss->tt_pv = n->tt_pv;
    if (n->in_check)
        return;
    n->raw_eval = stored_eval(n);
    n->is_eval_new = n->raw_eval == SCORE_NONE;
    if (n->is_eval_new)
        n->raw_eval = eval_raw(&w->evaluator, n->pos, n->ply);
}

/* True when the entry is exact or its bound lies outside the window (alpha, beta). */
static bool gives_cutoff(const TtData *entry, Score alpha, Score beta)
{
    switch (entry->bound) {
    case BOUND_EXACT: return true;
    case BOUND_LOWER: return entry->score >= beta;
    case BOUND_UPPER: return entry->score <= alpha;
    default: return false;
    }
}

/* Adds the size of the entry's subtree to the saved nodes (BigAll, Breuker et al. 1994), minus one,
 * because this node is counted anyway. Sizes are clamped at 2^28, so that the sum overflows only
 * after 2^36 such cutoffs. */
static void count_saved_nodes(Node *n, const TtData *entry)
{
    const uint64_t max = UINT64_C(1) << 28;
    n->w->stats.tt.nodes_saved += (entry->nodes < max ? entry->nodes : max) - 1;
}

/* A quiet TT move whose entry causes a cutoff gets a part of the bonus of a searched move. */
static void reward_tt_move(Node *n, Move move)
{
    if (move == MOVE_NONE || pos_is_noisy(n->pos, move))
        return;
    const HistoryContext context = worker_context(n->w, n->ss);
    history_update_quiet(&n->w->histories, n->pos, &context, move,
                         history_bonus(n->depth) * params.history_tt_cutoff_share / 100);
}

/* Out of line: only the laboratory has a judge. */
__attribute__((noinline)) static bool is_accepted(const Node *n, const TtData *entry)
{
    const CutoffJudge *const judge = n->w->shared->judge;
    return judge->accepts(judge->ctx, n, entry);
}

bool node_table_cutoff(Node *n, Score *score)
{
    if (n->pv_node || n->pos->rule50 >= params.tt_cutoff_rule50_max || n->ss->excluded != MOVE_NONE)
        return false;
    for (int i = 0; i < n->tt_count; i++) {
        const TtData *entry = &n->tt_entries[i];
        if (entry->depth >= n->depth && gives_cutoff(entry, n->alpha, n->beta)) {
            if (__builtin_expect(n->w->shared->judge != NULL, false) && !is_accepted(n, entry))
                return false;
            n->w->stats.tt.cutoffs[entry->bound]++;
            if (n->w->shared->tt->replacement == REPLACE_BIG_ALL)
                count_saved_nodes(n, entry);
            if (entry->score >= n->beta && n->depth > 0)
                reward_tt_move(n, entry->move);
            *score = node_at_least_draw(n, entry->score);
            return true;
        }
    }
    return false;
}

/* Adds a learned move to the TT moves. It becomes the first if it comes from a deeper search than
 * the table entry, or if there is no TT move; otherwise the second, if there is none yet. */
static void add_learned_move(Node *n, const LearnedEntry *entry)
{
    const bool is_first = n->tt_count == 0 || entry->depth > n->tt_entries[0].depth;
    if (entry->move == n->tt_moves[0] || (!is_first && n->tt_moves[0] != MOVE_NONE)) {
        if (entry->move != n->tt_moves[0] && n->tt_moves[1] == MOVE_NONE)
            n->tt_moves[1] = entry->move;
        return;
    }
    n->tt_moves[1] = n->tt_moves[0];
    n->tt_moves[0] = entry->move;
}

/* The bounds that the learned position gives for the node's score. At a PV node they are clamped to
 * the range of evaluations, because the line to a mate is unknown. */
static LearnedBounds learned_score_bounds(const Node *n, const LearnedEntry *entry)
{
    const LearnedTable *learned = n->w->shared->learned;
    const Score score = score_from_table(entry->score, n->ply, n->pos->rule50);
    const LearnedBounds bounds = learned_bounds(learned->policy, learned->fuzz, score);
    return n->pv_node ? (LearnedBounds){score_clamp_eval(bounds.low), score_clamp_eval(bounds.high)}
                      : bounds;
}

/* Applies the bounds to the node. True when they give a cutoff or an exact score, in `*score`.
 * Otherwise the window of a PV node shrinks to them, and the learned move is the node's principal
 * variation until another move beats it. */
static bool apply_learned_bounds(Node *n, LearnedBounds bounds, Move move, Score *score)
{
    const bool is_cutoff =
        bounds.low >= n->beta || bounds.high <= n->alpha || bounds.low == bounds.high;
    *score = bounds.low >= n->beta ? bounds.low : bounds.high;
    if (!n->pv_node)
        return is_cutoff;
    n->ss->pv[0] = move;
    n->ss->pv_length = 1;
    n->upper = bounds.high;
    if (!is_cutoff && bounds.low > n->alpha)
        n->lower = n->best = n->alpha = bounds.low;
    return is_cutoff;
}

__attribute__((noinline)) bool probe_learned(Node *n, Score *score)
{
    const LearnedTable *learned = n->w->shared->learned;
    const LearnedEntry *entry =
        n->depth >= LEARNED_DEPTH_MIN ? learned_table_find(learned, n->pos->key) : NULL;
    if (entry == NULL || !gen_is_legal(n->pos, entry->move))
        return false;
    n->w->stats.learned_hits++;
    add_learned_move(n, entry);
    const bool is_bounded = n->lower > -SCORE_INF || n->upper < SCORE_INF; // by tablebases
    if (is_bounded || !learned_score_is_usable(learned, entry, n->depth, n->ply, n->pos->rule50) ||
        !apply_learned_bounds(n, learned_score_bounds(n, entry), entry->move, score))
        return false;
    n->w->stats.learned_cutoffs++;
    if (*score < n->draw_floor) { // the learned line is worse than a repetition
        *score = n->draw_floor;
        n->ss->pv_length = 0;
    }
    return true;
}

/* The static evaluation refined by the table (Node.estimate). */
static Score refine_eval(const Node *n)
{
    Score estimate = n->eval;
    for (int i = n->tt_count - 1; i >= 0; i--) {
        const TtData *entry = &n->tt_entries[i];
        if (entry->bound == BOUND_NONE || score_is_proven(entry->score))
            continue;
        if (entry->bound == BOUND_EXACT ||
            (entry->bound == BOUND_LOWER && entry->score > estimate) ||
            (entry->bound == BOUND_UPPER && entry->score < estimate))
            estimate = entry->score;
    }
    return estimate;
}

/* Rewards the parent's quiet move in the butterfly history by how much it raised the evaluation. */
static void reward_parent_by_eval(Node *n)
{
    const SearchStack *const parent = stack_quiet_parent(n->ss);
    if (parent == NULL || parent->eval == SCORE_NONE || n->ss->excluded != MOVE_NONE)
        return;
    history_update_butterfly(&n->w->histories, &parent->pos, parent->move,
                             history_eval_bonus(-n->eval - parent->eval));
}

void node_evaluate(Node *n)
{
    n->ss->eval = SCORE_NONE;
    if (n->in_check)
        return;
    n->correction = correction_value(&n->w->corrections, stack_correction_point(n->ss));
    n->eval = n->ss->eval =
        score_clamp_eval(eval_scale_rule50(n->raw_eval, n->pos->rule50) + n->correction);
    n->estimate = refine_eval(n);
    reward_parent_by_eval(n);
}

static void store(const Node *n, const TtData *data)
{
    const SearchPoint point = {n->ply, n->pos->rule50};
    tt_store(n->w->shared->tt, table_key(n->pos), point, data, &n->w->stats.tt);
}

void node_store_evaluation(const Node *n)
{
    if (!n->is_eval_new)
        return;
    const TtData data = {.score = SCORE_NONE, .eval = n->raw_eval, .was_pv = n->tt_pv};
    store(n, &data);
}

/* Bound of the result. */
static Bound node_bound(const Node *n)
{
    if (n->best >= n->beta)
        return BOUND_LOWER;
    /* If no move beats the known lower bound, that bound is the exact score. */
    const bool is_known = n->best == n->lower;
    return n->best_move != MOVE_NONE || is_known ? BOUND_EXACT : BOUND_UPPER;
}

void node_update_correction(const Node *n)
{
    if (n->in_check || (n->best_move != MOVE_NONE && pos_is_noisy(n->pos, n->best_move)))
        return;
    const Bound bound = node_bound(n);
    if ((bound == BOUND_LOWER && n->best <= n->eval) ||
        (bound == BOUND_UPPER && n->best >= n->eval) || score_is_proven(n->best))
        return;
    correction_update(&n->w->corrections, stack_correction_point(n->ss), n->best - n->eval,
                      n->depth);
}

void node_store_tablebase(const Node *n, Score score, Bound bound)
{
    const int deeper = n->depth + params.tb_store_plies;
    const TtData data = {.score = score,
                         .eval = SCORE_NONE,
                         .depth = deeper < MAX_DEPTH ? deeper : MAX_DEPTH,
                         .bound = bound,
                         .was_pv = n->tt_pv,
                         .nodes = 1};
    store(n, &data);
}

/* The bound to store. If a position of this game has occurred twice, its third time is a draw here,
 * but not in another game. There the score may be further from a draw, so an exact score is stored
 * as a bound. */
static Bound general_bound(const Node *n)
{
    const Bound bound = node_bound(n);
    if (bound != BOUND_EXACT || !n->w->has_repeated)
        return bound;
    return n->best > SCORE_DRAW ? BOUND_LOWER : BOUND_UPPER;
}

void node_store(const Node *n)
{
    assert(!n->w->stopped && n->ss->excluded == MOVE_NONE);
    if (n->w->stop_pending)
        return;
    const TtData data = {.move = n->best_move,
                         .score = n->best,
                         .eval = n->raw_eval,
                         .depth = n->depth,
                         .bound = general_bound(n),
                         .was_pv = n->tt_pv,
                         .nodes = nodes_counted(n->w) - n->nodes_on_entry + 1};
    store(n, &data);
    peers_offer(n->w->shared->peers, n->w->index, table_key(n->pos), n->ply, &data);
}
