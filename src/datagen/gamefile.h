// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Reads a file of games from start to end. Each game is replayed, so that the caller sees only
 * legal games; others are counted and skipped. */

#include "base/record_log.h"
#include "games/gamecode.h"

enum { GAMEFILE_ERROR_MAX = RECORD_LOG_ERROR_MAX };

/* Called for each good game, in file order; `bytes` is its size in the file. False ends the
 * reading. */
typedef bool (*GamefileVisit)(void *ctx, const GameRecord *game, size_t bytes);

typedef struct {
    uint64_t blocks;      // undamaged blocks and damaged stretches
    uint64_t games;       // good games
    uint64_t plies, kept; // of the good games; kept: gamecode_keeps() is true
    uint64_t bytes;       // contents of the undamaged blocks
    uint64_t damaged;     // stretches of the file that are not a block
    uint64_t unreadable;  // undamaged blocks that hold no legal game
    bool truncated;       // the last block is incomplete
    uint32_t next_number; // highest game number plus one
} GamefileTally;

/* Reads all games of the file at `path` and calls `visit` (may be NULL) for each. Returns false,
 * with the reason in `error` (GAMEFILE_ERROR_MAX bytes), when the file cannot be read, memory is
 * short, or `visit` returned false (then the reason is ""). Shows a progress bar labelled `label`
 * (NULL: no bar) for a large file. */
bool gamefile_read(const char *path, const char *label, GamefileVisit visit, void *ctx,
                   GamefileTally *tally, char *error);
