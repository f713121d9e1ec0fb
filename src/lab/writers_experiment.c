// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/thread.h"
#include "engine/engine.h"
#include "lab/experiment.h"
#include "lab/ratio.h"
#include "lab/trial.h"
#include "lab/writers.h"
#include "tt/replacement.h"

static const char HEADER[] =
    TRIAL_POSITION_HEADER ",kpositions,threads,mode,processors,repeat,nodes,score,best,main_stores,"
                          "stores,changed,overwritten,wrong,lost,pushes,wrong_pushes";
enum {
    VALUE_NODES,
    VALUE_SCORE,
    VALUE_BEST,
    VALUE_MAIN_STORES, // of the main thread, whose depth ends the search
    VALUE_STORES,
    VALUE_CHANGED,
    VALUE_OVERWRITTEN,
    VALUE_WRONG,
    VALUE_LOST,
    VALUE_PUSHES,
    VALUE_WRONG_PUSHES,
    VALUE_NB
};

enum { LIST_MAX = 8, THREADS_MAX = 256, KILO_MAX = 1 << 16, REPEATS_MAX = 99, KILO_PER_MIB = 64 };

typedef struct {
    TrialOptions options;
    const char *thread_list, *table_list;
    int64_t repeats;
    int64_t processors; // of the machine that makes or made the results
    bool forced;
    int threads[LIST_MAX], thread_count; // from the lists
    int kilos[LIST_MAX], kilo_count;     // table sizes, in 1024 positions
} WritersSettings;

static const Argument OPTIONS[] = {
    TRIAL_SEARCH(WritersSettings, options, "11"),
    {"--jobs", ARGUMENT_INTEGER, offsetof(WritersSettings, options.jobs), .min = 1, .max = 1,
     .def = "1", .help = "one search at a time: others would take turns with its threads"},
    EXPERIMENT_SHARD(WritersSettings, options.shard, options.joined),
    EXPERIMENT_CSV(WritersSettings, options.csv_path, NULL),
    {"--processors", ARGUMENT_INTEGER, offsetof(WritersSettings, processors), .min = 1,
     .max = 65536,
     .help = "with --joined: number of processors of the machine that made the results (that of "
             "this machine)"},
    {"--threads", ARGUMENT_TEXT, offsetof(WritersSettings, thread_list), .value = "LIST",
     .def = "1,2,4,8,16,32,64", .help = "numbers of search threads"},
    {"--tables", ARGUMENT_TEXT, offsetof(WritersSettings, table_list), .value = "LIST",
     .def = "8,1024", .help = "table sizes in units of 1024 positions"},
    {"--forced", ARGUMENT_FLAG, offsetof(WritersSettings, forced),
     .help = "each store lets the other threads run between its reads and its writes"},
    {"--repeats", ARGUMENT_INTEGER, offsetof(WritersSettings, repeats), .min = 1,
     .max = REPEATS_MAX, .def = "1", .help = "number of times each search is made"}};

/* What a column of the grid stands for. */
typedef struct {
    int repeat, kilo, threads; // indices
    Replacement scheme;
} Column;

static Column column_at(const WritersSettings *settings, int column)
{
    Column at = {.scheme = (Replacement)(column % REPLACEMENT_NB)};
    column /= REPLACEMENT_NB;
    at.threads = column % settings->thread_count;
    column /= settings->thread_count;
    at.kilo = column % settings->kilo_count;
    at.repeat = column / settings->kilo_count;
    return at;
}

static int column_of(const WritersSettings *settings, Column at)
{
    const int size = at.repeat * settings->kilo_count + at.kilo;
    return (size * settings->thread_count + at.threads) * REPLACEMENT_NB + (int)at.scheme;
}

static int column_count(const WritersSettings *settings)
{
    return (int)settings->repeats * settings->kilo_count * settings->thread_count * REPLACEMENT_NB;
}

static TrialSetting setting_of(const void *ctx, int column)
{
    const WritersSettings *const settings = ctx;
    const Column at = column_at(settings, column);
    const int kilo = settings->kilos[at.kilo];
    return (TrialSetting){.hash_mib = kilo > KILO_PER_MIB ? (uint64_t)kilo / KILO_PER_MIB : 1,
                          .replacement = at.scheme,
                          .check_bits = 48};
}

static void print_variant(const void *ctx, int column, char *out, size_t size)
{
    const WritersSettings *const settings = ctx;
    const Column at = column_at(settings, column);
    snprintf(out, size, "%d,%d,%s,%" PRId64 ",%d", settings->kilos[at.kilo],
             settings->threads[at.threads], settings->forced ? "forced" : "free",
             settings->processors, at.repeat + 1);
}

/* --- an observation --- */

/* Notes score and move of the main thread's last line. */
static void note_line(void *ctx, const Report *report)
{
    int64_t *const values = ctx;
    if (report->kind == REPORT_LINE)
        values[VALUE_SCORE] = report->score;
    if (report->kind == REPORT_DONE)
        values[VALUE_BEST] = report->best;
}

