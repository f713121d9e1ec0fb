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
#include "lab/lab.h"
#include "lab/results.h"
#include "lab/torn.h"

static const char PURPOSE[] =
    "Threads that store and probe without end in 8 slots, with results that are much alike: how "
    "many entries with one writer's lock and another's data are accepted. The engine's folded lock "
    "must accept none (exit status 1). The same with every such pair made by hand. A wrong subtree "
    "size alone and data of another position are counted apart.";

static const char HEADER[] =
    "lock,threads,seed,operations,done,stores,probes,hits,torn_size,torn_wrong,"
    "pairs_by_hand,hand_size,hand_wrong,seconds";
enum { KEY_COLUMNS = 4 };
static const int TORN_COLUMNS[] = {8, 9, 11, 12}; // of entries that were torn and accepted

static_assert((TORN_KEYS & (TORN_KEYS - 1)) == 0 && (TORN_VERSIONS & (TORN_VERSIONS - 1)) == 0,
              "drawn by masks");

enum { THREADS_MAX = 256, ROUND = 1 << 22 }; // operations of a thread between two looks around

typedef struct {
    int64_t operations, threads, seed;
    const char *lock; // NULL: each
    const char *csv_path;
} TornOrder;

static const Argument OPTIONS[] = {
    {"--operations", ARGUMENT_INTEGER, offsetof(TornOrder, operations), .min = 1,
     .max = INT64_MAX / 2, .def = "1000000000",
     .help = "stores and probes of all threads together, with each lock"},
    {"--threads", ARGUMENT_INTEGER, offsetof(TornOrder, threads), .min = 1, .max = THREADS_MAX,
     .def = "2", .help = "at once"},
    {"--lock", ARGUMENT_TEXT, offsetof(TornOrder, lock), .help = "folded, xor or bare (each)"},
    {"--seed", ARGUMENT_INTEGER, offsetof(TornOrder, seed), .max = INT64_MAX, .def = "1",
     .help = "of the random numbers"},
    {"--csv", ARGUMENT_TEXT, offsetof(TornOrder, csv_path), .value = "FILE",
     .help = "file to resume from and to write to"}};
static const Arguments ARGUMENTS = {.program = "palimpsest-lab torn",
                                    .purpose = PURPOSE,
                                    .options = OPTIONS,
                                    .option_count = sizeof OPTIONS / sizeof OPTIONS[0]};

/* One thread's share of the work. */
typedef struct {
    TornTable *table;
    Rng rng;
    uint64_t operations; // in this round
    TtStats stats;
    uint64_t read[TORN_WRONG + 1]; // entries, by verdict
    Thread thread;
    bool is_running;
} Hammer;

