// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/experiment.h"
#include "lab/lesson.h"
#include "lab/ratio.h"
#include "lab/trial.h"

static const char HEADER[] =
    TRIAL_POSITION_HEADER ",fuzz,judge,policy,fall,drop,kept,tried,changed,"
                          "regained2,regained4,regained6,regained8,regained10,regained12,"
                          "regained14,regained16,regained18,regained20";
enum {
    VALUE_FALL, // ply of the fall; 0: the game has no lesson
    VALUE_DROP,
    VALUE_KEPT,  // positions that the policy keeps
    VALUE_TRIED, // sets of distances: bit i belongs to i + 1 moves
    VALUE_CHANGED,
    VALUE_REGAINED,
    VALUE_NB = VALUE_REGAINED + LESSON_STEPS
};

enum { DROP_MAX = 2 * LESSON_LOST }; // in the mean of the report

typedef struct {
    TrialOptions options;
    int64_t hash_mib, fuzz, judge;
} LessonSettings;

static const Argument OPTIONS[] = {
    TRIAL_ARGUMENTS(LessonSettings, options, "9"),
    {"--fuzz", ARGUMENT_INTEGER, offsetof(LessonSettings, fuzz), .min = 0, .max = 1000, .def = "20",
     .value = "UNITS", .help = "assumed error of a learned score, for Bebe and Mouse"},
    {"--judge", ARGUMENT_INTEGER, offsetof(LessonSettings, judge), .min = 0, .max = 50, .def = "6",
     .value = "PLIES", .help = "plies deeper of the searches that judge two moves"},
    TRIAL_HASH(LessonSettings, hash_mib)};

static TrialSetting setting_of(const void *ctx, int column)
{
    (void)column;
    const LessonSettings *const lesson = ctx;
    return (TrialSetting){
        .hash_mib = (uint64_t)lesson->hash_mib, .replacement = REPLACE_TWO_DEEP, .check_bits = 48};
}

static void print_variant(const void *ctx, int column, char *out, size_t size)
{
    const LessonSettings *const lesson = ctx;
    snprintf(out, size, "%" PRId64 ",%" PRId64 ",%s", lesson->fuzz, lesson->judge,
             learned_policy_name((LearnPolicy)column));
}

/* Steps back from the fall of a game. */
static void step_back(const LessonGame *game, Single *single, const LearnedTable *table, int depth,
                      int judge_depth, int64_t *values)
{
    for (int step = 1; step <= LESSON_STEPS; step++) {
        const LessonGain gain = lesson_test(game, single, table, step, depth, judge_depth);
        values[VALUE_TRIED] |= (int64_t)gain.is_tried << (step - 1);
        values[VALUE_CHANGED] |= (int64_t)gain.is_changed << (step - 1);
        values[VALUE_REGAINED + step - 1] = gain.regained;
    }
}

/* Plays a game from the position, learns from it by the policy of the column, and steps back. */
static bool observe(const void *ctx, const Trial *trial, int index, int column,
                    const TrialSetting *setting, int64_t *values)
{
    const LessonSettings *const lesson = ctx;
    LessonGame *const game = malloc(sizeof *game);
    Single *const single = trial_create_single(trial, setting);
    LearnedTable table = {.network = eval_fingerprint_short(&trial->eval.source),
                          .policy = (LearnPolicy)column,
                          .fuzz = (Score)lesson->fuzz};
    bool is_good = game != NULL && single != NULL;
    if (is_good && lesson_play(game, single, &trial->set.positions[index].pos, setting->depth)) {
        const int kept = lesson_learn(game, &table);
        values[VALUE_FALL] = game->fall;
        values[VALUE_DROP] = game->drop;
        values[VALUE_KEPT] = kept;
        is_good = kept >= 0;
        if (is_good)
            step_back(game, single, &table, setting->depth, setting->depth + (int)lesson->judge,
                      values);
    }
    learned_table_clear(&table);
    single_destroy(single);
    free(game);
    return is_good;
}

/* --- report --- */

typedef struct {
    const Trial *trial;
    const Grid *grid;
    MeanValue *values; // buffer with room for all positions
} LessonReport;

