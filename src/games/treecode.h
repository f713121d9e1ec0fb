// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Tree nodes: interior nodes of the searches of a game with their scores, so that a network can
 * learn from the whole tree and not only from its root (TreeStrap: Veness, Silver, Uther and Blair
 * 2009). A node is stored as the path of moves from the game, in about five bytes. */

#include "games/gamecode.h"

enum {
    TREE_PATH_MAX = 8,        // moves from the root of the search to a node
    TREE_SEARCH_MAX = 32,     // nodes of one search
    TREE_SCORE_MAX = 3000,    // largest score, internal units
    TREE_DEPTH_MAX = 63,      // larger depths are stored as this
    TREE_NODES_MAX = 5300,    // nodes of one game: as many as surely fit into a block of a file
    TREE_MAX_BYTES = 59 << 10 // more than the longest code
};

/* How the true score of a node relates to the stored one: at most, at least, or equal. */
typedef enum { TREE_UPPER = 1, TREE_LOWER, TREE_EXACT, TREE_BOUND_NB } TreeBound;

/* The side to move is never in check. */
typedef struct {
    uint16_t ply;   // of the game: the root of the search
    uint8_t length; // moves from there to the node, 1..TREE_PATH_MAX
    uint8_t depth;  // of the search of the node, plies, at most TREE_DEPTH_MAX
    uint8_t bound;  // TreeBound
    int16_t score;  // for the side to move at the node, -TREE_SCORE_MAX..TREE_SCORE_MAX
    Move path[TREE_PATH_MAX];
} TreeNode;

/* Called for each node; `pos` is its position. */
typedef void (*TreeVisit)(void *ctx, const Position *pos, const TreeNode *node);

/* Writes `count` nodes of `game` in the order of their plies to `bytes` (TREE_MAX_BYTES) and
 * returns the number of bytes. There must be 1..TREE_NODES_MAX nodes, and at most TREE_SEARCH_MAX
 * of each ply after the opening. Returns 0 when a node is not valid, for example its path not
 * legal. */
size_t treecode_pack(const GameRecord *game, const TreeNode *nodes, int count, uint8_t *bytes);

/* Reads the nodes of `game` and calls `visit` (may be NULL) for each. False when the bytes are not
 * valid nodes of this game; `visit` may then have been called for some. */
bool treecode_unpack(const GameRecord *game, const uint8_t *bytes, size_t size, TreeVisit visit,
                     void *ctx);
