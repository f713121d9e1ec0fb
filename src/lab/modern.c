// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/replacement.h"
#include "lab/lab.h"
#include "lab/ratio.h"
#include "lab/trial.h"

static const char PURPOSE[] =
    "Nodes the playing engine needs to a fixed depth under each of the nine replacement schemes, "
    "in tables of several sizes that begin empty: geometric means, and their ratio to Thompson's "
    "over the same positions with its 95% confidence interval (by games, not positions: those of "
    "one game are alike). With --csv a run can be stopped, resumed and split.";

static const char HEADER[] =
    "evaluation,position,depth,hash_mib,scheme,nodes,score,probes,hits,cutoffs";
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

/* Observation `i`: of a position, one cell of the table of sizes and schemes. */
static int index_of(int position, int size, Replacement scheme)
{
    return (position * SIZE_NB + size) * REPLACEMENT_NB + (int)scheme;
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
    snprintf(key, GRID_KEY_MAX, "%s,%d,%d,%" PRIu64 ",%s", lab->trial.eval_name,
             lab->trial.roots[i / CELL_NB].number, setting.depth, setting.hash_mib,
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
    for (Bound bound = BOUND_UPPER; bound <= BOUND_EXACT; bound++)
        values[VALUE_CUTOFFS] += (int64_t)result.tt.cutoffs[bound];
    return true;
}

/* The nodes of both where both are known, as pairs. Returns how many. */
static int pair_up(const ModernLab *lab, const Grid *grid, const int cells[2], RatioPair *pairs)
{
    int count = 0;
    for (int p = 0; p < lab->trial.count; p++) {
        const int64_t *const of = grid_values(grid, p * CELL_NB + cells[0]);
        const int64_t *const to = grid_values(grid, p * CELL_NB + cells[1]);
        if (of == NULL || to == NULL || of[VALUE_NODES] <= 0 || to[VALUE_NODES] <= 0)
            continue;
        pairs[count++] =
            (RatioPair){.log_ratio = log((double)of[VALUE_NODES]) - log((double)to[VALUE_NODES]),
                        .group = lab->trial.roots[p].game};
    }
    return count;
}

/* The geometric mean of a cell's nodes over the positions that are known. */
static double mean_nodes(const ModernLab *lab, const Grid *grid, int cell)
{
    double sum = 0.0;
    int count = 0;
    for (int p = 0; p < lab->trial.count; p++) {
        const int64_t *const values = grid_values(grid, p * CELL_NB + cell);
        if (values == NULL || values[VALUE_NODES] <= 0)
            continue;
        sum += log((double)values[VALUE_NODES]);
        count++;
    }
    return count > 0 ? exp(sum / count) : 0.0;
}

static void print_size(const ModernLab *lab, const Grid *grid, int size, RatioPair *pairs)
{
    printf("\n%" PRIu64 " MiB\n%-14s %10s %12s %9s %19s\n", SIZES[size], "scheme", "positions",
           "nodes", "ratio", "95% interval");
    for (Replacement scheme = 0; scheme < REPLACEMENT_NB; scheme++) {
        const int cells[2] = {index_of(0, size, scheme), index_of(0, size, REPLACE_THOMPSON)};
        const Ratio ratio = ratio_of(pairs, pair_up(lab, grid, cells, pairs));
        printf("%-14s %10d %12.0f %9.4f", replacement_name(scheme), ratio.pairs,
               mean_nodes(lab, grid, cells[0]), ratio.mean);
        if (scheme == REPLACE_THOMPSON)
            printf("\n");
        else
            printf("   %7.4f .. %7.4f\n", ratio.low, ratio.high);
    }
}

/* What four times the memory saves. */
static void print_savings(const ModernLab *lab, const Grid *grid, RatioPair *pairs)
{
    printf("\nNodes with four times the memory, as a ratio\n%-14s", "scheme");
    for (int size = 1; size < SIZE_NB; size++)
        printf("        %3" PRIu64 " : %-3" PRIu64 "      ", SIZES[size], SIZES[size - 1]);
    for (Replacement scheme = 0; scheme < REPLACEMENT_NB; scheme++) {
        printf("\n%-14s", replacement_name(scheme));
        for (int size = 1; size < SIZE_NB; size++) {
            const int cells[2] = {index_of(0, size, scheme), index_of(0, size - 1, scheme)};
            const Ratio ratio = ratio_of(pairs, pair_up(lab, grid, cells, pairs));
            printf("  %.3f (%.3f..%.3f)", ratio.mean, ratio.low, ratio.high);
        }
    }
    printf("\n");
}

static bool print_report(const void *ctx, const Grid *grid)
{
    const ModernLab *const lab = ctx;
    RatioPair *const pairs = malloc((size_t)lab->trial.count * sizeof *pairs);
    if (pairs == NULL)
        return false;
    printf("evaluation %s, depth %" PRId64 ", %d observations found and %d made of %d\n",
           lab->trial.eval_name, lab->options.depth, grid->found, grid->made,
           lab->trial.count * CELL_NB);
    for (int size = 0; size < SIZE_NB; size++)
        print_size(lab, grid, size, pairs);
    print_savings(lab, grid, pairs);
    free(pairs);
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
    return trial_run(&lab.trial, &lab.options, plan, print_report);
}
