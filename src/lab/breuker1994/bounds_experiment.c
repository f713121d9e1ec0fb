// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "lab/breuker1994/alibaba.h"
#include "lab/comparison.h"
#include "lab/experiment.h"
#include "lab/jobs.h"
#include "lab/positions.h"
#include "tt/replacement.h"

/* The experiment `bounds`. An observation is one search of a position by ALIBABA. The rows of the
 * grid are the positions; its columns are the drivers, for each driver the table sizes, and for
 * each size the variants of the table. */

enum { SIZES_MAX = 16, KILO_MAX = 1 << 14 };
static const char HEADER[] =
    "suite,ply,position,driver,kpositions,scheme,layout,nodes,interior,root_searches,score,best,"
    "probes,hits,both,cutoffs,older_cutoffs,narrowed,older_narrowed";
enum {
    VALUE_NODES,
    VALUE_INTERIOR,
    VALUE_ROOT_SEARCHES,
    VALUE_SCORE,
    VALUE_BEST,
    VALUE_PROBES,
    VALUE_HITS,
    VALUE_BOTH,
    VALUE_CUTOFFS,
    VALUE_OLDER_CUTOFFS,
    VALUE_NARROWED,
    VALUE_OLDER_NARROWED,
    VALUE_NB
};

/* Under Thompson's scheme two entries can hold two results of a position anyway. */
typedef struct {
    Replacement scheme;
    BoundsLayout layout;
} Variant;
static const Variant VARIANTS[] = {
    {REPLACE_NEW, BOUNDS_SINGLE},      {REPLACE_NEW, BOUNDS_SHARED},
    {REPLACE_NEW, BOUNDS_OWN},         {REPLACE_DEEP, BOUNDS_SINGLE},
    {REPLACE_DEEP, BOUNDS_SHARED},     {REPLACE_DEEP, BOUNDS_OWN},
    {REPLACE_TWO_DEEP, BOUNDS_SINGLE}, {REPLACE_TWO_DEEP, BOUNDS_SHARED},
    {REPLACE_TWO_DEEP, BOUNDS_OWN},    {REPLACE_TWO_DEEP, BOUNDS_APART},
    {REPLACE_THOMPSON, BOUNDS_SINGLE}, {REPLACE_THOMPSON, BOUNDS_SHARED},
    {REPLACE_THOMPSON, BOUNDS_OWN}};
enum { VARIANT_NB = sizeof VARIANTS / sizeof VARIANTS[0] };
static const char *const DRIVERS[DRIVER_NB] = {"PVS", "MTD(f)", "C*"};

typedef struct {
    const char *positions, *csv, *sizes;
    int64_t number, depth, jobs;
    Shard shard;
    bool joined;
} BoundsSettings;

static const Argument OPTIONS[] = {
    {"--positions", ARGUMENT_TEXT, offsetof(BoundsSettings, positions), .value = "FILE",
     .help = "EPD file of positions (kasparov-short-1994.epd of the shared folder)"},
    EXPERIMENT_NUMBER(BoundsSettings, number),
    {"--depth", ARGUMENT_INTEGER, offsetof(BoundsSettings, depth), .min = 1,
     .max = ALIBABA_MAX_DEPTH, .def = "7", .help = "depth of the searches"},
    {"--sizes", ARGUMENT_TEXT, offsetof(BoundsSettings, sizes), .value = "LIST", .def = "8,64,1024",
     .help = "table sizes in units of 1024 positions"},
    EXPERIMENT_CSV(BoundsSettings, csv, NULL),
    EXPERIMENT_JOBS(BoundsSettings, jobs, shard, joined)};

typedef struct {
    PositionSet set;
    uint32_t suite; // checksum of the positions
    int ply;
    int kilos[SIZES_MAX], kilo_count;
} Run;

/* --- the grid --- */

typedef struct {
    AlibabaDriver driver;
    int size; // index
    int variant;
} Column;

static int column_count(const Run *run)
{
    return DRIVER_NB * run->kilo_count * VARIANT_NB;
}

static int column_number(const Run *run, Column column)
{
    return ((int)column.driver * run->kilo_count + column.size) * VARIANT_NB + column.variant;
}

