// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Tree nodes of one game, chosen at random among the nodes of its searches (treewalk.h). Only quiet
 * positions that the game does not visit, and only nodes whose score teaches something: an exact
 * score, or a bound that the static evaluation violates or nearly violates. */

#include "base/rng.h"
#include "datagen/game.h"
#include "datagen/treewalk.h"

enum {
    GAMETREE_RULE50_MAX = 40, // a static evaluation does not see the fifty-move rule coming
    GAMETREE_PIECES_MIN = 4,
    GAMETREE_SLACK = 100 // keeps bounds that the evaluation satisfies by at most this, units: the
                         // trained network must not drift across them
};

typedef struct {
    int nodes; // kept of each search, 0..TREE_SEARCH_MAX
    int depth; // least depth of the search of a node, plies
} TreeOptions;

/* Large: about 390 KiB. */
typedef struct {
    TreeNode nodes[TREE_NODES_MAX]; // in the order of their plies; treecode_pack() takes them
    Key keys[TREE_NODES_MAX];       // of their positions
    int count;
    Rng rng; // separate from that of the game, so that the game does not depend on its nodes
    Treewalk walk;
} GameTree;

/* Starts the tree of a game without nodes. The choice of nodes depends on `seed`. */
void gametree_start(GameTree *tree, uint64_t seed);

/* After the search of the last position of `game`, which chose `best`: keeps nodes from `tt`.
 * The first half of them have exact scores as far as there are any, because these are rare but the
 * most accurate; the rest are drawn from all nodes. */
void gametree_collect(GameTree *tree, const TreeOptions *options, const Tt *tt,
                      const SelfplayGame *game, Move best);

/* Drops the nodes whose positions occurred in the finished game. */
void gametree_finish(GameTree *tree, const GameRecord *game);

/* Whether training can use the position with the score of this entry:
 * - the position is quiet, is not in check, and has at least GAMETREE_PIECES_MIN pieces and a
 *   fifty-move counter of at most GAMETREE_RULE50_MAX;
 * - the entry has a static evaluation, and no best move or a legal one that is neither capture nor
 *   promotion;
 * - the score is exact, or a bound as described above; it is within TREE_SCORE_MAX, and more than
 *   2 units from a draw, because otherwise it could come from a repetition. */
bool gametree_suits_training(const Position *pos, const TtData *entry);
