// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lab/breuker1994/alibaba.h"
#include "lab/experiment.h"
#include "lab/jobs.h"
#include "lab/optimal/flow.h"
#include "lab/optimal/recorder.h"
#include "lab/optimal/replay.h"
#include "lab/ratio.h"
#include "lab/trial.h"
#include "tt/replacement.h"

/* The experiment `optimal`. A job is one position: a program searches it with an unlimited table,
 * and the trace is recorded; then each rule is applied to the trace with each size of the table.
 * One row of results is what one rule saves with one size. */

enum { SIZES_MAX = 16, KILO_MAX = 1 << 14 };
enum { KEY_MAX = 128 };
enum { COLUMN_SAVED = 3 }; // after the key
#define HEADER "suite,ply,position,kpositions,rule,ways,probes,hits,cutoffs,saved,nodes"

/* The searches. Their files of results have different headers, because the rows of today's search
 * also depend on evaluation and search. */
typedef enum { SEARCH_ALIBABA, SEARCH_TODAY, SEARCH_NB } SearchKind;
static const struct {
    const char *name; // value of --search
    const char *header;
    int key_columns;
    const char *positions, *sizes; // defaults of the options
    int ply, ply_max;              // default, and limit
} SEARCHES[] = {{"alibaba", HEADER, 6, "kasparov-short-1994.epd", "8,16,32,64,128,256,512,1024", 7,
                 ALIBABA_MAX_DEPTH},
                {"today", "evaluation,search," HEADER, 8, "middlegames-500.epd",
                 "4,16,64,256,1024,4096", 22, MAX_DEPTH}};

/* The rules beside the replacement schemes. */
enum {
    RULE_MIN = REPLACEMENT_NB, // an entry may be anywhere
    RULE_MIN_ONE,              // buckets of one entry, or of two
    RULE_MIN_TWO,
    RULE_OPTIMUM_ONE,
    RULE_OPTIMUM_TWO,
    RULE_DENSITY,
    RULE_LIMIT, // made together with RULE_DENSITY
    RULE_NB
};
static const struct {
    const char *name;
    int ways; // entries that a position may use; 0: all
} OFFLINE[] = {{"MIN", 0},     {"MIN", 1},     {"MIN", 2},  {"Optimum", 1},
               {"Optimum", 2}, {"Density", 0}, {"Limit", 0}};

typedef struct {
    const char *search, *positions, *csv, *sizes, *eval;
    int64_t number, depth, jobs;
    Shard shard;
    bool joined;
} OptimalSettings;

static const Argument OPTIONS[] = {
    {"--search", ARGUMENT_TEXT, offsetof(OptimalSettings, search), .def = "alibaba",
     .value = "alibaba|today", .help = "ALIBABA, or the search of the playing engine"},
    {"--positions", ARGUMENT_TEXT, offsetof(OptimalSettings, positions), .value = "FILE",
     .help = "EPD file of positions (of the shared folder: kasparov-short-1994.epd; today: "
             "middlegames-500.epd)"},
    EXPERIMENT_NUMBER(OptimalSettings, number),
    {"--depth", ARGUMENT_INTEGER, offsetof(OptimalSettings, depth), .min = 1, .max = MAX_DEPTH,
     .help = "depth of the searches (7; today: 22)"},
    {"--sizes", ARGUMENT_TEXT, offsetof(OptimalSettings, sizes), .value = "LIST",
     .help = "table sizes in units of 1024 positions, 16 KiB each (8,16,32,...,1024; today: "
             "4,16,64,...,4096)"},
    {"--eval", ARGUMENT_TEXT, offsetof(OptimalSettings, eval), .value = "bootstrap|FILE",
     .help = "today: hand-written evaluation or a network file (built-in network)"},
    EXPERIMENT_CSV(OptimalSettings, csv, NULL),
    EXPERIMENT_JOBS(OptimalSettings, jobs, shard, joined)};

typedef struct {
    const OptimalSettings *settings;
    SearchKind search;
    Trial trial;    // of ALIBABA only the positions
    uint32_t suite; // checksum of the positions
    int ply;
    int kilos[SIZES_MAX], kilo_count;
    Results *results;
    int *missing; // numbers of the positions with missing observations
    int missing_count;
} Run;

/* One position: its trace and the nodes of its search. */
typedef struct {
    const Run *run;
    int position; // index
    Trace trace;
    uint64_t nodes;
    uint64_t probes;
} Record;

