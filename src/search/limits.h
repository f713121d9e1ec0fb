// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Limits of one search: the arguments of the UCI command `go`, parsed and validated. Without any,
 * {0}, a search does not end by itself. */

#include <stdbool.h>
#include <stdint.h>

#include "chess/types.h"

typedef struct {
    bool infinite;              // report the best move only after a stop; clocks do not count
    bool ponder;                // report the best move only after a ponderhit or stop
    int depth;                  // plies; 0: no limit
    int mate;                   // stop at a mate in this many moves; 0: no limit
    uint64_t nodes;             // 0: no limit; with one thread exact, except in the first root move
                                // and, by a few hundred, with `mate`
    uint64_t soft_nodes;        // no new iteration after this many; 0: no limit
    bool has_move_time;         // the next field was given
    int64_t move_ms;            // time for this move
    bool has_clock;             // at least one of the next three fields was given
    int64_t clock_ms[COLOR_NB]; // may be 0 or negative: move at once
    int64_t increment_ms[COLOR_NB];
    int moves_to_go;       // moves to the next time control; 0: sudden death
    bool has_search_moves; // search only these moves; an empty list: no move
    int search_move_count;
    Move search_moves[MAX_MOVES];
} Limits;

/* Whether a search with these limits ends by itself (when pondering: after the ponderhit). */
static inline bool limits_end(const Limits *limits)
{
    const bool is_limited = limits->has_clock || limits->has_move_time || limits->depth != 0 ||
                            limits->nodes != 0 || limits->soft_nodes != 0 || limits->mate != 0;
    return is_limited && !limits->infinite;
}

/* Whether a time control lies between two moves of a side: the first was the last one before a
 * control, or more moves are to go at the second than at the first. `before` and `now` are the
 * moves to go at each; 0: no control. */
static inline bool limits_passed_control(int before, int now)
{
    return before == 1 || (before > 0 && now > before);
}

/* Whether `move` may be searched at the root. */
static inline bool limits_allow(const Limits *limits, Move move)
{
    return !limits->has_search_moves ||
           moves_contain(limits->search_moves, limits->search_move_count, move);
}
