// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/tree_learning.h"

#include <math.h>

#include "train/points.h"

bool tree_learning_sample(Sample *sample, const Position *pos, const TreeNode *node,
                          const TreeLearning *learning)
{
    const double share = node->bound == TREE_EXACT ? 1.0 : learning->bounds;
    const long weight = lround(learning->weight * share * SAMPLE_WEIGHT_ONE);
    sample_pack(sample, pos, (int)lround(node->score * learning->scale), GAME_DRAW);
    sample->bound = node->bound;
    sample->weight = (uint8_t)weight;
    return weight > 0;
}

float tree_learning_target(const Sample *sample, float unit)
{
    return points_of_float(sample->score, unit);
}