/* Prints the gain at a distance under a policy, over the games in which it was tried. */
static void print_distance(const LessonReport *report, LearnPolicy policy, int step)
{
    int count = 0, changed = 0;
    for (int i = 0; i < report->trial->set.count; i++) {
        const int64_t *const values = grid_values(report->grid, i * LEARN_POLICY_NB + (int)policy);
        if (values == NULL || !(values[VALUE_TRIED] >> (step - 1) & 1))
            continue;
        changed += (int)(values[VALUE_CHANGED] >> (step - 1) & 1);
        report->values[count++] = (MeanValue){.value = (double)values[VALUE_REGAINED + step - 1],
                                              .group = report->trial->set.positions[i].game};
    }
    const Mean mean = mean_of(report->values, count);
    if (count > 0)
        printf("%-8s %7d %7d %8.1f%% %9.1f  (%.1f .. %.1f)\n", learned_policy_name(policy),
               2 * step, count, 100.0 * changed / count, mean.mean, mean.low, mean.high);
}

static void print_games(const LessonReport *report, LearnPolicy policy)
{
    int known = 0, games = 0;
    double kept = 0.0, drop = 0.0;
    for (int i = 0; i < report->trial->set.count; i++) {
        const int64_t *const values = grid_values(report->grid, i * LEARN_POLICY_NB + (int)policy);
        known += values != NULL;
        if (values == NULL || values[VALUE_FALL] == 0)
            continue;
        games++;
        kept += (double)values[VALUE_KEPT];
        // The drop to a mate score is tens of thousands of units.
        drop += (double)(values[VALUE_DROP] < DROP_MAX ? values[VALUE_DROP] : DROP_MAX);
    }
    if (games > 0)
        printf("%-8s %7d %7d %9.1f %9.0f\n", learned_policy_name(policy), known, games,
               kept / games, drop / games);
}

static bool print_report(const void *ctx, const Trial *trial, const Grid *grid)
{
    (void)ctx;
    const LessonReport report = {trial, grid, malloc((size_t)trial->set.count * sizeof(MeanValue))};
    if (report.values == NULL)
        return false;
    printf("lessons: games in which the loser's score fell; kept: positions of such a game that\n"
           "the policy keeps; drop: the fall, internal units, more than %d as %d\n\n"
           "%-8s %7s %7s %9s %9s\n",
           DROP_MAX, DROP_MAX, "policy", "games", "lessons", "kept", "drop");
    for (LearnPolicy policy = 0; policy < LEARN_POLICY_NB; policy++)
        print_games(&report, policy);
    printf(
        "\nplies: before the fall; changed: another move; regained: mean score of the move with\n"
        "learning minus that of the move without, internal units (0 where the move is the "
        "same)\n\n"
        "%-8s %7s %7s %9s %9s\n",
        "policy", "plies", "games", "changed", "regained");
    for (LearnPolicy policy = 0; policy < LEARN_POLICY_NB; policy++)
        for (int step = 1; step <= LESSON_STEPS; step++)
            print_distance(&report, policy, step);
    free(report.values);
    return true;
}

static ExperimentStatus run(void *settings)
{
    const LessonSettings *const lesson = settings;
    const TrialPlan plan = {.label = "lesson",
                            .header = HEADER,
                            .value_count = VALUE_NB,
                            .rows = TRIAL_POSITIONS,
                            .columns = LEARN_POLICY_NB,
                            .ctx = lesson,
                            .setting = setting_of,
                            .print_variant = print_variant,
                            .observe = observe,
                            .print_report = print_report};
    return trial_run(&plan, &lesson->options);
}

const Experiment lesson_experiment = {
    .name = "lesson",
    .summary = "how far back a learned position reaches",
    .purpose =
        "Measures position learning. The engine plays a game against itself from each position. "
        "The "
        "loser keeps positions by each policy. Then its positions 2 to 20 plies before its score "
        "fell are searched again, with and without the learned positions and with an empty table. "
        "If the moves differ, deeper searches tell how much score the lesson regains.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .settings_size = sizeof(LessonSettings),
    .run = run};