static void search(Engine *engine, Writers *writers, const Position *pos, int depth,
                   int64_t *values)
{
    SearchJob job = {.root = *pos,
                     .limits = {.depth = depth},
                     .multi_pv = 1,
                     .report = note_line,
                     .ctx = values};
    path_start(&job.path, pos);
    engine_set_peers(engine, writers_peers(writers));
    engine_search(engine, &job, NULL, NULL);
    engine_set_peers(engine, NULL);
    const WriterCounts sum = writers_sum(writers);
    values[VALUE_NODES] = (int64_t)engine_nodes(engine);
    values[VALUE_MAIN_STORES] = writers_of_thread(writers, 0)->stores;
    values[VALUE_STORES] = sum.stores;
    values[VALUE_CHANGED] = sum.changed;
    values[VALUE_OVERWRITTEN] = sum.overwritten;
    values[VALUE_WRONG] = sum.wrong;
    values[VALUE_LOST] = sum.lost;
    values[VALUE_PUSHES] = sum.pushes;
    values[VALUE_WRONG_PUSHES] = sum.wrong_pushes;
}

static bool observe(const void *ctx, const Trial *trial, int index, int column,
                    const TrialSetting *setting, int64_t *values)
{
    const WritersSettings *const settings = ctx;
    const Column at = column_at(settings, column);
    const uint64_t positions = (uint64_t)settings->kilos[at.kilo] * 1024;
    const int threads = settings->threads[at.threads];
    Engine *const engine = engine_create(setting->hash_mib);
    Writers *const writers = writers_create(positions, at.scheme, threads, settings->forced);
    bool is_good = engine != NULL && writers != NULL;
    if (is_good) {
        engine_set_eval(engine, trial->eval.source);
        engine_set_replacement(engine, at.scheme);
        is_good = engine_set_threads(engine, threads) == threads &&
                  tt_resize_positions(engine_table(engine), positions);
    }
    if (is_good)
        search(engine, writers, &trial->set.positions[index].pos, setting->depth, values);
    if (engine != NULL)
        engine_destroy(engine);
    writers_destroy(writers);
    return is_good;
}

/* --- report --- */

typedef struct {
    const WritersSettings *settings;
    const Trial *trial;
    const Grid *grid;
    ShareCount *counts; // buffers with room for all positions and repeats
    MeanValue *pairs;
} WritersReport;

static const int64_t *values_at(const WritersReport *report, int row, Column at)
{
    const int column = column_of(report->settings, at);
    return grid_values(report->grid, row * column_count(report->settings) + column);
}

/* Prints the sum of a value per million stores, over all positions and repeats. */
static void print_rate(const WritersReport *report, Column at, int value)
{
    int count = 0;
    for (int row = 0; row < report->trial->set.count; row++)
        for (at.repeat = 0; at.repeat < report->settings->repeats; at.repeat++) {
            const int64_t *const values = values_at(report, row, at);
            if (values != NULL)
                report->counts[count++] =
                    (ShareCount){.events = (double)values[value],
                                 .trials = (double)values[VALUE_STORES],
                                 .group = report->trial->set.positions[row].game};
        }
    printf(" %12.1f", 1e6 * share_of(report->counts, count).share);
}

/* Sets `*ratio` to the logarithm of the nodes of a search, relative to those of TwoDeep. False when
 * observations are missing. */
static bool log_node_ratio(const WritersReport *report, int row, Column at, double *ratio)
{
    Column base = at;
    base.scheme = REPLACE_TWO_DEEP;
    const int64_t *const values = values_at(report, row, at);
    const int64_t *const base_values = values_at(report, row, base);
    if (values == NULL || base_values == NULL || values[VALUE_NODES] <= 0 ||
        base_values[VALUE_NODES] <= 0)
        return false;
    *ratio = log((double)values[VALUE_NODES] / (double)base_values[VALUE_NODES]);
    return true;
}

/* Sets `*slope` to the change of the logarithm of the node ratio when the threads double, by least
 * squares over the numbers of threads of a position. False when observations are missing. */
