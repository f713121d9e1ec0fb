// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "chess/fen.h"
#include "chess/perft.h"
#include "lab/experiment.h"
#include "lab/hashperft.h"

static const char HEADER[] = "fen,depth,key,turn,hash_mib,shadow,level,probes,hits,collisions,"
                             "rivals,false_hits,expected_false_hits,leaves,exact,seconds";
enum { KEY_COLUMNS = 7, LEAVES_COLUMN = 13 }; // the next column is `exact`

typedef struct {
    const char *key; // NULL: all kinds
    int64_t turn;
    int64_t hash_mib; // 0: 256 and 1024
    int64_t depth;
    const char *fen;
    int64_t exact; // 0: count without a table
    bool no_shadow;
    const char *csv_path;
} PerftSettings;

static const Argument OPTIONS[] = {
    {"--key", ARGUMENT_TEXT, offsetof(PerftSettings, key),
     .help = "kind of key: 32, 26+32 or 64 (all three)"},
    {"--hash", ARGUMENT_INTEGER, offsetof(PerftSettings, hash_mib), .max = 65536, .def = "0",
     .value = "MIB", .help = "table size; 0: 256, then 1024"},
    {"--turn", ARGUMENT_INTEGER, offsetof(PerftSettings, turn), .max = 63, .def = "0",
     .help = "rotate the keys left by this number of bits, to use other bits as index and check"},
    {"--depth", ARGUMENT_INTEGER, offsetof(PerftSettings, depth), .min = 1,
     .max = HASHPERFT_DEPTH_MAX, .def = "7", .help = "perft depth in plies"},
    {"--fen", ARGUMENT_TEXT, offsetof(PerftSettings, fen), .def = FEN_START,
     .help = "root position"},
    {"--exact", ARGUMENT_INTEGER, offsetof(PerftSettings, exact), .max = INT64_MAX, .def = "0",
     .help = "the correct count; 0: determine it first, without a table"},
    {"--no-shadow", ARGUMENT_FLAG, offsetof(PerftSettings, no_shadow),
     .help = "do not detect false hits (faster)"},
    EXPERIMENT_CSV(PerftSettings, csv_path, NULL)};

typedef struct {
    const PerftSettings *settings;
    Position root;
    uint64_t exact;    // 0: unknown
    char fen[FEN_MAX]; // of the root, as printed in the results
    Results *results;
    bool is_wrong; // the count with whole keys is wrong
} PerftLab;

/* One kind of key in one table. */
typedef struct {
    HashPerftKey kind;
    uint64_t mib;
    double free_bits;
} HashPerftRun;

static bool show_progress(void *ctx, int done, int count)
{
    Progress *progress = ctx;
    progress->total = (uint64_t)count;
    progress_update(progress, (uint64_t)done);
    return !interrupt_pending();
}

/* Progress of the exact count. */
typedef struct {
    Progress progress;
    uint64_t done;
} ExactCount;

static void count_root_move(void *ctx, Move move, uint64_t leaves)
{
    (void)move;
    (void)leaves;
    ExactCount *const exact = ctx;
    progress_update(&exact->progress, ++exact->done);
}

static bool is_interrupted(void *ctx)
{
    (void)ctx;
    return interrupt_pending();
}

/* Sets `lab->exact` to the value of --exact or, without that option, to the count of a perft
 * without a table; 0 when interrupted. */
