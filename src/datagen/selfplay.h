// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One game of the engine against itself, from a random opening to an end by the rules or by
 * adjudication. The game depends only on the seed of the run, its number, the options and the
 * evaluation: not on threads or earlier games. */

#include <stdatomic.h>

#include "datagen/gametree.h"
#include "datagen/openings.h"

enum {
    /* Adjudicated as won: the same side has at least `win_score` in each of the last 5 plies. */
    ADJUDICATE_WIN_PLIES = 5,
    /* Adjudicated as drawn: in each of the last 10 plies, the score is at most this for either
     * side. All these plies must be ply 70 or later (counted from 0). */
    ADJUDICATE_DRAW_SCORE = 8,
    ADJUDICATE_DRAW_PLIES = 10,
    ADJUDICATE_DRAW_FROM = 70,
    SELFPLAY_SCORE_MAX = 20000, // recorded scores, mate scores included, are clamped to +-this
    /* Nodes of the searches between the parts of a game (`part`). */
    QUICK_SOFT_NODES = 100,
    QUICK_HARD_NODES = 500
};

typedef struct {
    OpeningOptions opening;
    uint64_t soft_nodes, hard_nodes; // of each search
    int late_moves;                  // SearchJob.lmp_extra of each search
    int win_score;                   // internal units, see ADJUDICATE_WIN_PLIES
    int part;                        // plies of a part with long searches; 0: all searches are long
    int between;                     // plies between two parts, on average
    uint64_t seed;                   // of the run
    TreeOptions tree;
} SelfplayOptions;

/* How long the searches of a game are. */
typedef enum {
    EFFORT_QUICK, // QUICK_SOFT_NODES
    EFFORT_LONG,  // the nodes of the options
    EFFORT_PART   // long only if the position will be trained on
} SelfplayEffort;

/* Searches the position of the game. With EFFORT_PART the first search is quick; the long search
 * follows only if the side to move is not in check and the move found is neither capture nor
 * promotion. Training does not use other positions (gamecode_suits_training()); their scores only
 * improve the target of the ply before (train/td_targets.h), and a quick one is good enough. */
SingleResult selfplay_search(const SelfplayGame *game, const SelfplayOptions *options,
                             SelfplayEffort effort, Single *single);

/* Adjudicates a game after `plies` plies. scores[i] is from the view of the mover of ply i, in
 * internal units; the first `opening` plies have no score. True when the game is decided; `*result`
 * is then GAME_... (gamecode.h). */
bool adjudicate_scores(const int16_t *scores, int opening, int plies, int win_score, int *result);

/* Plays game `number` with `single`, whose earlier searches have no effect: each opening starts
 * with single_new_game(). Checks `*stop` (may be NULL) before each opening and each move; returns
 * false, with `game` unfinished, when `*stop` is true. `tree` gets nodes of the searches; it may be
 * NULL if options->tree.nodes is 0.
 *
 * With options->part most plies of a game are played with quick searches, whose scores are not
 * recorded. Between them are parts of `part` plies, which begin at random: all their scores are
 * recorded, and their searches are those of EFFORT_PART. So the long searches go to positions of
 * more games, and only to positions that training can use. The positions of a game resemble each
 * other: as many positions teach twice as much with four from each game as with 17
 * (nets/experiments.md). */
bool selfplay_game(SelfplayGame *game, GameTree *tree, uint32_t number,
                   const SelfplayOptions *options, Single *single, const atomic_bool *stop);
