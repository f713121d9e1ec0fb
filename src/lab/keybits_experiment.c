// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <stdio.h>

#include "lab/comparison.h"
#include "lab/experiment.h"
#include "lab/keybits.h"
#include "lab/trial.h"

static const char HEADER[] =
    TRIAL_POSITION_HEADER ",bits,probes,hits,foreign,false_hits,illegal,nodes,best,score";
enum {
    VALUE_PROBES,
    VALUE_HITS,
    VALUE_FOREIGN,
    VALUE_FALSE,
    VALUE_ILLEGAL,
    VALUE_NODES,
    VALUE_BEST,
    VALUE_SCORE,
    VALUE_NB
};

typedef struct {
    TrialOptions options;
    const char *list;
    int64_t hash_mib;
    int bits[KEYBITS_MAX], bits_count; // parsed from `list`; the last is KEYBITS_MAX
} KeybitsSettings;

static const Argument OPTIONS[] = {TRIAL_ARGUMENTS(KeybitsSettings, options, "12"),
                                   {"--bits", ARGUMENT_TEXT, offsetof(KeybitsSettings, list),
                                    .def = "8,12,16,20,24,32,40", .value = "LIST",
                                    .help = "numbers of bits to check, ascending; 48 is added"},
                                   TRIAL_HASH(KeybitsSettings, hash_mib)};

static TrialSetting setting_of(const void *ctx, int column)
{
    const KeybitsSettings *const keybits = ctx;
    return (TrialSetting){.hash_mib = (uint64_t)keybits->hash_mib,
                          .replacement = REPLACE_TWO_DEEP,
                          .check_bits = keybits->bits[column]};
}

static void print_variant(const void *ctx, int column, char *out, size_t size)
{
    const KeybitsSettings *const keybits = ctx;
    snprintf(out, size, "%d", keybits->bits[column]);
}

static void copy_values(const TrialResult *result, int64_t *values)
{
    values[VALUE_PROBES] = (int64_t)result->tt.probes;
    values[VALUE_HITS] = (int64_t)result->tt.hits;
    values[VALUE_FOREIGN] = (int64_t)result->tt.foreign;
    values[VALUE_FALSE] = (int64_t)result->tt.false_hits;
    values[VALUE_ILLEGAL] = (int64_t)result->tt.type1_errors;
    values[VALUE_NODES] = (int64_t)result->search.nodes;
    values[VALUE_BEST] = result->search.best;
    values[VALUE_SCORE] = result->search.score;
}

/* Adds up the values of the positions for one number of bits. */
static void sum_up(const Grid *grid, const KeybitsSettings *keybits, int positions, int column,
                   int64_t *sums)
{
    for (int p = 0; p < positions; p++) {
        const int64_t *const values = grid_values(grid, p * keybits->bits_count + column);
        for (int v = 0; values != NULL && v < VALUE_NB; v++)
            sums[v] += values[v];
    }
}

static void print_rates(int bits, const int64_t *sums)
{
    const double millions = (double)sums[VALUE_PROBES] / 1e6;
    printf("%4d %9.3f", bits, millions);
    if (bits == KEYBITS_MAX) // entries of other positions are known by bits beyond those checked
        printf(" %13s %13s", "-", "-");
    else
        printf(" %13.4g %13.4g", (double)sums[VALUE_FALSE] / millions,
               keybits_expected((uint64_t)sums[VALUE_FOREIGN], bits) / millions);
    printf(" %9.4g", (double)sums[VALUE_ILLEGAL] / millions);
}

static bool print_report(const void *ctx, const Trial *trial, const Grid *grid)
{
    const KeybitsSettings *const keybits = ctx;
    printf("table of %" PRId64 " MiB\n"
           "errors, expected, illegal: type-1 errors, type-1 errors expected by chance, and\n"
           "illegal hash moves, per million probes (-: not known with the whole key);\n"
           "moves, scores: root moves and scores that differ from those with the whole key;\n"
           "distance: mean difference of the scores in internal units; nodes: ratio to the\n"
           "nodes with the whole key\n\n"
           "%4s %9s %13s %13s %9s" SEARCH_CHANGE_HEADING,
           keybits->hash_mib, "bits", "Mprobes", "errors/M", "expected/M", "illegal/M");
    for (int column = 0; column < keybits->bits_count; column++) {
        const SearchChange change = comparison_change(
            grid, trial->set.count, keybits->bits_count,
            (SearchValues){VALUE_NODES, VALUE_SCORE, VALUE_BEST}, column, keybits->bits_count - 1);
        int64_t sums[VALUE_NB] = {0};
        if (change.positions == 0)
            continue;
        sum_up(grid, keybits, trial->set.count, column, sums);
        print_rates(keybits->bits[column], sums);
        comparison_print_change(&change);
    }
    return true;
}

static ExperimentStatus run(void *settings)
{
    KeybitsSettings *const keybits = settings;
    keybits->bits_count = keybits_read_list(keybits->list, keybits->bits);
    if (keybits->bits_count == 0)
        return experiment_refuse("--bits", keybits->list, "ascending numbers from 1 to 48");
    const TrialPlan plan = {.label = "keybits",
                            .header = HEADER,
                            .value_count = VALUE_NB,
                            .rows = TRIAL_POSITIONS,
                            .columns = keybits->bits_count,
                            .ctx = keybits,
                            .setting = setting_of,
                            .print_variant = print_variant,
                            .copy_values = copy_values,
                            .print_report = print_report};
    return trial_run(&plan, &keybits->options);
}

const Experiment keybits_experiment = {
    .name = "keybits",
    .summary = "search errors caused by a short key check",
    .purpose =
        "Runs the playing engine's search with a table that compares only some bits of the key. "
        "Counts type-1 errors per million probes, beside the number expected by chance, and "
        "illegal hash moves, which reveal some of the errors (an entry that is probed several "
        "times counts each time). Compares the results with those of a search that checks the "
        "whole key. The slot index fixes further bits: 15 with 1 MiB, one more per doubling.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .settings_size = sizeof(KeybitsSettings),
    .run = run};
