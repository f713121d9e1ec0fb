// SPDX-License-Identifier: GPL-3.0-or-later
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/rng.h"
#include "base/thread.h"
#include "lab/experiment.h"
#include "lab/torn.h"

static const char HEADER[] =
    "lock,threads,seed,operations,done,stores,probes,hits,torn_size,torn_wrong,"
    "pairs_by_hand,hand_size,hand_wrong,seconds";
enum { KEY_COLUMNS = 4 };
static const int TORN_COLUMNS[] = {8, 9, 11, 12}; // numbers of accepted torn entries

static_assert((TORN_KEYS & (TORN_KEYS - 1)) == 0 && (TORN_VERSIONS & (TORN_VERSIONS - 1)) == 0,
              "powers of two: random numbers are masked");

enum { THREADS_MAX = 256, ROUND = 1 << 22 }; // operations of a thread per round

typedef struct {
    int64_t operations, threads, seed;
    const char *lock; // NULL: all kinds
    const char *csv_path;
} TornSettings;

static const Argument OPTIONS[] = {
    {"--operations", ARGUMENT_INTEGER, offsetof(TornSettings, operations), .min = 1,
     .max = INT64_MAX / 2, .def = "1000000000",
     .help = "stores and probes of all threads together, per lock"},
    {"--threads", ARGUMENT_INTEGER, offsetof(TornSettings, threads), .min = 1, .max = THREADS_MAX,
     .def = "2", .help = "number of threads"},
    {"--lock", ARGUMENT_TEXT, offsetof(TornSettings, lock),
     .help = "kind of lock: folded, xor or bare (all three)"},
    {"--seed", ARGUMENT_INTEGER, offsetof(TornSettings, seed), .max = INT64_MAX, .def = "1",
     .help = "seed of the random numbers"},
    EXPERIMENT_CSV(TornSettings, csv_path, NULL)};

/* The work of one thread. */
typedef struct {
    TornTable *table;
    Rng rng;
    uint64_t operations; // in this round
    TtStats stats;
    uint64_t read[TORN_WRONG + 1]; // entries accepted by probes, by verdict
    Thread thread;
    bool is_running;
} Hammer;

/* The results of one lock. */
typedef struct {
    TornByHand by_hand;
    TtStats stats;
    uint64_t operations;
    uint64_t read[TORN_WRONG + 1]; // entries accepted by probes, by verdict
    double seconds;
} TornTally;

static void *hammer(void *arg)
{
    Hammer *const h = arg;
    for (uint64_t i = 0; i < h->operations; i++) {
        const uint64_t random = rng_next(&h->rng);
        const int key = (int)(random >> 8 & (TORN_KEYS - 1));
        const int version = (int)(random >> 32 & (TORN_VERSIONS - 1));
        if ((random & 1) != 0) {
            torn_store(h->table, key, version, &h->stats);
            continue;
        }
        TtData out[2];
        const int count = torn_probe(h->table, key, out, &h->stats);
        for (int k = 0; k < count; k++)
            h->read[torn_judge(key, &out[k])]++;
    }
    return NULL;
}

/* Runs all threads for one round. False when a thread could not be started. */
static bool run_round(Hammer *hammers, int threads)
{
    bool is_good = true;
    for (int i = 0; i < threads; i++) {
        hammers[i].is_running = thread_start(&hammers[i].thread, hammer, &hammers[i]);
        is_good &= hammers[i].is_running;
    }
    for (int i = 0; i < threads; i++) {
        if (hammers[i].is_running)
            thread_join(&hammers[i].thread);
    }
    return is_good;
}

/* Runs all rounds. Each round is a new search of the table, to test new generations and refreshed
 * entries, too. */
