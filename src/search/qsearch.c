// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/qsearch.h"

#include <assert.h>

#include "chess/see.h"
#include "search/movepick.h"
#include "search/node.h"
#include "search/params.h"

/* Stand pat: the side to move need not capture. True when the estimate alone fails high. */
static bool stand_pat(Node *n)
{
    n->best = n->estimate;
    if (n->best >= n->beta && !score_is_proven(n->beta))
        n->best = (n->best + n->beta) / 2; // less reliable than a search: move it towards beta
    if (n->best > n->alpha)
        n->alpha = n->best;
    return n->best >= n->beta;
}

/* Prunes captures whose static exchange is below `qsearch_see`. If the evaluation is far below
 * alpha, also prunes those that win nothing (delta pruning). In check, prunes only losing captures,
 * and only once a non-losing score is known. */
static bool prune_by_see(Node *n, Move move)
{
    if (n->in_check)
        return !score_is_loss(n->best) && pos_is_noisy(n->pos, move) &&
               !see_ge(n->pos, move, params.qsearch_see);
    const Score futility_value = score_clamp_eval(n->eval + params.qsearch_futility);
    const bool is_delta = futility_value <= n->alpha;
    if (see_ge(n->pos, move, is_delta ? 1 : params.qsearch_see))
        return false;
    if (is_delta && futility_value > n->best)
        n->best = futility_value;
    return true;
}

/* Prunes late moves: quiet evasions after the first one; captures after the first few, except
 * promotions, recaptures and checks. Only once a non-losing score is known. */
static bool prune_late(const Node *n, Move move, int searched, int quiets)
{
    if (score_is_loss(n->best))
        return false;
    if (n->in_check)
        return quiets > 0 && !pos_is_noisy(n->pos, move);
    const Move last = stack_at(n->ss, -1)->move;
    const bool is_recapture = last != MOVE_NULL && move_to(move) == move_to(last);
    return searched >= params.qsearch_moves && move_kind(move) != KIND_PROMOTION && !is_recapture &&
           !pos_gives_check(n->pos, move);
}

/* Searches the moves until one fails high. False when the search must stop. */
static bool search_moves(Node *n)
{
    MovePicker picker;
    pick_init(&picker, n->pos, &n->w->histories, worker_context(n->w, n->ss), n->tt_moves,
              !n->in_check);
    int searched = 0, quiets = 0;
    for (Move move = pick_next(&picker); move != MOVE_NONE; move = pick_next(&picker)) {
        worker_prefetch(n->w, n->ss, move);
        if (prune_by_see(n, move) || prune_late(n, move, searched, quiets))
            continue;
        searched++;
        quiets += !pos_is_noisy(n->pos, move);
        worker_play(n->w, n->ss, move);
        const Score score = -qsearch(n->w, stack_at(n->ss, 1), -n->beta, -n->alpha);
        worker_undo(n->w);
        if (n->w->stopped)
            return false;
        if (score > n->best)
            n->best = score;
        if (score > n->alpha) {
            n->alpha = score;
            n->best_move = move;
            if (n->pv_node)
                stack_update_pv(n->ss, move);
            if (score >= n->beta)
                return true;
        }
    }
    if (n->in_check && searched == 0) // in check the first move is not pruned
        n->best = score_mated_in(n->ply);
    return true;
}

Score qsearch(Worker *w, SearchStack *ss, Score alpha, Score beta)
{
    Node n = node_enter(w, ss, alpha, beta, 0);
    ss->pv_length = 0;
    w->stats.qnodes++;
    if (n.pv_node && n.ply >= w->seldepth)
        w->seldepth = n.ply + 1;

    Score score;
    if (node_is_over(&n, &score))
        return score;
    node_probe_table(&n);
    if (node_table_cutoff(&n, &score))
        return score;
    node_evaluate(&n);
    if (!n.in_check) {
        if (stand_pat(&n)) {
            if (n.tt_count == 0)
                node_store(&n);
            else
                node_store_evaluation(&n);
            return node_result(&n);
        }
        if (w->stop_pending) // with many queens, the captures of one root move take half a minute
            return node_result(&n);
        // the picker returns the first TT move even if it is quiet, but no quiet second one
        if (n.tt_moves[0] != MOVE_NONE && !pos_is_noisy(n.pos, n.tt_moves[0]))
            n.tt_moves[0] = MOVE_NONE;
    }
    if (!search_moves(&n))
        return SCORE_DRAW;
    node_store(&n);
    assert(-SCORE_INF < n.best && n.best < SCORE_INF);
    return node_result(&n);
}