/* What came of one lock. */
typedef struct {
    TornByHand by_hand;
    TtStats stats;
    uint64_t operations, read[TORN_WRONG + 1];
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

/* All threads do their share at once. False when the system gives too few. */
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

/* Rounds, each a new search, so that generations and refreshes take part. */
static bool run_rounds(const TornOrder *order, TornTable *table, Hammer *hammers, TornTally *tally)
{
    const uint64_t all = (uint64_t)order->operations, threads = (uint64_t)order->threads;
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
    progress_finish(&progress);
    if (!is_good)
        fprintf(stderr, "the system gives no %" PRId64 " threads\n", order->threads);
    return is_good;
}

static bool run_lock(const TornOrder *order, TornLock lock, TornTally *tally)
{
    TornTable table;
    const size_t threads = (size_t)order->threads;
    Hammer *const hammers = calloc(threads, sizeof *hammers);
    if (!torn_create(&table, lock) || hammers == NULL) {
        fprintf(stderr, "out of memory\n");
        torn_destroy(&table);
        free(hammers);
        return false;
    }
    for (size_t i = 0; i < threads; i++) {
        hammers[i].table = &table;
        rng_seed(&hammers[i].rng, (uint64_t)order->seed + i);
    }
    *tally = (TornTally){.by_hand = torn_by_hand(&table)};
    const int64_t start_us = clock_us();
    const bool is_good = run_rounds(order, &table, hammers, tally);
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

/* Writes what tells a lock's row from all others. */
static void print_key(const TornOrder *order, TornLock lock, char *key)
{
    snprintf(key, RESULTS_ROW_MAX, "%s,%" PRId64 ",%" PRId64 ",%" PRId64, torn_lock_name(lock),
             order->threads, order->seed, order->operations);
}

static bool write_row(const TornOrder *order, TornLock lock, const TornTally *tally,
                      Results *results)
{
    const uint64_t *const hand = tally->by_hand.accepted, *const read = tally->read;
    char row[RESULTS_ROW_MAX], error[RESULTS_ERROR_MAX];
    print_key(order, lock, row);
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

/* All that is not a version of its key, however it came to be. */
static uint64_t count_torn(const TornTally *tally)
{
    const uint64_t *const hand = tally->by_hand.accepted;
    return tally->read[TORN_SIZE_ONLY] + tally->read[TORN_WRONG] + hand[TORN_SIZE_ONLY] +
           hand[TORN_WRONG];
}

static bool is_wanted(const TornOrder *order, TornLock lock)
{
    return order->lock == NULL || strcmp(order->lock, torn_lock_name(lock)) == 0;
}

static const char *find_known(const TornOrder *order, TornLock lock, Results *results)
{
    char key[RESULTS_ROW_MAX];
    print_key(order, lock, key);
    return results != NULL ? results_find(results, key) : NULL;
}

/* Whether a row tells of torn entries that were accepted. */
static bool row_has_torn(const char *row)
{
    char number[24];
    bool has_torn = false;
    for (size_t i = 0; i < sizeof TORN_COLUMNS / sizeof TORN_COLUMNS[0]; i++)
        has_torn |=
            !results_field(row, TORN_COLUMNS[i], number, sizeof number) || strcmp(number, "0") != 0;
    return has_torn;
}

/* Each lock wanted, the rows to `results` unless it is NULL. */
static int run_all(const TornOrder *order, Results *results)
{
    int status = LAB_GOOD;
    printf("%-7s %13s %13s %13s %10s %10s %12s %10s %10s\n", "lock", "operations", "probes", "hits",
           "torn:size", "wrong", "pairs torn", "taken:size", "wrong");
    for (TornLock lock = 0; lock < TORN_LOCK_NB && !interrupt_pending(); lock++) {
        TornTally tally;
        if (!is_wanted(order, lock))
            continue;
        const char *const row = find_known(order, lock, results);
        if (row != NULL) {
            printf("%-7s in the file already\n", torn_lock_name(lock));
            if (lock == TORN_FOLDED && row_has_torn(row))
                status = LAB_BAD;
            continue;
        }
        if (!run_lock(order, lock, &tally))
            return LAB_BAD;
        print_row(lock, &tally);
        if (lock == TORN_FOLDED && count_torn(&tally) > 0)
            status = LAB_BAD;
        const bool is_whole = tally.operations >= (uint64_t)order->operations;
        if (is_whole && results != NULL && !write_row(order, lock, &tally, results))
            return LAB_BAD;
    }
    return status == LAB_GOOD && interrupt_pending() ? LAB_INTERRUPTED : status;
}

static int run_with_file(const TornOrder *order)
{
    Results results;
    char error[RESULTS_ERROR_MAX];
    interrupt_watch();
    if (order->csv_path == NULL)
        return run_all(order, NULL);
    if (!results_open(&results, order->csv_path, HEADER, KEY_COLUMNS, RESULTS_EXTEND, error)) {
        fprintf(stderr, "%s\n", error);
        return LAB_BAD;
    }
    const int status = run_all(order, &results);
    results_close(&results);
    return status;
}

static bool is_lock_name(const char *name)
{
    for (TornLock lock = 0; lock < TORN_LOCK_NB; lock++) {
        if (strcmp(name, torn_lock_name(lock)) == 0)
            return true;
    }
    return false;
}

int lab_torn(int argc, char **argv)
{
    TornOrder order = {0};
    int status;
    if (!lab_read(&ARGUMENTS, &order, argc, argv, &status))
        return status;
    if (order.lock != NULL && !is_lock_name(order.lock)) {
        fprintf(stderr, "--lock %s: not folded, xor or bare\n", order.lock);
        return LAB_USAGE;
    }
    return run_with_file(&order);
}
