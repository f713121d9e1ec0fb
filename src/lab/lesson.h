// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* How far back does a learned position reach? The engine plays a game against itself and loses. The
 * loser keeps positions by a policy of position learning (learned_position.h). Then the loser's
 * positions before its score fell are searched again, with and without what was learned. If the
 * moves differ, a deeper search tells which one is better. */

#include "engine/single.h"
#include "learning/learned_position.h"

enum {
    LESSON_STEPS = 10, // distances: 1..10 of the loser's moves, 2..20 plies, before the fall
    LESSON_PLIES_MAX = 200
};

/* A game in which one side lost. */
typedef struct {
    Position positions[LESSON_PLIES_MAX + 1]; // [0]: the start
    SearchOutcome outcomes[LESSON_PLIES_MAX]; // of the search of each position
    int length;                               // plies
    int fall;                                 // ply of the fall: the loser is to move there
    Score drop;                               // its size, internal units
} LessonGame;

/* Plays a game from `start`; each move is searched to `depth` plies. A side resigns when its score
 * is -LESSON_LOST or less. False without a lesson: nobody lost, or the loser's score never fell by
 * LEARNED_DROP or more from one move to the next, to -LEARNED_DROP or less. */
enum { LESSON_LOST = 1000 };
bool lesson_play(LessonGame *game, Single *single, const Position *start, int depth);

/* Puts the loser's positions that the policy of `table` keeps into it. It must be empty, with its
 * policy and network set. Returns their number, or -1 when memory is short. */
int lesson_learn(const LessonGame *game, LearnedTable *table);

/* What learning changes at a distance from the fall. */
typedef struct {
    bool is_tried;   // false: the game was shorter
    bool is_changed; // another move
    Score regained;  // score of that move minus score of the move without learning, internal units
} LessonGain;

/* Searches the loser's position `step` moves (1..LESSON_STEPS) before the fall with and without
 * `table`, to `depth` plies, and judges different moves by searches to `judge_depth` plies after
 * the move. Scores beyond LESSON_LOST count as LESSON_LOST. */
LessonGain lesson_test(const LessonGame *game, Single *single, const LearnedTable *table, int step,
                       int depth, int judge_depth);
