// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Ways to settle a node of the main search before its moves are searched one by one: static
 * margins, a null move, a capture far above beta, several moves that fail high. Only where the
 * result is not needed exactly, and never from or to a proven score. */

#include "search/node.h"

/* True when the node is settled, its score in `*score`, or the search must stop. */
bool shortcut_take(Node *n, bool improving, Score *score);

/* Is the hash move the only good one (singular extensions: Anantharaman, Campbell and Hsu 1990)?
 * Searches the others to half the depth and sets the plies by which the hash move is to be extended
 * in n->extension. True when they, too, fail high: the node is settled, its score in `*score`; or
 * when the search must stop. */
bool shortcut_examine_hash_move(Node *n, Score *score);
