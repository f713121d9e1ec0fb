// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A game that is being played or replayed: its record so far, the current position and the path to
 * it; and how the rules of chess end it. */

#include "chess/game.h"
#include "games/gamecode.h"

typedef struct {
    GameRecord record; // the caller fills in `result`
    Position pos;
    Path path;
    int kept; // plies so far for which gamecode_keeps() is true
} SelfplayGame;

typedef enum {
    END_NONE,
    END_MATE,
    END_STALEMATE,
    END_REPETITION, // third occurrence
    END_FIFTY,      // moves without capture or pawn move
    END_MATERIAL,   // too little to mate with
    END_LENGTH      // GAME_MAX_PLIES: a limit of the record, not a rule of chess
} GameEnd;

/* Starts game `number` from these arrays, numbers of chess960 arrays (gamecode.h). */
void selfplay_game_start(SelfplayGame *game, uint32_t number, int white_setup, int black_setup);

/* Plays the legal `move`; `score` is that of the search that chose it, from the mover's view in
 * internal units. The game must not be over. */
void selfplay_game_play(SelfplayGame *game, Move move, int score);

/* Plays a move of the opening, which has no score. All opening moves come before all others. */
void selfplay_game_play_opening(SelfplayGame *game, Move move);

/* The rule that ended the game, or END_NONE while it is not over. */
GameEnd selfplay_game_end(const SelfplayGame *game);

/* The result (GAME_...) of a game that ended by `end`, which is not END_NONE. */
int selfplay_game_result(const SelfplayGame *game, GameEnd end);
