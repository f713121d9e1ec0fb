// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/grid.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/thread.h"

enum { LOOK_MS = 100 }; // between two looks at how far the threads are

/* What the threads of a run share. */
typedef struct {
    Grid *grid;
    const GridPlan *plan;
    Results *results; // NULL: no file
    char *error;
    Mutex mutex;     // guards the grid and all below
    int next;        // observation to be looked at
    int working;     // threads
    bool has_failed; // and `error` says why
} GridRun;

static bool is_wanted(const GridRun *run, int i)
{
    const Shard *shard = &run->plan->shard;
    return !run->grid->is_done[i] && i % shard->count == shard->number - 1;
}

static int64_t *values_at(const Grid *grid, int i)
{
    return &grid->values[(size_t)i * (size_t)grid->value_count];
}

/* Reads the values that follow the key in a row; false when they are no numbers. */
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

/* Takes over what the file knows. False, with the reason in `error`, when it makes no sense. */
static bool learned(const GridRun *run)
{
    Grid *const grid = run->grid;
    for (int i = 0; i < run->plan->count; i++) {
        char key[GRID_KEY_MAX];
        run->plan->name(run->plan->ctx, i, key);
        const char *const row = results_find(run->results, key);
        if (row == NULL)
            continue;
        if (!parse_values(row + strlen(key) + 1, grid->value_count, values_at(grid, i))) {
            snprintf(run->error, RESULTS_ERROR_MAX, "not numbers: %.400s", row);
            return false;
        }
        grid->is_done[i] = true;
        grid->found++;
    }
    return true;
}

/* Writes observation `i` to the file, if there is one. */
static bool write_row(const GridRun *run, int i, char *error)
{
    if (run->results == NULL)
        return true;
    char row[RESULTS_ROW_MAX];
    run->plan->name(run->plan->ctx, i, row);
    size_t length = strlen(row);
    for (int k = 0; k < run->grid->value_count; k++)
        length += (size_t)snprintf(row + length, sizeof row - length, ",%" PRId64,
                                   values_at(run->grid, i)[k]);
    return results_add(run->results, row, error);
}

static void finish(GridRun *run, int i, const int64_t *values, bool is_observed)
{
    Grid *const grid = run->grid;
    char error[RESULTS_ERROR_MAX] = "out of memory";
    mutex_lock(&run->mutex);
    if (is_observed) {
        memcpy(values_at(grid, i), values, (size_t)grid->value_count * sizeof *values);
        grid->is_done[i] = true;
        grid->made++;
    }
    if (!is_observed || !write_row(run, i, error)) {
        run->has_failed = true;
        text_copy(run->error, RESULTS_ERROR_MAX, error);
    }
    mutex_unlock(&run->mutex);
}

/* The next observation to make, or -1 when there is none. */
static int take_next(GridRun *run)
{
    mutex_lock(&run->mutex);
    while (run->next < run->plan->count && !is_wanted(run, run->next))
        run->next++;
    const bool is_over = run->next == run->plan->count || run->has_failed || interrupt_pending();
    const int i = is_over ? -1 : run->next++;
    if (is_over)
        run->working--;
    mutex_unlock(&run->mutex);
    return i;
}

static void *work(void *arg)
{
    GridRun *const run = arg;
    for (int i = take_next(run); i >= 0; i = take_next(run)) {
        int64_t values[GRID_VALUES_MAX] = {0};
        const bool is_observed = run->plan->observe(run->plan->ctx, i, values);
        finish(run, i, values, is_observed);
    }
    return NULL;
}

/* Shows the progress until all threads are through. */
static void watch(GridRun *run, int wanted)
{
    Progress progress;
    progress_start(&progress, run->plan->label, (uint64_t)wanted);
    for (bool is_over = false; !is_over; clock_sleep_ms(is_over ? 0 : LOOK_MS)) {
        mutex_lock(&run->mutex);
        is_over = run->working == 0;
        const int made = run->grid->made;
        mutex_unlock(&run->mutex);
        progress_update(&progress, (uint64_t)made);
    }
    progress_finish(&progress);
}

static void observe_all(GridRun *run, int wanted)
{
    const int jobs = run->plan->jobs < wanted ? run->plan->jobs : wanted;
    Thread threads[GRID_JOBS_MAX];
    mutex_init(&run->mutex);
    run->working = jobs;
    int started = 0;
    while (started < jobs && thread_start(&threads[started], work, run))
        started++;
    mutex_lock(&run->mutex);
    run->working -= jobs - started;
    if (started == 0) {
        run->has_failed = true;
        snprintf(run->error, RESULTS_ERROR_MAX, "the system gives no thread");
    }
    mutex_unlock(&run->mutex);
    watch(run, wanted);
    for (int i = 0; i < started; i++)
        thread_join(&threads[i]);
    mutex_destroy(&run->mutex);
}

static bool allocate(Grid *grid, const GridPlan *plan)
{
    const size_t count = (size_t)plan->count;
    grid->value_count = plan->value_count;
    grid->values = calloc(count * (size_t)plan->value_count, sizeof *grid->values);
    grid->is_done = calloc(count, sizeof *grid->is_done);
    return grid->values != NULL && grid->is_done != NULL;
}

static int count_columns(const char *header)
{
    int columns = 1;
    for (; *header != '\0'; header++)
        columns += *header == ',';
    return columns;
}

/* Makes all that is missing in a grid with its memory and, perhaps, its file. */
static GridEnd run_through(GridRun *run)
{
    if (run->results != NULL && !learned(run))
        return GRID_FAILED;
    int missing = 0;
    for (int i = 0; i < run->plan->count; i++)
        missing += is_wanted(run, i);
    if (missing > 0)
        observe_all(run, missing);
    if (run->has_failed)
        return GRID_FAILED;
    return run->grid->made < missing ? GRID_INTERRUPTED : GRID_DONE;
}

GridEnd grid_run(Grid *grid, const GridPlan *plan, char *error)
{
    assert(1 <= plan->value_count && plan->value_count <= GRID_VALUES_MAX && plan->count > 0);
    assert(1 <= plan->jobs && plan->jobs <= GRID_JOBS_MAX);
    if (!allocate(grid, plan)) {
        snprintf(error, RESULTS_ERROR_MAX, "out of memory");
        return GRID_FAILED;
    }
    GridRun run = {.grid = grid, .plan = plan, .error = error};
    if (plan->csv_path == NULL)
        return run_through(&run);
    Results results;
    const int key_columns = count_columns(plan->header) - plan->value_count;
    if (!results_open(&results, plan->csv_path, plan->header, key_columns, RESULTS_EXTEND, error))
        return GRID_FAILED;
    run.results = &results;
    const GridEnd end = run_through(&run);
    results_close(&results);
    return end;
}

const int64_t *grid_values(const Grid *grid, int i)
{
    return grid->is_done[i] ? values_at(grid, i) : NULL;
}

void grid_free(Grid *grid)
{
    free(grid->values);
    free(grid->is_done);
    *grid = (Grid){0};
}
