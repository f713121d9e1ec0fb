// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/jobs.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>

#include "base/interrupt.h"

enum { COUNT = 40 };
static atomic_int runs[COUNT]; // of each job
static int bad_job, interrupting_job;

static bool run_job(void *ctx, int job, JobsState *state, char *error)
{
    (void)ctx;
    atomic_fetch_add(&runs[job], 1);
    atomic_fetch_add(&state->progress, 1);
    if (job == interrupting_job)
        raise(SIGINT);
    if (job == bad_job)
        snprintf(error, JOBS_ERROR_MAX, "job %d", job);
    return job != bad_job;
}

static void setup(void)
{
    interrupt_watch();
    bad_job = interrupting_job = -1;
    for (int i = 0; i < COUNT; i++)
        atomic_store(&runs[i], 0);
}

/* Number of jobs that ran; none may run twice. */
static int count_runs(void)
{
    int count = 0;
    for (int i = 0; i < COUNT; i++) {
        ck_assert_int_le(atomic_load(&runs[i]), 1);
        count += atomic_load(&runs[i]);
    }
    return count;
}

static JobsEnd run_all(int threads, char *error)
{
    const Jobs jobs = {
        .label = "jobs", .count = COUNT, .threads = threads, .total_steps = COUNT, .run = run_job};
    return jobs_run(&jobs, error);
}

START_TEST(each_job_runs_once)
{
    char error[JOBS_ERROR_MAX];
    ck_assert_int_eq(run_all(1 + 3 * _i, error), JOBS_DONE);
    ck_assert_int_eq(count_runs(), COUNT);
}
END_TEST

START_TEST(a_failed_job_ends_the_run_with_its_reason)
{
    char error[JOBS_ERROR_MAX] = "";
    bad_job = 5;
    ck_assert_int_eq(run_all(1, error), JOBS_FAILED);
    ck_assert_str_eq(error, "job 5");
    ck_assert_int_eq(count_runs(), 6);
}
END_TEST

START_TEST(an_interrupt_ends_the_run)
{
    char error[JOBS_ERROR_MAX];
    interrupting_job = 7;
    ck_assert_int_eq(run_all(1, error), JOBS_INTERRUPTED);
    ck_assert_int_eq(count_runs(), 8);
    interrupt_watch(); // clears the interrupt
}
END_TEST

START_TEST(zero_threads_mean_one_per_processor)
{
    ck_assert_int_ge(jobs_threads(0), 1);
    ck_assert_int_eq(jobs_threads(7), 7);
    ck_assert_int_eq(jobs_threads(JOBS_THREADS_MAX + 1), JOBS_THREADS_MAX);
}
END_TEST

Suite *suite_jobs(void);
Suite *suite_jobs(void)
{
    Suite *suite = suite_create("jobs");
    TCase *tcase = tcase_create("jobs");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_set_timeout(tcase, 30);
    tcase_add_loop_test(tcase, each_job_runs_once, 0, 2);
    tcase_add_test(tcase, a_failed_job_ends_the_run_with_its_reason);
    tcase_add_test(tcase, an_interrupt_ends_the_run);
    tcase_add_test(tcase, zero_threads_mean_one_per_processor);
    suite_add_tcase(suite, tcase);
    return suite;
}
