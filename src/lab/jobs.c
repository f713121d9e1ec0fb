// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/jobs.h"

#include <assert.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/thread.h"

enum { POLL_MS = 100 }; // between two updates of the progress bar

typedef struct {
    const Jobs *jobs;
    JobsState state;
    char *error;
    Mutex mutex;     // guards `error` and all below
    int next;        // job to start next
    int active;      // threads that have not ended
    bool has_failed; // a job has failed, and `error` is set
} JobsRun;

/* Records the first failure and stops the run. */
static void fail(JobsRun *run, const char *reason)
{
    mutex_lock(&run->mutex);
    if (!run->has_failed)
        text_copy(run->error, JOBS_ERROR_MAX, reason);
    run->has_failed = true;
    mutex_unlock(&run->mutex);
    atomic_store_explicit(&run->state.stop, true, memory_order_relaxed);
}

/* Returns the next job. Returns -1 when the thread must end; it then no longer counts as active. */
static int next_job(JobsRun *run)
{
    mutex_lock(&run->mutex);
    const bool is_over = run->next == run->jobs->count || run->has_failed || interrupt_pending();
    const int job = is_over ? -1 : run->next++;
    run->active -= is_over;
    mutex_unlock(&run->mutex);
    return job;
}

static void *work(void *arg)
{
    JobsRun *const run = arg;
    for (int job = next_job(run); job >= 0; job = next_job(run)) {
        char error[JOBS_ERROR_MAX] = "";
        if (!run->jobs->run(run->jobs->ctx, job, &run->state, error))
            fail(run, error);
    }
    return NULL;
}

/* Updates the progress bar and passes an interrupt on to the jobs until all threads have ended. */
static void show_progress(JobsRun *run)
{
    Progress progress;
    progress_start(&progress, run->jobs->label, run->jobs->total_steps);
    for (bool is_over = false; !is_over; clock_sleep_ms(is_over ? 0 : POLL_MS)) {
        if (interrupt_pending())
            atomic_store_explicit(&run->state.stop, true, memory_order_relaxed);
        mutex_lock(&run->mutex);
        is_over = run->active == 0;
        mutex_unlock(&run->mutex);
        progress_update(&progress,
                        atomic_load_explicit(&run->state.progress, memory_order_relaxed));
    }
    progress_end(&progress, !atomic_load_explicit(&run->state.stop, memory_order_relaxed));
}

JobsEnd jobs_run(const Jobs *jobs, char *error)
{
    assert(jobs->count > 0 && 1 <= jobs->threads && jobs->threads <= JOBS_THREADS_MAX);
    const int wanted = jobs->threads < jobs->count ? jobs->threads : jobs->count;
    Thread threads[JOBS_THREADS_MAX];
    JobsRun run = {.jobs = jobs, .error = error, .active = wanted};
    mutex_init(&run.mutex);
    int started = 0;
    while (started < wanted && thread_start(&threads[started], work, &run))
        started++;
    mutex_lock(&run.mutex);
    run.active -= wanted - started;
    mutex_unlock(&run.mutex);
    if (started == 0)
        fail(&run, "no thread could be started");
    else
        show_progress(&run);
    for (int i = 0; i < started; i++)
        thread_join(&threads[i]);
    mutex_destroy(&run.mutex);
    if (run.has_failed)
        return JOBS_FAILED;
    return interrupt_pending() ? JOBS_INTERRUPTED : JOBS_DONE;
}

int jobs_threads(int64_t requested)
{
    if (requested == 0)
        requested = thread_hardware_count();
    return requested < JOBS_THREADS_MAX ? (int)requested : JOBS_THREADS_MAX;
}
