// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A block of a game file: one game (gamecode.h), with or without tree nodes (treecode.h). Without
 * nodes the block is the packed game alone. */

#include "games/treecode.h"

enum {
    GAMEBLOCK_HEAD = 3, // bytes in front of a game with nodes
    GAMEBLOCK_MAX_BYTES = GAMEBLOCK_HEAD + GAME_MAX_BYTES + TREE_MAX_BYTES
};

/* The two parts of a block, for gamecode_unpack() and treecode_unpack(). */
typedef struct {
    const uint8_t *game, *tree;
    size_t game_size, tree_size; // tree_size 0: no nodes
} GameBlock;

/* Finds the parts of a block. They point into `bytes`. False when the block is too short. */
bool gameblock_split(GameBlock *block, const uint8_t *bytes, size_t size);

/* Writes a block of the two parts to `bytes` (GAMEBLOCK_MAX_BYTES) and returns its size. */
size_t gameblock_join(const GameBlock *block, uint8_t *bytes);
