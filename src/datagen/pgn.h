// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Reads scores and results from PGN as tournament programs write it, with the score of each move in
 * its comment: `{+0.31/12 0.1s}` is pawns from the mover's view, a slash, the depth. Variations and
 * all other comments are skipped. Not a general PGN reader. */

#include <stdio.h>

#include "eval/score.h"
#include "games/gamecode.h"

/* A move with a score. */
typedef struct {
    const Position *pos; // before the move
    Score score;         // from the mover's view, internal units
    int result;          // of the game, GAME_... (gamecode.h)
    uint64_t game;       // number of the game in the file, from 0
} PgnMove;

typedef struct {
    uint64_t games;    // games with a result on the board
    uint64_t moves;    // moves with a score in those games
    uint64_t unjudged; // games without a result, or lost on time, by a crash or the like
    uint64_t faulty;   // games with an illegal position or move
} PgnTally;

typedef void (*PgnVisit)(void *ctx, const PgnMove *move);

/* Reads the games of the stream and calls `visit` for each move with a score; if `player` is not
 * NULL, only for the moves of that player. Adds to `*tally`. False when memory is short. */
bool pgn_read(FILE *stream, const char *player, PgnVisit visit, void *ctx, PgnTally *tally);
