// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/generate.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/thread.h"

typedef struct {
    const GenerateOptions *options;
    Mutex mutex;     // guards the fields below
    Cond thread_end; // signalled when a thread has ended
    RecordWriter writer;
    uint64_t next_number;
    uint64_t games, positions; // in the file
    uint64_t tree_nodes;       // written by this run
    uint64_t claimed;          // games in the file, and those that threads play now
    int dropped;
    int running;          // threads that have not ended
    const char *failure;  // reason why no new game starts; NULL: no failure
    bool is_write_failed; // no more games are written
} Generator;

/* One thread and its game. */
typedef struct {
    Generator *generator;
    Thread thread;
    SelfplayGame game;
    GameTree tree;
    uint8_t bytes[GAMEBLOCK_MAX_BYTES]; // of the finished game
} Player;

/* Whether another game must be started: neither target is reached. The games that threads play now
 * count towards the target of games. */
static bool is_incomplete(const Generator *generator)
{
    const GenerateOptions *options = generator->options;
    return (options->games == 0 || generator->claimed < options->games) &&
           (options->positions == 0 || generator->positions < options->positions);
}

/* Claims the number of a game to play; false when no new game may start. */
static bool claim_number(Generator *generator, uint32_t *number)
{
    mutex_lock(&generator->mutex);
    const bool is_needed = generator->failure == NULL &&
                           !interrupt_is_set(generator->options->stop) && is_incomplete(generator);
    const bool is_granted = is_needed && generator->next_number < UINT32_MAX;
    if (is_needed && !is_granted)
        generator->failure = "all game numbers are used";
    if (is_granted) {
        *number = (uint32_t)generator->next_number++;
        generator->claimed++;
    }
    mutex_unlock(&generator->mutex);
    return is_granted;
}

/* Packs the finished game and its tree nodes into player->bytes and returns the size. */
static size_t pack_game(Player *player)
{
    const GameRecord *const record = &player->game.record;
    const GameTree *const tree = &player->tree;
    uint8_t game[GAME_MAX_BYTES], nodes[TREE_MAX_BYTES];
    GameBlock block = {.game = game, .game_size = gamecode_pack(record, game), .tree = nodes};
    if (tree->count > 0) {
        block.tree_size = treecode_pack(record, tree->nodes, tree->count, nodes);
        assert(block.tree_size > 0);
    }
    return gameblock_join(&block, player->bytes);
}

static void write_game(Player *player)
{
    Generator *const generator = player->generator;
    const size_t size = pack_game(player);
    mutex_lock(&generator->mutex);
    if (!generator->is_write_failed && record_log_append(&generator->writer, player->bytes, size)) {
        generator->games++;
        generator->positions += (uint64_t)player->game.kept;
        generator->tree_nodes += (uint64_t)player->tree.count;
    } else {
        generator->is_write_failed = true;
        generator->failure = "a game cannot be written; is the disk full?";
    }
    mutex_unlock(&generator->mutex);
}

static void play_games(Player *player, Single *single)
{
    Generator *generator = player->generator;
    const GenerateOptions *options = generator->options;
    uint32_t number;
    while (claim_number(generator, &number)) {
        if (selfplay_game(&player->game, &player->tree, number, &options->selfplay, single,
                          options->stop)) {
            write_game(player);
            continue;
        }
        mutex_lock(&generator->mutex);
        generator->dropped++;
        generator->claimed--;
        mutex_unlock(&generator->mutex);
    }
}

/* The main function of each thread. Each thread allocates its own memory, because on NUMA systems
 * memory belongs to the processor that uses it first. */
static void *run_player(void *arg)
{
    Player *player = arg;
    Generator *generator = player->generator;
    Single *single = single_create(generator->options->hash_mib, generator->options->eval);
    if (single != NULL)
        play_games(player, single);
    single_destroy(single);
    mutex_lock(&generator->mutex);
    if (single == NULL)
        generator->failure = "out of memory: use fewer threads or a smaller --hash";
    generator->running--;
    cond_signal(&generator->thread_end);
    mutex_unlock(&generator->mutex);
    return NULL;
}

/* The progress display. */
typedef struct {
    Progress bar;
    char note[96];             // shown after the bar
    uint64_t games, positions; // in the file at the start
    int64_t start_ms;
} Display;

enum { DISPLAY_STEPS = 1000000 }; // length of the bar, whether the target is games or positions

/* Progress from `before` to `target`, 0..1; 0 without a target. */
static double share_of(uint64_t before, uint64_t now, uint64_t target)
{
    return target <= before ? 0.0 : (double)(now - before) / (double)(target - before);
}