static const char *rule_name(int rule)
{
    return rule < RULE_MIN ? replacement_name((Replacement)rule) : OFFLINE[rule - RULE_MIN].name;
}

static int rule_ways(int rule)
{
    if (rule < RULE_MIN)
        return replacement_is_single((Replacement)rule) ? 1 : 2;
    return OFFLINE[rule - RULE_MIN].ways;
}

/* --- rows --- */

/* Writes the key columns to `key` (KEY_MAX bytes). A size of 0 is the unlimited table. */
static void print_key(const Run *run, int position, int kilo, int rule, char *key)
{
    int length = 0;
    if (run->search == SEARCH_TODAY)
        length =
            snprintf(key, KEY_MAX, "%s,%" PRIu64 ",", run->trial.eval.name, run->trial.signature);
    snprintf(key + length, KEY_MAX - (size_t)length, "%08" PRIx32 ",%d,%d,%d,%s,%d", run->suite,
             run->ply, position + 1, kilo, kilo == 0 ? "Unlimited" : rule_name(rule),
             kilo == 0 ? 0 : rule_ways(rule));
}

static const char *find_row(const Run *run, int position, int kilo, int rule)
{
    char key[KEY_MAX];
    print_key(run, position, kilo, rule, key);
    return results_find(run->results, key);
}

static bool add_row(const Record *record, int kilo, int rule, const TraceGain *gain, char *error)
{
    char key[KEY_MAX], row[RESULTS_ROW_MAX];
    print_key(record->run, record->position, kilo, rule, key);
    snprintf(row, sizeof row, "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, key,
             record->probes, gain->hits, gain->cutoffs, gain->saved, record->nodes);
    return results_add(record->run->results, row, error);
}

/* Number of observations of a position. */
static int wanted_rows(const Run *run)
{
    return 1 + run->kilo_count * RULE_NB;
}

/* Number of these that are in the file. */
static int known_rows(const Run *run, int position)
{
    int known = find_row(run, position, 0, 0) != NULL;
    for (int k = 0; k < run->kilo_count; k++)
        for (int rule = 0; rule < RULE_NB; rule++)
            known += find_row(run, position, run->kilos[k], rule) != NULL;
    return known;
}

/* --- one position --- */

/* Size of the "unlimited" table: so large that hardly any result is lost. In ALIBABA a ply more
 * needs about four times as many entries. */
static uint64_t unlimited_entries(const Run *run)
{
    enum { LARGEST_PLY = 7 };
    const int ply =
        run->search == SEARCH_ALIBABA && run->ply < LARGEST_PLY ? run->ply : LARGEST_PLY;
    return (uint64_t)1024 << 2 * ply;
}

static bool record_alibaba(Record *record, const Position *root, Tt *tt, const atomic_bool *stop)
{
    AlibabaIteration iterations[ALIBABA_MAX_DEPTH + 1];
    Alibaba *const alibaba = calloc(1, sizeof *alibaba);
    if (alibaba == NULL)
        return false;
    alibaba->tt = tt;
    alibaba->trace = &record->trace;
    alibaba->stop = stop;
    alibaba_init(alibaba);
    const bool is_good =
        alibaba_search(alibaba, root, record->run->ply, iterations) == record->run->ply;
    const AlibabaNodes *const nodes = &alibaba->nodes;
    record->nodes = nodes_total(nodes);
    const double leaves = nodes->leaf > 0 ? (double)nodes->leaf : 1;
    trace_finish(&record->trace, 1 + (double)nodes->quiescence / leaves);
    free(alibaba);
    return is_good;
}

static bool record_today(Record *record, const Position *root, Tt *tt)
{
    Recording recording;
    const bool is_good = record_search(&record->run->trial.eval.source, root, record->run->ply, tt,
                                       &record->trace, &recording);
    record->nodes = recording.search.nodes;
    return is_good;
}

/* Searches the position with an unlimited table and records the trace. False when memory is short
 * or the search was stopped; only ALIBABA's searches can be stopped. */
static bool record_trace(Record *record, const atomic_bool *stop)
{
    const Run *const run = record->run;
    const Position *const root = &run->trial.set.positions[record->position].pos;
    Tt tt = {.no_refresh = true};
    const bool is_good = tt_resize_positions(&tt, unlimited_entries(run)) &&
                         (run->search == SEARCH_ALIBABA ? record_alibaba(record, root, &tt, stop)
                                                        : record_today(record, root, &tt));
    record->probes = trace_probes(&record->trace);
    tt_free(&tt);
    return is_good && !record->trace.is_incomplete;
}

