// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One game of the engine against itself, from a random opening to an end by the rules or by
 * adjudication. The game depends only on the seed of the run, its number, the options and the
 * evaluation: not on threads or earlier games. */

#include <stdatomic.h>

#include "datagen/openings.h"

enum {
    JUDGE_WIN_SCORE = 1500,    // adjudicated as won: at least this score for one side ...
    JUDGE_WIN_PLIES = 5,       // ... in this many consecutive plies
    JUDGE_DRAW_SCORE = 8,      // adjudicated as drawn: at most this score for either side ...
    JUDGE_DRAW_PLIES = 10,     // ... in this many consecutive plies ...
    JUDGE_DRAW_FROM = 70,      // ... all of them from this ply (counted from 0) on
    SELFPLAY_SCORE_MAX = 20000 // recorded scores, also of mates, are clamped to this
};

typedef struct {
    OpeningOptions opening;
    uint64_t soft_nodes, hard_nodes; // of each search
    uint64_t seed;                   // of the run
} SelfplayOptions;

/* Adjudicates a game after `plies` plies with these scores, each from its mover's view; the first
 * `opening` plies have no score. True when the game is decided, with `*result` GAME_... */
bool judge_scores(const int16_t *scores, int opening, int plies, int *result);

/* Plays game `number` with `single`, after single_new_game(). Checks `*stop` (may be NULL) before
 * each opening and each move; returns false, with `game` unfinished, when it is true. */
bool selfplay_game(SelfplayGame *game, uint32_t number, const SelfplayOptions *options,
                   Single *single, const atomic_bool *stop);
