// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Compact self-play games: packs and unpacks a game with moves, scores and result, in about 1.4
 * bytes a ply. A range coder (rangecode.h) writes each move by its probability among the legal
 * moves (moveodds.h), and each score by its difference from the negated previous one. Unpacking
 * replays the game, so an unpacked game is legal. */

#include "chess/position.h"

enum {
    GAME_MAX_PLIES = 512,
    GAME_MAX_BYTES = 4096,
    GAMECODE_SCORE_MAX = 3000,
    GAME_NO_SCORE = INT16_MIN // of a ply after the opening whose score is not known
};

/* Magic of a record log (base/record_log.h) with one game in each record. */
#define GAMECODE_MAGIC "PALGAME1"

enum { GAME_BLACK_WINS, GAME_DRAW, GAME_WHITE_WINS };

typedef struct {
    uint32_t number; // of the game in its run; the run's seed and this number determine the game
    uint16_t setup[COLOR_NB]; // start array of each side (chess/chess960.h)
    uint16_t plies;
    uint16_t opening; // number of random plies at the start; they have no scores
    uint8_t result;   // GAME_...
    Move moves[GAME_MAX_PLIES];
    int16_t scores[GAME_MAX_PLIES]; // side to move's view, internal units; 0 in the opening,
                                    // GAME_NO_SCORE where it is not known
} GameRecord;

/* Called for each ply of a game in order; `pos` is the position before `game->moves[ply]`. Later
 * moves and scores are not yet set. */
typedef void (*GameVisit)(void *ctx, const Position *pos, const GameRecord *game, int ply);

/* Writes `game`, in which all moves must be legal, to `bytes` (GAME_MAX_BYTES) and returns the
 * number of bytes. After an illegal move returns 0 in release builds; other builds assert. */
size_t gamecode_pack(const GameRecord *game, uint8_t *bytes);

/* Reads a game and calls `visit` (may be NULL) for each ply. False when the bytes are not a valid
 * game. `*game` is then undefined, and `visit` may have been called for some plies. */
bool gamecode_unpack(GameRecord *game, const uint8_t *bytes, size_t size, GameVisit visit,
                     void *ctx);

/* True when `move` is neither capture nor promotion. Training uses no position with another best
 * move. */
bool gamecode_keeps_material(const Position *pos, Move move);

/* True when the position at `ply` suits training: after the opening, not in check, the move played
 * is neither capture nor promotion, and the score is known and within
 * -GAMECODE_SCORE_MAX..GAMECODE_SCORE_MAX. */
bool gamecode_suits_training(const Position *pos, const GameRecord *game, int ply);
