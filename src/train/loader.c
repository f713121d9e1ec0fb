// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loader.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/progress.h"
#include "base/record_log.h"
#include "engine/single.h"
#include "train/shuffle.h"
#include "train/td_targets.h"

static_assert((int)GAME_BLACK_WINS == 0 && (int)GAME_DRAW == 1 && (int)GAME_WHITE_WINS == 2,
              "results are White's half points");
static_assert((int)LOADER_ERROR_MAX >= (int)RECORD_LOG_ERROR_MAX, "holds every error message");

/* A growing array; the user of the list defines the type of its items. */
typedef struct {
    void *items;
    size_t count, capacity;
} List;

/* Consecutive games of a file, decoded by one thread. Segments are small, so that all threads
 * finish at about the same time. */
enum { SEGMENT_GAMES = 256, QUIESCENCE_HASH_MIB = 1 };
typedef struct {
    size_t first_game, end_game;
    bool is_held_out;
    List samples;
    uint64_t unreadable; // games that could not be decoded
    bool is_out_of_memory;
} Segment;

typedef struct {
    RecordReader reader;
    List bytes;         // all games of the current file
    List game_ends;     // items size_t: the end of each game in `bytes`
    List segments;      // items Segment, of all files so far
    size_t end;         // number of segments
    atomic_size_t next; // segment to decode next
    Progress progress;
    bool has_bar;
    uint64_t damaged;
    const LoaderOptions *options;
    Single *quiescence[THREAD_POOL_MAX]; // of each worker, if the options have a `quiet_eval`
} Loading;

/* The positions of the current game that are kept for training. */
typedef struct {
    const LoaderOptions *options;
    Single *quiescence; // NULL: do not filter
    Segment *segment;
    size_t first;              // index of the game's first sample in the segment
    int plies[GAME_MAX_PLIES]; // of each sample of the game
} KeptPositions;

/* Ensures capacity for `more` additional items of `size` bytes. */
static bool list_reserve(List *list, size_t more, size_t size)
{
    if (list->count + more <= list->capacity)
        return true;
    const size_t capacity = 2 * list->capacity + more + 64;
    void *const items = realloc(list->items, capacity * size);
    if (items == NULL)
        return false;
    list->items = items;
    list->capacity = capacity;
    return true;
}

static void list_free(List *list)
{
    free(list->items);
    *list = (List){0};
}

static size_t game_end(const Loading *loading, size_t game)
{
    return ((const size_t *)loading->game_ends.items)[game];
}

/* Appends the current block of the reader to the games of the file. */
static bool add_game(Loading *loading)
{
    const RecordReader *const reader = &loading->reader;
    List *const bytes = &loading->bytes, *const ends = &loading->game_ends;
    if (!list_reserve(bytes, reader->size, 1) || !list_reserve(ends, 1, sizeof(size_t)))
        return false;
    memcpy((char *)bytes->items + bytes->count, reader->bytes, reader->size);
    bytes->count += reader->size;
    ((size_t *)ends->items)[ends->count++] = bytes->count;
    return true;
}

/* Reads all blocks of a file into memory, about two bytes per position. */
static bool read_file(Loading *loading, const char *path, char *error)
{
    if (!record_log_read_open(&loading->reader, path, GAMECODE_MAGIC, error))
        return false;
    loading->bytes.count = loading->game_ends.count = 0;
    bool has_memory = true;
    for (RecordStatus status = RECORD_OK; has_memory && status != RECORD_END;) {
        status = record_log_read(&loading->reader);
        loading->damaged += status == RECORD_DAMAGED || status == RECORD_TRUNCATED;
        if (status == RECORD_TRUNCATED)
            break;
        if (status == RECORD_OK)
            has_memory = add_game(loading);
    }
    record_log_read_close(&loading->reader);
    if (!has_memory)
        snprintf(error, LOADER_ERROR_MAX, "%.200s: out of memory", path);
    return has_memory;
}