/* Draws the bar; the caller holds the mutex. */
static void display_update(Display *display, const Generator *generator)
{
    const GenerateOptions *options = generator->options;
    const double seconds = (double)(clock_ms() - display->start_ms) / 1000.0;
    const double made = (double)(generator->positions - display->positions);
    snprintf(display->note, sizeof display->note,
             "%" PRIu64 " games, %" PRIu64 " positions, %.0f/s", generator->games,
             generator->positions, seconds > 0.0 ? made / seconds : 0.0);
    const double by_games = share_of(display->games, generator->games, options->games);
    const double by_positions =
        share_of(display->positions, generator->positions, options->positions);
    const double share = by_games > by_positions ? by_games : by_positions;
    progress_update(&display->bar, (uint64_t)(share * DISPLAY_STEPS));
}

/* Shows the progress until all threads have ended; the caller holds the mutex. */
static void show_progress(Generator *generator)
{
    Display display = {
        .games = generator->games, .positions = generator->positions, .start_ms = clock_ms()};
    progress_start(&display.bar, generator->options->is_silent ? NULL : "games", DISPLAY_STEPS);
    display.bar.note = display.note;
    while (generator->running > 0) {
        display_update(&display, generator);
        cond_wait_ms(&generator->thread_end, &generator->mutex, PROGRESS_REDRAW_MS);
    }
    progress_end(&display.bar, !is_incomplete(generator));
}

/* Starts the threads, shows their progress and waits for their end. */
static void run_threads(Generator *generator, Player *players)
{
    int started = 0;
    mutex_lock(&generator->mutex);
    while (started < generator->options->threads && generator->failure == NULL) {
        players[started].generator = generator;
        if (!thread_start(&players[started].thread, run_player, &players[started]))
            generator->failure = "the system cannot start this number of threads";
        else
            started++;
    }
    generator->running = started;
    show_progress(generator);
    mutex_unlock(&generator->mutex);
    for (int i = 0; i < started; i++)
        thread_join(&players[i].thread);
}

static void run_generator(Generator *generator, const GamefileTally *found)
{
    generator->next_number = found->next_number;
    generator->games = generator->claimed = found->games;
    generator->positions = found->kept;
    Player *players = calloc((size_t)generator->options->threads, sizeof *players);
    if (players == NULL) {
        generator->failure = "out of memory";
        return;
    }
    mutex_init(&generator->mutex);
    cond_init(&generator->thread_end);
    run_threads(generator, players);
    cond_destroy(&generator->thread_end);
    mutex_destroy(&generator->mutex);
    free(players);
}

/* Counts the games of the file. False, with the reason in `error`, on a failure and when the file
 * has games that cannot be read: they would not count, and new games would get their numbers. */
static bool count_games(const GenerateOptions *options, GamefileTally *found, char *error)
{
    const GamefileSource source = {.path = options->path,
                                   .label = options->is_silent ? NULL : "reading the file",
                                   .stop = options->stop};
    if (!gamefile_read(&source, NULL, NULL, found, error))
        return false;
    if (found->unreadable > 0)
        snprintf(error, GAMEFILE_ERROR_MAX,
                 "%.120s: %" PRIu64 " of its games cannot be read; perhaps a newer version of this "
                 "program wrote them; use another file",
                 options->path, found->unreadable);
    return found->unreadable == 0;
}

/* Opens the file and counts its games. False, with the reason in `error`, on a failure or when
 * `stop` is true. */
static bool open_file(Generator *generator, GenerateResult *result, char *error)
{
    const GenerateOptions *const options = generator->options;
    if (record_log_append_open(&generator->writer, options->path, GAMECODE_MAGIC, options->stop,
                               error) &&
        count_games(options, &result->found, error))
        return true;
    record_log_append_close(&generator->writer);
    result->stopped = interrupt_is_set(options->stop);
    if (result->stopped)
        snprintf(error, GAMEFILE_ERROR_MAX, "interrupted while reading %.150s", options->path);
    return false;
}

bool generate_games(const GenerateOptions *options, GenerateResult *result, char *error)
{
    Generator generator = {.options = options};
    memset(result, 0, sizeof *result);
    if (!open_file(&generator, result, error))
        return false;
    if (result->found.games > 0 && !options->is_silent)
        fprintf(stderr,
                "continues a file of %" PRIu64
                " games; whether they were made with this evaluation "
                "and these options is not checked\n",
                result->found.games);
    const int64_t start_us = clock_process_us();
    run_generator(&generator, &result->found);
    result->core_seconds = (double)(clock_process_us() - start_us) / 1e6;
    if (!record_log_append_close(&generator.writer) && generator.failure == NULL)
        generator.failure = "the games may not be on the disk; is it full?";
    result->games = generator.games;
    result->positions = generator.positions;
    result->tree_nodes = generator.tree_nodes;
    result->dropped = generator.dropped;
    result->stopped = interrupt_is_set(options->stop) && is_incomplete(&generator);
    if (generator.failure != NULL)
        snprintf(error, GAMEFILE_ERROR_MAX, "%s: %s", options->path, generator.failure);
    return generator.failure == NULL;
}
