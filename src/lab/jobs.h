// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Runs independent jobs on several threads, in the order of their numbers (from 0), with a progress
 * bar on stderr. After an interrupt or a failed job no new job starts, and the run ends when the
 * jobs that have started are finished. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { JOBS_THREADS_MAX = 1024, JOBS_ERROR_MAX = 512 };

/* Shared by the jobs of one run. */
typedef struct {
    atomic_bool stop;       // the run ends early; a long job may check this and end early, too
    atomic_ullong progress; // steps done by all jobs; each job adds its own
} JobsState;

typedef struct {
    const char *label;    // of the progress bar
    int count;            // of jobs, at least 1
    int threads;          // 1..JOBS_THREADS_MAX
    uint64_t total_steps; // length of the progress bar
    void *ctx;
    /* Does one job. Any thread. False, with the reason in `error` (JOBS_ERROR_MAX bytes), on
     * failure. */
    bool (*run)(void *ctx, int job, JobsState *state, char *error);
} Jobs;

/* How a run ended; also one of a grid (grid.h) or of a series (breuker1994/series.h). */
typedef enum { JOBS_DONE, JOBS_INTERRUPTED, JOBS_FAILED } JobsEnd;

/* Runs all jobs; fewer threads than requested are no failure. On JOBS_FAILED, `error`
 * (JOBS_ERROR_MAX bytes) has the reason of the first failure. */
JobsEnd jobs_run(const Jobs *jobs, char *error);

/* Number of threads for the value of the option --jobs, at most JOBS_THREADS_MAX; 0 means one per
 * processor. */
int jobs_threads(int64_t requested);
