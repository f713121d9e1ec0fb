// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loader.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/progress.h"
#include "base/record_log.h"
#include "engine/single.h"
#include "games/gameblock.h"
#include "train/shuffle.h"
#include "train/td_targets.h"

static_assert((int)GAME_BLACK_WINS == 0 && (int)GAME_DRAW == 1 && (int)GAME_WHITE_WINS == 2,
              "results are White's half points");
static_assert((int)LOADER_ERROR_MAX >= (int)RECORD_LOG_ERROR_MAX &&
                  (int)LOADER_ERROR_MAX >= (int)SAMPLE_STORE_ERROR_MAX,
              "holds every error message");

/* A growing array; the user of the list defines the type of its items. */
typedef struct {
    void *items;
    size_t count, capacity;
} List;

enum {
    SEGMENT_GAMES = 256,
    ROUND_SEGMENTS = 64,   // with a store: segments of a round, whose samples then move there
    MEASURED_MIN = 100000, // with a store: samples that stay in memory to measure with
    QUIESCENCE_HASH_MIB = 1
};

/* Consecutive games of a file, decoded by one thread. Segments are small, so that all threads
 * finish at about the same time. */
typedef struct {
    size_t first_game, end_game;
    bool is_held_out;
    List samples;
    uint64_t games;      // that could be decoded
    uint64_t unreadable; // games and trees that could not
    uint64_t tree_nodes;
    bool is_out_of_memory;
} Segment;

