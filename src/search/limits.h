// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What bounds one search: the arguments of `go`, parsed and validated. */

#include <stdbool.h>
#include <stdint.h>

#include "chess/types.h"

typedef struct {
    bool infinite;              // hold the best move until told to stop
    bool ponder;                // as infinite until engine_ponderhit()
    int depth;                  // plies; 0: no limit
    int mate;                   // stop once a mate in so many moves is found; 0: no limit
    uint64_t nodes;             // 0: no limit; exact with one thread
    uint64_t soft_nodes;        // no new iteration after so many; 0: no limit
    int64_t move_ms;            // time for this move; -1: not given
    bool has_clock;             // the five fields below were given, in part at least
    int64_t clock_ms[COLOR_NB]; // may be 0 or negative: move at once
    int64_t increment_ms[COLOR_NB];
    int moves_to_go;       // moves to the next time control; 0: sudden death
    bool has_search_moves; // search only these; an empty list means no move at all
    int search_move_count;
    Move search_moves[MAX_MOVES];
} Limits;

/* Whether they end a search by themselves: one that ponders, once the move pondered on is played.
 */
static inline bool limits_end(const Limits *limits)
{
    const bool is_limited = limits->has_clock || limits->move_ms >= 0 || limits->depth != 0 ||
                            limits->nodes != 0 || limits->soft_nodes != 0 || limits->mate != 0;
    return is_limited && !limits->infinite;
}

/* Whether `move` may be searched. */
static inline bool limits_allow(const Limits *limits, Move move)
{
    for (int i = 0; i < limits->search_move_count; i++)
        if (limits->search_moves[i] == move)
            return true;
    return !limits->has_search_moves;
}
