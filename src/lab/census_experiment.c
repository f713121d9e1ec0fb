// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/census.h"
#include "lab/comparison.h"
#include "lab/experiment.h"
#include "lab/keybits.h"
#include "lab/ratio.h"
#include "lab/trial.h"

static const char HEADER[] = TRIAL_POSITION_HEADER
    ",bits,every,policy,nodes,score,best,cutoffs,samples,undecided,other_position,draft,path,other,"
    "deep_samples,deep,without_table";
enum {
    VALUE_NODES,
    VALUE_SCORE,
    VALUE_BEST,
    VALUE_CUTOFFS,
    VALUE_SAMPLES,
    VALUE_UNDECIDED,
    VALUE_CAUSES,
    VALUE_DEEP_SAMPLES = VALUE_CAUSES + CENSUS_CAUSE_NB,
    VALUE_DEEP,
    VALUE_WITHOUT_TABLE,
    VALUE_NB
};

/* By CensusPolicy and CensusCause. */
static const char *const POLICY_NAMES[] = {"observe", "correct", "control", "refuse"};
static const char *const CAUSE_NAMES[] = {"other position", "deeper draft", "path",
                                          "other instability"};

typedef struct {
    TrialOptions options;
    int64_t hash_mib, every, bits;
} CensusSettings;

static const Argument OPTIONS[] = {
    TRIAL_ARGUMENTS(CensusSettings, options, "12"),
    {"--every", ARGUMENT_INTEGER, offsetof(CensusSettings, every), .min = 1, .max = 1000000000,
     .def = "100", .help = "checks one of this many cutoffs"},
    {"--bits", ARGUMENT_INTEGER, offsetof(CensusSettings, bits), .min = 1, .max = KEYBITS_MAX,
     .def = "48", .help = "bits of the key that the table compares"},
    TRIAL_HASH(CensusSettings, hash_mib)};

static TrialSetting setting_of(const void *ctx, int column)
{
    (void)column;
    const CensusSettings *const census = ctx;
    return (TrialSetting){.hash_mib = (uint64_t)census->hash_mib,
                          .replacement = REPLACE_TWO_DEEP,
                          .check_bits = (int)census->bits};
}

static void print_variant(const void *ctx, int column, char *out, size_t size)
{
    const CensusSettings *const census = ctx;
    snprintf(out, size, "%" PRId64 ",%" PRId64 ",%s", census->bits, census->every,
             POLICY_NAMES[column]);
}

static bool observe(const void *ctx, const Trial *trial, int index, int column,
                    const TrialSetting *setting, int64_t *values)
{
    const CensusSettings *const settings = ctx;
    Census *const census = census_create(&trial->eval.source, (CensusPolicy)column,
                                         (int)settings->every, CENSUS_NODES_MAX);
    if (census == NULL)
        return false;
    TrialSetting judged = *setting;
    judged.judge = census_judge(census);
    TrialResult result;
    const bool is_done = trial_search(trial, index, &judged, &result);
    if (is_done) {
        const CensusCounts *const counts = census_counts(census);
        values[VALUE_NODES] = (int64_t)result.search.nodes;
        values[VALUE_SCORE] = result.search.score;
        values[VALUE_BEST] = result.search.best;
        values[VALUE_CUTOFFS] = counts->cutoffs;
        values[VALUE_SAMPLES] = counts->samples;
        values[VALUE_UNDECIDED] = counts->undecided;
        for (int cause = 0; cause < CENSUS_CAUSE_NB; cause++)
            values[VALUE_CAUSES + cause] = counts->causes[cause];
        values[VALUE_DEEP_SAMPLES] = counts->deep_samples;
        values[VALUE_DEEP] = counts->deep;
        values[VALUE_WITHOUT_TABLE] = counts->without_table;
    }
    census_destroy(census);
    return is_done;
}

/* --- report --- */

typedef struct {
    const Trial *trial;
    const Grid *grid;
    ShareCount *counts; // buffer with room for all positions
} CensusReport;

/* Prints the sum of `events` values from `event` on as events per million of the value `trial`,
 * VALUE_SAMPLES without those given up. */
