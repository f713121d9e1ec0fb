// SPDX-License-Identifier: GPL-3.0-or-later
#include "made_tree.h"

#include <check.h>

#include "base/rng.h"
#include "chess/chess960.h"
#include "chess/movegen.h"
#include "chess/play.h"

/* Draws a path from `root`; false when it ends in check or meets a mate. */
static bool draw_path(Rng *rng, const Position *root, TreeNode *node)
{
    Position pos = *root;
    node->length = (uint8_t)(1 + rng_below(rng, TREE_PATH_MAX));
    for (int i = 0; i < node->length; i++) {
        Move moves[MAX_MOVES];
        const int count = gen_legal(&pos, moves);
        if (count == 0)
            return false;
        node->path[i] = moves[rng_below(rng, (uint64_t)count)];
        pos_advance(&pos, node->path[i]);
    }
    return !pos_in_check(&pos);
}

int made_tree(const GameRecord *game, uint64_t seed, int per_ply, TreeNode *nodes)
{
    Rng rng;
    Position pos;
    int count = 0;
    rng_seed(&rng, seed);
    chess960_start(&pos, game->setup[WHITE], game->setup[BLACK]);
    for (int ply = 0; ply < game->plies; ply++) {
        for (int i = 0; i < per_ply && ply >= game->opening; i++) {
            TreeNode *const node = &nodes[count];
            *node = (TreeNode){.ply = (uint16_t)ply};
            node->depth = (uint8_t)rng_below(&rng, TREE_DEPTH_MAX + 1);
            node->bound = (uint8_t)(TREE_UPPER + rng_below(&rng, TREE_BOUND_NB - TREE_UPPER));
            node->score = (int16_t)((int)rng_below(&rng, 2 * TREE_SCORE_MAX + 1) - TREE_SCORE_MAX);
            count += draw_path(&rng, &pos, node);
        }
        pos_advance(&pos, game->moves[ply]);
    }
    return count;
}

size_t made_block(const GameRecord *game, const TreeNode *nodes, int count, uint8_t *bytes)
{
    static uint8_t packed[GAME_MAX_BYTES], tree[TREE_MAX_BYTES];
    GameBlock block = {.game = packed, .game_size = gamecode_pack(game, packed), .tree = tree};
    if (count > 0)
        block.tree_size = treecode_pack(game, nodes, count, tree);
    ck_assert_int_eq(block.tree_size > 0, count > 0);
    return gameblock_join(&block, bytes);
}
