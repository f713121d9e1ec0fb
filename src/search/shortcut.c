// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/shortcut.h"

#include "chess/see.h"
#include "search/movepick.h"
#include "search/params.h"
#include "search/prune.h"
#include "search/pvs.h"
#include "search/qsearch.h"

enum {
    PROBCUT_PLIES = 4, // so much shallower a capture is searched
    SINGULAR_PLIES = 3 // an entry at most so much shallower speaks for its move
};

/* Reverse futility: so far above beta that even a quiet move keeps it there. Not where the table
 * knows a quiet move to search, nor where the score was once wanted exactly. */
static bool try_reverse_futility(Node *n, bool improving, Score *score)
{
    if (n->depth > params.rfp_max_depth || n->was_pv || score_is_proven(n->beta) ||
        n->estimate - prune_rfp_margin(n->depth, improving) < n->beta ||
        (n->hash[0] != MOVE_NONE && !node_hash_is_noisy(n)))
        return false;
    n->w->stats.rfp_cutoffs++;
    *score = (n->estimate + n->beta) / 2;
    return true;
}

/* True when the table says that the node will not reach `score`: an upper bound below it. */
static bool table_denies(const Node *n, Score score, int depth)
{
    for (int i = 0; i < n->table_count; i++) {
        const TtData *entry = &n->table[i];
        if (entry->bound == BOUND_UPPER && entry->score < score && entry->depth >= depth)
            return true;
    }
    return false;
}

/* Passing must be worse than the best move for a null-move cutoff to mean anything (Beal 1989,
 * Donninger 1993). Tried where a fail-high is expected. With only king and pawns zugzwang is
 * common, so ask for a piece first. */
static bool try_null_move(Node *n, Score *score)
{
    Worker *w = n->w;
    if (n->depth < params.null_min_depth || worker_ply(w, n->ply - 1)->move == MOVE_NULL ||
        !n->cut || n->estimate < n->beta || n->eval < n->beta + params.null_margin ||
        score_is_proven(n->beta) || !pos_has_pieces(n->pos, n->pos->side) ||
        table_denies(n, n->beta, 0))
        return false;
    w->stats.null_tries++;
    const int depth = n->depth - prune_null_reduction(n->depth, n->estimate, n->beta);
    worker_play(w, n->ply, MOVE_NULL);
    *score = -pvs(w, n->ply + 1, -n->beta, -n->beta + 1, depth, !n->cut);
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

/* One capture of ProbCut: quiescence first, then a search four plies shallower. */
static Score probe_capture(Node *n, Move move, Score goal)
{
    Worker *w = n->w;
    worker_play(w, n->ply, move);
    Score score = -qsearch(w, n->ply + 1, -goal, -goal + 1);
    if (score >= goal && !w->stopped && n->depth > PROBCUT_PLIES)
        score = -pvs(w, n->ply + 1, -goal, -goal + 1, n->depth - PROBCUT_PLIES, !n->cut);
    worker_undo(w);
    return score;
}

/* ProbCut (Buro 1995): a capture that beats beta by a margin in a shallow search will beat beta in
 * the deep one. */
static bool try_probcut(Node *n, bool improving, Score *score)
{
    const Score goal = n->beta + params.probcut_margin - params.probcut_improving * improving;
    if (n->depth < params.probcut_min_depth || score_is_proven(n->beta) || score_is_proven(goal) ||
        table_denies(n, goal, n->depth - PROBCUT_PLIES + 1))
        return false;
    const int threshold = prune_see_of_units(goal - n->eval);
    const Move first =
        node_hash_is_noisy(n) && see_ge(n->pos, n->hash[0], threshold) ? n->hash[0] : MOVE_NONE;
    MovePicker picker;
    pick_init(&picker, n->pos, &n->w->histories, worker_context(n->w, n->ply),
              (Move[2]){first, MOVE_NONE}, true);
    n->w->stats.probcut_tries++;
    for (Move move = pick_next(&picker); move != MOVE_NONE; move = pick_next(&picker)) {
        if (move != first && !see_ge(n->pos, move, threshold))
            continue;
        const Score found = probe_capture(n, move, goal);
        if (n->w->stopped)
            return true;
        if (found < goal)
            continue;
        n->w->stats.probcut_cutoffs++;
        Node proof = *n;
        proof.best = found;
        proof.best_move = move;
        proof.depth = n->depth - PROBCUT_PLIES + 1;
        node_store(&proof);
        *score = score_is_proven(found) ? found : found - (goal - n->beta);
        return true;
    }
    return false;
}

bool shortcut_take(Node *n, bool improving, Score *score)
{
    return !n->pv && !n->in_check && n->at->excluded == MOVE_NONE &&
           (try_reverse_futility(n, improving, score) || try_null_move(n, score) ||
            try_probcut(n, improving, score));
}

/* The entry that says the hash move is good, from a search nearly as deep; NULL: there is none. */
static const TtData *witness_of(const Node *n)
{
    for (int i = 0; i < n->table_count; i++) {
        const TtData *entry = &n->table[i];
        if (entry->move == n->hash[0] && entry->move != MOVE_NONE &&
            entry->depth >= n->depth - SINGULAR_PLIES &&
            (entry->bound == BOUND_LOWER || entry->bound == BOUND_EXACT) &&
            !score_is_proven(entry->score))
            return entry;
    }
    return NULL;
}

/* How much further a move that stands alone is searched; `others` is what the best of the other
 * moves reaches, below `limit`. */
static int singular_extension(const Node *n, Score limit, Score others)
{
    const int margin = n->pv ? params.double_extension_pv : params.double_extension;
    return 1 + (others < limit - margin);
}

bool shortcut_examine_hash_move(Node *n, Score *score)
{
    Worker *w = n->w;
    if (n->depth < params.singular_min_depth || n->at->excluded != MOVE_NONE ||
        n->ply >= 2 * w->root_depth)
        return false;
    const TtData *witness = witness_of(n);
    if (witness == NULL)
        return false;
    w->stats.singular_tries++;
    const bool was_pv = n->was_pv && !n->pv;
    const Score limit = witness->score - n->depth * params.singular_margin * (1 + was_pv) / 16;
    n->at->excluded = n->hash[0];
    const Score others = pvs(w, n->ply, limit - 1, limit, (n->depth - 1) / 2, n->cut);
    n->at->excluded = MOVE_NONE;
    n->at->pv_length = 0;
    if (w->stopped)
        return true;
    if (others < limit) {
        w->stats.singular_extensions++;
        n->extension = singular_extension(n, limit, others);
    } else if (others >= n->beta && !n->pv && !score_is_proven(others)) {
        w->stats.multicuts++;
        *score = others;
        return true;
    } else if (witness->score >= n->beta) {
        n->extension = -params.negative_extension + n->pv;
    } else if (n->cut) {
        n->extension = -params.negative_extension_cut;
    }
    return false;
}
