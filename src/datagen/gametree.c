// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/gametree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "chess/chess960.h"
#include "chess/movegen.h"
#include "chess/play.h"

static_assert((int)TREE_UPPER == (int)BOUND_UPPER && (int)TREE_LOWER == (int)BOUND_LOWER &&
                  (int)TREE_EXACT == (int)BOUND_EXACT,
              "both enums name the same bounds");

void gametree_start(GameTree *tree, uint64_t seed)
{
    tree->count = 0;
    rng_seed(&tree->rng, seed);
}

/* Whether the entry is exact, or the evaluation violates its bound or is within GAMETREE_SLACK of
 * it. */
static bool is_instructive(const TtData *entry)
{
    const int above = entry->score - entry->eval;
    switch (entry->bound) {
    case BOUND_LOWER: return above > -GAMETREE_SLACK;
    case BOUND_UPPER: return above < GAMETREE_SLACK;
    default: return entry->bound == BOUND_EXACT;
    }
}

bool gametree_suits_training(const Position *pos, const TtData *entry)
{
    const Move move = entry->move;
    return !pos_in_check(pos) && entry->eval != SCORE_NONE && abs(entry->score) <= TREE_SCORE_MAX &&
           !score_is_near_draw(entry->score) && is_instructive(entry) &&
           pos->rule50 <= GAMETREE_RULE50_MAX &&
           popcount(pos_occupied(pos)) >= GAMETREE_PIECES_MIN &&
           (move == MOVE_NONE || (gen_is_legal(pos, move) && gamecode_keeps_material(pos, move))) &&
           selfplay_is_quiet(pos);
}

/* Whether the game so far or the tree contains this position. */
static bool is_known(const GameTree *tree, const SelfplayGame *game, Key key)
{
    if (path_contains(&game->path, key))
        return true;
    for (int i = 0; i < tree->count; i++)
        if (tree->keys[i] == key)
            return true;
    return false;
}

static void keep(GameTree *tree, const TreewalkNode *node, int ply)
{
    const TtData *const entry = &node->entry;
    assert(tree->count < TREE_NODES_MAX);
    TreeNode *const kept = &tree->nodes[tree->count];
    *kept = (TreeNode){.ply = (uint16_t)ply,
                       .length = node->length,
                       .depth =
                           (uint8_t)(entry->depth < TREE_DEPTH_MAX ? entry->depth : TREE_DEPTH_MAX),
                       .bound = (uint8_t)entry->bound,
                       .score = (int16_t)entry->score};
    memcpy(kept->path, node->path, node->length * sizeof node->path[0]);
    tree->keys[tree->count++] = node->pos.key;
}

/* Nodes of the walk that have not been drawn. */
typedef struct {
    uint16_t nodes[TREEWALK_FOUND_MAX];
    int count;
} Urn;

/* Draws nodes at random and keeps up to `limit` that suit; returns their number. */
static int keep_from(Urn *urn, GameTree *tree, const SelfplayGame *game, Move best, int limit)
{
    int kept = 0;
    while (urn->count > 0 && kept < limit && tree->count < TREE_NODES_MAX) {
        const uint64_t drawn = rng_below(&tree->rng, (uint64_t)urn->count);
        const TreewalkNode *const node = &tree->walk.found[urn->nodes[drawn]];
        urn->nodes[drawn] = urn->nodes[--urn->count];
        const bool is_played = node->length == 1 && node->path[0] == best;
        if (!is_played && gametree_suits_training(&node->pos, &node->entry) &&
            !is_known(tree, game, node->pos.key)) {
            keep(tree, node, game->record.plies);
            kept++;
        }
    }
    return kept;
}

void gametree_collect(GameTree *tree, const TreeOptions *options, const Tt *tt,
                      const SelfplayGame *game, Move best)
{
    Urn exact = {.count = 0}, all = {.count = 0};
    const Treewalk *const walk = &tree->walk;
    treewalk_find(&tree->walk, tt, &game->pos, options->depth);
    for (int i = 1; i < walk->count; i++) {
        all.nodes[all.count++] = (uint16_t)i;
        if (walk->found[i].entry.bound == BOUND_EXACT)
            exact.nodes[exact.count++] = (uint16_t)i;
    }
    const int first = keep_from(&exact, tree, game, best, options->nodes / 2);
    keep_from(&all, tree, game, best, options->nodes - first);
}

void gametree_finish(GameTree *tree, const GameRecord *game)
{
    Key keys[GAME_MAX_PLIES + 1];
    Position pos[2]; // current and next position, alternating
    chess960_start(&pos[0], game->setup[WHITE], game->setup[BLACK]);
    keys[0] = pos[0].key;
    for (int ply = 0; ply < game->plies; ply++) {
        pos_play(&pos[(ply + 1) % 2], &pos[ply % 2], game->moves[ply]);
        keys[ply + 1] = pos[(ply + 1) % 2].key;
    }
    int count = 0;
    for (int i = 0; i < tree->count; i++) {
        int ply = 0;
        while (ply <= game->plies && keys[ply] != tree->keys[i])
            ply++;
        if (ply <= game->plies)
            continue;
        tree->nodes[count] = tree->nodes[i];
        tree->keys[count++] = tree->keys[i];
    }
    tree->count = count;
}
