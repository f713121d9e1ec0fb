// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdio.h>

#include "lab/comparison.h"
#include "lab/experiment.h"
#include "lab/trial.h"
#include "tt/replacement.h"

static const char HEADER[] =
    TRIAL_GAME_HEADER ",reads,nodes,probes,hits,cutoffs,refreshes,two_moves";
enum {
    VALUE_NODES,
    VALUE_PROBES,
    VALUE_HITS,
    VALUE_CUTOFFS,
    VALUE_REFRESHES,
    VALUE_TWO_MOVES,
    VALUE_NB
};

static const uint64_t SIZES[] = {1, 4, 16}; // MiB
static const struct {
    const char *name;
    bool no_refresh, first_move_only;
} VARIANTS[] = {{"both", false, false}, {"no-refresh", true, false}, {"one-move", false, true}};
enum {
    SIZE_NB = sizeof SIZES / sizeof SIZES[0],
    VARIANT_NB = sizeof VARIANTS / sizeof VARIANTS[0],
    COLUMN_NB = SIZE_NB * VARIANT_NB // a table size and a variant
};

typedef struct {
    TrialOptions options;
    const char *scheme;
    Replacement replacement; // parsed from `scheme`
} ReadsSettings;

static const Argument OPTIONS[] = {
    TRIAL_ARGUMENTS(ReadsSettings, options, "13"),
    {"--scheme", ARGUMENT_TEXT, offsetof(ReadsSettings, scheme), .def = "Thompson", .value = "NAME",
     .help = "replacement scheme; only Thompson's schemes keep two entries of a position"}};

static TrialSetting setting_of(const void *ctx, int column)
{
    const ReadsSettings *const reads = ctx;
    return (TrialSetting){.hash_mib = SIZES[column / VARIANT_NB],
                          .replacement = reads->replacement,
                          .check_bits = 48,
                          .no_refresh = VARIANTS[column % VARIANT_NB].no_refresh,
                          .first_move_only = VARIANTS[column % VARIANT_NB].first_move_only};
}

static void print_variant(const void *ctx, int column, char *out, size_t size)
{
    (void)ctx;
    snprintf(out, size, "%s", VARIANTS[column % VARIANT_NB].name);
}

static void copy_values(const TrialResult *result, int64_t *values)
{
    values[VALUE_NODES] = (int64_t)result->search.nodes;
    values[VALUE_PROBES] = (int64_t)result->tt.probes;
    values[VALUE_HITS] = (int64_t)result->tt.hits;
    values[VALUE_CUTOFFS] = (int64_t)tt_stats_cutoffs(&result->tt);
    values[VALUE_REFRESHES] = (int64_t)result->tt.refreshes;
    values[VALUE_TWO_MOVES] = (int64_t)result->tt.two_moves;
}

static const char *variant_at(int i)
{
    return VARIANTS[i].name;
}

static bool print_report(const void *ctx, const Trial *trial, const Grid *grid)
{
    static const ComparisonTables TABLES = {.sizes = SIZES,
                                            .size_count = SIZE_NB,
                                            .count = VARIANT_NB,
                                            .name = variant_at,
                                            .name_heading = "reads",
                                            .row_heading = "games"};
    const ReadsSettings *const reads = ctx;
    Comparison comparison = comparison_make(grid, trial->set.game_count, COLUMN_NB, VALUE_NODES);
    if (comparison.pairs == NULL)
        return false;
    printf("scheme %s\n", replacement_name(reads->replacement));
    comparison_print(&comparison, &TABLES);
    comparison_free(&comparison);
    return true;
}

static ExperimentStatus run(void *settings)
{
    ReadsSettings *const reads = settings;
    if (!replacement_parse(reads->scheme, &reads->replacement))
        return experiment_refuse_scheme("--scheme", reads->scheme, "one of the schemes");
    const TrialPlan plan = {.label = "reads",
                            .header = HEADER,
                            .value_count = VALUE_NB,
                            .rows = TRIAL_GAMES,
                            .columns = COLUMN_NB,
                            .ctx = reads,
                            .setting = setting_of,
                            .print_variant = print_variant,
                            .copy_values = copy_values,
                            .print_report = print_report};
    return trial_run(&plan, &reads->options);
}

const Experiment reads_experiment = {
    .name = "reads",
    .summary = "entries refreshed when read, and two hash moves",
    .purpose =
        "Measures two rules of reading the table in the playing engine: a read gives an entry of "
        "an earlier search the age of the current one (Robinson 1995), and two entries of a "
        "position give two hash moves (Moreland). Searches the positions of each game in order to "
        "a fixed depth with one table: with both rules, without the first, without the second. "
        "Prints the nodes per game as geometric means, and their ratio to the search with both "
        "rules, with a 95% confidence interval.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .settings_size = sizeof(ReadsSettings),
    .run = run};