static Column column_at(const Run *run, int number)
{
    return (Column){.driver = number / VARIANT_NB / run->kilo_count,
                    .size = number / VARIANT_NB % run->kilo_count,
                    .variant = number % VARIANT_NB};
}

static void print_key(const void *ctx, int i, char *key)
{
    const Run *const run = ctx;
    const Column column = column_at(run, i % column_count(run));
    const Variant *const variant = &VARIANTS[column.variant];
    snprintf(key, GRID_KEY_MAX, "%08" PRIx32 ",%d,%d,%s,%d,%s,%s", run->suite, run->ply,
             i / column_count(run) + 1, DRIVERS[column.driver], run->kilos[column.size],
             replacement_name(variant->scheme), bounds_layout_name(variant->layout));
}

static void copy_values(const Alibaba *alibaba, const AlibabaIteration *last, int64_t *values)
{
    const BoundsStats *const stats = &alibaba->bounds->stats;
    const AlibabaNodes *const nodes = &last->nodes;
    values[VALUE_NODES] = (int64_t)nodes_total(nodes);
    values[VALUE_INTERIOR] = (int64_t)nodes->interior;
    values[VALUE_ROOT_SEARCHES] = alibaba->root_searches;
    values[VALUE_SCORE] = last->score;
    values[VALUE_BEST] = last->move;
    values[VALUE_PROBES] = (int64_t)stats->probes;
    values[VALUE_HITS] = (int64_t)stats->hits;
    values[VALUE_BOTH] = (int64_t)stats->both;
    values[VALUE_CUTOFFS] = (int64_t)stats->cutoffs;
    values[VALUE_OLDER_CUTOFFS] = (int64_t)stats->older_cutoffs;
    values[VALUE_NARROWED] = (int64_t)stats->narrowed;
    values[VALUE_OLDER_NARROWED] = (int64_t)stats->older_narrowed;
}

static bool observe(const void *ctx, int i, int64_t *values)
{
    const Run *const run = ctx;
    const Column column = column_at(run, i % column_count(run));
    const Variant *const variant = &VARIANTS[column.variant];
    const Position *const root = &run->set.positions[i / column_count(run)].pos;
    AlibabaIteration iterations[ALIBABA_MAX_DEPTH + 1];
    BoundsTable table = {.replacement = variant->scheme, .layout = variant->layout};
    Alibaba *const alibaba = calloc(1, sizeof *alibaba);
    const bool is_good =
        alibaba != NULL && bounds_resize(&table, (uint64_t)run->kilos[column.size] * 1024);
    if (is_good) {
        alibaba->bounds = &table;
        alibaba->driver = column.driver;
        alibaba_init(alibaba);
        alibaba_search(alibaba, root, run->ply, iterations);
        copy_values(alibaba, &iterations[run->ply], values);
    }
    bounds_free(&table);
    free(alibaba);
    return is_good;
}

/* --- report --- */

typedef struct {
    const Run *run;
    const Grid *grid;
    Comparison nodes;
} BoundsReport;

/* The variant of the same scheme with a single bound. */
static int single_of(int variant)
{
    while (VARIANTS[variant].layout != BOUNDS_SINGLE)
        variant--;
    return variant;
}

/* The sum of value `part` as a percentage of the sum of value `whole`. */
static double percentage(const BoundsReport *report, int column, int part, int whole)
{
    double parts = 0, all = 0;
    for (int row = 0; row < report->run->set.count; row++) {
        const int64_t *const values =
            grid_values(report->grid, row * column_count(report->run) + column);
        if (values == NULL)
            continue;
        parts += (double)values[part];
        all += (double)values[whole];
    }
    return all > 0 ? 100 * parts / all : 0;
}

static void print_ratio(Ratio ratio)
{
    if (ratio.groups < 2)
        printf("  %24s", "-");
    else
        printf("  %.4f (%.4f .. %.4f)", ratio.mean, ratio.low, ratio.high);
}

