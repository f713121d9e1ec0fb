// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "lab/keybits.h"
#include "lab/lab.h"
#include "lab/trial.h"
#include "tt/replacement.h"

static const char PURPOSE[] =
    "The playing engine's search with keys of which only some bits are checked: type-1 errors per "
    "million probes beside what chance lets expect, illegal moves that give some away (one may be "
    "met again and again), and what they do to the search, set against that with the whole key. "
    "The index of the slot tells some more bits: 15 with 1 MiB, one more with each doubling. With "
    "--csv a run can be stopped, resumed and split.";

static const char HEADER[] = TRIAL_KEY_HEADER ",depth,hash_mib,scheme,bits,probes,hits,foreign,"
                                              "false_hits,illegal,nodes,best,score";
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
    Trial trial;
    int bits[KEYBITS_LIST_MAX], bits_count; // the last is KEYBITS_MAX
} KeybitsLab;

static const Argument OPTIONS[] = {
    TRIAL_ARGUMENTS(KeybitsLab, options, "12"),
    {"--bits", ARGUMENT_TEXT, offsetof(KeybitsLab, list), .def = "8,12,16,20,24,32,40",
     .value = "LIST", .help = "checked, rising; 48 is added"},
    {"--hash", ARGUMENT_INTEGER, offsetof(KeybitsLab, hash_mib), .min = 1, .max = 65536,
     .def = "16", .value = "MIB", .help = "table of each search"}};
static const Arguments ARGUMENTS = {.program = "palimpsest-lab keybits",
                                    .purpose = PURPOSE,
                                    .options = OPTIONS,
                                    .option_count = sizeof OPTIONS / sizeof OPTIONS[0]};

/* Sums over the positions for a number of bits. */
typedef struct {
    int positions, moves_changed, scores_changed;
    int64_t sums[VALUE_NB];
    double score_distance; // sum of absolute differences
    double log_nodes;      // sum of logarithms of the ratio
} KeybitsSum;

static TrialSetting setting_of(const KeybitsLab *lab, int i)
{
    return (TrialSetting){.hash_mib = (uint64_t)lab->hash_mib,
                          .replacement = REPLACE_TWO_DEEP,
                          .check_bits = lab->bits[i % lab->bits_count],
                          .depth = (int)lab->options.depth};
}

static void name_observation(const void *ctx, int i, char *key)
{
    const KeybitsLab *const lab = ctx;
    const TrialSetting setting = setting_of(lab, i);
    char root[TRIAL_KEY_MAX];
    trial_print_key(&lab->trial, i / lab->bits_count, 1, root);
    snprintf(key, GRID_KEY_MAX, "%s,%d,%" PRIu64 ",%s,%d", root, setting.depth, setting.hash_mib,
             replacement_name(setting.replacement), setting.check_bits);
}

static bool observe(const void *ctx, int i, int64_t *values)
{
    const KeybitsLab *const lab = ctx;
    const TrialSetting setting = setting_of(lab, i);
    TrialResult result;
    if (!trial_search(&lab->trial, i / lab->bits_count, &setting, &result))
        return false;
    values[VALUE_PROBES] = (int64_t)result.tt.probes;
    values[VALUE_HITS] = (int64_t)result.tt.hits;
    values[VALUE_FOREIGN] = (int64_t)result.tt.foreign;
    values[VALUE_FALSE] = (int64_t)result.tt.false_hits;
    values[VALUE_ILLEGAL] = (int64_t)result.tt.type1_errors;
    values[VALUE_NODES] = (int64_t)result.search.nodes;
    values[VALUE_BEST] = result.search.best;
    values[VALUE_SCORE] = result.search.score;
    return true;
}

static KeybitsSum sum_up(const KeybitsLab *lab, const Grid *grid, int k)
{
    KeybitsSum sum = {0};
    for (int p = 0; p < lab->trial.count; p++) {
        const int64_t *const values = grid_values(grid, p * lab->bits_count + k);
        const int64_t *const right = grid_values(grid, (p + 1) * lab->bits_count - 1);
        if (values == NULL || right == NULL)
            continue;
        sum.positions++;
        for (int v = 0; v < VALUE_NB; v++)
            sum.sums[v] += values[v];
        sum.moves_changed += values[VALUE_BEST] != right[VALUE_BEST];
        sum.scores_changed += values[VALUE_SCORE] != right[VALUE_SCORE];
        sum.score_distance += fabs((double)(values[VALUE_SCORE] - right[VALUE_SCORE]));
        sum.log_nodes +=
            log((double)(values[VALUE_NODES] + 1)) - log((double)(right[VALUE_NODES] + 1));
    }
    return sum;
}

static void print_line(int bits, const KeybitsSum *sum)
{
    const int64_t *const sums = sum->sums;
    const double millions = (double)sums[VALUE_PROBES] / 1e6, count = sum->positions;
    const double expected = keybits_expected((uint64_t)sums[VALUE_FOREIGN], bits);
    printf("%4d %9.3f", bits, millions);
    if (bits == KEYBITS_MAX) // who would tell a false hit?
        printf(" %13s %13.4g", "-", expected / millions);
    else
        printf(" %13.4g %13.4g", (double)sums[VALUE_FALSE] / millions, expected / millions);
    printf(" %9.4g %8.1f%% %8.1f%% %10.1f %8.3f\n", (double)sums[VALUE_ILLEGAL] / millions,
           100.0 * sum->moves_changed / count, 100.0 * sum->scores_changed / count,
           sum->score_distance / count, exp(sum->log_nodes / count));
}

static bool print_report(const void *ctx, const Grid *grid)
{
    const KeybitsLab *const lab = ctx;
    printf("evaluation %s, signature %" PRIu64 ", depth %" PRId64 ", %" PRId64
           " MiB, %d observations found and %d made of %d\n"
           "type-1 errors and illegal moves per million probes; moves, scores: of the root, other\n"
           "than with the whole key; distance: of the scores on average, units\n\n"
           "%4s %9s %13s %13s %9s %9s %9s %10s %8s\n",
           lab->trial.eval.name, lab->trial.signature, lab->options.depth, lab->hash_mib,
           grid->found, grid->made, lab->trial.count * lab->bits_count, "bits", "Mprobes",
           "errors/M", "expected/M", "illegal/M", "moves", "scores", "distance", "nodes");
    for (int k = 0; k < lab->bits_count; k++) {
        const KeybitsSum sum = sum_up(lab, grid, k);
        if (sum.positions > 0)
            print_line(lab->bits[k], &sum);
    }
    return true;
}

int lab_keybits(int argc, char **argv)
{
    KeybitsLab lab = {0};
    int status;
    if (!lab_read(&ARGUMENTS, &lab, argc, argv, &status))
        return status;
    lab.bits_count = keybits_read_list(lab.list, lab.bits);
    if (lab.bits_count == 0) {
        fprintf(stderr, "--bits %s: not rising numbers from 1 to %d\n", lab.list, KEYBITS_MAX);
        return LAB_USAGE;
    }
    const GridPlan plan = {.label = "keybits",
                           .header = HEADER,
                           .value_count = VALUE_NB,
                           .count = lab.bits_count,
                           .ctx = &lab,
                           .name = name_observation,
                           .observe = observe};
    return trial_run(&lab.trial, &lab.options, TRIAL_ROOTS, plan, print_report);
}
