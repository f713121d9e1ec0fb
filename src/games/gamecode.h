// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A self-play game to and from bytes, range-coded: moves by their odds among the legal ones
 * (moveodds.h), scores by their difference from the last one; about 1.4 bytes a ply. Whoever reads
 * a game replays it, so a game read is a legal game. The start is a Chess960 array for each side,
 * by number (518 is the standard one). */

#include "chess/position.h"

enum { GAME_MAX_PLIES = 512, GAME_MAX_BYTES = 4096, CHESS960_NB = 960, CHESS960_STANDARD = 518 };

#define GAMECODE_MAGIC "PALGAME1" // of files of games, one to a block (base/blocks.h)

enum { GAME_BLACK_WINS, GAME_DRAW, GAME_WHITE_WINS };

typedef struct {
    uint32_t number;          // of the game in its run: with the seed, what it is made of
    uint16_t setup[COLOR_NB]; // Chess960 number of each side's array, 0..959
    uint16_t plies;
    uint16_t opening; // first plies, played at random and without a score
    uint8_t result;   // GAME_...
    Move moves[GAME_MAX_PLIES];
    int16_t
        scores[GAME_MAX_PLIES]; // from the side to move's view, internal units; 0 in the opening
} GameRecord;

/* Called for each ply of a game in turn: `pos` before `game->moves[ply]`. */
typedef void (*GameVisit)(void *ctx, const Position *pos, const GameRecord *game, int ply);

/* Sets `pos` to the start with these arrays, White to move. The numbers are below CHESS960_NB. */
void gamecode_start(Position *pos, int white_setup, int black_setup);

/* Writes `game`, all of whose moves are legal, to `bytes` (GAME_MAX_BYTES) and returns the size; 0
 * when one is not after all. */
size_t gamecode_pack(const GameRecord *game, uint8_t *bytes);

/* Reads a game back, calling `visit` (may be NULL) for every ply on the way. False when the bytes
 * are no game; `*game` is then undefined, and `visit` may have been called for its beginning. */
bool gamecode_unpack(GameRecord *game, const uint8_t *bytes, size_t size, GameVisit visit,
                     void *ctx);

/* True for a position worth training on: quiet, out of the opening and undecided. That is, not in
 * check, the move played neither capture nor promotion, and a score of at most 3000 either way. */
bool gamecode_keeps(const Position *pos, const GameRecord *game, int ply);
