// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <stdio.h>

#include "lab/comparison.h"
#include "lab/experiment.h"
#include "lab/trial.h"
#include "tt/replacement.h"

static const char HEADER[] = TRIAL_POSITION_HEADER ",nodes,score,probes,hits,cutoffs";
enum { VALUE_NODES, VALUE_SCORE, VALUE_PROBES, VALUE_HITS, VALUE_CUTOFFS, VALUE_NB };

static const uint64_t SIZES[] = {1, 4, 16, 64}; // MiB
enum { SIZE_NB = sizeof SIZES / sizeof SIZES[0], COLUMN_NB = SIZE_NB * REPLACEMENT_NB };

typedef struct {
    TrialOptions options;
} ModernSettings;

static const Argument OPTIONS[] = {TRIAL_ARGUMENTS(ModernSettings, options, "15")};

/* A column is a table size and a scheme. */
static int column_of(int size, Replacement scheme)
{
    return size * REPLACEMENT_NB + (int)scheme;
}

static TrialSetting setting_of(const void *ctx, int column)
{
    (void)ctx;
    return (TrialSetting){.hash_mib = SIZES[column / REPLACEMENT_NB],
                          .replacement = (Replacement)(column % REPLACEMENT_NB),
                          .check_bits = 48};
}

static void copy_values(const TrialResult *result, int64_t *values)
{
    values[VALUE_NODES] = (int64_t)result->search.nodes;
    values[VALUE_SCORE] = result->search.score;
    values[VALUE_PROBES] = (int64_t)result->tt.probes;
    values[VALUE_HITS] = (int64_t)result->tt.hits;
    values[VALUE_CUTOFFS] = (int64_t)tt_stats_cutoffs(&result->tt);
}

static const char *scheme_at(int i)
{
    return replacement_name((Replacement)i);
}

/* Prints the ratio of the nodes with each table size to the nodes with a quarter of this size. */
static void print_savings(const Comparison *comparison)
{
    printf("\nRatio of the nodes with four times the memory\n%-14s", "scheme");
    for (int size = 1; size < SIZE_NB; size++)
        printf("        %3" PRIu64 " : %-3" PRIu64 "      ", SIZES[size], SIZES[size - 1]);
    for (Replacement scheme = 0; scheme < REPLACEMENT_NB; scheme++) {
        printf("\n%-14s", replacement_name(scheme));
        for (int size = 1; size < SIZE_NB; size++) {
            const Ratio ratio =
                comparison_ratio(comparison, column_of(size, scheme), column_of(size - 1, scheme));
            if (ratio.pairs > 0)
                printf("  %.3f (%.3f..%.3f)", ratio.mean, ratio.low, ratio.high);
            else
                printf("  %20s", "-");
        }
    }
    printf("\n");
}

static bool print_report(const void *ctx, const Trial *trial, const Grid *grid)
{
    (void)ctx;
    static const ComparisonTables TABLES = {.sizes = SIZES,
                                            .size_count = SIZE_NB,
                                            .count = REPLACEMENT_NB,
                                            .reference = REPLACE_THOMPSON,
                                            .name = scheme_at,
                                            .name_heading = "scheme",
                                            .row_heading = "positions"};
    Comparison comparison = comparison_make(grid, trial->set.count, COLUMN_NB, VALUE_NODES);
    if (comparison.pairs == NULL)
        return false;
    comparison.set = &trial->set;
    comparison_print(&comparison, &TABLES);
    print_savings(&comparison);
    comparison_free(&comparison);
    return true;
}

static ExperimentStatus run(void *settings)
{
    static const TrialPlan PLAN = {.label = "modern",
                                   .header = HEADER,
                                   .value_count = VALUE_NB,
                                   .rows = TRIAL_POSITIONS,
                                   .columns = COLUMN_NB,
                                   .setting = setting_of,
                                   .copy_values = copy_values,
                                   .print_report = print_report};
    const ModernSettings *const modern = settings;
    return trial_run(&PLAN, &modern->options);
}

const Experiment modern_experiment = {
    .name = "modern",
    .summary = "replacement schemes in the search of the playing engine",
    .purpose =
        "Counts the nodes of the playing engine's search to a fixed depth under each replacement "
        "scheme. Each search starts with an empty table; the sizes are 1, 4, 16 and 64 MiB. Prints "
        "geometric means, and their ratio to Thompson's scheme over the same positions with a 95% "
        "confidence interval (computed between games, because the positions of a game are "
        "correlated).",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .settings_size = sizeof(ModernSettings),
    .run = run};
