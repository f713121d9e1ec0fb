// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One node of the search tree, and the steps that the main search and quiescence share: draws and
 * limits, transposition table, learned positions, static evaluation, storing the result. */

#include "search/worker.h"

typedef struct {
    Worker *w;
    SearchStack *ss;
    const Position *pos;
    int ply, depth;
    Score alpha, beta;
    bool pv_node;  // open window
    bool cut_node; // expected to fail high; never at a PV node
    bool in_check;
    bool is_stalemate;    // found by the move loop: not in check, and there is no legal move
    bool improving;       // the static evaluation is better than two plies ago, or four plies ago
                          // if the side to move was in check then
    TtData tt_entries[2]; // the position's table entries, the deeper one first
    int tt_count;         // number of entries
    Move tt_moves[2];     // their moves, legal and distinct; MOVE_NONE where there is none
    bool tt_pv;           // the position is or was on a principal variation
    Score raw_eval;       // static evaluation before corrections; SCORE_NONE in check
    Score eval;           // raw_eval, scaled by the fifty-move counter and corrected
    bool is_eval_new;     // raw_eval was computed, because the table had none
    Score correction;     // correction part of `eval`; 0 in check
    Score estimate;       // `eval` refined by the table: an exact score replaces it, and so does a
                          // bound that contradicts it; mate and tablebase scores are not used
    Score best;           // fail-soft result so far
    Score lower, upper;   // bounds of a PV node's score from tablebases or learned positions;
                          // -SCORE_INF and SCORE_INF without them
    Score draw_floor;     // draw score if alpha was below it and the side to move can force a
                          // repetition, else -SCORE_INF; the returned score is at least
                          // this, the stored score is not
    Move best_move;       // the last move that raised alpha; else MOVE_NONE
    int extension;        // of the TT move, plies; negative: reduction
    uint64_t nodes_on_entry; // for TtData.nodes
} Node;

/* Accepts or rejects cutoffs by the table. Only the laboratory uses this, to check them. `accepts`
 * is called for each entry that would end the node `n`, also in quiescence. If it returns false,
 * the node is searched. */
typedef struct CutoffJudge {
    bool (*accepts)(void *ctx, const Node *n, const TtData *entry);
    void *ctx;
} CutoffJudge;

/* Returns a node for the position at `ss`, before its first step. */
Node node_enter(Worker *w, SearchStack *ss, Score alpha, Score beta, int depth);

/* True when the node ends without a search, with its score in `*score`: stop flag, draw, end of the
 * stack, mate-distance pruning, or an upcoming repetition that reaches beta. The last two may also
 * narrow the window. The main search does not call it at the root. */
bool node_is_over(Node *n, Score *score);

/* Probes the table and sets raw_eval: the table's evaluation or, if it has none, a new one. An
 * entry whose move is illegal belongs to another position (a type-1 error): it is counted and
 * ignored. */
void node_probe_table(Node *n);

/* True when an entry of at least the node's depth gives a cutoff, with its score in `*score`. Never
 * at a PV node, in a singular search, close to the fifty-move rule, or when shared->judge rejects
 * the entry. */
bool node_table_cutoff(Node *n, Score *score);

/* Probes the learned positions; shared->learned must not be NULL. A hit adds its move to the TT
 * moves and gives bounds of the score. True when the bounds give a cutoff, with its score in
 * `*score`, which is at least draw_floor; otherwise they may narrow the window of a PV node. Never
 * called at the root. */
bool probe_learned(Node *n, Score *score);

/* Caps the result at the known upper bound; a mate overrides an unproven bound. If a proven bound
 * caps the result, the principal variation is dropped, because it belongs to a wrong score. */
static inline void node_cap_result(Node *n)
{
    if (n->best <= n->upper || (score_is_mate(n->best) && !score_is_proven(n->upper)))
        return;
    n->best = n->upper;
    if (score_is_proven(n->upper))
        n->ss->pv_length = 0;
}

/* True when the TT move is noisy (pos_is_noisy()); false when there is no TT move. */
static inline bool node_tt_move_is_noisy(const Node *n)
{
    return n->tt_moves[0] != MOVE_NONE && pos_is_noisy(n->pos, n->tt_moves[0]);
}

/* Sets eval, correction and estimate; in check they stay unset. Updates the butterfly history of
 * the parent's quiet move. */
void node_evaluate(Node *n);

/* Stores the evaluation if the table does not have it yet. For nodes that end without a result to
 * store. */
void node_store_evaluation(const Node *n);

/* `score`, but at least draw_floor: every score that the node returns. */
static inline Score node_at_least_draw(const Node *n, Score score)
{
    return score > n->draw_floor ? score : n->draw_floor;
}

/* The score to return after a search of the moves. */
static inline Score node_result(const Node *n)
{
    return node_at_least_draw(n, n->best);
}

/* Updates the correction histories with the difference between result and evaluation. Skipped in
 * check, after a noisy best move, for proven scores, and where the bound does not contradict the
 * evaluation. */
void node_update_correction(const Node *n);

/* Stores a tablebase result, with some plies added to the node's depth. */
void node_store_tablebase(const Node *n, Score score, Bound bound);

/* Stores the node's result. The bound follows from best, beta and best_move. Stores nothing while
 * quiescence only stands pat (Worker.stop_pending): such a result leaves out captures. */
void node_store(const Node *n);
