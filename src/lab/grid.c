// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/grid.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lab/results.h"

static_assert((int)JOBS_ERROR_MAX == (int)RESULTS_ERROR_MAX, "one buffer serves both");

typedef struct {
    Grid *grid;
    const GridPlan *plan;
    Results *results;
    int *missing; // observations to make: job `i` makes missing[i]
    int missing_count;
} GridRun;

static int64_t *values_at(const Grid *grid, int i)
{
    return &grid->values[(size_t)i * (size_t)grid->value_count];
}

/* Reads the values that follow the key in a row; false when one is not a number. */
static bool parse_values(const char *text, int count, int64_t *values)
{
    for (int i = 0; i < count; i++) {
        char number[24];
        if (!results_field(text, i, number, sizeof number) ||
            !text_parse_int(number, INT64_MIN, INT64_MAX, &values[i]))
            return false;
    }
    return true;
}

/* Copies the observations of the file to the grid. False, with the reason in `error`, when a value
 * is not a number. */
static bool load_known(const GridRun *run, char *error)
{
    Grid *const grid = run->grid;
    for (int i = 0; i < run->plan->count; i++) {
        char key[GRID_KEY_MAX];
        run->plan->print_key(run->plan->ctx, i, key);
        const char *const row = results_find(run->results, key);
        if (row == NULL)
            continue;
        if (!parse_values(row + strlen(key) + 1, grid->value_count, values_at(grid, i))) {
            snprintf(error, RESULTS_ERROR_MAX, "a row with a value that is not a number: %.350s",
                     row);
            return false;
        }
        grid->is_done[i] = true;
        grid->found++;
    }
    return true;
}

static void list_missing(GridRun *run)
{
    const Shard *const shard = &run->plan->shard;
    for (int i = 0; i < run->plan->count; i++)
        if (!run->grid->is_done[i] && i % shard->count == shard->number - 1)
            run->missing[run->missing_count++] = i;
}

static bool write_row(const GridRun *run, int i, char *error)
{
    char row[RESULTS_ROW_MAX];
    run->plan->print_key(run->plan->ctx, i, row);
    size_t length = strlen(row);
    for (int k = 0; k < run->grid->value_count; k++)
        length += (size_t)snprintf(row + length, sizeof row - length, ",%" PRId64,
                                   values_at(run->grid, i)[k]);
    return results_add(run->results, row, error);
}

/* A job: makes one observation. */
static bool make_observation(void *ctx, int job, JobsState *state, char *error)
{
    GridRun *const run = ctx;
    const int i = run->missing[job];
    int64_t values[GRID_VALUES_MAX] = {0};
    if (!run->plan->observe(run->plan->ctx, i, values)) {
        snprintf(error, JOBS_ERROR_MAX, "out of memory or threads");
        return false;
    }
    memcpy(values_at(run->grid, i), values, (size_t)run->grid->value_count * sizeof *values);
    run->grid->is_done[i] = true;
    atomic_fetch_add_explicit(&state->progress, 1, memory_order_relaxed);
    return write_row(run, i, error);
}

static JobsEnd make_missing(GridRun *run, char *error)
{
    const Jobs jobs = {.label = run->plan->label,
                       .count = run->missing_count,
                       .threads = run->plan->threads,
                       .total_steps = (uint64_t)run->missing_count,
                       .ctx = run,
                       .run = make_observation};
    if (run->missing_count == 0)
        return JOBS_DONE;
    const bool has_failed = jobs_run(&jobs, error) == JOBS_FAILED;
    for (int i = 0; i < run->missing_count; i++)
        run->grid->made += run->grid->is_done[run->missing[i]];
    if (has_failed)
        return JOBS_FAILED;
    return run->grid->made < run->missing_count ? JOBS_INTERRUPTED : JOBS_DONE;
}

static bool allocate(GridRun *run)
{
    Grid *const grid = run->grid;
    const size_t count = (size_t)run->plan->count;
    grid->value_count = run->plan->value_count;
    grid->values = calloc(count * (size_t)grid->value_count, sizeof *grid->values);
    grid->is_done = calloc(count, sizeof *grid->is_done);
    run->missing = calloc(count, sizeof *run->missing);
    return grid->values != NULL && grid->is_done != NULL && run->missing != NULL;
}

/* Makes the missing observations of the shard; of joined shards, none may be missing. */
static JobsEnd complete(GridRun *run, char *error)
{
    if (run->plan->is_joined)
        return results_are_whole(run->results, run->plan->csv_path, (size_t)run->plan->count,
                                 (size_t)run->grid->found, error)
                   ? JOBS_DONE
                   : JOBS_FAILED;
    list_missing(run);
    return make_missing(run, error);
}

JobsEnd grid_run(Grid *grid, const GridPlan *plan, char *error)
{
    assert(1 <= plan->value_count && plan->value_count <= GRID_VALUES_MAX && plan->count > 0);
    const ResultsFile file = {.path = plan->csv_path,
                              .header = plan->header,
                              .key_columns = results_columns(plan->header) - plan->value_count,
                              .mode = plan->is_joined ? RESULTS_READ : RESULTS_EXTEND};
    Results results;
    if (!results_open(&results, &file, error))
        return JOBS_FAILED;
    GridRun run = {.grid = grid, .plan = plan, .results = &results};
    JobsEnd end = JOBS_FAILED;
    if (!allocate(&run)) {
        snprintf(error, RESULTS_ERROR_MAX, "out of memory");
    } else if (load_known(&run, error)) {
        end = complete(&run, error);
    }
    free(run.missing);
    results_close(&results);
    return end;
}

ExperimentStatus grid_report(const GridPlan *plan, GridReportFn print_report)
{
    char error[RESULTS_ERROR_MAX] = "out of memory";
    Grid grid = {0};
    const JobsEnd end = grid_run(&grid, plan, error);
    const bool is_part = end == JOBS_DONE && grid.found + grid.made < plan->count;
    const bool is_good = is_part || (end != JOBS_FAILED && print_report(plan->ctx, &grid));
    if (is_part)
        experiment_explain_part(&plan->shard, (uint64_t)(grid.found + grid.made),
                                (uint64_t)plan->count);
    grid_free(&grid);
    if (!is_good)
        return experiment_fail(error);
    return end == JOBS_INTERRUPTED ? experiment_interrupted(plan->csv_path) : EXPERIMENT_OK;
}

const int64_t *grid_values(const Grid *grid, int i)
{
    return grid->is_done != NULL && grid->is_done[i] ? values_at(grid, i) : NULL;
}

void grid_free(Grid *grid)
{
    free(grid->values);
    free(grid->is_done);
    *grid = (Grid){0};
}