static bool find_slope(const WritersReport *report, int row, Column at, double *slope)
{
    const WritersSettings *const settings = report->settings;
    double sum_x = 0.0, sum_y = 0.0, sum_xx = 0.0, sum_xy = 0.0;
    const double n = settings->thread_count;
    for (at.threads = 0; at.threads < settings->thread_count; at.threads++) {
        const double x = log2((double)settings->threads[at.threads]);
        double y;
        if (!log_node_ratio(report, row, at, &y))
            return false;
        sum_x += x;
        sum_y += y;
        sum_xx += x * x;
        sum_xy += x * y;
    }
    *slope = (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
    return true;
}

/* log_node_ratio() or find_slope(). */
typedef bool (*LogRatio)(const WritersReport *report, int row, Column at, double *logarithm);

/* Prints the mean ratio over all positions and repeats. */
static void print_ratio(const WritersReport *report, LogRatio log_ratio, Column at)
{
    int count = 0;
    for (int row = 0; row < report->trial->set.count; row++)
        for (at.repeat = 0; at.repeat < report->settings->repeats; at.repeat++) {
            MeanValue *const pair = &report->pairs[count];
            pair->group = report->trial->set.positions[row].game;
            count += log_ratio(report, row, at, &pair->value);
        }
    const Ratio ratio = ratio_of(report->pairs, count);
    if (ratio.pairs == 0)
        printf("  %8s\n", "-");
    else
        printf("  %8.4f  (%.4f .. %.4f)\n", ratio.mean, ratio.low, ratio.high);
}

static void print_table(const WritersReport *report, int kilo)
{
    static const int RATES[] = {VALUE_CHANGED, VALUE_OVERWRITTEN, VALUE_WRONG,
                                VALUE_LOST,    VALUE_PUSHES,      VALUE_WRONG_PUSHES};
    const WritersSettings *const settings = report->settings;
    printf("\ntable of %d K positions; per million stores, and nodes relative to TwoDeep\n"
           "%-13s %7s %12s %12s %12s %12s %12s %12s  %8s\n",
           settings->kilos[kilo], "scheme", "threads", "changed", "overwritten", "wrong", "lost",
           "pushes", "wrong pushes", "nodes");
    for (Replacement scheme = 0; scheme < REPLACEMENT_NB; scheme++)
        for (int threads = 0; threads < settings->thread_count; threads++) {
            const Column at = {.kilo = kilo, .threads = threads, .scheme = scheme};
            printf("%-13s %7d", replacement_name(scheme), settings->threads[threads]);
            for (size_t i = 0; i < sizeof RATES / sizeof RATES[0]; i++)
                print_rate(report, at, RATES[i]);
            print_ratio(report, log_node_ratio, at);
        }
    if (settings->thread_count < 2)
        return;
    printf("\nfactor of the last column when the threads double\n");
    for (Replacement scheme = 0; scheme < REPLACEMENT_NB; scheme++) {
        const Column at = {.kilo = kilo, .scheme = scheme};
        printf("%-13s", replacement_name(scheme));
        print_ratio(report, find_slope, at);
    }
}

static bool print_report(const void *ctx, const Trial *trial, const Grid *grid)
{
    const WritersSettings *const settings = ctx;
    const size_t rows = (size_t)trial->set.count * (size_t)settings->repeats;
    const WritersReport report = {.settings = settings,
                                  .trial = trial,
                                  .grid = grid,
                                  .counts = malloc(rows * sizeof(ShareCount)),
                                  .pairs = malloc(rows * sizeof(MeanValue))};
    const bool is_good = report.counts != NULL && report.pairs != NULL;
    if (is_good) {
        const StoreTime time = writers_time();
        printf("results of a machine with %" PRId64 " processors; on this machine a store takes "
               "%.0f ns in the engine and %.0f ns in halves\n",
               settings->processors, time.engine, time.split);
        for (int kilo = 0; kilo < settings->kilo_count; kilo++)
            print_table(&report, kilo);
    }
    free(report.counts);
    free(report.pairs);
    return is_good;
}

/* --- command line --- */

static bool read_lists(WritersSettings *settings)
{
    settings->thread_count = experiment_numbers("--threads", settings->thread_list,
                                                settings->threads, LIST_MAX, THREADS_MAX);
    settings->kilo_count =
        experiment_numbers("--tables", settings->table_list, settings->kilos, LIST_MAX, KILO_MAX);
    return settings->thread_count > 0 && settings->kilo_count > 0;
}

static ExperimentStatus run(void *settings)
{
    WritersSettings *const writers = settings;
    if (!read_lists(writers))
        return EXPERIMENT_USAGE;
    if (writers->processors != 0 && !writers->options.joined)
        return experiment_refuse_idle("--processors", "without --joined");
    if (writers->processors == 0)
        writers->processors = thread_hardware_count();
    const TrialPlan plan = {.label = "writers",
                            .header = HEADER,
                            .value_count = VALUE_NB,
                            .rows = TRIAL_POSITIONS,
                            .columns = column_count(writers),
                            .ctx = writers,
                            .setting = setting_of,
                            .print_variant = print_variant,
                            .observe = observe,
                            .print_report = print_report};
    return trial_run(&plan, &writers->options);
}

const Experiment writers_experiment = {
    .name = "writers",
    .summary = "races between threads that store in one table, by replacement scheme",
    .purpose =
        "Searches positions with many threads under each replacement scheme. Counts "
        "the stores whose decision is wrong because another thread wrote an entry of the same "
        "place between their reads and their writes, and the nodes to a fixed depth. Columns: "
        "changed, such an entry changed; overwritten, the store wrote over one; wrong, the table "
        "then differs from what one step would have left; lost, positions missing from it; pushes, "
        "entries moved to the second level. One search runs at a time. Only searches with "
        "one thread can be repeated to the node. The races depend on the number of processors, so "
        "a report has only results of machines with the same number.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .settings_size = sizeof(WritersSettings),
    .run = run};
