// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/comparison.h"
#include "lab/lab.h"
#include "lab/trial.h"
#include "tt/replacement.h"

static const char PURPOSE[] =
    "What two habits of reading are worth to the playing engine: that a read makes an entry of an "
    "earlier search new again (Robinson 1995), and that two entries of a position give two hash "
    "moves (Moreland). The positions of a game are searched one after the other, each to the depth "
    "and with the table that those before it left: the nodes of a game, geometric means, and their "
    "ratio to those with both habits, with its 95% confidence interval. With --csv a run can be "
    "stopped, resumed and split.";

static const char HEADER[] =
    TRIAL_KEY_HEADER ",positions,depth,hash_mib,scheme,reads,nodes,probes,hits,cutoffs,refreshes,"
                     "two_moves";
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
    bool keeps_stale, tells_one_move;
} HABITS[] = {{"both", false, false}, {"no-refresh", true, false}, {"one-move", false, true}};
enum {
    SIZE_NB = sizeof SIZES / sizeof SIZES[0],
    HABIT_NB = sizeof HABITS / sizeof HABITS[0],
    CELL_NB = SIZE_NB * HABIT_NB
};

typedef struct {
    TrialOptions options;
    const char *scheme;
    Replacement replacement;
    Trial trial;
} ReadsLab;

static const Argument OPTIONS[] = {
    TRIAL_ARGUMENTS(ReadsLab, options, "13"),
    {"--scheme", ARGUMENT_TEXT, offsetof(ReadsLab, scheme), .def = "Thompson", .value = "NAME",
     .help = "of replacement; where it keeps one entry of a position, there is no second move"}};
static const Arguments ARGUMENTS = {.program = "palimpsest-lab reads",
                                    .purpose = PURPOSE,
                                    .options = OPTIONS,
                                    .option_count = sizeof OPTIONS / sizeof OPTIONS[0]};

/* Observation `i` is of game i / CELL_NB, of a table size and a habit. */
static TrialSetting setting_of(const ReadsLab *lab, int i)
{
    return (TrialSetting){.hash_mib = SIZES[i / HABIT_NB % SIZE_NB],
                          .replacement = lab->replacement,
                          .check_bits = 48,
                          .depth = (int)lab->options.depth,
                          .keeps_stale = HABITS[i % HABIT_NB].keeps_stale,
                          .tells_one_move = HABITS[i % HABIT_NB].tells_one_move};
}

static void name_observation(const void *ctx, int i, char *key)
{
    const ReadsLab *const lab = ctx;
    const TrialSetting setting = setting_of(lab, i);
    int positions;
    const int first = trial_game_roots(&lab->trial, i / CELL_NB, &positions);
    char roots[TRIAL_KEY_MAX];
    trial_print_key(&lab->trial, first, positions, roots);
    snprintf(key, GRID_KEY_MAX, "%s,%d,%d,%" PRIu64 ",%s,%s", roots, positions, setting.depth,
             setting.hash_mib, replacement_name(setting.replacement), HABITS[i % HABIT_NB].name);
}

static bool observe(const void *ctx, int i, int64_t *values)
{
    const ReadsLab *const lab = ctx;
    const TrialSetting setting = setting_of(lab, i);
    TrialResult result;
    if (!trial_game(&lab->trial, i / CELL_NB, &setting, &result))
        return false;
    values[VALUE_NODES] = (int64_t)result.search.nodes;
    values[VALUE_PROBES] = (int64_t)result.tt.probes;
    values[VALUE_HITS] = (int64_t)result.tt.hits;
    values[VALUE_CUTOFFS] = (int64_t)tt_stats_cutoffs(&result.tt);
    values[VALUE_REFRESHES] = (int64_t)result.tt.refreshes;
    values[VALUE_TWO_MOVES] = (int64_t)result.tt.two_moves;
    return true;
}

static const char *name_habit(int i)
{
    return HABITS[i].name;
}

static bool print_report(const void *ctx, const Grid *grid)
{
    const ReadsLab *const lab = ctx;
    const int games = lab->trial.game_count;
    const Comparison comparison = {.grid = grid,
                                   .rows = games,
                                   .columns = CELL_NB,
                                   .value = VALUE_NODES,
                                   .pairs = malloc((size_t)games * sizeof(RatioPair))};
    if (comparison.pairs == NULL)
        return false;
    printf("evaluation %s, signature %" PRIu64 ", %s, depth %" PRId64
           ", %d observations found and %d made of %d\n",
           lab->trial.eval.name, lab->trial.signature, replacement_name(lab->replacement),
           lab->options.depth, grid->found, grid->made, games * CELL_NB);
    for (int size = 0; size < SIZE_NB; size++) {
        static const char *const headings[] = {"reads", "games"};
        const int first = size * HABIT_NB;
        printf("\n%" PRIu64 " MiB\n", SIZES[size]);
        comparison_print(&comparison, first, HABIT_NB, first, name_habit, headings);
    }
    free(comparison.pairs);
    return true;
}

int lab_reads(int argc, char **argv)
{
    ReadsLab lab = {0};
    int status;
    if (!lab_read(&ARGUMENTS, &lab, argc, argv, &status))
        return status;
    if (!replacement_parse(lab.scheme, &lab.replacement)) {
        fprintf(stderr, "--scheme %s: there is no such scheme\n", lab.scheme);
        return LAB_USAGE;
    }
    const GridPlan plan = {.label = "reads",
                           .header = HEADER,
                           .value_count = VALUE_NB,
                           .count = CELL_NB,
                           .ctx = &lab,
                           .name = name_observation,
                           .observe = observe};
    return trial_run(&lab.trial, &lab.options, TRIAL_GAMES, plan, print_report);
}
