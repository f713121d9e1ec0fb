// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Many observations of seconds each, side by side, into one file of results (results.h): a row for
 * each, written as soon as it is made. What the file has already is not made again, so a run that
 * was interrupted, killed or split into shards goes on where it ended. */

#include <stdbool.h>
#include <stdint.h>

#include "base/arguments.h"
#include "lab/results.h"

enum { GRID_KEY_MAX = 128, GRID_VALUES_MAX = 16, GRID_JOBS_MAX = 1024 };

typedef struct {
    const char *label;  // of the progress bar
    const char *header; // of the file: the columns of the key, then one for each value
    int value_count;    // 1..GRID_VALUES_MAX
    int count;          // observations
    int jobs;           // at a time
    Shard shard;
    const char *csv_path; // NULL: results are returned and nothing else
    const void *ctx;
    /* Writes the key of observation `i`, text for the first columns, to `key`: unique, and all that
     * its values depend on. */
    void (*name)(const void *ctx, int i, char *key);
    /* Makes observation `i`; any thread. False when the machine fails. */
    bool (*observe)(const void *ctx, int i, int64_t *values);
} GridPlan;

/* What is known. Zero before grid_run(), to be freed after. */
typedef struct {
    int64_t *values;
    bool *is_done;
    int value_count;
    int found, made; // observations read from the file, and made now
} Grid;

typedef enum { GRID_DONE, GRID_INTERRUPTED, GRID_FAILED } GridEnd;

/* Makes what is missing. When it failed, `error` (RESULTS_ERROR_MAX bytes) says why. In every case
 * the grid holds what there is. */
GridEnd grid_run(Grid *grid, const GridPlan *plan, char *error);

/* The values of observation `i`, or NULL when it is missing. */
const int64_t *grid_values(const Grid *grid, int i);

void grid_free(Grid *grid);
