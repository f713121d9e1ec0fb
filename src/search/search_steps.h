// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The steps of a node in search.c, for search.c and its tests. Steps that return bool end the node
 * when they return true: with its score in `*score`, or because the search must stop. They apply
 * where the exact score is not needed, and never from or to a proven score. */

#include "search/movepick.h"
#include "search/node.h"

/* State of the move loop. */
typedef struct {
    MovePicker picker;
    CheckMap checks;
    TriedMoves tried; // moves searched so far
    int number;       // of the current move, from 1
    int root_next;    // at the root: index of the next root move
    Move move;
    bool quiet;
    bool gives_check;
    int history;        // history score of the move
    int raises;         // moves that raised alpha so far
    int node_reduction; // part of the reduction that all moves share, 1/1024 ply
    int reduction;      // of the move, 1/1024 ply
    int extension;      // of the move, plies
} MoveLoop;

/* Margins and counts. Scores in internal units, exchange values in centipawns of see.h. */

/* Reverse futility: the estimate must exceed beta by this much. */
int reverse_futility_margin(int depth, bool improving);

/* Plies by which a null-move search is shallower, the null move included. */
int null_move_reduction(int depth, Score estimate, Score beta);

/* Number of the first quiet move that late-move pruning skips, from 1. */
int late_move_count(int depth, bool improving);

/* What a quiet move searched to `lmr_depth` may reach at best. */
Score futility_value(Score eval, int lmr_depth);

/* The same for a capture of a piece worth `victim`. */
Score futility_value_noisy(Score eval, int lmr_depth, int victim);

/* Static exchange value (negative) below which quiet and noisy moves are pruned. */
int see_limit_quiet(int lmr_depth);
int see_limit_noisy(int depth);

/* Base reduction of the `number`th move (from 1), 1/1024 ply: base + ln(depth) * ln(number) /
 * divisor. */
int base_reduction(bool quiet, int depth, int number);

/* Steps of the node, in their order. */

/* Probes the tablebases (de Man 2013). At a PV node a win or loss only bounds the score: the line
 * may still end in mate. */
bool probe_tablebases(Node *n, Score *score);

/* Corrects the depth: by the parent's reduction and both evaluations (hindsight reductions), and by
 * one ply less where no useful TT move exists (internal iterative reductions, Schroeder 2019). */
void adjust_depth(Node *n);

/* Reverse futility pruning: the estimate is far above beta, and no quiet TT move or PV history says
 * that the node matters. */
bool reverse_futility(Node *n, Score *score);

/* Null-move pruning (Beal 1989, Donninger 1993): if passing already fails high, a move will too. */
bool null_move_pruning(Node *n, Score *score);

/* ProbCut (Buro 1995): a capture that beats beta by a margin in a shallow search will beat beta in
 * the full one. */
bool probcut(Node *n, Score *score);

/* Singular extension (Anantharaman, Campbell and Hsu 1990): searches all moves but the TT move to
 * half the depth. If they stay below the TT score by a margin, the TT move is extended (sets
 * n->extension). If they fail high, too, the node is cut (multi-cut, Bjornsson and Marsland 1999).
 * Otherwise the TT move may be reduced. */
bool singular_extension(Node *n, Score *score);

/* Reduction of the loop's current move, 1/1024 ply. */
int late_move_reduction(const Node *n, const MoveLoop *loop);

/* Shallow pruning of the loop's current move: late-move pruning, futility, history and static
 * exchange. Only once a non-losing score is known. May end the quiet moves. */
bool prune_move(Node *n, MoveLoop *loop);

/* Plays and searches the loop's current move: reduced null window, full-depth null window, open
 * window, as needed. */
Score search_move(Node *n, MoveLoop *loop);

/* Updates best, alpha, PV and histories with the score of the loop's current move; true on a
 * fail-high. */
bool update_best(Node *n, MoveLoop *loop, Score score);

/* Moves a score above beta towards beta, the more the shallower the search. */
void soften_fail_high(Node *n);
