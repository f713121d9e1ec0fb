// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Random tree nodes for tests. */

#include "games/gameblock.h"

/* Writes up to `per_ply` nodes for each ply of `game` after the opening to `nodes` (TREE_NODES_MAX)
 * and returns their number. They depend only on the game and `seed`. Positions may be noisy. */
int made_tree(const GameRecord *game, uint64_t seed, int per_ply, TreeNode *nodes);

/* Packs the game with these nodes into `bytes` (GAMEBLOCK_MAX_BYTES) and returns the size. */
size_t made_block(const GameRecord *game, const TreeNode *nodes, int count, uint8_t *bytes);
