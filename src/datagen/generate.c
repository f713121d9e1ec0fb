// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/generate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/progress.h"
#include "base/thread.h"

enum { REDRAW_MS = 250 };

typedef struct {
    const GenerateOptions *options;
    Mutex mutex; // guards what follows
    Cond idle;   // a thread has ended
    RecordWriter writer;
    uint64_t next_number;
    uint64_t games, positions; // in the file
    uint64_t taken;            // games in the file or in hand
    int dropped;
    int running;         // threads
    const char *failure; // why no more games are begun; NULL: all is well
} Generator;

/* One thread and its game. */
typedef struct {
    Generator *generator;
    Thread thread;
    SelfplayGame game;
} Hand;

static bool is_told_to_stop(const GenerateOptions *options)
{
    return options->stop != NULL && atomic_load_explicit(options->stop, memory_order_relaxed);
}

/* Whether the file holds, or with the games in hand will hold, less than is asked for. */
static bool is_wanting(const Generator *generator)
{
    const GenerateOptions *options = generator->options;
    return (options->games == 0 || generator->taken < options->games) &&
           (options->positions == 0 || generator->positions < options->positions);
}

/* Takes the number of a game to play; false when there are enough games, or none may be begun. */
static bool take_number(Generator *generator, uint32_t *number)
{
    mutex_lock(&generator->mutex);
    const bool wanted =
        generator->failure == NULL && !is_told_to_stop(generator->options) && is_wanting(generator);
    const bool granted = wanted && generator->next_number < UINT32_MAX;
    if (wanted && !granted)
        generator->failure = "the numbers of games are used up";
    if (granted) {
        *number = (uint32_t)generator->next_number++;
        generator->taken++;
    }
    mutex_unlock(&generator->mutex);
    return granted;
}

static void deliver(Generator *generator, const SelfplayGame *game)
{
    uint8_t bytes[GAME_MAX_BYTES];
    const size_t size = gamecode_pack(&game->record, bytes);
    mutex_lock(&generator->mutex);
    if (generator->failure == NULL && record_log_append(&generator->writer, bytes, size)) {
        generator->games++;
        generator->positions += (uint64_t)game->kept;
    } else if (generator->failure == NULL) {
        generator->failure = "a game cannot be written; is the disk full?";
    }
    mutex_unlock(&generator->mutex);
}

static void play_games(Hand *hand, Single *single)
{
    Generator *generator = hand->generator;
    const GenerateOptions *options = generator->options;
    uint32_t number;
    while (take_number(generator, &number)) {
        if (selfplay_game(&hand->game, number, &options->selfplay, single, options->stop)) {
            deliver(generator, &hand->game);
            continue;
        }
        mutex_lock(&generator->mutex);
        generator->dropped++;
        generator->taken--;
        mutex_unlock(&generator->mutex);
    }
}

/* A thread's life. Its memory is its own from the first touch on, near its processor. */
static void *work(void *arg)
{
    Hand *hand = arg;
    Generator *generator = hand->generator;
    Single *single = single_create(generator->options->hash_mib, generator->options->eval);
    if (single != NULL)
        play_games(hand, single);
    single_destroy(single);
    mutex_lock(&generator->mutex);
    if (single == NULL)
        generator->failure = "not enough memory for so many threads";
    generator->running--;
    cond_signal(&generator->idle);
    mutex_unlock(&generator->mutex);
    return NULL;
}

/* How the run looks from outside. */
typedef struct {
    Progress bar;
    char note[96];             // shown behind it
    uint64_t games, positions; // in the file when it began
    int64_t start_ms;
} Display;

enum { DISPLAY_STEPS = 1000000 }; // the whole way, be it counted in games or in positions

/* How much of the way from `before` to `wanted` is done at `now`; 0 when that is not what is
 * wanted. */
static double share_of(uint64_t before, uint64_t now, uint64_t wanted)
{
    return wanted <= before ? 0.0 : (double)(now - before) / (double)(wanted - before);
}

/* Draws the state of the farm, whose mutex the caller holds. */
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

/* Watches until all threads have ended; the caller holds the mutex. */
static void watch(Generator *generator)
{
    Display display = {
        .games = generator->games, .positions = generator->positions, .start_ms = clock_ms()};
    if (!generator->options->is_silent) {
        progress_start(&display.bar, "games", DISPLAY_STEPS);
        display.bar.note = display.note;
    }
    while (generator->running > 0) {
        if (!generator->options->is_silent)
            display_update(&display, generator);
        cond_wait_ms(&generator->idle, &generator->mutex, REDRAW_MS);
    }
    if (!generator->options->is_silent && is_wanting(generator))
        progress_break_off(&display.bar);
    else if (!generator->options->is_silent)
        progress_finish(&display.bar);
}

/* Starts the threads, watches them and waits for their end. */
static void run_threads(Generator *generator, Hand *hands)
{
    int started = 0;
    mutex_lock(&generator->mutex);
    while (started < generator->options->threads && generator->failure == NULL) {
        hands[started].generator = generator;
        if (!thread_start(&hands[started].thread, work, &hands[started]))
            generator->failure = "the system refuses so many threads";
        else
            started++;
    }
    generator->running = started;
    watch(generator);
    mutex_unlock(&generator->mutex);
    for (int i = 0; i < started; i++)
        thread_join(&hands[i].thread);
}

static void run_farm(Generator *generator, const GamefileTally *found)
{
    generator->next_number = found->next_number;
    generator->games = generator->taken = found->games;
    generator->positions = found->kept;
    Hand *hands = calloc((size_t)generator->options->threads, sizeof *hands);
    if (hands == NULL) {
        generator->failure = "out of memory";
        return;
    }
    mutex_init(&generator->mutex);
    cond_init(&generator->idle);
    run_threads(generator, hands);
    cond_destroy(&generator->idle);
    mutex_destroy(&generator->mutex);
    free(hands);
}

/* Ends the reading of a large file when told to stop. */
static bool is_to_go_on(void *ctx, const GameRecord *game, size_t bytes)
{
    (void)game;
    (void)bytes;
    return !is_told_to_stop(ctx);
}

/* Counts what the file holds; false, with the reason in `error`, on failure or when told to stop.
 */
static bool take_stock(GenerateOptions options, GenerateResult *result, char *error)
{
    const char *const label = options.is_silent ? NULL : "reading the file";
    if (gamefile_read(options.path, label, is_to_go_on, &options, &result->found, error))
        return true;
    result->stopped = is_told_to_stop(&options);
    if (result->stopped)
        snprintf(error, GAMEFILE_ERROR_MAX, "interrupted while reading %.150s", options.path);
    return false;
}

bool generate_games(const GenerateOptions *options, GenerateResult *result, char *error)
{
    Generator generator = {.options = options};
    memset(result, 0, sizeof *result);
    if (!record_log_append_open(&generator.writer, options->path, GAMECODE_MAGIC, error))
        return false;
    if (!take_stock(*options, result, error)) {
        record_log_append_close(&generator.writer);
        return false;
    }
    const clock_t start = clock();
    run_farm(&generator, &result->found);
    result->core_seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (!record_log_append_close(&generator.writer) && generator.failure == NULL)
        generator.failure = "the games may not be on the disk; is it full?";
    result->games = generator.games;
    result->positions = generator.positions;
    result->dropped = generator.dropped;
    result->stopped = is_told_to_stop(options) && is_wanting(&generator);
    if (generator.failure != NULL)
        snprintf(error, GAMEFILE_ERROR_MAX, "%s: %s", options->path, generator.failure);
    return generator.failure == NULL;
}