static bool is_wanted(const KeptPositions *kept, const Position *pos, const GameRecord *game,
                      int ply)
{
    const LoaderOptions *const options = kept->options;
    const int limit = options->score_max;
    return gamecode_keeps(pos, game, ply) && (limit == 0 || abs(game->scores[ply]) <= limit) &&
           (kept->quiescence == NULL ||
            single_is_quiet(kept->quiescence, pos, options->quiet_within));
}

/* A GameVisit of gamecode_unpack(): adds the position at `ply` if it is kept for training. */
static void collect(void *ctx, const Position *pos, const GameRecord *game, int ply)
{
    KeptPositions *const kept = ctx;
    Segment *const segment = kept->segment;
    if (!is_wanted(kept, pos, game, ply))
        return;
    if (!list_reserve(&segment->samples, 1, sizeof(Sample))) {
        segment->is_out_of_memory = true;
        return;
    }
    kept->plies[segment->samples.count - kept->first] = ply;
    Sample *const sample = (Sample *)segment->samples.items + segment->samples.count++;
    sample_pack(sample, pos, game->scores[ply],
                pos->side == WHITE ? game->result : GAME_WHITE_WINS - game->result);
}

/* Replaces the scores of a decoded game by temporal-difference targets. */
static void apply_td_targets(const KeptPositions *kept, GameRecord *game)
{
    td_targets_mix(game, kept->options->td_share, kept->options->unit);
    Sample *const samples = (Sample *)kept->segment->samples.items + kept->first;
    for (size_t i = 0; i < kept->segment->samples.count - kept->first; i++)
        samples[i].score = game->scores[kept->plies[i]];
}

static void decode_segment(const Loading *loading, Segment *segment, Single *quiescence)
{
    if (quiescence != NULL)
        single_new_game(quiescence); // the result does not depend on the worker's other segments
    const LoaderOptions *const options = loading->options;
    for (size_t i = segment->first_game; i < segment->end_game; i++) {
        const size_t begin = i == 0 ? 0 : game_end(loading, i - 1);
        KeptPositions kept = {.options = options,
                              .quiescence = quiescence,
                              .segment = segment,
                              .first = segment->samples.count};
        GameRecord game;
        if (!gamecode_unpack(&game, (const uint8_t *)loading->bytes.items + begin,
                             game_end(loading, i) - begin, collect, &kept)) {
            segment->samples.count = kept.first; // drop all positions of a damaged game
            segment->unreadable++;
        } else if (options->td_share > 0.0) {
            apply_td_targets(&kept, &game);
        }
    }
}

static void decode(void *ctx, int worker)
{
    Loading *const loading = ctx;
    for (;;) {
        const size_t i = atomic_fetch_add_explicit(&loading->next, 1, memory_order_relaxed);
        if (i >= loading->end)
            return;
        Segment *const segment = (Segment *)loading->segments.items + i;
        decode_segment(loading, segment, loading->quiescence[worker]);
        if (worker == 0 && loading->has_bar)
            progress_update(&loading->progress, segment->end_game);
    }
}

static bool add_segments(Loading *loading, size_t first, size_t end, bool is_held_out)
{
    for (size_t game = first; game < end; game += SEGMENT_GAMES) {
        if (!list_reserve(&loading->segments, 1, sizeof(Segment)))
            return false;
        const size_t left = end - game;
        ((Segment *)loading->segments.items)[loading->segments.count++] =
            (Segment){.first_game = game,
                      .end_game = game + (left < SEGMENT_GAMES ? left : SEGMENT_GAMES),
                      .is_held_out = is_held_out};
    }
    return true;
}

static bool decode_file(Loading *loading, Dataset *dataset, const LoaderOptions *options,
                        const char *path, ThreadPool *pool)
{
    const size_t games = loading->game_ends.count;
    const size_t held = (size_t)ceil((double)games * options->held_out_percent / 100.0);
    dataset->games += games;
    dataset->held_out_games += held;
    atomic_store(&loading->next, loading->segments.count);
    if (!add_segments(loading, 0, games - held, false) ||
        !add_segments(loading, games - held, games, true))
        return false;
    loading->end = loading->segments.count;
    loading->has_bar = !options->is_quiet;
    if (loading->has_bar)
        progress_start(&loading->progress, path, games);
    thread_pool_run(pool, decode, loading);
    if (loading->has_bar)
        progress_finish(&loading->progress);
    return true;
}