static bool replay(const Trace *trace, int kilo, Replacement scheme, TraceGain *gain)
{
    Tt tt = {.no_refresh = true, .replacement = scheme};
    if (!tt_resize_positions(&tt, (uint64_t)kilo * 1024))
        return false;
    *gain = replay_scheme(trace, &tt);
    tt_free(&tt);
    return true;
}

/* Computes and adds the row of `rule`. RULE_DENSITY and RULE_LIMIT are always added together. */
static bool observe(const Record *record, int kilo, int rule, char *error)
{
    const Trace *const trace = &record->trace;
    const int entries = kilo * 1024, ways = rule_ways(rule);
    const TableShape shape = {.buckets = ways == 0 ? 1 : (uint64_t)(entries / ways),
                              .entries = ways == 0 ? entries : ways};
    TraceGain gain, limit = {0};
    bool is_good;
    if (rule < RULE_MIN)
        is_good = replay(trace, kilo, (Replacement)rule, &gain);
    else if (rule <= RULE_MIN_TWO)
        is_good = offline_min(trace, shape, &gain);
    else if (rule <= RULE_OPTIMUM_TWO)
        is_good = flow_optimum(trace, shape, &gain);
    else
        is_good = offline_density(trace, (uint64_t)entries, &gain, &limit.saved);
    if (!is_good) {
        snprintf(error, JOBS_ERROR_MAX, "out of memory");
        return false;
    }
    if (rule >= RULE_DENSITY && !add_row(record, kilo, RULE_LIMIT, &limit, error))
        return false;
    return add_row(record, kilo, rule >= RULE_DENSITY ? RULE_DENSITY : rule, &gain, error);
}

/* Makes the missing observations of a position, until the run is stopped. */
static bool observe_all(const Record *record, JobsState *state, char *error)
{
    const Run *const run = record->run;
    const TraceGain total = trace_total(&record->trace);
    if (!add_row(record, 0, 0, &total, error))
        return false;
    for (int k = 0; k < run->kilo_count; k++) {
        for (int rule = 0; rule < RULE_NB; rule++) {
            if (atomic_load_explicit(&state->stop, memory_order_relaxed))
                return true;
            if (find_row(run, record->position, run->kilos[k], rule) == NULL &&
                !observe(record, run->kilos[k], rule, error))
                return false;
        }
        atomic_fetch_add_explicit(&state->progress, 1, memory_order_relaxed);
    }
    return true;
}

/* A job: one position. */
static bool run_position(void *ctx, int job, JobsState *state, char *error)
{
    const Run *const run = ctx;
    Record record = {.run = run, .position = run->missing[job]};
    bool is_good = record_trace(&record, &state->stop);
    if (is_good) {
        atomic_fetch_add_explicit(&state->progress, 1, memory_order_relaxed);
        is_good = observe_all(&record, state, error);
    } else if (atomic_load_explicit(&state->stop, memory_order_relaxed)) {
        is_good = true;
    } else {
        snprintf(error, JOBS_ERROR_MAX, "out of memory");
    }
    trace_free(&record.trace);
    return is_good;
}

/* --- report --- */

static double saved_of(const Run *run, int position, int kilo, int rule)
{
    const char *const row = find_row(run, position, kilo, rule);
    char text[32];
    int64_t saved = 0;
    const int column = SEARCHES[run->search].key_columns + COLUMN_SAVED;
    if (row == NULL || !results_field(row, column, text, sizeof text) ||
        !text_parse_int(text, 0, INT64_MAX, &saved))
        return 0;
    return (double)saved;
}

/* The mean ratio of the nodes saved by two rules, each with its size, over the positions where both
 * save some. The interval is between games, or between positions when all are of one game. `buffer`
 * has room for all positions. */
static Ratio compare(const Run *run, int kilo, int rule, int other_kilo, int other,
                     MeanValue *buffer)
{
    int count = 0;
    for (int i = 0; i < run->trial.set.count; i++) {
        const double above = saved_of(run, i, kilo, rule);
        const double below = saved_of(run, i, other_kilo, other);
        if (above <= 0 || below <= 0)
            continue;
        buffer[count++] = (MeanValue){
            .value = log(above / below),
            .group = run->trial.set.game_count > 1 ? run->trial.set.positions[i].game : i};
    }
    return ratio_of(buffer, count);
}

