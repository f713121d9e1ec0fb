// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/farm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/progress.h"
#include "base/thread.h"

enum { REDRAW_MS = 250 };

typedef struct {
    const FarmOptions *options;
    Mutex mutex; // guards what follows
    Cond idle;   // a thread has ended
    RecordWriter writer;
    uint64_t next_number;
    uint64_t games, positions; // in the file
    uint64_t taken;            // games in the file or in hand
    int dropped;
    int running;         // threads
    const char *failure; // why no more games are begun; NULL: all is well
} Farm;

/* One thread and its game. */
typedef struct {
    Farm *farm;
    Thread thread;
    LiveGame game;
} Hand;

static bool is_told_to_stop(const FarmOptions *options)
{
    return options->stop != NULL && atomic_load_explicit(options->stop, memory_order_relaxed);
}

/* Whether the file holds, or with the games in hand will hold, less than is asked for. */
static bool is_wanting(const Farm *farm)
{
    const FarmOptions *options = farm->options;
    return (options->games == 0 || farm->taken < options->games) &&
           (options->positions == 0 || farm->positions < options->positions);
}

/* Takes the number of a game to play; false when there are enough games, or none may be begun. */
static bool take_number(Farm *farm, uint32_t *number)
{
    mutex_lock(&farm->mutex);
    const bool wanted =
        farm->failure == NULL && !is_told_to_stop(farm->options) && is_wanting(farm);
    const bool granted = wanted && farm->next_number < UINT32_MAX;
    if (wanted && !granted)
        farm->failure = "the numbers of games are used up";
    if (granted) {
        *number = (uint32_t)farm->next_number++;
        farm->taken++;
    }
    mutex_unlock(&farm->mutex);
    return granted;
}

static void deliver(Farm *farm, const LiveGame *game)
{
    uint8_t bytes[GAME_MAX_BYTES];
    const size_t size = gamecode_pack(&game->record, bytes);
    mutex_lock(&farm->mutex);
    if (farm->failure == NULL && record_log_append(&farm->writer, bytes, size)) {
        farm->games++;
        farm->positions += (uint64_t)game->kept;
    } else if (farm->failure == NULL) {
        farm->failure = "a game cannot be written; is the disk full?";
    }
    mutex_unlock(&farm->mutex);
}

static void play_games(Hand *hand, Single *single)
{
    Farm *farm = hand->farm;
    const FarmOptions *options = farm->options;
    uint32_t number;
    while (take_number(farm, &number)) {
        if (selfplay_game(&hand->game, number, &options->selfplay, single, options->stop)) {
            deliver(farm, &hand->game);
            continue;
        }
        mutex_lock(&farm->mutex);
        farm->dropped++;
        farm->taken--;
        mutex_unlock(&farm->mutex);
    }
}

/* A thread's life. Its memory is its own from the first touch on, near its processor. */
static void *work(void *arg)
{
    Hand *hand = arg;
    Farm *farm = hand->farm;
    Single *single = single_create(farm->options->hash_mib, farm->options->eval);
    if (single != NULL)
        play_games(hand, single);
    single_destroy(single);
    mutex_lock(&farm->mutex);
    if (single == NULL)
        farm->failure = "not enough memory for so many threads";
    farm->running--;
    cond_signal(&farm->idle);
    mutex_unlock(&farm->mutex);
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
static void display_update(Display *display, const Farm *farm)
{
    const FarmOptions *options = farm->options;
    const double seconds = (double)(clock_ms() - display->start_ms) / 1000.0;
    const double made = (double)(farm->positions - display->positions);
    snprintf(display->note, sizeof display->note,
             "%" PRIu64 " games, %" PRIu64 " positions, %.0f/s", farm->games, farm->positions,
             seconds > 0.0 ? made / seconds : 0.0);
    const double by_games = share_of(display->games, farm->games, options->games);
    const double by_positions = share_of(display->positions, farm->positions, options->positions);
    const double share = by_games > by_positions ? by_games : by_positions;
    progress_update(&display->bar, (uint64_t)(share * DISPLAY_STEPS));
}

/* Watches until all threads have ended; the caller holds the mutex. */
static void watch(Farm *farm)
{
    Display display = {.games = farm->games, .positions = farm->positions, .start_ms = clock_ms()};
    if (!farm->options->is_silent) {
        progress_start(&display.bar, "games", DISPLAY_STEPS);
        display.bar.note = display.note;
    }
    while (farm->running > 0) {
        if (!farm->options->is_silent)
            display_update(&display, farm);
        cond_wait_ms(&farm->idle, &farm->mutex, REDRAW_MS);
    }
    if (!farm->options->is_silent && is_wanting(farm))
        progress_break_off(&display.bar);
    else if (!farm->options->is_silent)
        progress_finish(&display.bar);
}

/* Starts the threads, watches them and waits for their end. */
static void run_threads(Farm *farm, Hand *hands)
{
    int started = 0;
    mutex_lock(&farm->mutex);
    while (started < farm->options->threads && farm->failure == NULL) {
        hands[started].farm = farm;
        if (!thread_start(&hands[started].thread, work, &hands[started]))
            farm->failure = "the system refuses so many threads";
        else
            started++;
    }
    farm->running = started;
    watch(farm);
    mutex_unlock(&farm->mutex);
    for (int i = 0; i < started; i++)
        thread_join(&hands[i].thread);
}

static void run_farm(Farm *farm, const GamefileTally *found)
{
    farm->next_number = found->next_number;
    farm->games = farm->taken = found->games;
    farm->positions = found->kept;
    Hand *hands = calloc((size_t)farm->options->threads, sizeof *hands);
    if (hands == NULL) {
        farm->failure = "out of memory";
        return;
    }
    mutex_init(&farm->mutex);
    cond_init(&farm->idle);
    run_threads(farm, hands);
    cond_destroy(&farm->idle);
    mutex_destroy(&farm->mutex);
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
static bool take_stock(FarmOptions options, FarmResult *result, char *error)
{
    const char *const label = options.is_silent ? NULL : "reading the file";
    if (gamefile_read(options.path, label, is_to_go_on, &options, &result->found, error))
        return true;
    result->stopped = is_told_to_stop(&options);
    if (result->stopped)
        snprintf(error, GAMEFILE_ERROR_MAX, "interrupted while reading %.150s", options.path);
    return false;
}

bool farm_run(const FarmOptions *options, FarmResult *result, char *error)
{
    Farm farm = {.options = options};
    memset(result, 0, sizeof *result);
    if (!record_log_append_open(&farm.writer, options->path, GAMECODE_MAGIC, error))
        return false;
    if (!take_stock(*options, result, error)) {
        record_log_append_close(&farm.writer);
        return false;
    }
    const clock_t start = clock();
    run_farm(&farm, &result->found);
    result->core_seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (!record_log_append_close(&farm.writer) && farm.failure == NULL)
        farm.failure = "the games may not be on the disk; is it full?";
    result->games = farm.games;
    result->positions = farm.positions;
    result->dropped = farm.dropped;
    result->stopped = is_told_to_stop(options) && is_wanting(&farm);
    if (farm.failure != NULL)
        snprintf(error, GAMEFILE_ERROR_MAX, "%s: %s", options->path, farm.failure);
    return farm.failure == NULL;
}