/* Moves the samples of all segments of one kind into a set. Frees each segment on the way, to limit
 * peak memory. */
static bool gather(SampleSet *set, Loading *loading, bool held_out)
{
    Segment *const segments = loading->segments.items;
    size_t count = 0;
    for (size_t i = 0; i < loading->segments.count; i++)
        if (segments[i].is_held_out == held_out)
            count += segments[i].samples.count;
    if (count == 0)
        return true;
    set->bytes = count * sizeof(Sample);
    set->samples = mem_alloc_large(set->bytes, NULL);
    if (set->samples == NULL)
        return false;
    for (size_t i = 0; i < loading->segments.count; i++) {
        List *const samples = &segments[i].samples;
        if (segments[i].is_held_out != held_out || samples->count == 0)
            continue;
        memcpy(set->samples + set->count, samples->items, samples->count * sizeof(Sample));
        set->count += samples->count;
        list_free(samples);
    }
    return true;
}

/* Creates the searches of all workers, if positions are filtered with them. */
static bool create_quiescence(Loading *loading, int workers)
{
    const EvalSource *const eval = loading->options->quiet_eval;
    for (int i = 0; i < workers && eval != NULL; i++) {
        loading->quiescence[i] = single_create(QUIESCENCE_HASH_MIB, eval);
        if (loading->quiescence[i] == NULL)
            return false;
    }
    return true;
}

/* Decodes all files into segments, then moves the segments into the sets. */
static bool load(Loading *loading, Dataset *dataset, const LoaderOptions *options, ThreadPool *pool,
                 char *error)
{
    snprintf(error, LOADER_ERROR_MAX, "out of memory for the positions");
    loading->options = options;
    if (!create_quiescence(loading, thread_pool_size(pool)))
        return false;
    for (int i = 0; i < options->path_count; i++) {
        if (!read_file(loading, options->paths[i], error) ||
            !decode_file(loading, dataset, options, options->paths[i], pool))
            return false;
    }
    const Segment *const segments = loading->segments.items;
    for (size_t i = 0; i < loading->segments.count; i++) {
        loading->damaged += segments[i].unreadable;
        if (segments[i].is_out_of_memory)
            return false;
    }
    dataset->damaged = loading->damaged;
    list_free(&loading->bytes); // all games are decoded
    list_free(&loading->game_ends);
    return gather(&dataset->train, loading, false) && gather(&dataset->held_out, loading, true);
}

bool loader_load(Dataset *dataset, const LoaderOptions *options, ThreadPool *pool, char *error)
{
    *dataset = (Dataset){0};
    Loading *const loading = calloc(1, sizeof *loading);
    if (loading == NULL) {
        snprintf(error, LOADER_ERROR_MAX, "out of memory");
        return false;
    }
    bool is_loaded = load(loading, dataset, options, pool, error);
    for (size_t i = 0; i < loading->segments.count; i++)
        list_free(&((Segment *)loading->segments.items)[i].samples);
    for (int i = 0; i < THREAD_POOL_MAX; i++)
        single_destroy(loading->quiescence[i]);
    list_free(&loading->segments);
    list_free(&loading->game_ends);
    list_free(&loading->bytes);
    free(loading);
    if (is_loaded && dataset->train.count == 0) {
        snprintf(error, LOADER_ERROR_MAX, "no position to train on in these files");
        is_loaded = false;
    }
    if (!is_loaded)
        return false;
    shuffle_samples(dataset->train.samples, dataset->train.count, options->seed);
    shuffle_samples(dataset->held_out.samples, dataset->held_out.count, options->seed);
    if (options->max_positions != 0 && dataset->train.count > options->max_positions)
        dataset->train.count = options->max_positions;
    return true;
}

void loader_free(Dataset *dataset)
{
    mem_free_large(dataset->train.samples, dataset->train.bytes);
    mem_free_large(dataset->held_out.samples, dataset->held_out.bytes);
    *dataset = (Dataset){0};
}
