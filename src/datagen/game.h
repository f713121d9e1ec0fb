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
} SelfplayGame;

typedef enum {
    END_NONE,
    END_MATE,
    END_STALEMATE,
    END_REPETITION, // third occurrence
    END_FIFTY,      // moves without capture or pawn move
    END_MATERIAL,   // too little to mate with
    END_LENGTH      // GAME_MAX_PLIES: no rule of chess, but a record holds no more
} GameEnd;

/* Begins game `number` at the start with these arrays. */
void selfplay_game_start(SelfplayGame *game, uint32_t number, int white_setup, int black_setup);

/* Plays `move`, which is legal, with the score that led to it. The game must not be over. */
void selfplay_game_play(SelfplayGame *game, Move move, int score);

/* The same for a move of the opening, which has no score. None may follow a move of the other kind.
 */
void selfplay_game_play_opening(SelfplayGame *game, Move move);

/* How the game is over, or END_NONE. */
GameEnd selfplay_game_end(const SelfplayGame *game);

/* The result, GAME_..., of a game that is over by `end`. */
int selfplay_game_result(const SelfplayGame *game, GameEnd end);
