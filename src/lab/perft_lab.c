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
#include "lab/hashperft.h"
#include "lab/lab.h"
#include "lab/results.h"

static const char PURPOSE[] =
    "perft through a hash table of 16-byte entries: what keys of 32 bits get wrong. --key 32 takes "
    "slot and check from the same 32 bits, 26+32 has an independent check of 32 bits, 64 the whole "
    "key. A shadow, which the count never looks at, tells the false hits. In the CSV each run is a "
    "block of rows, one per remaining depth. Exit status 1: 64 bits were wrong.";

static const char HEADER[] = "fen,depth,key,turn,hash_mib,shadow,level,probes,hits,collisions,"
                             "rivals,false_hits,expected_false_hits,leaves,exact,seconds";
enum { KEY_COLUMNS = 7, LEAVES_COLUMN = 13 }; // after it `exact`

/* What was asked for. */
typedef struct {
    const char *key; // NULL: each
    int64_t turn;
    int64_t hash_mib; // 0: 256 and 1024
    int64_t depth;
    const char *fen;
    int64_t exact; // 0: to be counted
    bool no_shadow;
    const char *csv_path;
} PerftOrder;

static const Argument OPTIONS[] = {
    {"--key", ARGUMENT_TEXT, offsetof(PerftOrder, key), .help = "32, 26+32 or 64 (each)"},
    {"--hash", ARGUMENT_INTEGER, offsetof(PerftOrder, hash_mib), .max = 65536, .def = "0",
     .value = "MIB", .help = "of the table; 0: 256, then 1024"},
    {"--turn", ARGUMENT_INTEGER, offsetof(PerftOrder, turn), .max = 63, .def = "0",
     .help = "turn the keys by so many bits: others of them count"},
    {"--depth", ARGUMENT_INTEGER, offsetof(PerftOrder, depth), .min = 1, .max = HASHPERFT_DEPTH_MAX,
     .def = "7", .help = "plies"},
    {"--fen", ARGUMENT_TEXT, offsetof(PerftOrder, fen), .def = FEN_START, .help = "position"},
    {"--exact", ARGUMENT_INTEGER, offsetof(PerftOrder, exact), .max = INT64_MAX, .def = "0",
     .help = "the right count; 0: count without a table first"},
    {"--no-shadow", ARGUMENT_FLAG, offsetof(PerftOrder, no_shadow),
     .help = "keep no shadow: for the speed, which it lowers"},
    {"--csv", ARGUMENT_TEXT, offsetof(PerftOrder, csv_path), .value = "FILE",
     .help = "file to resume from and to write to"}};
static const Arguments ARGUMENTS = {.program = "palimpsest-lab perft",
                                    .purpose = PURPOSE,
                                    .options = OPTIONS,
                                    .option_count = sizeof OPTIONS / sizeof OPTIONS[0]};

typedef struct {
    const PerftOrder *order;
    Position root;
    uint64_t exact;    // 0: unknown
    char fen[FEN_MAX]; // of the root, as results have it
    Results file;
    Results *results; // `file`, or NULL: none are written
    bool is_wrong;    // 64 bits were
} PerftLab;

/* One key in one table. */
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

/* One more root move of the exact count. */
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

/* The count without a table, which nothing can falsify. */
static void count_exactly(PerftLab *lab)
{
    if (lab->order->exact != 0) {
        lab->exact = (uint64_t)lab->order->exact;
        return;
    }
    ExactCount count = {.done = 0};
    progress_start(&count.progress, "exact count", perft(&lab->root, 1));
    const PerftWatch watch = {count_root_move, is_interrupted, &count};
    uint64_t leaves;
    const bool is_done = perft_divide(&lab->root, (int)lab->order->depth, &watch, &leaves);
    progress_finish(&count.progress);
    lab->exact = is_done ? leaves : 0;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

/* The figures in the form of the note this repeats. */
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
    for (int d = 1; d <= lab->order->depth; d++) {
        const HashPerftLevel *const level = &result->levels[d];
        probes += level->probes;
        hits += level->hits;
        rivals += level->rivals;
        false_hits += level->false_hits;
        expected += hashperft_expected(level, bits);
    }
    printf("exact %" PRIu64 ", error %+" PRId64 "\n", lab->exact,
           (int64_t)(result->leaves - lab->exact));
    printf("%" PRIu64 " probes met %" PRIu64 " entries of other positions as deep; of %.1f bits "
           "left to tell\nthem apart, %.4g hits are to be expected to be false",
           probes, rivals, bits, expected);
    if (table->shadows != NULL)
        printf("; the shadow saw %" PRIu64, false_hits);
    /* Birthdays: among n positions in an unlimited table, n^2/2 pairs with one chance in 2^k. */
    const double stored = (double)(probes - hits);
    const double key_bits = bits + log2((double)table->entry_count);
    printf(
        "\namong %.0f results stored, %.4g pairs share the %.0f bits of their keys (birthdays)\n",
        stored, stored * stored / 2.0 * exp2(-key_bits), key_bits);
}

/* Writes what tells the row of a level from all others. */
static void print_key(const PerftLab *lab, const HashPerftRun *run, int level, char *key)
{
    snprintf(key, RESULTS_ROW_MAX, "%s,%" PRId64 ",%s,%" PRId64 ",%" PRIu64 ",%d,%d", lab->fen,
             lab->order->depth, hashperft_key_name(run->kind), lab->order->turn, run->mib,
             !lab->order->no_shadow, level);
}

/* The row of the root's level, NULL when there is none. */
static const char *find_known(const PerftLab *lab, const HashPerftRun *run)
{
    char key[RESULTS_ROW_MAX];
    print_key(lab, run, (int)lab->order->depth, key);
    return lab->results != NULL ? results_find(lab->results, key) : NULL;
}