static void print_rate(const CensusReport *report, const char *name, int event, int events,
                       int trial)
{
    int count = 0;
    for (int i = 0; i < report->trial->set.count; i++) {
        const int64_t *const values =
            grid_values(report->grid, i * CENSUS_POLICY_NB + CENSUS_OBSERVE);
        if (values == NULL)
            continue;
        ShareCount *const entry = &report->counts[count++];
        *entry = (ShareCount){.trials = (double)values[trial],
                              .group = report->trial->set.positions[i].game};
        if (trial == VALUE_SAMPLES)
            entry->trials -= (double)values[VALUE_UNDECIDED];
        for (int e = 0; e < events; e++)
            entry->events += (double)values[event + e];
    }
    const Share share = share_of(report->counts, count);
    printf("%-34s %10.0f %10.0f  (%.0f .. %.0f)\n", name, share.trials, 1e6 * share.share,
           1e6 * share.low, 1e6 * share.high);
}

/* Prints the number of samples that were given up; no rate counts them. */
static void print_given_up(const CensusReport *report)
{
    int64_t count = 0;
    for (int i = 0; i < report->trial->set.count; i++) {
        const int64_t *const values =
            grid_values(report->grid, i * CENSUS_POLICY_NB + CENSUS_OBSERVE);
        count += values != NULL ? values[VALUE_UNDECIDED] : 0;
    }
    printf("%-34s %10" PRId64 "\n", "given up, not counted above", count);
}

static void print_rates(const CensusReport *report, int64_t bits)
{
    printf("%-34s %10s %10s\n", "contradicted", "samples", "per million");
    print_rate(report, "by a search with an empty table", VALUE_CAUSES, CENSUS_CAUSE_NB,
               VALUE_SAMPLES);
    for (int cause = 0; cause < CENSUS_CAUSE_NB; cause++) {
        char name[40];
        snprintf(name, sizeof name, "  cause: %s", CAUSE_NAMES[cause]);
        if (cause == CENSUS_KEY && bits == KEYBITS_MAX)
            printf("%-34s %10s\n", name, "not tested");
        else
            print_rate(report, name, VALUE_CAUSES + cause, 1, VALUE_SAMPLES);
    }
    print_rate(report, "  at depth 4 and more", VALUE_DEEP, 1, VALUE_DEEP_SAMPLES);
    print_rate(report, "by a search without a table", VALUE_WITHOUT_TABLE, 1, VALUE_SAMPLES);
    print_given_up(report);
}

/* Compares the searches under a policy with those that are only observed. */
static void print_policy(const CensusReport *report, CensusPolicy policy)
{
    const SearchChange change = comparison_change(
        report->grid, report->trial->set.count, CENSUS_POLICY_NB,
        (SearchValues){VALUE_NODES, VALUE_SCORE, VALUE_BEST}, (int)policy, CENSUS_OBSERVE);
    if (change.positions == 0)
        return;
    printf("%-10s %10d", POLICY_NAMES[policy], change.positions);
    comparison_print_change(&change);
}

static bool print_report(const void *ctx, const Trial *trial, const Grid *grid)
{
    const CensusSettings *const census = ctx;
    const CensusReport report = {trial, grid,
                                 malloc((size_t)trial->set.count * sizeof(ShareCount))};
    if (report.counts == NULL)
        return false;
    printf("table of %" PRId64 " MiB, one cutoff of %" PRId64 " checked\n\n", census->hash_mib,
           census->every);
    print_rates(&report, census->bits);
    printf("\nmoves, scores: root moves and scores that differ from those of the observed search;\n"
           "distance: mean difference of the scores in internal units; nodes: ratio\n"
           "%-10s %10s" SEARCH_CHANGE_HEADING,
           "policy", "positions");
    for (CensusPolicy policy = CENSUS_CORRECT; policy < CENSUS_POLICY_NB; policy++)
        print_policy(&report, policy);
    free(report.counts);
    return true;
}

static ExperimentStatus run(void *settings)
{
    const CensusSettings *const census = settings;
    const TrialPlan plan = {.label = "census",
                            .header = HEADER,
                            .value_count = VALUE_NB,
                            .rows = TRIAL_POSITIONS,
                            .columns = CENSUS_POLICY_NB,
                            .ctx = census,
                            .setting = setting_of,
                            .print_variant = print_variant,
                            .observe = observe,
                            .print_report = print_report};
    return trial_run(&plan, &census->options);
}

const Experiment census_experiment = {
    .name = "census",
    .summary = "cutoffs by the table that a second search contradicts",
    .purpose =
        "Counts search instability in the playing engine. A sample of the cutoffs by the table is "
        "searched again, with the same window, line, histories and depth, but with an empty table "
        "and without any table. Tells the cause of each contradiction by further searches. Then "
        "searches each position again: with contradicted cutoffs refused (correct), with as many "
        "confirmed cutoffs refused (control), and without cutoffs by the table (refuse).",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .settings_size = sizeof(CensusSettings),
    .run = run};
