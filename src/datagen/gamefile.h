// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Files of games, read from end to end. Every game is replayed on the way, so what is handed on is
 * legal; what is not is counted and passed over. */

#include "base/record_log.h"
#include "games/gamecode.h"

enum { GAMEFILE_ERROR_MAX = RECORD_LOG_ERROR_MAX };

/* Called for each good game in turn, with its size in the file. False ends the reading. */
typedef bool (*GamefileVisit)(void *ctx, const GameRecord *game, size_t bytes);

typedef struct {
    uint64_t blocks, games; // good games among the blocks, of which a damaged stretch is one
    uint64_t plies, kept;   // of those games; kept: gamecode_keeps()
    uint64_t bytes;         // of the whole blocks' contents
    uint64_t damaged;       // stretches of the file that are no block
    uint64_t unreadable;    // whole blocks that are no game
    bool truncated;         // the last block is unfinished
    uint32_t next_number;   // one above the highest number
} GamefileTally;

/* Reads all games of the file at `path`, calling `visit` (may be NULL) for each. False, with the
 * reason in `error` (GAMEFILE_ERROR_MAX bytes), when there is no such file or `visit` ended it
 * (then the reason is ""). For a large file a bar labelled `label` (NULL: none) shows how far it
 * is. */
bool gamefile_read(const char *path, const char *label, GamefileVisit visit, void *ctx,
                   GamefileTally *tally, char *error);
