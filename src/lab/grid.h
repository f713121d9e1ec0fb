// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A grid of numbered observations. Several threads make them (jobs.h), and each is written to a
 * file of results (results.h) as soon as it is finished. Observations in the file are not repeated,
 * so an interrupted run can be resumed, and a run can be split into shards. */

#include <stdbool.h>
#include <stdint.h>

#include "base/arguments.h"
#include "lab/experiment.h"
#include "lab/jobs.h"

enum { GRID_KEY_MAX = 128, GRID_VALUES_MAX = 16 };

typedef struct {
    const char *label;    // of the progress bar
    const char *header;   // of the file: the key columns, then one column per value
    int value_count;      // per observation, 1..GRID_VALUES_MAX
    int count;            // of observations
    int threads;          // 1..JOBS_THREADS_MAX
    Shard shard;          // makes only observations i with i % shard.count == shard.number - 1
    const char *csv_path; // NULL: no file
    bool is_joined;       // makes no observation: fails if one is missing in the file
    const void *ctx;
    /* Writes the key of observation `i`, the first columns of its row, to `key` (GRID_KEY_MAX
     * bytes). The key must be unique and contain everything the values depend on. Any thread. */
    void (*print_key)(const void *ctx, int i, char *key);
    /* Makes observation `i` and writes its `value_count` values, which are 0 at first. Any thread.
     * False when memory is short or a thread cannot start. */
    bool (*observe)(const void *ctx, int i, int64_t *values);
} GridPlan;

/* The known observations. The caller zeroes the grid before grid_run() and calls grid_free() after
 * it, also after an interrupt or a failure. */
typedef struct {
    int64_t *values;
    bool *is_done; // [i]: observation `i` is known
    int value_count;
    int found, made; // number of observations read from the file, and made by this run
} Grid;

/* Reads the file and makes the missing observations of the shard; with `is_joined`, the file must
 * exist and have all observations. On JOBS_FAILED, `error` (RESULTS_ERROR_MAX bytes) has the
 * reason. The grid holds all known observations, also after an interrupt or a failure. */
JobsEnd grid_run(Grid *grid, const GridPlan *plan, char *error);

/* Prints a report of all known observations; `ctx` is that of the plan. False when memory is short.
 */
typedef bool (*GridReportFn)(const void *ctx, const Grid *grid);

/* Runs the plan and calls `print_report`, also after an interrupt. After a shard that leaves
 * observations missing, prints what to do next instead. Prints errors to stderr. */
ExperimentStatus grid_report(const GridPlan *plan, GridReportFn print_report);

/* The values of observation `i`, or NULL when it is missing. */
const int64_t *grid_values(const Grid *grid, int i);

void grid_free(Grid *grid);
