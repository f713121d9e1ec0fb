// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One game of the engine against itself, from a random opening to an end by the rules or by
 * adjudication. It depends on the run's seed, its own number, the options and the evaluation alone:
 * not on the threads or the games before it. */

#include <stdatomic.h>

#include "datagen/openings.h"

enum {
    JUDGE_WIN_SCORE = 1500,    // won when one side stands so much better ...
    JUDGE_WIN_PLIES = 5,       // ... in so many plies on end
    JUDGE_DRAW_SCORE = 8,      // drawn when the score is no more than this ...
    JUDGE_DRAW_PLIES = 10,     // ... in so many plies on end ...
    JUDGE_DRAW_FROM = 70,      // ... none of them before this one, counted from 0
    SELFPLAY_SCORE_MAX = 20000 // recorded scores, mates among them, are cut to this
};

typedef struct {
    OpeningOptions opening;
    uint64_t soft_nodes, hard_nodes; // of each search
    uint64_t seed;                   // of the run
} SelfplayOptions;

/* The verdict on a game after `plies` plies with these scores, each from its mover's view; the
 * first `opening` have none. True when it is decided, with `*result` GAME_... */
bool judge_scores(const int16_t *scores, int opening, int plies, int *result);

/* Plays game `number` with `solo`, whose memory is cleared first. False, with `game` unfinished,
 * when `*stop` (NULL: never), at which it looks before each opening and each move, became true. */
bool selfplay_game(SelfplayGame *game, uint32_t number, const SelfplayOptions *options,
                   Single *single, const atomic_bool *stop);
