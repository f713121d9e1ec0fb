// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Learning from tree nodes (games/treecode.h), after TreeStrap (Veness, Silver, Uther and Blair
 * 2009). The target of a node is its score alone: the game did not visit the node, so the result of
 * the game says little about it. A bound gives a loss only on its wrong side. */

#include "games/treecode.h"
#include "train/sample.h"

typedef struct {
    double weight; // of a node with an exact score relative to a position of a game; 0: no nodes
    double bounds; // of a node with a bound relative to a node with an exact score
    double scale;  // factor of the scores
} TreeLearning;

/* Packs a tree node. False when its weight is 0: then it is not used. */
bool tree_learning_sample(Sample *sample, const Position *pos, const TreeNode *node,
                          const TreeLearning *learning);

/* Returns the target of a tree node: expected points, 0..1. `unit`: see Objective, backprop.h. */
float tree_learning_target(const Sample *sample, float unit);

/* Returns `error`, prediction - target, or 0 when the bound (TreeBound; 0: none) allows it. */
static inline float tree_learning_error(uint8_t bound, float error)
{
    const bool is_met =
        (bound == TREE_LOWER && error > 0.0f) || (bound == TREE_UPPER && error < 0.0f);
    return is_met ? 0.0f : error;
}