static void print_ratio(Ratio ratio)
{
    if (ratio.pairs == 0)
        printf("  %22s", "-");
    else if (ratio.groups < 2)
        printf("  %22.3f", ratio.mean);
    else
        printf("  %.3f (%.3f .. %.3f)", ratio.mean, ratio.low, ratio.high);
}

/* Prints the row of a rule. */
static void print_rule(const Run *run, int kilo, int rule, MeanValue *buffer)
{
    const int ways = rule_ways(rule);
    const Ratio of_unlimited = compare(run, kilo, rule, 0, 0, buffer);
    int pairs = of_unlimited.pairs;
    printf("%-14s %5d", rule_name(rule), ways);
    print_ratio(of_unlimited);
    if (ways > 0) {
        const int optimum = ways == 1 ? RULE_OPTIMUM_ONE : RULE_OPTIMUM_TWO;
        const Ratio of_optimum = compare(run, kilo, rule, kilo, optimum, buffer);
        pairs = of_optimum.pairs < pairs ? of_optimum.pairs : pairs;
        print_ratio(of_optimum);
    }
    if (pairs < run->trial.set.count)
        printf("  without %d of %d positions, where nothing is saved", run->trial.set.count - pairs,
               run->trial.set.count);
    printf("\n");
}

static bool print_report(const Run *run)
{
    MeanValue *const buffer = malloc((size_t)run->trial.set.count * sizeof *buffer);
    if (buffer == NULL)
        return false;
    printf(
        "Nodes saved at %d ply, as a share of what an unlimited table saves, and of the optimum "
        "with as many\nentries in a bucket; geometric means over positions, 95%% intervals between "
        "%s\n",
        run->ply, run->trial.set.game_count > 1 ? "games" : "positions");
    for (int k = 0; k < run->kilo_count; k++) {
        const int kilo = run->kilos[k];
        printf("\n%dK entries\n%-14s %5s  %-22s  %s\n", kilo, "rule", "ways", "of unlimited",
               "of the optimum");
        for (int rule = 0; rule < RULE_NB; rule++)
            print_rule(run, kilo, rule, buffer);
    }
    free(buffer);
    return true;
}

/* --- run --- */

/* Lists the positions of the shard with missing observations. False when memory is short. */
static bool list_missing(Run *run)
{
    const Shard shard = run->settings->shard;
    run->missing = malloc((size_t)run->trial.set.count * sizeof *run->missing);
    for (int i = 0; run->missing != NULL && i < run->trial.set.count; i++)
        if (i % shard.count == shard.number - 1 && known_rows(run, i) < wanted_rows(run))
            run->missing[run->missing_count++] = i;
    return run->missing != NULL;
}

/* The observations of all shards, and those that the file has. */
static size_t all_wanted(const Run *run)
{
    return (size_t)run->trial.set.count * (size_t)wanted_rows(run);
}

static size_t all_known(const Run *run)
{
    size_t known = 0;
    for (int i = 0; i < run->trial.set.count; i++)
        known += (size_t)known_rows(run, i);
    return known;
}

/* Prints the report of joined shards, if they have all observations. */
static ExperimentStatus report_joined(const Run *run)
{
    char error[RESULTS_ERROR_MAX] = "out of memory";
    const bool is_good = results_are_whole(run->results, run->settings->csv, all_wanted(run),
                                           all_known(run), error) &&
                         print_report(run);
    return is_good ? EXPERIMENT_OK : experiment_fail(error);
}

static ExperimentStatus run_missing(void *ctx, Results *results)
{
    Run *const run = ctx;
    const OptimalSettings *const settings = run->settings;
    char error[JOBS_ERROR_MAX] = "out of memory";
    run->suite = (uint32_t)positions_checksum(&run->trial.set, 0, run->trial.set.count);
    run->results = results;
    if (settings->joined)
        return report_joined(run);
    JobsEnd end = list_missing(run) ? JOBS_DONE : JOBS_FAILED;
    if (run->missing_count > 0) {
        const Jobs jobs = {.label = "optimal",
                           .count = run->missing_count,
                           .threads = jobs_threads(settings->jobs),
                           .total_steps =
                               (uint64_t)run->missing_count * (uint64_t)(run->kilo_count + 1),
                           .ctx = run,
                           .run = run_position};
        end = jobs_run(&jobs, error);
    }
    free(run->missing);
    if (end == JOBS_INTERRUPTED)
        return experiment_interrupted(settings->csv);
    const size_t known = all_known(run), wanted = all_wanted(run);
    const bool is_part = end == JOBS_DONE && known < wanted;
    const bool is_good = is_part || (end == JOBS_DONE && print_report(run));
    if (is_part)
        experiment_explain_part(&settings->shard, known, wanted);
    return is_good ? EXPERIMENT_OK : experiment_fail(error);
}

