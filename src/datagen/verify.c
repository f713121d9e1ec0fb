// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/verify.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/keyset.h"
#include "datagen/game.h"

const char *verify_game(const GameRecord *game)
{
    SelfplayGame replay;
    selfplay_game_replay(&replay, game);
    GameEnd end = selfplay_game_end(&replay);
    for (int ply = 0; ply < game->plies; ply++) {
        if (end != END_NONE)
            return "continues after its end";
        selfplay_game_replay_move(&replay, game);
        end = selfplay_game_end(&replay);
    }
    if (end != END_NONE && selfplay_game_result(&replay, end) != game->result)
        return "has a result that contradicts its end";
    return NULL;
}

const char *verify_block(const GameRecord *game, const GameBlock *block)
{
    if (block->tree_size > 0 && !treecode_unpack(game, block->tree, block->tree_size, NULL, NULL))
        return "has invalid tree nodes";
    return verify_game(game);
}

/* The check of one file. */
typedef struct {
    const char *path;
    FILE *out;
    uint64_t faulty;
} FileCheck;

static bool check_game(void *ctx, const GameRecord *game, const GameBlock *block)
{
    FileCheck *check = ctx;
    const char *const fault = verify_block(game, block);
    if (fault != NULL) {
        fprintf(check->out, "%s: game %" PRIu32 " %s\n", check->path, game->number, fault);
        check->faulty++;
    }
    return true;
}

bool verify_file(const char *path, FILE *out)
{
    FileCheck check = {.path = path, .out = out};
    GamefileTally tally;
    char error[GAMEFILE_ERROR_MAX];
    if (!gamefile_read(&(GamefileSource){.path = path, .label = path}, check_game, &check, &tally,
                       error)) {
        fprintf(out, "%s\n", error);
        return false;
    }
    const uint64_t bad = tally.damaged + tally.unreadable + check.faulty;
    fprintf(out,
            "%s: %" PRIu64 " games, %" PRIu64 " kept positions, %" PRIu64
            " damaged blocks, %" PRIu64 " blocks without a legal game, %" PRIu64
            " games with a fault%s\n",
            path, tally.games, tally.kept, tally.damaged, tally.unreadable, check.faulty,
            tally.truncated ? ", last block incomplete" : "");
    return bad == 0 && !tally.truncated;
}

/* The state of a merge. */
typedef struct {
    const char *path; // of the file that is written
    RecordWriter writer;
    Keyset seen; // hashes of games written
    MergeTally tally;
    const char *failure;
} Merge;

/* A hash of arrays and moves, to find duplicates. Two different games have the same hash with
 * probability 2^-64; then the second game is skipped. */
static uint64_t hash_game(const GameRecord *game)
{
    uint16_t words[COLOR_NB + GAME_MAX_PLIES] = {game->setup[WHITE], game->setup[BLACK]};
    memcpy(words + COLOR_NB, game->moves, game->plies * sizeof game->moves[0]);
    return checksum64(words, (COLOR_NB + game->plies) * sizeof words[0]);
}

/* Writes the game with a new number; its tree nodes do not depend on the number. */
static bool write_game(Merge *merge, const GameRecord *game, const GameBlock *block)
{
    GameRecord renumbered = *game;
    renumbered.number = (uint32_t)merge->tally.games;
    uint8_t packed[GAME_MAX_BYTES], bytes[GAMEBLOCK_MAX_BYTES];
    const GameBlock copy = {.game = packed,
                            .game_size = gamecode_pack(&renumbered, packed),
                            .tree = block->tree,
                            .tree_size = block->tree_size};
    const size_t size = gameblock_join(&copy, bytes);
    if (!record_log_append(&merge->writer, bytes, size))
        return false;
    merge->tally.games++;
    return true;
}

static bool merge_game(void *ctx, const GameRecord *game, const GameBlock *block)
{
    Merge *merge = ctx;
    bool is_seen;
    if (verify_block(game, block) != NULL)
        merge->tally.faulty++;
    else if (!keyset_add(&merge->seen, hash_game(game), &is_seen))
        merge->failure = "out of memory";
    else if (is_seen)
        merge->tally.duplicates++;
    else if (!write_game(merge, game, block))
        merge->failure = strerror(errno);
    return merge->failure == NULL;
}

/* True when a file has added a game since the tally was `before`, or had no duplicate. A file with
 * nothing but duplicates is given twice, or was made with the seed of another. */
static bool adds_games(const Merge *merge, const MergeTally *before, const char *path, char *error)
{
    const uint64_t duplicates = merge->tally.duplicates - before->duplicates;
    if (merge->tally.games > before->games || duplicates == 0)
        return true;
    snprintf(error, GAMEFILE_ERROR_MAX,
             "%.100s: all of its %" PRIu64
             " games are duplicates; was it made with the --seed of an earlier file?",
             path, duplicates);
    return false;
}

static bool merge_all(Merge *merge, char *const *paths, int count, char *error)
{
    for (int i = 0; i < count; i++) {
        GamefileTally tally;
        const MergeTally before = merge->tally;
        const bool is_read = gamefile_read(&(GamefileSource){.path = paths[i], .label = paths[i]},
                                           merge_game, merge, &tally, error);
        if (merge->failure != NULL)
            snprintf(error, GAMEFILE_ERROR_MAX, "%.200s: %s", merge->path, merge->failure);
        if (!is_read || !adds_games(merge, &before, paths[i], error))
            return false;
        merge->tally.faulty += tally.damaged + tally.unreadable + tally.truncated;
    }
    return true;
}

/* Opens the draft of the file `path`, which must not exist. While it is open, no other merge can
 * write to the same file. */
static bool open_draft(FileDraft *draft, const char *path, char *error)
{
    const bool is_new = file_kind(path, NULL) == FILE_MISSING;
    const bool is_open = is_new && file_draft(draft, path);
    const int reason = errno;
    if (is_open && file_kind(path, NULL) == FILE_MISSING) // else another merge has just ended
        return true;
    if (is_open)
        file_discard(draft);
    if (is_new && !is_open)
        snprintf(error, GAMEFILE_ERROR_MAX, "%.200s: %s", path,
                 reason == EBUSY ? "another process is writing to it" : strerror(reason));
    else
        snprintf(error, GAMEFILE_ERROR_MAX, "%.200s: the file already exists; merge into a new one",
                 path);
    return false;
}

/* Merges into the draft and puts it in its place. On failure removes it. */
static bool merge_into(FileDraft *draft, Merge *merge, char *const *paths, int count, char *error)
{
    merge->path = draft->path;
    const bool is_begun = record_log_begin_writing(&merge->writer, draft->stream, GAMECODE_MAGIC);
    if (is_begun && !merge_all(merge, paths, count, error)) {
        file_discard(draft);
        return false;
    }
    if (is_begun && file_publish(draft))
        return true;
    snprintf(error, GAMEFILE_ERROR_MAX, "%.200s: %s", draft->path, strerror(errno));
    if (!is_begun)
        file_discard(draft);
    return false;
}

bool merge_files(const char *out_path, char *const *paths, int count, MergeTally *tally,
                 char *error)
{
    Merge merge = {0};
    FileDraft draft;
    *tally = merge.tally;
    if (!open_draft(&draft, out_path, error))
        return false;
    const bool is_merged = merge_into(&draft, &merge, paths, count, error);
    keyset_free(&merge.seen);
    *tally = merge.tally;
    return is_merged;
}
