// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Reads a file of games from start to end. Replays each game, and passes only legal games to the
 * caller; counts and skips the others. */

#include "base/record_log.h"
#include "games/gameblock.h"

enum { GAMEFILE_ERROR_MAX = RECORD_LOG_ERROR_MAX };

/* Called for each legal game, in file order, with the block that holds it. The tree nodes of the
 * block are not checked yet. Returns false to end the reading. */
typedef bool (*GamefileVisit)(void *ctx, const GameRecord *game, const GameBlock *block);

typedef struct {
    uint64_t games;       // legal games
    uint64_t plies;       // of these games
    uint64_t kept;        // positions among them that gamecode_suits_training() accepts
    uint64_t bytes;       // contents of the undamaged blocks
    uint64_t damaged;     // places with damaged bytes; each may span several blocks
    uint64_t unreadable;  // undamaged blocks that hold no legal game
    bool truncated;       // the last block is incomplete
    uint64_t next_number; // highest number of a legal game plus one; 0 without games
} GamefileTally;

/* What to read, and how. */
typedef struct {
    const char *path;
    const char *label;       // of the progress bar for a large file; NULL: no bar
    const atomic_bool *stop; // true: ends the reading; may be NULL
} GamefileSource;

/* Reads all games of the file and calls `visit` (may be NULL) for each legal game. Returns false,
 * with the reason in `error` (GAMEFILE_ERROR_MAX bytes), when the file cannot be read, memory is
 * short or `stop` is true; also, with an empty reason, when `visit` returned false. Damaged blocks
 * are no failure. */
bool gamefile_read(const GamefileSource *source, GamefileVisit visit, void *ctx,
                   GamefileTally *tally, char *error);