static bool run_rounds(const TornSettings *settings, TornTable *table, Hammer *hammers,
                       TornTally *tally)
{
    const uint64_t all = (uint64_t)settings->operations, threads = (uint64_t)settings->threads;
    Progress progress;
    progress_start(&progress, torn_lock_name(table->lock), all);
    bool is_good = true;
    while (is_good && tally->operations < all && !interrupt_pending()) {
        const uint64_t share = (all - tally->operations + threads - 1) / threads;
        for (uint64_t i = 0; i < threads; i++)
            hammers[i].operations = share < ROUND ? share : ROUND;
        is_good = run_round(hammers, (int)threads);
        tally->operations += threads * hammers[0].operations;
        tt_new_search(&table->tt);
        progress_update(&progress, tally->operations);
    }
    progress_end(&progress, tally->operations >= all);
    if (!is_good)
        fprintf(stderr, "the system cannot start %" PRId64 " threads\n", settings->threads);
    return is_good;
}

static bool run_lock(const TornSettings *settings, TornLock lock, TornTally *tally)
{
    TornTable table;
    const size_t threads = (size_t)settings->threads;
    Hammer *const hammers = calloc(threads, sizeof *hammers);
    if (!torn_create(&table, lock) || hammers == NULL) {
        fprintf(stderr, "out of memory\n");
        torn_destroy(&table);
        free(hammers);
        return false;
    }
    for (size_t i = 0; i < threads; i++) {
        hammers[i].table = &table;
        rng_seed(&hammers[i].rng, (uint64_t)settings->seed + i);
    }
    *tally = (TornTally){.by_hand = torn_by_hand(&table)};
    const int64_t start_us = clock_us();
    const bool is_good = run_rounds(settings, &table, hammers, tally);
    tally->seconds = (double)(clock_us() - start_us) / 1e6;
    for (size_t i = 0; i < threads; i++) {
        tt_stats_add(&tally->stats, &hammers[i].stats);
        for (int k = 0; k <= TORN_WRONG; k++)
            tally->read[k] += hammers[i].read[k];
    }
    torn_destroy(&table);
    free(hammers);
    return is_good;
}

static void print_row(TornLock lock, const TornTally *tally)
{
    const uint64_t *const hand = tally->by_hand.accepted, *const read = tally->read;
    printf("%-7s %13" PRIu64 " %13" PRIu64 " %13" PRIu64 " %10" PRIu64 " %10" PRIu64 " %12" PRIu64
           " %10" PRIu64 " %10" PRIu64 "\n",
           torn_lock_name(lock), tally->operations, tally->stats.probes, tally->stats.hits,
           read[TORN_SIZE_ONLY], read[TORN_WRONG], tally->by_hand.pairs, hand[TORN_SIZE_ONLY],
           hand[TORN_WRONG]);
    fflush(stdout);
}

/* Writes the key columns of a lock's row. */
static void print_key(const TornSettings *settings, TornLock lock, char *key)
{
    snprintf(key, RESULTS_ROW_MAX, "%s,%" PRId64 ",%" PRId64 ",%" PRId64, torn_lock_name(lock),
             settings->threads, settings->seed, settings->operations);
}

static bool write_row(const TornSettings *settings, TornLock lock, const TornTally *tally,
                      Results *results)
{
    const uint64_t *const hand = tally->by_hand.accepted, *const read = tally->read;
    char row[RESULTS_ROW_MAX], error[RESULTS_ERROR_MAX];
    print_key(settings, lock, row);
    const size_t length = strlen(row);
    snprintf(row + length, sizeof row - length,
             ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
             ",%" PRIu64 ",%" PRIu64 ",%.3f",
             tally->operations, tally->stats.stores, tally->stats.probes, tally->stats.hits,
             read[TORN_SIZE_ONLY], read[TORN_WRONG], tally->by_hand.pairs, hand[TORN_SIZE_ONLY],
             hand[TORN_WRONG], tally->seconds);
    const bool is_good = results_add(results, row, error);
    if (!is_good)
        fprintf(stderr, "%s\n", error);
    return is_good;
}

