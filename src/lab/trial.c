// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/trial.h"

#include <inttypes.h>

#include "chess/fen.h"
#include "engine/bench.h"
#include "lab/jobs.h"
#include "tt/replacement.h"

/* For the signature: every fifth position of the bench, to 10 plies, and the first one under each
 * scheme, in a table of so few positions that many compete for each entry. */
enum { SIGNATURE_STEP = 5, SIGNATURE_DEPTH = 10, SIGNATURE_POSITIONS = 1024 };

/* Returns the nodes of a search of position `i` of the bench; 0 when its FEN is not valid. */
static uint64_t bench_nodes(Single *single, int i)
{
    const Limits limits = {.depth = SIGNATURE_DEPTH};
    char reason[FEN_ERROR_MAX];
    Position pos;
    Path path;
    int count;
    if (!fen_parse(&pos, bench_fens(&count)[i], false, reason))
        return 0;
    path_start(&path, &pos);
    return single_search(single, &pos, &path, &limits).nodes;
}

uint64_t trial_scheme_nodes(const EvalSource *eval, Replacement scheme, bool first_move_only)
{
    Single *const single = single_create(1, eval);
    uint64_t nodes = 0;
    if (single != NULL && tt_resize_positions(single_table(single), SIGNATURE_POSITIONS)) {
        single_table(single)->replacement = scheme;
        single_table(single)->first_move_only = first_move_only;
        nodes = bench_nodes(single, 0);
    }
    single_destroy(single);
    return nodes;
}

/* Computes the signature; false, with the reason in `error`, when memory is short. */
static bool compute_signature(Trial *trial, char *error)
{
    const EvalSource *const eval = &trial->eval.source;
    uint64_t nodes = trial_scheme_nodes(eval, REPLACE_THOMPSON, true);
    bool is_good = nodes > 0;
    trial->signature = nodes;
    for (Replacement scheme = 0; scheme < REPLACEMENT_NB && is_good; scheme++) {
        nodes = trial_scheme_nodes(eval, scheme, false);
        trial->signature += nodes;
        is_good = nodes > 0;
    }
    Single *const single = is_good ? single_create(1, eval) : NULL;
    if (single == NULL) {
        snprintf(error, TRIAL_ERROR_MAX, "out of memory");
        return false;
    }
    int count;
    bench_fens(&count);
    for (int i = 0; i < count; i += SIGNATURE_STEP)
        trial->signature += bench_nodes(single, i);
    single_destroy(single);
    return true;
}

bool trial_open(Trial *trial, const char *path, int count, const char *eval, char *error)
{
    *trial = (Trial){0};
    if (!positions_read(&trial->set, path, error))
        return false;
    positions_spread(&trial->set, count);
    return eval_choice_open(&trial->eval, eval, error) && compute_signature(trial, error);
}

void trial_close(Trial *trial)
{
    positions_free(&trial->set);
    eval_choice_close(&trial->eval);
    *trial = (Trial){0};
}

void trial_print_key(const Trial *trial, int first, int count, char *key)
{
    snprintf(key, TRIAL_KEY_MAX, "%s,%" PRIu64 ",%d,%016" PRIx64, trial->eval.name,
             trial->signature, trial->set.positions[first].number,
             positions_checksum(&trial->set, first, count));
}

Single *trial_create_single(const Trial *trial, const TrialSetting *setting)
{
    Single *const single = single_create(setting->hash_mib, &trial->eval.source);
    if (single == NULL)
        return NULL;
    Tt *const tt = single_table(single);
    tt->replacement = setting->replacement;
    tt->check_mask = UINT64_MAX >> (64 - setting->check_bits);
    if (setting->no_refresh)
        tt->no_refresh = true;
    tt->first_move_only = setting->first_move_only;
    single_set_judge(single, setting->judge);
    return single;
}

static bool search_positions(const Trial *trial, int first, int count, const TrialSetting *setting,
                             TrialResult *result)
{
    Single *const single = trial_create_single(trial, setting);
    if (single == NULL)
        return false;
    const Limits limits = {.depth = setting->depth};
    *result = (TrialResult){0};
    for (int i = first; i < first + count; i++) {
        const uint64_t nodes_before = result->search.nodes;
        const Position *const pos = &trial->set.positions[i].pos;
        Path path;
        path_start(&path, pos);
        result->search = single_search(single, pos, &path, &limits);
        result->search.nodes += nodes_before;
        tt_stats_add(&result->tt, &single_stats(single)->tt);
    }
    single_destroy(single);
    return true;
}