/* Opens positions and, for today's search, evaluation. False with the reason in `error`
 * (TRIAL_ERROR_MAX bytes). */
static bool open_trial(Run *run, char *error)
{
    const OptimalSettings *const settings = run->settings;
    Trial *const trial = &run->trial;
    char path[FILE_PATH_MAX];
    const char *const file =
        experiment_positions(settings->positions, SEARCHES[run->search].positions, path);
    if (run->search == SEARCH_TODAY)
        return trial_open(trial, file, (int)settings->number, settings->eval, error);
    if (!positions_read(&trial->set, file, error))
        return false;
    positions_spread(&trial->set, (int)settings->number);
    return true;
}

/* Reads --search, --depth and --sizes. EXPERIMENT_USAGE, with a message, when an option is invalid
 * or has no effect. */
static ExperimentStatus read_settings(Run *run)
{
    const OptimalSettings *const settings = run->settings;
    while (strcmp(SEARCHES[run->search].name, settings->search) != 0)
        if (++run->search == SEARCH_NB)
            return experiment_refuse("--search", settings->search, "alibaba or today");
    if (settings->eval != NULL && run->search != SEARCH_TODAY)
        return experiment_refuse_idle("--eval", "without --search today");
    run->ply = settings->depth != 0 ? (int)settings->depth : SEARCHES[run->search].ply;
    const int ply_max = SEARCHES[run->search].ply_max;
    if (run->ply > ply_max) {
        fprintf(stderr, "--depth %d: more than %d, the most for --search %s\n", run->ply, ply_max,
                settings->search);
        return EXPERIMENT_USAGE;
    }
    const char *const sizes =
        settings->sizes != NULL ? settings->sizes : SEARCHES[run->search].sizes;
    run->kilo_count = experiment_numbers("--sizes", sizes, run->kilos, SIZES_MAX, KILO_MAX);
    return run->kilo_count > 0 ? EXPERIMENT_OK : EXPERIMENT_USAGE;
}

static ExperimentStatus run_experiment(void *ctx)
{
    const OptimalSettings *const settings = ctx;
    Run run = {.settings = settings};
    if (experiment_check_shard(&settings->shard, settings->joined, settings->csv) !=
            EXPERIMENT_OK ||
        read_settings(&run) != EXPERIMENT_OK)
        return EXPERIMENT_USAGE;
    const ResultsFile file = {.path = settings->csv,
                              .header = SEARCHES[run.search].header,
                              .key_columns = SEARCHES[run.search].key_columns,
                              .mode = settings->joined ? RESULTS_READ : RESULTS_EXTEND};
    char error[TRIAL_ERROR_MAX];
    const ExperimentStatus status = open_trial(&run, error)
                                        ? experiment_with_results(&file, run_missing, &run)
                                        : experiment_fail(error);
    trial_close(&run.trial);
    return status;
}

const Experiment optimal_experiment = {
    .name = "optimal",
    .summary = "the replacement schemes against offline algorithms (Belady's MIN)",
    .purpose =
        "How far from optimal are the replacement schemes? Searches each position with ALIBABA, or "
        "with the search of the playing engine, and an unlimited table, records its stores and "
        "probes, and replays them under all schemes and under offline algorithms, which know all "
        "later probes: MIN "
        "(Belady 1966), which evicts the entry whose "
        "next use is farthest; Optimum, the choice of entries that saves the most nodes; Density, "
        "which greedily prefers entries that save most nodes per time. Limit is an upper limit for "
        "any rule. \"ways\" is the number of entries in a bucket, as for the schemes; 0: an entry "
        "may be anywhere in the table. When a replayed table misses a cutoff of the recorded "
        "search, the same result is stored again; a real search would also search below that "
        "position and order its moves differently. Probes in the file are those of positions "
        "stored before; others find nothing in any table. Each job needs some 300 MB of memory, "
        "today's search at 22 plies up to 1 GB.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .settings_size = sizeof(OptimalSettings),
    .run = run_experiment};
