// SPDX-License-Identifier: GPL-3.0-or-later
#include "games/treecode.h"

#include "chess/chess960.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "games/codec.h"

/* The same code writes and reads. When writing, it takes the nodes of `next` to `end`. */
typedef struct {
    Codec codec;
    const TreeNode *next, *end;
    TreeVisit visit; // may be NULL
    void *ctx;
} TreeCodec;

/* Codes a legal move by its index. The moves of a path are often bad ones, so odds of good moves
 * (moveodds.h) would save little. */
static Move code_move(Codec *codec, const Position *pos, Move move)
{
    Move moves[MAX_MOVES];
    const uint32_t count = (uint32_t)gen_legal(pos, moves);
    uint32_t choice = 0;
    if (codec->is_writing)
        while (choice < count && moves[choice] != move)
            choice++;
    if (choice >= count)
        return (Move)codec_fail(codec); // mate or stalemate, or an illegal move to write
    return moves[codec_number(codec, choice, count)];
}

/* Codes the path from `root` and writes the position at its end to `end`. */
static bool code_path(Codec *codec, const Position *root, TreeNode *node, Position *end)
{
    Position pos[2] = {*root}; // current and next position, alternating
    node->length = (uint8_t)(1 + codec_number(codec, node->length - 1u, TREE_PATH_MAX));
    for (int i = 0; i < node->length; i++) {
        node->path[i] = code_move(codec, &pos[i % 2], node->path[i]);
        if (codec->has_failed)
            return false;
        pos_play(&pos[(i + 1) % 2], &pos[i % 2], node->path[i]);
    }
    *end = pos[node->length % 2];
    return !pos_in_check(end);
}

static bool is_in_range(const TreeNode *node)
{
    return 1 <= node->length && node->length <= TREE_PATH_MAX && node->depth <= TREE_DEPTH_MAX &&
           TREE_UPPER <= node->bound && node->bound < TREE_BOUND_NB &&
           -TREE_SCORE_MAX <= node->score && node->score <= TREE_SCORE_MAX;
}

static bool code_node(TreeCodec *tree, const Position *root, int ply)
{
    Codec *const codec = &tree->codec;
    TreeNode node = {.length = 1};
    Position end;
    if (codec->is_writing) {
        node = *tree->next++;
        if (!is_in_range(&node))
            return false;
    }
    node.ply = (uint16_t)ply;
    if (!code_path(codec, root, &node, &end))
        return false;
    const uint32_t bound = node.bound - (uint32_t)TREE_UPPER;
    node.bound = (uint8_t)(TREE_UPPER + codec_number(codec, bound, TREE_BOUND_NB - TREE_UPPER));
    node.depth = (uint8_t)codec_number(codec, node.depth, TREE_DEPTH_MAX + 1);
    const uint32_t score = (uint32_t)(node.score + TREE_SCORE_MAX);
    node.score =
        (int16_t)((int)codec_number(codec, score, 2 * TREE_SCORE_MAX + 1) - TREE_SCORE_MAX);
    if (!codec->has_failed && tree->visit != NULL)
        tree->visit(tree->ctx, &end, &node);
    return !codec->has_failed;
}

/* Codes the number of nodes at `ply`, then the nodes. */
static bool code_ply(TreeCodec *tree, const Position *root, int ply, int *total)
{
    uint32_t count = 0;
    for (const TreeNode *node = tree->next; node < tree->end && node->ply == ply; node++)
        count++;
    if (count > TREE_SEARCH_MAX)
        return false;
    count = codec_number(&tree->codec, count, TREE_SEARCH_MAX + 1);
    *total += (int)count;
    if (*total > TREE_NODES_MAX)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!code_node(tree, root, ply))
            return false;
    return !tree->codec.has_failed;
}

static bool code_tree(TreeCodec *tree, const GameRecord *game)
{
    Position pos[2]; // current and next position, alternating
    int total = 0;
    chess960_start(&pos[0], game->setup[WHITE], game->setup[BLACK]);
    for (int ply = 0; ply < game->plies; ply++) {
        if (ply >= game->opening && !code_ply(tree, &pos[ply % 2], ply, &total))
            return false;
        pos_play(&pos[(ply + 1) % 2], &pos[ply % 2], game->moves[ply]);
    }
    return total > 0 && tree->next == tree->end;
}

size_t treecode_pack(const GameRecord *game, const TreeNode *nodes, int count, uint8_t *bytes)
{
    TreeCodec tree = {.codec = {.is_writing = true}, .next = nodes, .end = nodes + count};
    range_write_start(&tree.codec.writer, bytes, TREE_MAX_BYTES);
    return code_tree(&tree, game) ? range_write_end(&tree.codec.writer) : 0;
}

bool treecode_unpack(const GameRecord *game, const uint8_t *bytes, size_t size, TreeVisit visit,
                     void *ctx)
{
    TreeCodec tree = {.visit = visit, .ctx = ctx};
    range_read_start(&tree.codec.reader, bytes, size);
    return code_tree(&tree, game) && range_read_end(&tree.codec.reader);
}
