// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Reads scores and results from the PGN files of tournament programs. They write the score of each
 * move in a comment such as `{+0.31/12 0.1s}`: pawns from the mover's view, with a sign or a
 * decimal point, a slash, the depth, and perhaps a slash and the selective depth.
 * Mate scores, other comments and variations are skipped. chess/pgngame.h reads the games. */

#include "games/gamecode.h"

/* The score of a move. */
typedef struct {
    const Position *pos; // before the move
    int centipawns;      // the score from the mover's view, as the engine printed it
    int result;          // of the game, GAME_... (gamecode.h)
    uint64_t game;       // index, from 0, among the games of the text that PgnTally.games counts
} PgnScore;

typedef struct {
    uint64_t games;    // games with a result by the rules of chess or by adjudication
    uint64_t moves;    // calls of PgnScoreVisit, one per move with a score
    uint64_t unjudged; // games without a result, or decided by time, a crash or the like
    uint64_t faulty;   // damaged games, for example with an illegal position or move
} PgnTally;

typedef void (*PgnScoreVisit)(void *ctx, const PgnScore *move);

/* Reads the games of the text. Calls `visit` for each move with a score in the games counted by
 * `tally->games`; if `player` is not NULL, only for the moves of that player. The caller zeroes
 * `*tally` before the first text. False when memory is short. */
bool pgnscores_read(const char *text, const char *player, PgnScoreVisit visit, void *ctx,
                    PgnTally *tally);