typedef struct {
    RecordReader reader;
    List bytes;         // all games of the current file
    List game_ends;     // items size_t: the end of each game in `bytes`
    List trees;         // packed tree nodes of the games of the current file
    List tree_ends;     // items size_t: the end of each game's nodes in `trees`
    List segments;      // items Segment, of all files so far
    size_t end;         // segments before this one are decoded in the current round
    atomic_size_t next; // segment to decode next
    Progress progress;
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

/* Returns item `i` of a list of ends, and where that item begins: the end of the one before. */
static size_t end_of(const List *ends, size_t i)
{
    return ((const size_t *)ends->items)[i];
}

static size_t begin_of(const List *ends, size_t i)
{
    return i == 0 ? 0 : end_of(ends, i - 1);
}

/* The tree nodes of a game go to a segment. */
typedef struct {
    Segment *segment;
    const TreeLearning *learning;
} TreeLoading;

/* A TreeVisit of treecode_unpack(): adds a tree node. */
static void collect_node(void *ctx, const Position *pos, const TreeNode *node)
{
    const TreeLoading *const tree = ctx;
    Segment *const segment = tree->segment;
    if (!list_reserve(&segment->samples, 1, sizeof(Sample))) {
        segment->is_out_of_memory = true;
        return;
    }
    Sample *const sample = (Sample *)segment->samples.items + segment->samples.count;
    segment->samples.count += tree_learning_sample(sample, pos, node, tree->learning);
}

/* Adds the tree nodes of `game`, the decoded game number `i` of the file; no filter applies to
 * them. Held-out games add none, so that the loss on them can be compared between runs. */
static void add_tree(const Loading *loading, Segment *segment, size_t i, const GameRecord *game)
{
    const size_t begin = begin_of(&loading->tree_ends, i), end = end_of(&loading->tree_ends, i);
    const size_t first = segment->samples.count;
    TreeLoading tree = {.segment = segment, .learning = &loading->options->tree};
    if (segment->is_held_out || end == begin)
        return;
    if (!treecode_unpack(game, (const uint8_t *)loading->trees.items + begin, end - begin,
                         collect_node, &tree)) {
        segment->samples.count = first; // drop all nodes of a damaged tree
        segment->unreadable++;
    }
    segment->tree_nodes += segment->samples.count - first;
}

/* Appends `size` bytes to a list of bytes, and their end to a list of ends. */
static bool add_bytes(List *bytes, List *ends, const uint8_t *more, size_t size)
{
    if (!list_reserve(bytes, size, 1) || !list_reserve(ends, 1, sizeof(size_t)))
        return false;
    if (size > 0)
        memcpy((char *)bytes->items + bytes->count, more, size);
    bytes->count += size;
    ((size_t *)ends->items)[ends->count++] = bytes->count;
    return true;
}

/* Appends the current block of the reader to the games of the file, and its tree nodes if the
 * options use them. A block that is too short becomes a game that cannot be decoded. */
static bool add_game(Loading *loading)
{
    GameBlock block;
    gameblock_split(&block, loading->reader.bytes, loading->reader.size);
    const size_t tree_size = loading->options->tree.weight > 0.0 ? block.tree_size : 0;
    return add_bytes(&loading->bytes, &loading->game_ends, block.game, block.game_size) &&
           add_bytes(&loading->trees, &loading->tree_ends, block.tree, tree_size);
}

/* Reads all blocks of a file into memory, about two bytes per position. */
static bool read_file(Loading *loading, const char *path, char *error)
{
    if (!record_log_read_open(&loading->reader, path, GAMECODE_MAGIC, error))
        return false;
    loading->bytes.count = loading->game_ends.count = 0;
    loading->trees.count = loading->tree_ends.count = 0;
    bool has_memory = true;
    RecordStatus status = RECORD_OK;
    while (has_memory && (status == RECORD_OK || status == RECORD_DAMAGED)) {
        status = record_log_read(&loading->reader);
        loading->damaged += status == RECORD_DAMAGED || status == RECORD_TRUNCATED;
        if (status == RECORD_OK)
            has_memory = add_game(loading);
    }
    if (status == RECORD_FAILED)
        snprintf(error, LOADER_ERROR_MAX, "%.200s: %s", path, strerror(errno));
    record_log_read_close(&loading->reader);
    if (!has_memory)
        snprintf(error, LOADER_ERROR_MAX, "%.200s: out of memory", path);
    return has_memory && status != RECORD_FAILED;
}

static bool is_wanted(const KeptPositions *kept, const Position *pos, const GameRecord *game,
                      int ply)
{
    const LoaderOptions *const options = kept->options;
    const int limit = options->score_max;
    return gamecode_suits_training(pos, game, ply) &&
           (limit == 0 || abs(game->scores[ply]) <= limit) &&
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
        const size_t begin = begin_of(&loading->game_ends, i);
        KeptPositions kept = {.options = options,
                              .quiescence = quiescence,
                              .segment = segment,
                              .first = segment->samples.count};
        GameRecord game;
        const bool is_decoded =
            gamecode_unpack(&game, (const uint8_t *)loading->bytes.items + begin,
                            end_of(&loading->game_ends, i) - begin, collect, &kept);
        if (!is_decoded) {
            segment->samples.count = kept.first; // drop all positions of a damaged game
            segment->unreadable++;
            continue;
        }
        segment->games++;
        if (options->td_share > 0.0)
            apply_td_targets(&kept, &game);
        add_tree(loading, segment, i, &game);
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
        if (worker == 0)
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

/* Writes why the store failed, as errno says; returns false. */
static bool store_failed(const LoaderOptions *options, char *error)
{
    snprintf(error, LOADER_ERROR_MAX, "%.200s: positions cannot be stored beside it: %s",
             options->store_path, strerror(errno));
    return false;
}

/* Moves the samples to train on of segments `first`..`end` - 1 to the store. */
static bool move_to_store(Loading *loading, SampleStore *store, size_t first, size_t end,
                          char *error)
{
    for (size_t i = first; i < end; i++) {
        Segment *const segment = (Segment *)loading->segments.items + i;
        if (segment->is_held_out)
            continue;
        if (!sample_store_add(store, segment->samples.items, segment->samples.count))
            return store_failed(loading->options, error);
        list_free(&segment->samples);
    }
    return true;
}

/* Decodes the segments from `first` on, with a store in rounds. */
static bool decode_segments(Loading *loading, SampleStore *store, size_t first, ThreadPool *pool,
                            char *error)
{
    while (first < loading->segments.count) {
        const size_t left = loading->segments.count - first;
        loading->end = first + (store == NULL || left < ROUND_SEGMENTS ? left : ROUND_SEGMENTS);
        atomic_store(&loading->next, first);
        thread_pool_run(pool, decode, loading);
        if (store != NULL && !move_to_store(loading, store, first, loading->end, error))
            return false;
        first = loading->end;
    }
    return true;
}

static bool decode_file(Loading *loading, Dataset *dataset, const char *path, ThreadPool *pool,
                        char *error)
{
    const LoaderOptions *const options = loading->options;
    const size_t games = loading->game_ends.count, first = loading->segments.count;
    const size_t held = (size_t)ceil((double)games * options->held_out_percent / 100.0);
    if (!add_segments(loading, 0, games - held, false) ||
        !add_segments(loading, games - held, games, true)) {
        snprintf(error, LOADER_ERROR_MAX, "%.200s: out of memory", path);
        return false;
    }
    progress_start(&loading->progress, options->is_silent ? NULL : path, games);
    const bool is_decoded = decode_segments(loading, dataset->store, first, pool, error);
    progress_end(&loading->progress, is_decoded);
    return is_decoded;
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

/* Ends the filling of the store and reads some of its bins into the set to measure with. */
static bool finish_store(Dataset *dataset, const LoaderOptions *options, char *error)
{
    SampleStore *const store = dataset->store;
    SampleSet *const set = &dataset->train;
    const bool is_finished = sample_store_finish(store, options->max_positions);
    int bins = 0;
    size_t count = 0;
    while (is_finished && bins < SAMPLE_STORE_BINS && count < MEASURED_MIN)
        count += sample_store_bin_count(store, bins++);
    if (is_finished && count == 0)
        return true;
    if (is_finished) {
        set->bytes = count * sizeof(Sample);
        set->samples = mem_alloc_large(set->bytes, NULL);
    }
    bool is_read = is_finished && set->samples != NULL;
    for (int b = 0; b < bins && is_read; b++) {
        is_read = sample_store_read(store, b, set->samples + set->count);
        set->count += sample_store_bin_count(store, b);
    }
    return is_read || store_failed(options, error);
}

/* Decodes all files into segments, then moves the segments into the sets. */
static bool load(Loading *loading, Dataset *dataset, const LoaderOptions *options, ThreadPool *pool,
                 char *error)
{
    snprintf(error, LOADER_ERROR_MAX, "out of memory for the positions%s",
             options->store_path == NULL ? "; --on-disk needs much less" : "");
    loading->options = options;
    if (!create_quiescence(loading, thread_pool_size(pool)))
        return false;
    if (options->store_path != NULL) {
        dataset->store = sample_store_create(options->store_path, options->seed, error);
        if (dataset->store == NULL)
            return false;
    }
    for (int i = 0; i < options->path_count; i++) {
        if (!read_file(loading, options->paths[i], error) ||
            !decode_file(loading, dataset, options->paths[i], pool, error))
            return false;
    }
    const Segment *const segments = loading->segments.items;
    for (size_t i = 0; i < loading->segments.count; i++) {
        loading->damaged += segments[i].unreadable;
        dataset->tree_nodes += segments[i].tree_nodes;
        dataset->games += segments[i].games;
        dataset->held_out_games += segments[i].is_held_out ? segments[i].games : 0;
        if (segments[i].is_out_of_memory)
            return false;
    }
    dataset->damaged = loading->damaged;
    list_free(&loading->trees); // all games are decoded
    list_free(&loading->tree_ends);
    list_free(&loading->bytes);
    list_free(&loading->game_ends);
    if (!gather(&dataset->held_out, loading, true))
        return false;
    return dataset->store != NULL ? finish_store(dataset, options, error)
                                  : gather(&dataset->train, loading, false);
}

/* Keeps the first `limit` of the positions to train on, which are in memory and shuffled. */
static void cut_to(Dataset *dataset, uint64_t limit)
{
    const SampleSet *const train = &dataset->train;
    dataset->tree_nodes = 0;
    dataset->train.count = (size_t)limit;
    for (size_t i = 0; i < train->count; i++)
        dataset->tree_nodes += train->samples[i].bound != 0;
}

/* Writes to `error` why there is no position to train on. */
static void explain_lack(const Dataset *dataset, char *error)
{
    if (dataset->games > 0 && dataset->games == dataset->held_out_games)
        snprintf(error, LOADER_ERROR_MAX,
                 "all games are held out, because at least one of each file is; use --held-out 0, "
                 "or merge the files");
    else if (dataset->games == 0 && dataset->damaged > 0)
        snprintf(error, LOADER_ERROR_MAX,
                 "no position to train on: %" PRIu64 " games or blocks in these files cannot be "
                 "read; perhaps a newer version of palimpsest-datagen wrote them",
                 dataset->damaged);
    else
        snprintf(error, LOADER_ERROR_MAX,
                 "no position to train on in these files, or none passes the filters");
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
    list_free(&loading->trees);
    list_free(&loading->tree_ends);
    free(loading);
    if (is_loaded && dataset->train.count == 0) {
        explain_lack(dataset, error);
        is_loaded = false;
    }
    if (is_loaded && options->tree.weight > 0.0 && dataset->tree_nodes == 0) {
        snprintf(error, LOADER_ERROR_MAX,
                 "--tree: these files have no tree nodes to train on; palimpsest-datagen --tree "
                 "stores them");
        is_loaded = false;
    }
    if (!is_loaded)
        return false;
    shuffle_samples(dataset->train.samples, dataset->train.count, options->seed);
    shuffle_samples(dataset->held_out.samples, dataset->held_out.count, options->seed);
    if (options->max_positions != 0 && dataset->store == NULL &&
        dataset->train.count > options->max_positions)
        cut_to(dataset, options->max_positions);
    return true;
}

uint64_t loader_positions(const Dataset *dataset)
{
    return dataset->store != NULL ? sample_store_count(dataset->store) : dataset->train.count;
}

void loader_free(Dataset *dataset)
{
    mem_free_large(dataset->train.samples, dataset->train.bytes);
    mem_free_large(dataset->held_out.samples, dataset->held_out.bytes);
    sample_store_free(dataset->store);
    *dataset = (Dataset){0};
}