static void count_exactly(PerftLab *lab)
{
    if (lab->settings->exact != 0) {
        lab->exact = (uint64_t)lab->settings->exact;
        return;
    }
    ExactCount count = {.done = 0};
    progress_start(&count.progress, "exact count", perft(&lab->root, 1));
    const PerftWatch watch = {count_root_move, is_interrupted, &count};
    uint64_t leaves;
    const bool is_done = perft_divide(&lab->root, (int)lab->settings->depth, &watch, &leaves);
    progress_end(&count.progress, is_done);
    lab->exact = is_done ? leaves : 0;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

/* Prints the rates of hits and collisions in the format of the experiment on GPUs (hashperft.h). */
static void print_levels(const HashPerftResult *result, int depth, double seconds)
{
    printf("perft (%d) = %" PRIu64 " at %.2f Mnps\n", depth, result->leaves,
           (double)result->leaves / seconds / 1e6);
    for (int d = 1; d <= depth; d++) {
        const HashPerftLevel *const level = &result->levels[d];
        printf("depth %d hash table: %f %% hits, %f %% collisions\n", d,
               percent(level->hits, level->probes), percent(level->collisions, level->probes));
    }
}

static void print_verdict(const PerftLab *lab, const HashPerftTable *table,
                          const HashPerftResult *result)
{
    const double bits = hashperft_free_bits(table);
    uint64_t false_hits = 0, rivals = 0, probes = 0, hits = 0;
    double expected = 0.0;
    for (int d = 1; d <= lab->settings->depth; d++) {
        const HashPerftLevel *const level = &result->levels[d];
        probes += level->probes;
        hits += level->hits;
        rivals += level->rivals;
        false_hits += level->false_hits;
        expected += hashperft_expected(level, bits);
    }
    printf("exact %" PRIu64 ", error %+" PRId64 "\n", lab->exact,
           (int64_t)(result->leaves - lab->exact));
    printf("%" PRIu64 " probes met %" PRIu64 " entries of other positions of equal depth; with "
           "%.1f bits\nchecked beyond the index, %.4g false hits are expected",
           probes, rivals, bits, expected);
    if (table->shadows != NULL)
        printf("; the shadows detected %" PRIu64, false_hits);
    /* Birthday bound: n positions form n^2/2 pairs, and two positions have equal keys of k bits
     * with probability 2^-k. */
    const double stored = (double)(probes - hits);
    const double key_bits = bits + log2((double)table->entry_count);
    printf(".\nIn %.0f stored results, %.4g pairs with equal keys of %.0f bits are expected\n",
           stored, stored * stored / 2.0 * exp2(-key_bits), key_bits);
}

/* Writes the key columns of the row of a level. */
static void print_key(const PerftLab *lab, const HashPerftRun *run, int level, char *key)
{
    snprintf(key, RESULTS_ROW_MAX, "%s,%" PRId64 ",%s,%" PRId64 ",%" PRIu64 ",%d,%d", lab->fen,
             lab->settings->depth, hashperft_key_name(run->kind), lab->settings->turn, run->mib,
             !lab->settings->no_shadow, level);
}

/* Returns the row of the root's level, which is the last row of a run; NULL if absent. */
static const char *find_known(const PerftLab *lab, const HashPerftRun *run)
{
    char key[RESULTS_ROW_MAX];
    print_key(lab, run, (int)lab->settings->depth, key);
    return results_find(lab->results, key);
}

/* Whether the count in a row is correct: equal to --exact or, without that option, to the exact
 * count in the row. */
static bool row_is_exact(const PerftLab *lab, const char *row)
{
    char leaves[24], exact[24];
    if (!results_field(row, LEAVES_COLUMN, leaves, sizeof leaves) ||
        !results_field(row, LEAVES_COLUMN + 1, exact, sizeof exact))
        return false;
    if (lab->settings->exact != 0)
        snprintf(exact, sizeof exact, "%" PRId64, lab->settings->exact);
    return strcmp(leaves, exact) == 0;
}

/* Writes one row per level. The row of the root's level comes last: it marks a complete run. */
static bool write_rows(const PerftLab *lab, const HashPerftRun *run, const HashPerftResult *result,
                       double seconds)
{
    bool is_good = true;
    for (int d = 1; d <= lab->settings->depth && is_good; d++) {
        const HashPerftLevel *const level = &result->levels[d];
        char row[RESULTS_ROW_MAX], error[RESULTS_ERROR_MAX];
        print_key(lab, run, d, row);
        if (results_find(lab->results, row) != NULL)
            continue; // written by a run that was killed before its last row
        const size_t length = strlen(row);
        snprintf(row + length, sizeof row - length,
                 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.6g,%" PRIu64
                 ",%" PRIu64 ",%.3f",
                 level->probes, level->hits, level->collisions, level->rivals, level->false_hits,
                 hashperft_expected(level, run->free_bits), result->leaves, lab->exact, seconds);
        is_good = results_add(lab->results, row, error);
        if (!is_good)
            fprintf(stderr, "%s\n", error);
    }
    return is_good;
}

/* Counts with a table, prints the report and writes the rows. False when interrupted or when
 * writing failed. */
static bool count_and_report(PerftLab *lab, const HashPerftRun *run, HashPerftTable *table)
{
    char label[48];
    snprintf(label, sizeof label, "key %s, %" PRIu64 " MiB", hashperft_key_name(run->kind),
             run->mib);
    Progress progress;
    progress_start(&progress, label, 1);
    HashPerftResult result;
    const int depth = (int)lab->settings->depth;
    const int64_t start_us = clock_us();
    const bool is_done =
        hashperft_count(table, &lab->root, depth, &result, show_progress, &progress);
    const double seconds = (double)(clock_us() - start_us + 1) / 1e6;
    progress_end(&progress, is_done);
    if (!is_done)
        return false;
    printf("\n%s:\n", label);
    print_levels(&result, depth, seconds);
    print_verdict(lab, table, &result);
    fflush(stdout);
    lab->is_wrong |= run->kind == HASHPERFT_64 && result.leaves != lab->exact;
    return write_rows(lab, run, &result, seconds);
}

/* Runs one kind of key in one table, unless the file has the results. False when interrupted or
 * after an error, which it prints. */
static bool run_one(PerftLab *lab, HashPerftKey kind, uint64_t mib)
{
    HashPerftRun run = {.kind = kind, .mib = mib};
    const char *const row = find_known(lab, &run);
    if (row != NULL) {
        const bool is_exact = row_is_exact(lab, row);
        printf("\nkey %s, %" PRIu64 " MiB: already in the file, %s\n", hashperft_key_name(kind),
               mib, is_exact ? "exact" : "not exact");
        lab->is_wrong |= kind == HASHPERFT_64 && !is_exact;
        return true;
    }
    if (lab->exact == 0)
        count_exactly(lab);
    if (interrupt_pending())
        return false;
    HashPerftTable table;
    if (!hashperft_create(&table, kind, mib, !lab->settings->no_shadow)) {
        fprintf(stderr, "not enough memory for a table of %" PRIu64 " MiB\n", mib);
        return false;
    }
    table.turn = (int)lab->settings->turn;
    run.free_bits = hashperft_free_bits(&table);
    const bool is_done = count_and_report(lab, &run, &table);
    hashperft_destroy(&table);
    return is_done;
}

static bool run_all(PerftLab *lab)
{
    static const uint64_t SIZES[] = {256, 1024};
    const bool is_one_size = lab->settings->hash_mib != 0;
    for (size_t s = 0; s < (is_one_size ? 1 : sizeof SIZES / sizeof SIZES[0]); s++) {
        const uint64_t mib = is_one_size ? (uint64_t)lab->settings->hash_mib : SIZES[s];
        for (HashPerftKey kind = 0; kind < HASHPERFT_KEY_NB; kind++) {
            const char *const name = hashperft_key_name(kind);
            if (lab->settings->key != NULL && strcmp(lab->settings->key, name) != 0)
                continue;
            if (!run_one(lab, kind, mib))
                return false;
        }
    }
    return true;
}

static bool is_key_name(const char *name)
{
    for (HashPerftKey kind = 0; kind < HASHPERFT_KEY_NB; kind++) {
        if (strcmp(hashperft_key_name(kind), name) == 0)
            return true;
    }
    return false;
}

static ExperimentStatus run_all_with(void *ctx, Results *results)
{
    PerftLab *const lab = ctx;
    lab->results = results;
    if (!run_all(lab))
        return interrupt_pending() ? experiment_interrupted(lab->settings->csv_path)
                                   : EXPERIMENT_FAILED;
    return lab->is_wrong ? EXPERIMENT_FAILED : EXPERIMENT_OK;
}

static ExperimentStatus run(void *settings)
{
    const PerftSettings *const perft_settings = settings;
    PerftLab lab = {.settings = perft_settings};
    char error[FEN_ERROR_MAX];
    if (perft_settings->key != NULL && !is_key_name(perft_settings->key))
        return experiment_refuse("--key", perft_settings->key, "32, 26+32 or 64");
    if (!fen_parse(&lab.root, perft_settings->fen, true, error) || *error != '\0') {
        fprintf(stderr, "--fen: %s\n", error);
        return EXPERIMENT_USAGE;
    }
    fen_print(&lab.root, true, lab.fen);
    const ResultsFile file = {.path = perft_settings->csv_path,
                              .header = HEADER,
                              .key_columns = KEY_COLUMNS,
                              .mode = RESULTS_EXTEND};
    return experiment_with_results(&file, run_all_with, &lab);
}

const Experiment perft_experiment = {
    .name = "perft",
    .summary = "perft with a hash table, by key length",
    .purpose =
        "Runs perft with a hash table of 16-byte entries and shows the errors of short keys. "
        "--key 32 takes slot index and check from the same 32 bits, 26+32 checks 32 bits that the "
        "index does not use, 64 checks the whole key. A shadow, a second hash that the count does "
        "not use, detects false hits. The CSV file has one row per remaining depth of each run. "
        "Exit status 1: the count with 64 bits is wrong, or a failure.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .settings_size = sizeof(PerftSettings),
    .run = run};