/* Number of accepted torn entries, by threads and by hand. */
static uint64_t count_torn(const TornTally *tally)
{
    const uint64_t *const hand = tally->by_hand.accepted;
    return tally->read[TORN_SIZE_ONLY] + tally->read[TORN_WRONG] + hand[TORN_SIZE_ONLY] +
           hand[TORN_WRONG];
}

static bool is_selected(const TornSettings *settings, TornLock lock)
{
    return settings->lock == NULL || strcmp(settings->lock, torn_lock_name(lock)) == 0;
}

static const char *find_known(const TornSettings *settings, TornLock lock, Results *results)
{
    char key[RESULTS_ROW_MAX];
    print_key(settings, lock, key);
    return results_find(results, key);
}

/* Whether the row reports accepted torn entries. */
static bool row_has_torn(const char *row)
{
    char number[24];
    bool has_torn = false;
    for (size_t i = 0; i < sizeof TORN_COLUMNS / sizeof TORN_COLUMNS[0]; i++)
        has_torn |=
            !results_field(row, TORN_COLUMNS[i], number, sizeof number) || strcmp(number, "0") != 0;
    return has_torn;
}

/* Runs each selected lock unless the file has its results. */
static ExperimentStatus run_all(void *ctx, Results *results)
{
    const TornSettings *const settings = ctx;
    ExperimentStatus status = EXPERIMENT_OK;
    printf("%-7s %13s %13s %13s %10s %10s %12s %10s %10s\n", "lock", "operations", "probes", "hits",
           "torn size", "torn wrong", "hand pairs", "hand size", "hand wrong");
    for (TornLock lock = 0; lock < TORN_LOCK_NB && !interrupt_pending(); lock++) {
        TornTally tally;
        if (!is_selected(settings, lock))
            continue;
        const char *const row = find_known(settings, lock, results);
        if (row != NULL) {
            printf("%-7s already in the file\n", torn_lock_name(lock));
            if (lock == TORN_FOLDED && row_has_torn(row))
                status = EXPERIMENT_FAILED;
            continue;
        }
        if (!run_lock(settings, lock, &tally))
            return EXPERIMENT_FAILED;
        print_row(lock, &tally);
        if (lock == TORN_FOLDED && count_torn(&tally) > 0)
            status = EXPERIMENT_FAILED;
        const bool is_complete = tally.operations >= (uint64_t)settings->operations;
        if (is_complete && !write_row(settings, lock, &tally, results))
            return EXPERIMENT_FAILED;
    }
    const bool is_interrupted = status == EXPERIMENT_OK && interrupt_pending();
    return is_interrupted ? experiment_interrupted(settings->csv_path) : status;
}

static bool is_lock_name(const char *name)
{
    for (TornLock lock = 0; lock < TORN_LOCK_NB; lock++) {
        if (strcmp(name, torn_lock_name(lock)) == 0)
            return true;
    }
    return false;
}

static ExperimentStatus run(void *settings)
{
    TornSettings *const torn = settings;
    const ResultsFile file = {.path = torn->csv_path,
                              .header = HEADER,
                              .key_columns = KEY_COLUMNS,
                              .mode = RESULTS_EXTEND};
    if (torn->lock != NULL && !is_lock_name(torn->lock))
        return experiment_refuse("--lock", torn->lock, "folded, xor or bare");
    return experiment_with_results(&file, run_all, torn);
}

const Experiment torn_experiment = {
    .name = "torn",
    .summary = "entries torn by concurrent writers, by kind of lock",
    .purpose =
        "Threads store and probe similar results in 8 slots without pause. Counts the torn entries "
        "that probes accept: the lock word is from one writer, the data word from another. The "
        "engine's folded lock must accept none (else exit status 1). Also builds such pairs of "
        "words by hand and probes them. Columns: torn size, entries with only a wrong subtree "
        "size; "
        "torn wrong, entries of another position; hand pairs, size, wrong: the same for the pairs "
        "built by hand.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .settings_size = sizeof(TornSettings),
    .run = run};
