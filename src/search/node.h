// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The facts of one node, shared by the main search and quiescence, and the parts of the work at a
 * node that both do: the ends of the tree that need no search, the table, the static evaluation. */

#include "search/worker.h"

typedef struct {
    Worker *w;
    Ply *at;
    const Position *pos;
    int ply, depth;
    Score alpha, beta;
    bool pv;  // open window
    bool cut; // expected to fail high; never at a PV node
    bool in_check;
    TtData table[2]; // what the table knows, the deeper entry first
    int table_count;
    Move hash[2];     // its moves, legal and distinct; MOVE_NONE when absent
    bool was_pv;      // this node or an entry of its was on a principal variation
    Score raw;        // evaluation as the table keeps it; SCORE_NONE in check
    Score eval;       // corrected and scaled
    Score correction; // of it, by what was learned of positions alike; 0 in check
    Score estimate;   // eval, or a table score that bounds the truth better
    Score best;       // fail-soft result so far
    Score low, high;  // of a PV node: what the tablebases or the memory know of its score; without
                      // them -SCORE_INF and SCORE_INF
    Score floor; // the draw the side to move can force by repeating, else -SCORE_INF: never stored,
                 // but what the node returns is at least this
    Move best_move;      // raised alpha, else MOVE_NONE
    int extension;       // of the hash move, in plies
    uint64_t first_node; // node count on entry, with what the table's answers stand for
} Node;

/* Fills in what is known before any work. */
Node node_enter(Worker *w, int ply, Score alpha, Score beta, int depth);

/* True when the node is over without search, its score in `*score`: stop, draw, the stack's end, or
 * a window that no mate from here can enter. May narrow the window (mate distance, upcoming
 * repetition). Not for the root. */
bool node_is_over(Node *n, Score *score);

/* Reads the table. Entries whose move is illegal here are type-1 errors: counted and dropped. */
void node_probe(Node *n);

/* True when an entry of at least `depth` settles the node, its score in `*score`. Never near the
 * fifty-move rule. */
bool node_table_cutoff(Node *n, Score *score);

/* Asks the memory, which there is, for what other games taught of the node: a move to try, and
 * bounds as an entry of the table gives them. True when they settle the node, its score in
 * `*score`; at a PV node they do that, too, or bound the score. Not for the root. */
bool probe_learned(Node *n, Score *score);

/* Nothing better than what is known of the node is believed, but for a mate against an estimate. A
 * line that promises more than is proven ends here. */
static inline void node_keep_to_known(Node *n)
{
    if (n->best <= n->high || (score_is_mate(n->best) && !score_is_proven(n->high)))
        return;
    n->best = n->high;
    if (score_is_proven(n->high))
        n->at->pv_length = 0;
}

/* True when the move to be tried first is a capture or promotion; false also when there is none. */
static inline bool node_hash_is_noisy(const Node *n)
{
    return n->hash[0] != MOVE_NONE && pos_is_noisy(n->pos, n->hash[0]);
}

/* Sets raw, eval and estimate, from the table where it has them; stores a fresh evaluation at once.
 */
void node_evaluate(Node *n);

/* Notes what the enemy attacks, which worker_context() hands on to the histories of quiet moves. */
static inline void node_map_threats(Node *n)
{
    n->at->threats = pos_attacks_by(n->pos, !n->pos->side, pos_occupied(n->pos));
}

/* What the node is worth on this path: its best, and no less than a repetition at hand. */
static inline Score node_result(const Node *n)
{
    return n->best > n->floor ? n->best : n->floor;
}

/* Lets the evaluation of positions alike learn from the node's result, where that says something of
 * it: the result is not a matter of captures. */
void node_correct(const Node *n);

/* Stores what the tablebases say of the node: as good as a search somewhat deeper than wanted. */
void node_store_proven(const Node *n, Score score, Bound bound);

/* Stores the node's result. The bound follows from best, beta and best_move. */
void node_store(const Node *n);
