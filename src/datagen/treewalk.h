// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Finds interior nodes of a finished search: walks from its root over legal moves to positions that
 * the transposition table holds. The table is only read, so later searches do not depend on the
 * walk. */

#include "games/treecode.h"
#include "tt/tt.h"

enum {
    TREEWALK_FOUND_MAX = 768, // nodes, the root included
    TREEWALK_SEEN = 2048,     // hash set of their keys, a power of two
    TREEWALK_EXPANSIONS = 64  // nodes whose children are looked up; limits the time of a walk
};

typedef struct {
    Position pos;
    TtData entry; // of at least the depth asked for, with a bound; its mate scores count from
                  // `pos`. The root has none: all zero
    Move path[TREE_PATH_MAX];
    uint8_t length; // moves from the root to the node
    bool is_expanded;
} TreewalkNode;

/* Large: about 220 KiB. */
typedef struct {
    TreewalkNode found[TREEWALK_FOUND_MAX]; // distinct positions; the first is the root
    int count;
    Key seen[TREEWALK_SEEN]; // 0: empty
} Treewalk;

/* Finds nodes below `root` with entries of at least `depth` plies. Nodes of the deepest searches
 * are expanded first; a node is expanded only if its entry is deeper than `depth`. */
void treewalk_find(Treewalk *walk, const Tt *tt, const Position *root, int depth);
