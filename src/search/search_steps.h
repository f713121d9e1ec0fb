// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The steps of a node in search.c, for search.c and its tests. When a step with the output `*score`
 * returns true, the node ends with that score, or the search must stop. The caller applies reverse
 * futility, null move and ProbCut only at nodes off the PV, not in check, and outside a singular
 * search. These three steps themselves test that beta is not a proven score. */

#include "search/movepick.h"
#include "search/node.h"

/* State of the move loop. */
typedef struct {
    MovePicker picker;
    CheckSquares checks; // only if `has_checks`: the first move of most nodes does not need them
    bool has_checks;
    TriedMoves tried; // moves searched so far
    int number;       // of the current move, from 1
    int root_next;    // at the root: index of the next root move
    bool is_forced;   // the node has one legal move, which gets out of check
    Move move;
    bool quiet;
    bool gives_check;
    int history;        // history score of the move
    int raises;         // number of moves that raised alpha so far
    int node_reduction; // node_reduction()
    int reduction;      // of the move, 1/1024 ply
    int extension;      // of the move, plies
} MoveLoop;

/* Margins and counts. Scores in internal units, exchange values in the unit of see.h (a pawn is
 * 100). */

/* Reverse futility: the estimate must exceed beta by this much. Where a fail-low is expected, a
 * cutoff just above beta is wrong twice as often as at a cut node. */
int reverse_futility_margin(int depth, bool improving, bool cut_node);

/* Plies by which a null-move search is shallower, the null move included. */
int null_move_reduction(int depth, Score estimate, Score beta);

/* Move number, counting all moves from 1, from which late-move pruning skips quiet moves. `more` is
 * SearchJob.lmp_extra: 0 in play. With an empty table a search of some hundred nodes prunes
 * so many good replies of the opponent that its scores have a larger error than the static
 * evaluation; with 26 more (13 if not improving) they have a smaller one. */
int late_move_count(int depth, bool improving, int more);

/* Highest score that a quiet move is assumed to reach; `lmr_depth` is its reduced depth in plies.
 */
Score futility_value(Score eval, int lmr_depth);

/* The same for a capture of a piece worth `victim`. */
Score futility_value_noisy(Score eval, int lmr_depth, int victim);

/* Static exchange value, 0 or negative, below which quiet and noisy moves are pruned. */
int see_threshold_quiet(int lmr_depth);
int see_threshold_noisy(int depth);

/* Base reduction of the `number`th move (from 1), 1/1024 ply: base + ln(depth) * ln(number) /
 * divisor. */
int base_reduction(bool quiet, int depth, int number);

/* Steps of the node, in their order. */

/* Probes the tablebases (de Man 2013). A draw ends the node, and so does a win of at least beta or
 * a loss of at most alpha. Another win or loss bounds the score of a PV node: the line may still
 * end in mate. */
bool probe_tablebases(Node *n, Score *score);

/* Whether the static evaluation is better than two plies before or, if the side to move was in
 * check then, four plies before. True if neither is known. */
bool is_improving(const Node *n);

/* Adjusts the depth. Hindsight: if the parent reduced its move, one ply more if the static
 * evaluation did not fall for the side that moved, one ply less if it fell by more than a margin.
 * Internal iterative reduction (Schroeder 2019): one ply less at PV and cut nodes without a TT
 * move, or if the first table entry is much shallower. */
void adjust_depth(Node *n);

/* Reverse futility pruning: the estimate is far above beta. Not at nodes that were on a PV or have
 * a quiet TT move. */
bool reverse_futility(Node *n, Score *score);

/* Null-move pruning (Beal 1989, Donninger 1993): if passing fails high, some move will, too. Only
 * at cut nodes whose estimate reaches beta and that have no table entry with an upper bound below
 * it, not after another null move, not with only king and pawns, and not where the TT move is
 * noisy: a side that must capture does not like to pass. */
bool null_move_pruning(Node *n, Score *score);

/* ProbCut (Buro 1995): a capture that beats beta by a margin in a shallow search will beat beta in
 * the full one. Not if a table entry that is deep enough has an upper bound below beta plus margin.
 */
bool probcut(Node *n, Score *score);

/* Singular extension (Anantharaman, Campbell and Hsu 1990): searches all moves but the TT move to
 * half the depth. If they stay below the TT score by a margin, the TT move is extended (sets
 * n->extension). If one of them reaches beta, too, the node is cut, except at a PV node or with a
 * proven score (multi-cut, Bjornsson and Marsland 1999). Otherwise the TT move may be reduced
 * (negative extension). */
bool singular_extension(Node *n, Score *score);

/* The part of the reduction that all late moves of a node share, 1/1024 ply. */
int node_reduction(const Node *n);

/* Reduction of the loop's current move, 1/1024 ply. */
int late_move_reduction(const Node *n, const MoveLoop *loop);

/* Shallow pruning of the loop's current move: late-move pruning, futility, history and static
 * exchange. Not at the root, not with only king and pawns, and only once a non-losing score is
 * known. May restrict the rest of the quiet moves to checks. */
bool prune_move(Node *n, MoveLoop *loop);

/* Plays and searches the loop's current move with up to three searches: null window at reduced
 * depth, null window at full depth, open window. */
Score search_move(Node *n, MoveLoop *loop);

/* Updates best, alpha, PV and histories with the score of the loop's current move; true on a
 * fail-high. */
bool update_best(Node *n, MoveLoop *loop, Score score);

/* Moves a fail-soft score above beta towards beta, because its excess is not reliable: the
 * shallower the search, the further. */
void soften_fail_high(Node *n);
