// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/comparison.h"
#include "lab/lab.h"
#include "lab/trial.h"
#include "tt/replacement.h"

static const char PURPOSE[] =
    "Nodes the playing engine needs to a fixed depth under each of the nine replacement schemes, "
    "in tables of several sizes that begin empty: geometric means, and their ratio to Thompson's "
    "over the same positions with its 95% confidence interval (by games, not positions: those of "
    "one game are alike). With --csv a run can be stopped, resumed and split.";

static const char HEADER[] =
    TRIAL_KEY_HEADER ",depth,hash_mib,scheme,nodes,score,probes,hits,cutoffs";
enum { VALUE_NODES, VALUE_SCORE, VALUE_PROBES, VALUE_HITS, VALUE_CUTOFFS, VALUE_NB };

static const uint64_t SIZES[] = {1, 4, 16, 64}; // MiB
enum { SIZE_NB = sizeof SIZES / sizeof SIZES[0], CELL_NB = SIZE_NB * REPLACEMENT_NB };

typedef struct {
    TrialOptions options;
    Trial trial;
} ModernLab;

static const Argument OPTIONS[] = {TRIAL_ARGUMENTS(ModernLab, options, "15")};
static const Arguments ARGUMENTS = {.program = "palimpsest-lab modern",
                                    .purpose = PURPOSE,
                                    .options = OPTIONS,
                                    .option_count = sizeof OPTIONS / sizeof OPTIONS[0]};

/* Observation `i` is of position i / CELL_NB; its column is a table size and a scheme. */
static int column_of(int size, Replacement scheme)
{
    return size * REPLACEMENT_NB + (int)scheme;
}

static TrialSetting setting_of(const ModernLab *lab, int i)
{
    return (TrialSetting){.hash_mib = SIZES[i / REPLACEMENT_NB % SIZE_NB],
                          .replacement = (Replacement)(i % REPLACEMENT_NB),
                          .check_bits = 48,
                          .depth = (int)lab->options.depth};
}

static void name_observation(const void *ctx, int i, char *key)
{
    const ModernLab *const lab = ctx;
    const TrialSetting setting = setting_of(lab, i);
    char root[TRIAL_KEY_MAX];
    trial_print_key(&lab->trial, i / CELL_NB, 1, root);
    snprintf(key, GRID_KEY_MAX, "%s,%d,%" PRIu64 ",%s", root, setting.depth, setting.hash_mib,
             replacement_name(setting.replacement));
}

static bool observe(const void *ctx, int i, int64_t *values)
{
    const ModernLab *const lab = ctx;
    const TrialSetting setting = setting_of(lab, i);
    TrialResult result;
    if (!trial_search(&lab->trial, i / CELL_NB, &setting, &result))
        return false;
    values[VALUE_NODES] = (int64_t)result.search.nodes;
    values[VALUE_SCORE] = result.search.score;
    values[VALUE_PROBES] = (int64_t)result.tt.probes;
    values[VALUE_HITS] = (int64_t)result.tt.hits;
    values[VALUE_CUTOFFS] = (int64_t)tt_stats_cutoffs(&result.tt);
    return true;
}

static const char *name_scheme(int i)
{
    return replacement_name((Replacement)i);
}

/* What four times the memory saves. */
static void print_savings(const Comparison *comparison)
{
    printf("\nNodes with four times the memory, as a ratio\n%-14s", "scheme");
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

static int game_of(const void *ctx, int row)
{
    const Trial *const trial = ctx;
    return trial->roots[row].game;
}

static bool print_report(const void *ctx, const Grid *grid)
{
    const ModernLab *const lab = ctx;
    const Comparison comparison = {.grid = grid,
                                   .rows = lab->trial.count,
                                   .columns = CELL_NB,
                                   .value = VALUE_NODES,
                                   .group = game_of,
                                   .ctx = &lab->trial,
                                   .pairs = malloc((size_t)lab->trial.count * sizeof(RatioPair))};
    if (comparison.pairs == NULL)
        return false;
    printf("evaluation %s, signature %" PRIu64 ", depth %" PRId64
           ", %d observations found and %d made of %d\n",
           lab->trial.eval.name, lab->trial.signature, lab->options.depth, grid->found, grid->made,
           lab->trial.count * CELL_NB);
    for (int size = 0; size < SIZE_NB; size++) {
        static const char *const headings[] = {"scheme", "positions"};
        printf("\n%" PRIu64 " MiB\n", SIZES[size]);
        comparison_print(&comparison, column_of(size, 0), REPLACEMENT_NB,
                         column_of(size, REPLACE_THOMPSON), name_scheme, headings);
    }
    print_savings(&comparison);
    free(comparison.pairs);
    return true;
}

int lab_modern(int argc, char **argv)
{
    ModernLab lab = {0};
    int status;
    if (!lab_read(&ARGUMENTS, &lab, argc, argv, &status))
        return status;
    const GridPlan plan = {.label = "modern",
                           .header = HEADER,
                           .value_count = VALUE_NB,
                           .count = CELL_NB,
                           .ctx = &lab,
                           .name = name_observation,
                           .observe = observe};
    return trial_run(&lab.trial, &lab.options, TRIAL_ROOTS, plan, print_report);
}
