// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Games as tournament programs record them, in PGN with each move's score in its comment,
 * `{+0.31/12 0.1s}`: pawns from the mover's view, a slash, the depth. Variations are passed over.
 * For reading scores and results, not for databases: what a game's text has beyond that is ignored.
 */

#include <stdio.h>

#include "eval/score.h"
#include "games/gamecode.h"

/* A move that has a score. */
typedef struct {
    const Position *pos; // before it
    Score score;         // from the mover's view, internal units
    int result;          // of the game, as in gamecode.h
    uint64_t game;       // number of the game in the file, from 0
} PgnMove;

typedef struct {
    uint64_t games;    // read and judged
    uint64_t moves;    // with a score in them
    uint64_t unjudged; // games without a result, or lost otherwise than on the board
    uint64_t faulty;   // games in which a position or a move makes no sense
} PgnTally;

typedef void (*PgnVisit)(void *ctx, const PgnMove *move);

/* Reads the games of the stream, calling `visit` for each move with a score; with `player` not NULL
 * only for those of that player. Adds to `*tally`. False when there is no memory. */
bool pgn_read(FILE *stream, const char *player, PgnVisit visit, void *ctx, PgnTally *tally);