static void print_line(const BoundsReport *report, Column column)
{
    const Run *const run = report->run;
    const Variant *const variant = &VARIANTS[column.variant];
    const int number = column_number(run, column);
    Column single = column, pvs = column;
    single.variant = single_of(column.variant);
    pvs.driver = DRIVER_PVS;
    printf("%-10s %-7s %12.0f", replacement_name(variant->scheme),
           bounds_layout_name(variant->layout), comparison_mean(&report->nodes, number));
    print_ratio(comparison_ratio(&report->nodes, number, column_number(run, single)));
    print_ratio(comparison_ratio(&report->nodes, number, column_number(run, pvs)));
    printf("  %9.2f  %9.2f\n", percentage(report, number, VALUE_OLDER_CUTOFFS, VALUE_CUTOFFS),
           percentage(report, number, VALUE_OLDER_NARROWED, VALUE_NARROWED));
}

/* Intervals are between games, or between positions when all are of one game. */
static bool print_report(const void *ctx, const Grid *grid)
{
    const Run *const run = ctx;
    BoundsReport report = {run, grid,
                           comparison_make(grid, run->set.count, column_count(run), VALUE_NODES)};
    if (report.nodes.pairs == NULL)
        return false;
    report.nodes.set = run->set.game_count > 1 ? &run->set : NULL;
    printf("%d positions at %d ply; geometric means, 95%% intervals between %s\n"
           "older: cutoffs, and narrower windows, that only the older bound of an entry gave, in "
           "%%\n",
           run->set.count, run->ply, run->set.game_count > 1 ? "games" : "positions");
    for (int number = 0; number < column_count(run); number++) {
        const Column column = column_at(run, number);
        if (column.variant == 0)
            printf("\n%s, %dK entries\n%-10s %-7s %12s  %-24s  %-24s  %9s  %9s\n",
                   DRIVERS[column.driver], run->kilos[column.size], "scheme", "layout", "nodes",
                   "ratio to single", "ratio to PVS", "older cut", "older win");
        print_line(&report, column);
    }
    comparison_free(&report.nodes);
    return true;
}

/* --- run --- */

static ExperimentStatus run_grid(Run *run, const BoundsSettings *settings)
{
    positions_spread(&run->set, (int)settings->number);
    run->suite = (uint32_t)positions_checksum(&run->set, 0, run->set.count);
    const GridPlan plan = {.label = "bounds",
                           .header = HEADER,
                           .value_count = VALUE_NB,
                           .count = run->set.count * column_count(run),
                           .threads = jobs_threads(settings->jobs),
                           .shard = settings->shard,
                           .csv_path = settings->csv,
                           .is_joined = settings->joined,
                           .ctx = run,
                           .print_key = print_key,
                           .observe = observe};
    return grid_report(&plan, print_report);
}

static ExperimentStatus run_experiment(void *ctx)
{
    const BoundsSettings *const settings = ctx;
    Run run = {.ply = (int)settings->depth};
    if (experiment_check_shard(&settings->shard, settings->joined, settings->csv) != EXPERIMENT_OK)
        return EXPERIMENT_USAGE;
    run.kilo_count = experiment_numbers("--sizes", settings->sizes, run.kilos, SIZES_MAX, KILO_MAX);
    if (run.kilo_count == 0)
        return EXPERIMENT_USAGE;
    char path[FILE_PATH_MAX], error[POSITIONS_ERROR_MAX];
    const char *const file =
        experiment_positions(settings->positions, "kasparov-short-1994.epd", path);
    const bool is_read = positions_read(&run.set, file, error);
    const ExperimentStatus status = is_read ? run_grid(&run, settings) : experiment_fail(error);
    positions_free(&run.set);
    return status;
}

const Experiment bounds_experiment = {
    .name = "bounds",
    .summary = "entries with one or two bounds, under PVS and MTD(f)",
    .purpose =
        "Does an entry that keeps a lower and an upper bound save nodes? Searches each position "
        "with ALIBABA, under PVS, MTD(f) and C* (bisection), with tables of 16 bytes an entry that "
        "differ "
        "only in the bounds they keep. single: one bound; shared: a lower and an upper bound of "
        "one depth (Slate 1987, Robinson 1995); own: two bounds, each with its depth; apart: one "
        "bound, but a lower and an upper bound of a position can take both entries of a slot. "
        "Table and history are empty at the start of each search.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .settings_size = sizeof(BoundsSettings),
    .run = run_experiment};
