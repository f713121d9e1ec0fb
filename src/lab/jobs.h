// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Independent jobs, numbered from 0, that several threads work off in order, with a progress bar on
 * stderr. An interrupt or a failed job ends the run: no further job starts, and the run waits for
 * those that have started. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { JOBS_THREADS_MAX = 1024, JOBS_ERROR_MAX = 512 };

/* Shared by the jobs of one run. */
typedef struct {
    atomic_bool stop;       // the run ends early; a long job may check it and end early, too
    atomic_ullong progress; // steps done; jobs add to it
} JobsState;

typedef struct {
    const char *label;    // of the progress bar
    int count;            // of jobs, at least 1
    int threads;          // 1..JOBS_THREADS_MAX
    uint64_t total_steps; // of the progress bar
    void *ctx;
    /* Does one job; called by any thread. False, with the reason in `error` (JOBS_ERROR_MAX bytes),
     * when it failed. */
    bool (*run)(void *ctx, int job, JobsState *state, char *error);
} Jobs;

typedef enum { JOBS_DONE, JOBS_INTERRUPTED, JOBS_FAILED } JobsEnd;

/* Runs all jobs. On JOBS_FAILED, `error` (JOBS_ERROR_MAX bytes) explains the first failure. */
JobsEnd jobs_run(const Jobs *jobs, char *error);

/* Number of threads for the option --jobs; 0 means one per processor. */
int jobs_threads(int64_t requested);
