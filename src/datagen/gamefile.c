// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/gamefile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/progress.h"

enum { BAR_FROM_BYTES = 16 << 20 }; // no bar for smaller files: reading takes a few seconds

/* The state of one reading. It is allocated, because the reader's block is too large for the stack
 * of a small thread. */
typedef struct {
    RecordReader reader;
    GameRecord game;
    GameBlock block;
    Progress bar;
} Reading;

static void count_kept(void *ctx, const Position *pos, const GameRecord *game, int ply)
{
    int *const kept = ctx;
    *kept += gamecode_suits_training(pos, game, ply);
}

/* Decodes the game in an undamaged block; false when the block holds no legal game. */
static bool decode_game(Reading *reading, GamefileTally *tally)
{
    int kept = 0;
    GameRecord *game = &reading->game;
    GameBlock *block = &reading->block;
    if (!gameblock_split(block, reading->reader.bytes, reading->reader.size) ||
        !gamecode_unpack(game, block->game, block->game_size, count_kept, &kept))
        return false;
    tally->games++;
    tally->plies += game->plies;
    tally->kept += (uint64_t)kept;
    if (game->number >= tally->next_number)
        tally->next_number = (uint64_t)game->number + 1;
    return true;
}

static bool read_blocks(Reading *reading, const char *path, GamefileVisit visit, void *ctx,
                        GamefileTally *tally, char *error)
{
    RecordReader *reader = &reading->reader;
    while (true) {
        const RecordStatus status = record_log_read(reader);
        if (status == RECORD_FAILED) {
            snprintf(error, GAMEFILE_ERROR_MAX, "%.200s: %s", path, strerror(errno));
            return false;
        }
        tally->truncated = status == RECORD_TRUNCATED;
        if (status == RECORD_END || status == RECORD_TRUNCATED)
            return true;
        tally->bytes += reader->size;
        progress_update(&reading->bar, (uint64_t)reader->next);
        if (status == RECORD_DAMAGED)
            tally->damaged++;
        else if (!decode_game(reading, tally))
            tally->unreadable++;
        else if (visit != NULL && !visit(ctx, &reading->game, &reading->block))
            return false;
    }
}

bool gamefile_read(const GamefileSource *source, GamefileVisit visit, void *ctx,
                   GamefileTally *tally, char *error)
{
    const char *const path = source->path;
    memset(tally, 0, sizeof *tally);
    error[0] = '\0';
    Reading *reading = calloc(1, sizeof *reading);
    if (reading == NULL) {
        snprintf(error, GAMEFILE_ERROR_MAX, "out of memory");
        return false;
    }
    bool is_read = record_log_read_open(&reading->reader, path, GAMECODE_MAGIC, error);
    if (is_read) {
        int64_t size = 0;
        reading->reader.stop = source->stop;
        if (file_kind(path, &size) == FILE_REGULAR && size >= BAR_FROM_BYTES)
            progress_start(&reading->bar, source->label, (uint64_t)size);
        is_read = read_blocks(reading, path, visit, ctx, tally, error);
        progress_end(&reading->bar, is_read);
        record_log_read_close(&reading->reader);
    }
    free(reading);
    return is_read;
}
