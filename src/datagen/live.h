// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A game in play: its record so far, the position it has come to and the path there. And how the
 * rules of chess end it. */

#include "chess/game.h"
#include "games/gamecode.h"

typedef struct {
    GameRecord record; // `result` is for those who know it to fill in
    Position pos;
    Path path;
    int kept; // plies so far that gamecode_keeps()
} LiveGame;

typedef enum {
    END_NONE,
    END_MATE,
    END_STALEMATE,
    END_REPETITION, // third occurrence
    END_FIFTY,      // moves without capture or pawn move
    END_MATERIAL,   // too little to mate with
    END_LENGTH      // GAME_MAX_PLIES: no rule of chess, but a record holds no more
} LiveEnd;

/* Begins game `number` at the start with these arrays. */
void live_start(LiveGame *game, uint32_t number, int white_setup, int black_setup);

/* Plays `move`, which is legal, with the score that led to it. The game must not be over. */
void live_play(LiveGame *game, Move move, int score);

/* The same for a move of the opening, which has no score. None may follow a move of the other kind.
 */
void live_play_opening(LiveGame *game, Move move);

/* How the game is over, or END_NONE. */
LiveEnd live_end(const LiveGame *game);

/* The result, GAME_..., of a game that is over by `end`. */
int live_result(const LiveGame *game, LiveEnd end);
