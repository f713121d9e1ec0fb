// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/gamefile.h"

#include <stdlib.h>
#include <string.h>

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

/* Size of the open file, or 0 when unknown; keeps the read position. */
static uint64_t file_size(FILE *stream)
{
    const long here = ftell(stream);
    const bool is_known = fseek(stream, 0, SEEK_END) == 0;
    const long size = is_known ? ftell(stream) : 0;
    fseek(stream, here, SEEK_SET);
    return size > 0 ? (uint64_t)size : 0;
}

static bool read_blocks(Reading *reading, GamefileVisit visit, void *ctx, GamefileTally *tally)
{
    RecordReader *reader = &reading->reader;
    while (true) {
        const RecordStatus status = record_log_read(reader);
        tally->truncated = status == RECORD_TRUNCATED;
        if (status == RECORD_END || status == RECORD_TRUNCATED)
            return true;
        tally->blocks++;
        tally->bytes += reader->size;
        if (reading->bar.label != NULL)
            progress_update(&reading->bar, (uint64_t)reader->next);
        if (status == RECORD_DAMAGED)
            tally->damaged++;
        else if (!decode_game(reading, tally))
            tally->unreadable++;
        else if (visit != NULL && !visit(ctx, &reading->game, &reading->block))
            return false;
    }
}

bool gamefile_read(const char *path, const char *label, GamefileVisit visit, void *ctx,
                   GamefileTally *tally, char *error)
{
    memset(tally, 0, sizeof *tally);
    error[0] = '\0';
    Reading *reading = calloc(1, sizeof *reading);
    if (reading == NULL) {
        snprintf(error, GAMEFILE_ERROR_MAX, "out of memory");
        return false;
    }
    bool is_read = record_log_read_open(&reading->reader, path, GAMECODE_MAGIC, error);
    if (is_read) {
        const uint64_t size = file_size(reading->reader.stream);
        const bool has_bar = label != NULL && size >= BAR_FROM_BYTES;
        if (has_bar)
            progress_start(&reading->bar, label, size);
        is_read = read_blocks(reading, visit, ctx, tally);
        if (has_bar)
            progress_finish(&reading->bar);
        record_log_read_close(&reading->reader);
    }
    free(reading);
    return is_read;
}
