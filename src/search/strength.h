// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Play at a given Elo below full strength (UCI_Elo). Two methods, which depend neither on the clock
 * nor on the machine:
 *
 * - A limit of nodes per move, since strength grows with the logarithm of the work (Thompson 1982,
 *   "Computer Chess Strength").
 * - At the lower levels, a random choice among the best lines. The more a line loses, the less
 *   likely it is chosen (Regan and Haworth 2011, "Intrinsic Chess Ratings").
 *
 * With few men on the board the lower levels search more nodes and choose worse lines less often,
 * so that even the lowest level mates with a rook. The levels were fitted to games, see
 * scripts/strength/README.md. */

#include "eval/score.h"
#include "search/limits.h"

enum { STRENGTH_ELO_MIN = 600, STRENGTH_ELO_MAX = 2850, STRENGTH_LINES = 40 }; // lines at most

/* All zero: full strength. */
typedef struct {
    uint64_t nodes; // limit per move
    int lines;      // number of best lines to choose from
    double spread;  // the larger, the more often a worse line is chosen; 0: always the best line
    uint64_t seed;  // of the random choice
} Strength;

/* The settings for `elo`, STRENGTH_ELO_MIN..STRENGTH_ELO_MAX, in a position with `men` men. */
Strength strength_at(int elo, int men, uint64_t seed);

static inline bool strength_is_full(const Strength *strength)
{
    return strength->nodes == 0;
}

/* Whether limited strength applies to a search: not to `go infinite` and `go mate`. */
bool strength_applies(const Limits *limits);

/* Index of the line to play among `count` lines, 1..STRENGTH_LINES, with these scores in any order.
 * Deterministic: depends only on the seed, the `key` of the root and the scores. */
int strength_choose(const Strength *strength, const Score *scores, int count, Key key);