bool trial_search(const Trial *trial, int index, const TrialSetting *setting, TrialResult *result)
{
    return search_positions(trial, index, 1, setting, result);
}

bool trial_game(const Trial *trial, int game, const TrialSetting *setting, TrialResult *result)
{
    int count;
    const int first = positions_of_game(&trial->set, game, &count);
    return search_positions(trial, first, count, setting, result);
}

/* --- from the plan to the grid --- */

typedef struct {
    const TrialPlan *plan;
    const TrialOptions *options;
    Trial trial;
} TrialRun;

static TrialSetting setting_of(const TrialRun *run, int i)
{
    TrialSetting setting = run->plan->setting(run->plan->ctx, i % run->plan->columns);
    setting.depth = (int)run->options->depth;
    return setting;
}

static void print_observation_key(const void *ctx, int i, char *key)
{
    const TrialRun *const run = ctx;
    const TrialPlan *const plan = run->plan;
    const TrialSetting setting = setting_of(run, i);
    const int row = i / plan->columns;
    char positions[TRIAL_KEY_MAX], count_field[16] = "", variant[32] = "";
    int first = row, count = 1;
    if (plan->rows == TRIAL_GAMES) {
        first = positions_of_game(&run->trial.set, row, &count);
        snprintf(count_field, sizeof count_field, ",%d", count);
    }
    if (plan->print_variant != NULL) {
        variant[0] = ',';
        plan->print_variant(plan->ctx, i % plan->columns, variant + 1, sizeof variant - 1);
    }
    trial_print_key(&run->trial, first, count, positions);
    snprintf(key, GRID_KEY_MAX, "%s%s,%d,%" PRIu64 ",%s%s", positions, count_field, setting.depth,
             setting.hash_mib, replacement_name(setting.replacement), variant);
}

static bool observe(const void *ctx, int i, int64_t *values)
{
    const TrialRun *const run = ctx;
    const TrialSetting setting = setting_of(run, i);
    const int row = i / run->plan->columns, column = i % run->plan->columns;
    if (run->plan->observe != NULL)
        return run->plan->observe(run->plan->ctx, &run->trial, row, column, &setting, values);
    TrialResult result;
    const bool is_done = run->plan->rows == TRIAL_GAMES
                             ? trial_game(&run->trial, row, &setting, &result)
                             : trial_search(&run->trial, row, &setting, &result);
    if (is_done)
        run->plan->copy_values(&result, values);
    return is_done;
}

/* The number of observations. */
static int observations(const TrialRun *run)
{
    const PositionSet *const set = &run->trial.set;
    return (run->plan->rows == TRIAL_GAMES ? set->game_count : set->count) * run->plan->columns;
}

/* Prints a line about the run, then the report on all known observations. */
static bool print_report(const void *ctx, const Grid *grid)
{
    const TrialRun *const run = ctx;
    const PositionSet *const set = &run->trial.set;
    printf("evaluation %s, signature %" PRIu64 ", depth %" PRId64
           "; positions %d, games %d; %d observations: %d from the file, %d made\n",
           run->trial.eval.name, run->trial.signature, run->options->depth, set->count,
           set->game_count, observations(run), grid->found, grid->made);
    return run->plan->print_report(run->plan->ctx, &run->trial, grid);
}

static ExperimentStatus run_grid(const TrialRun *run)
{
    const TrialOptions *const options = run->options;
    const GridPlan plan = {.label = run->plan->label,
                           .header = run->plan->header,
                           .value_count = run->plan->value_count,
                           .count = observations(run),
                           .threads = jobs_threads(options->jobs),
                           .shard = options->shard,
                           .csv_path = options->csv_path,
                           .is_joined = options->joined,
                           .ctx = run,
                           .print_key = print_observation_key,
                           .observe = observe};
    return grid_report(&plan, print_report);
}

ExperimentStatus trial_run(const TrialPlan *plan, const TrialOptions *options)
{
    char path[FILE_PATH_MAX], error[TRIAL_ERROR_MAX];
    TrialRun run = {.plan = plan, .options = options};
    if (experiment_check_shard(&options->shard, options->joined, options->csv_path) !=
        EXPERIMENT_OK)
        return EXPERIMENT_USAGE;
    const char *const file = experiment_positions(options->positions, "middlegames-500.epd", path);
    const bool is_open = trial_open(&run.trial, file, (int)options->number, options->eval, error);
    const ExperimentStatus status = is_open ? run_grid(&run) : experiment_fail(error);
    trial_close(&run.trial);
    return status;
}
