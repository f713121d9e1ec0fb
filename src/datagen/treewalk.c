// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/treewalk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "chess/movegen.h"
#include "chess/play.h"
#include "search/table_key.h"

static_assert(TREEWALK_SEEN >= 2 * TREEWALK_FOUND_MAX, "the hash set has empty entries");

/* Adds the key to the set; false when the set contains it. Not a Keyset: a walk keeps few keys, so
 * an array of fixed size does, and adding to it cannot fail. */
static bool add_seen(Treewalk *walk, Key key)
{
    size_t i = key % TREEWALK_SEEN;
    while (walk->seen[i] != 0 && walk->seen[i] != key)
        i = (i + 1) % TREEWALK_SEEN;
    const bool is_new = walk->seen[i] != key;
    walk->seen[i] = key;
    return is_new;
}

/* The deepest entry under `table_key` that has a bound and at least `depth`. */
static bool find_entry(Tt *tt, Key table_key, int depth, TtData *entry)
{
    TtData found[2];
    TtStats unused = {0};
    const int count = tt_probe(tt, table_key, (SearchPoint){.ply = 0}, found, &unused);
    for (int i = 0; i < count; i++)
        if (found[i].bound != BOUND_NONE && found[i].depth >= depth) {
            *entry = found[i];
            return true;
        }
    return false;
}

/* Whether pos_key_after() gives the exact key after `move`. */
static bool has_simple_key(const Position *pos, Move move)
{
    const PieceType piece = piece_type(pos->board[move_from(move)]);
    const bool is_double_step = piece == PAWN && abs(move_from(move) - move_to(move)) == 16;
    const bool may_lose_castling =
        pos->castling != 0 && (piece == KING || piece == ROOK || pos_captured(pos, move) == ROOK);
    return move_kind(move) == KIND_NORMAL && !is_double_step && !may_lose_castling;
}

static Key key_after(const Position *pos, Move move)
{
    Position after;
    if (has_simple_key(pos, move))
        return pos_key_after(pos, move);
    pos_play(&after, pos, move);
    return after.key;
}

/* Adds the position after `move`, whose key is `key`, if the table holds it. */
static void look_up_child(Treewalk *walk, Tt *tt, const TreewalkNode *parent, Move move, Key key,
                          int depth)
{
    TreewalkNode *const child = &walk->found[walk->count];
    if (!find_entry(tt, table_key_after(&parent->pos, move, key), depth, &child->entry) ||
        !add_seen(walk, key))
        return;
    pos_play(&child->pos, &parent->pos, move);
    assert(child->pos.key == key);
    memcpy(child->path, parent->path, parent->length * sizeof parent->path[0]);
    child->path[parent->length] = move;
    child->length = parent->length + 1;
    child->is_expanded = child->length == TREE_PATH_MAX || child->entry.depth <= depth;
    walk->count++;
}

/* Looks up all children of the node. A walk mostly waits for the memory of the table, so the slots
 * of all children are prefetched before the first is read. Only children in the table are played.
 */
static void expand(Treewalk *walk, Tt *tt, TreewalkNode *node, int depth)
{
    Move moves[MAX_MOVES];
    Key keys[MAX_MOVES];
    const int count = gen_legal(&node->pos, moves);
    node->is_expanded = true;
    for (int i = 0; i < count; i++) {
        keys[i] = key_after(&node->pos, moves[i]);
        tt_prefetch(tt, table_key_after(&node->pos, moves[i], keys[i]));
    }
    for (int i = 0; i < count && walk->count < TREEWALK_FOUND_MAX; i++)
        look_up_child(walk, tt, node, moves[i], keys[i], depth);
}

/* The node of the deepest search that may be expanded; NULL when there is none. */
static TreewalkNode *deepest(Treewalk *walk)
{
    TreewalkNode *best = NULL;
    for (int i = 0; i < walk->count; i++) {
        TreewalkNode *const node = &walk->found[i];
        if (!node->is_expanded && (best == NULL || node->entry.depth > best->entry.depth))
            best = node;
    }
    return best;
}

void treewalk_find(Treewalk *walk, const Tt *tt, const Position *root, int depth)
{
    Tt view = *tt;
    view.no_refresh = true; // stale entries stay stale
    memset(walk->seen, 0, sizeof walk->seen);
    walk->found[0] = (TreewalkNode){.pos = *root};
    walk->count = 1;
    add_seen(walk, root->key);
    TreewalkNode *node = &walk->found[0];
    for (int i = 0; i < TREEWALK_EXPANSIONS && node != NULL; i++, node = deepest(walk))
        expand(walk, &view, node, depth);
}
