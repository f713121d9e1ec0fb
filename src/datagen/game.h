// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A game while it is played or replayed: its record so far, the current position, and the path of
 * earlier positions for repetitions. Also says whether it is over. */

#include "chess/game.h"
#include "games/gamecode.h"

typedef struct {
    GameRecord record; // the caller fills in `result`
    Position pos;
    Path path;
    int kept; // number of plies so far that gamecode_suits_training() accepts for training
} SelfplayGame;

/* The game has GAME_MAX_PLIES: a limit of the record, not a rule of chess. */
enum { END_LENGTH = END_NB };

/* Starts game `number`. The setups are numbers of Chess960 arrays (chess960.h); those of White and
 * Black may differ. */
void selfplay_game_start(SelfplayGame *game, uint32_t number, int white_setup, int black_setup);

/* Plays the legal `move`. `score` is the score of the search that chose the move, from the mover's
 * view, in internal units; it must fit into 16 bits. The game must not be over. */
void selfplay_game_play(SelfplayGame *game, Move move, int score);

/* Plays a legal move of the opening; its recorded score is 0. All opening moves must come before
 * the first other move. */
void selfplay_game_play_opening(SelfplayGame *game, Move move);

/* Starts to replay the finished game `record`; selfplay_game_replay_move() plays its moves. */
void selfplay_game_replay(SelfplayGame *game, const GameRecord *record);

/* Plays the next move of `record`. True when the position before it suits training. */
bool selfplay_game_replay_move(SelfplayGame *game, const GameRecord *record);

/* Whether no capture or queen promotion wins material, by static exchange evaluation. */
bool selfplay_is_quiet(const Position *pos);

/* The rule of chess that ended the game, END_LENGTH, or END_NONE while it is not over. */
GameEnd selfplay_game_end(const SelfplayGame *game);

/* The result (GAME_..., gamecode.h) of a game that ended by `end`, not END_NONE. */
int selfplay_game_result(const SelfplayGame *game, GameEnd end);