/* Whether a row's count is the right one: what it was held to then, or what is asked now. */
static bool row_is_exact(const PerftLab *lab, const char *row)
{
    char leaves[24], exact[24];
    if (!results_field(row, LEAVES_COLUMN, leaves, sizeof leaves) ||
        !results_field(row, LEAVES_COLUMN + 1, exact, sizeof exact))
        return false;
    if (lab->order->exact != 0)
        snprintf(exact, sizeof exact, "%" PRId64, lab->order->exact);
    return strcmp(leaves, exact) == 0;
}

/* The root's level comes last, so that a run is known when it is known whole. */
static bool write_rows(const PerftLab *lab, const HashPerftRun *run, const HashPerftResult *result,
                       double seconds)
{
    bool is_good = true;
    for (int d = 1; d <= lab->order->depth && is_good && lab->results != NULL; d++) {
        const HashPerftLevel *const level = &result->levels[d];
        char row[RESULTS_ROW_MAX], error[RESULTS_ERROR_MAX];
        print_key(lab, run, d, row);
        if (results_find(lab->results, row) != NULL)
            continue; // from a run that was killed in the midst of writing
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

/* Counts by a table and tells what came of it. False when it cannot go on. */
static bool count_and_report(PerftLab *lab, const HashPerftRun *run, HashPerftTable *table)
{
    char label[48];
    snprintf(label, sizeof label, "key %s, %" PRIu64 " MiB", hashperft_key_name(run->kind),
             run->mib);
    Progress progress;
    progress_start(&progress, label, 1);
    HashPerftResult result;
    const int depth = (int)lab->order->depth;
    const int64_t start_us = clock_us();
    const bool is_done =
        hashperft_count(table, &lab->root, depth, &result, show_progress, &progress);
    const double seconds = (double)(clock_us() - start_us + 1) / 1e6;
    progress_finish(&progress);
    if (!is_done)
        return false;
    printf("\n%s:\n", label);
    print_levels(&result, depth, seconds);
    print_verdict(lab, table, &result);
    fflush(stdout);
    lab->is_wrong |= run->kind == HASHPERFT_64 && result.leaves != lab->exact;
    return write_rows(lab, run, &result, seconds);
}

/* One key in one table, unless its results are there. False when it cannot go on. */
static bool run_one(PerftLab *lab, HashPerftKey kind, uint64_t mib)
{
    HashPerftRun run = {.kind = kind, .mib = mib};
    const char *const row = find_known(lab, &run);
    if (row != NULL) {
        const bool is_exact = row_is_exact(lab, row);
        printf("\nkey %s, %" PRIu64 " MiB: in the file already, %s\n", hashperft_key_name(kind),
               mib, is_exact ? "exact" : "not exact");
        lab->is_wrong |= kind == HASHPERFT_64 && !is_exact;
        return true;
    }
    if (lab->exact == 0)
        count_exactly(lab);
    if (interrupt_pending())
        return false;
    HashPerftTable table;
    if (!hashperft_create(&table, kind, mib, !lab->order->no_shadow)) {
        fprintf(stderr, "no memory for a table of %" PRIu64 " MiB\n", mib);
        return false;
    }
    table.turn = (int)lab->order->turn;
    run.free_bits = hashperft_free_bits(&table);
    const bool is_done = count_and_report(lab, &run, &table);
    hashperft_destroy(&table);
    return is_done;
}

static bool run_all(PerftLab *lab)
{
    static const uint64_t SIZES[] = {256, 1024};
    const bool is_one_size = lab->order->hash_mib != 0;
    for (size_t s = 0; s < (is_one_size ? 1 : sizeof SIZES / sizeof SIZES[0]); s++) {
        const uint64_t mib = is_one_size ? (uint64_t)lab->order->hash_mib : SIZES[s];
        for (HashPerftKey kind = 0; kind < HASHPERFT_KEY_NB; kind++) {
            const char *const name = hashperft_key_name(kind);
            if (lab->order->key != NULL && strcmp(lab->order->key, name) != 0)
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

/* Runs with the file of results, if there is to be one. */
static int run_with_file(PerftLab *lab)
{
    char error[RESULTS_ERROR_MAX];
    if (lab->order->csv_path != NULL) {
        if (!results_open(&lab->file, lab->order->csv_path, HEADER, KEY_COLUMNS, RESULTS_EXTEND,
                          error)) {
            fprintf(stderr, "%s\n", error);
            return LAB_BAD;
        }
        lab->results = &lab->file;
    }
    interrupt_watch();
    const bool is_done = run_all(lab);
    if (lab->results != NULL)
        results_close(&lab->file);
    if (!is_done)
        return interrupt_pending() ? LAB_INTERRUPTED : LAB_BAD;
    return lab->is_wrong ? LAB_BAD : LAB_GOOD;
}

int lab_perft(int argc, char **argv)
{
    PerftOrder order = {0};
    int status;
    if (!lab_read(&ARGUMENTS, &order, argc, argv, &status))
        return status;
    char error[FEN_ERROR_MAX];
    PerftLab lab = {.order = &order};
    if (order.key != NULL && !is_key_name(order.key)) {
        fprintf(stderr, "--key %s: not 32, 26+32 or 64\n", order.key);
        return LAB_USAGE;
    }
    if (!fen_parse(&lab.root, order.fen, true, error)) {
        fprintf(stderr, "--fen: %s\n", error);
        return LAB_USAGE;
    }
    fen_print(&lab.root, true, lab.fen);
    return run_with_file(&lab);
}
