// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The key under which the search keeps results of a position in the transposition table. */

#include "base/bits.h"
#include "chess/position.h"

enum { TABLE_KEY_RULE50 = 16 }; // the least fifty-move counter that changes the key

/* Returns the table key of a position with key `key` and fifty-move counter `rule50`: the same key
 * while the counter is below TABLE_KEY_RULE50, then another one for every eight plies. Near the
 * fifty-move rule a score may be a draw by that rule; at another counter it would be false.
 * (Stockfish's idea.) */
static inline Key table_key_at(Key key, int rule50)
{
    return rule50 < TABLE_KEY_RULE50 ? key : key ^ (Key)(rule50 / 8) * GOLDEN_RATIO_64;
}

static inline Key table_key(const Position *pos)
{
    return table_key_at(pos->key, pos->rule50);
}

/* Returns the table key of the position after `move` (MOVE_NULL: passes), whose key is `key`. */
static inline Key table_key_after(const Position *pos, Move move, Key key)
{
    if (pos->rule50 + 1 < TABLE_KEY_RULE50)
        return key;
    const bool is_zeroing = move != MOVE_NULL && (piece_type(pos->board[move_from(move)]) == PAWN ||
                                                  pos_captured(pos, move) != PIECE_TYPE_NB);
    return is_zeroing ? key : table_key_at(key, pos->rule50 + 1);
}
