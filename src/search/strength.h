// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Play below full strength, by Elo. Two handles, neither of them the clock, so that a level is the
 * same on every machine: how many nodes a move may cost, for strength grows with the logarithm of
 * the work (Thompson 1982, "Computer Chess Strength"); and at the lower levels a fallible choice
 * among the best lines, where a line is the less likely the more it seems to lose (Regan and
 * Haworth 2011, "Intrinsic Chess Ratings"). Which nodes and which losses make which Elo was found
 * by games: scripts/strength/README.md. */

#include "eval/score.h"
#include "search/limits.h"

enum { STRENGTH_ELO_MIN = 1320, STRENGTH_ELO_MAX = 2850, STRENGTH_LINES = 5 }; // lines at most

/* All zero: full strength. */
typedef struct {
    uint64_t nodes; // at most so many for a move
    int lines;      // to choose from, the best ones
    double spread;  // of the losses that are put up with; 0: none, the best line is played
    uint64_t seed;  // of the choices
} Strength;

/* That of `elo`, STRENGTH_ELO_MIN..STRENGTH_ELO_MAX. */
Strength strength_at(int elo, uint64_t seed);

static inline bool strength_is_full(const Strength *strength)
{
    return strength->nodes == 0;
}

/* Whether a search within `limits` is one for a move in a game, which a level is for: not a search
 * until told to stop, nor one for a mate. */
bool strength_applies(const Limits *limits);

/* The line to play of `count` > 0 that have these scores, in any order: always the same one for the
 * same seed, `key` of the root and scores. */
int strength_choose(const Strength *strength, const Score *scores, int count, Key key);
