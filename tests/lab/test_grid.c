// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "lab/grid.h"
#include "lab/temp_file.h"

enum { COUNT = 60 };
static const char HEADER[] = "name,number,square,minus";

static int saved_stderr;
static atomic_int observed;

static void print_key(const void *ctx, int i, char *key)
{
    snprintf(key, GRID_KEY_MAX, "%s,%d", (const char *)ctx, i);
}

static bool observe(const void *ctx, int i, int64_t *values)
{
    (void)ctx;
    atomic_fetch_add(&observed, 1);
    values[0] = (int64_t)i * i;
    values[1] = -i;
    return true;
}

static bool observe_and_interrupt(const void *ctx, int i, int64_t *values)
{
    if (i == 20)
        raise(SIGINT);
    return observe(ctx, i, values);
}

static bool observe_badly(const void *ctx, int i, int64_t *values)
{
    return i != 5 && observe(ctx, i, values);
}

static GridPlan plan_of(const char *label)
{
    return (GridPlan){.label = label,
                      .header = HEADER,
                      .value_count = 2,
                      .count = COUNT,
                      .threads = 3,
                      .shard = {1, 1},
                      .csv_path = temp_file_path(),
                      .ctx = label,
                      .print_key = print_key,
                      .observe = observe};
}

/* Redirects a file descriptor to /dev/null; returns a copy of the original. */
static int silence(int handle)
{
    const int was = dup(handle), nowhere = open("/dev/null", O_WRONLY);
    ck_assert(was >= 0 && nowhere >= 0);
    dup2(nowhere, handle);
    close(nowhere);
    return was;
}

static void restore(int handle, int was)
{
    dup2(was, handle);
    close(was);
}

static void setup(void)
{
    temp_file_remove();
    fflush(stderr);
    saved_stderr = silence(STDERR_FILENO); // hides progress bars
}

static void teardown(void)
{
    restore(STDERR_FILENO, saved_stderr);
    temp_file_remove();
}

/* Runs a plan and expects this outcome and these numbers of observations found and made. */
static void expect_run(const GridPlan *plan, JobsEnd expected, int found, int made)
{
    char error[RESULTS_ERROR_MAX] = "";
    Grid grid = {0};
    atomic_store(&observed, 0);
    const JobsEnd end = grid_run(&grid, plan, error);
    ck_assert_msg(end == expected, "%d: %s", end, error);
    ck_assert_int_eq(grid.found, found);
    ck_assert_int_eq(grid.made, made);
    ck_assert_int_eq(atomic_load(&observed), made);
    int known = 0;
    for (int i = 0; i < plan->count; i++) {
        const int64_t *const values = grid_values(&grid, i);
        if (values == NULL)
            continue;
        known++;
        ck_assert_int_eq(values[0], (int64_t)i * i);
        ck_assert_int_eq(values[1], -i);
    }
    ck_assert_int_eq(known, found + made);
    grid_free(&grid);
}

START_TEST(observations_in_the_file_are_not_repeated)
{
    GridPlan plan = plan_of("a");
    plan.count = 25;
    expect_run(&plan, JOBS_DONE, 0, 25);
    plan.count = COUNT;
    expect_run(&plan, JOBS_DONE, 25, COUNT - 25);
    expect_run(&plan, JOBS_DONE, COUNT, 0);
    const GridPlan other = plan_of("b");
    expect_run(&other, JOBS_DONE, 0, COUNT);
    plan.csv_path = NULL;
    expect_run(&plan, JOBS_DONE, 0, COUNT);
}
END_TEST

START_TEST(shards_make_each_observation_once)
{
    GridPlan plan = plan_of("a");
    atomic_store(&observed, 0);
    for (int i = 1; i <= 7; i++) {
        plan.shard = (Shard){i, 7};
        const int before = atomic_load(&observed);
        char error[RESULTS_ERROR_MAX];
        Grid grid = {0};
        ck_assert_int_eq(grid_run(&grid, &plan, error), JOBS_DONE);
        ck_assert_int_eq(grid.made, atomic_load(&observed) - before);
        grid_free(&grid);
    }
    ck_assert_int_eq(atomic_load(&observed), COUNT);
    plan.shard = (Shard){1, 1};
    expect_run(&plan, JOBS_DONE, COUNT, 0);
}
END_TEST

/* Makes one of two shards of a run of the label. */
static void make_shard(const char *label, int number)
{
    GridPlan plan = plan_of(label);
    plan.shard = (Shard){number, 2};
    expect_run(&plan, JOBS_DONE, label[0] == 'a' && number == 2 ? COUNT / 2 : 0, COUNT / 2);
}

START_TEST(joined_shards_must_be_complete)
{
    GridPlan joined = plan_of("a");
    joined.is_joined = true;
    char error[RESULTS_ERROR_MAX] = "";
    Grid grid = {0};
    make_shard("a", 1);
    make_shard("b", 2); // of another setting
    ck_assert_int_eq(grid_run(&grid, &joined, error), JOBS_FAILED);
    ck_assert_ptr_nonnull(strstr(error, "30 of 60 observations are missing"));
    ck_assert_ptr_nonnull(strstr(error, "30 rows have other settings"));
    grid_free(&grid);
    make_shard("a", 2);
    expect_run(&joined, JOBS_DONE, COUNT, 0);
    temp_file_remove();
    ck_assert_int_eq(grid_run(&grid, &joined, error), JOBS_FAILED);
    grid_free(&grid);
    ck_assert_int_ne(access(temp_file_path(), F_OK), 0);
    joined.csv_path = NULL;
    ck_assert_int_eq(grid_run(&grid, &joined, error), JOBS_FAILED);
    ck_assert_ptr_nonnull(strstr(error, "--csv"));
    grid_free(&grid);
}
END_TEST

START_TEST(an_interrupt_keeps_finished_observations)
{
    GridPlan plan = plan_of("a");
    char error[RESULTS_ERROR_MAX];
    Grid grid = {0};
    plan.threads = 1;
    plan.observe = observe_and_interrupt;
    interrupt_watch();
    ck_assert(!interrupt_pending());
    ck_assert_int_eq(grid_run(&grid, &plan, error), JOBS_INTERRUPTED);
    ck_assert_int_eq(grid.made, 21);
    grid_free(&grid);
    ck_assert(interrupt_pending());
    expect_run(&plan, JOBS_INTERRUPTED, 21, 0);
    interrupt_watch(); // clears the interrupt
    plan.observe = observe;
    expect_run(&plan, JOBS_DONE, 21, COUNT - 21);
}
END_TEST

START_TEST(a_failure_ends_the_run_with_a_reason)
{
    GridPlan plan = plan_of("a");
    char error[RESULTS_ERROR_MAX] = "";
    Grid grid = {0};
    plan.threads = 1;
    plan.observe = observe_badly;
    ck_assert_int_eq(grid_run(&grid, &plan, error), JOBS_FAILED);
    ck_assert_int_eq(grid.made, 5);
    ck_assert(error[0] != '\0');
    grid_free(&grid);
    plan.observe = observe;
    expect_run(&plan, JOBS_DONE, 5, COUNT - 5);
}
END_TEST

static int reported; // number of observations in the last report; -1: none

static bool print_report(const void *ctx, const Grid *grid)
{
    ck_assert_str_eq(ctx, "a");
    reported = grid->found + grid->made;
    return true;
}

static bool print_badly(const void *ctx, const Grid *grid)
{
    return !print_report(ctx, grid);
}

/* Runs a plan with a report and expects this status and this number of observations in it. */
static void expect_report(const GridPlan *plan, GridReportFn print, ExperimentStatus expected,
                          int count)
{
    reported = -1;
    ck_assert_int_eq(grid_report(plan, print), expected);
    ck_assert_int_eq(reported, count);
}

START_TEST(the_report_has_all_known_observations)
{
    GridPlan plan = plan_of("a");
    plan.threads = 1;
    plan.observe = observe_and_interrupt;
    interrupt_watch();
    expect_report(&plan, print_report, EXPERIMENT_INTERRUPTED, 21);
    interrupt_watch(); // clears the interrupt
    plan.is_joined = true;
    expect_report(&plan, print_report, EXPERIMENT_FAILED, -1);
    plan.is_joined = false;
    plan.observe = observe;
    expect_report(&plan, print_report, EXPERIMENT_OK, COUNT);
    expect_report(&plan, print_badly, EXPERIMENT_FAILED, COUNT);
}
END_TEST

START_TEST(values_that_are_not_numbers_are_refused)
{
    FILE *const file = fopen(temp_file_path(), "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%s\na,7,49x,-7\n", HEADER);
    fclose(file);
    const GridPlan plan = plan_of("a");
    char error[RESULTS_ERROR_MAX] = "";
    Grid grid = {0};
    ck_assert_int_eq(grid_run(&grid, &plan, error), JOBS_FAILED);
    ck_assert_ptr_nonnull(strstr(error, "49x"));
    grid_free(&grid);
}
END_TEST

Suite *suite_grid(void);
Suite *suite_grid(void)
{
    Suite *suite = suite_create("grid");
    TCase *tcase = tcase_create("grid");
    tcase_set_timeout(tcase, 30);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, observations_in_the_file_are_not_repeated);
    tcase_add_test(tcase, shards_make_each_observation_once);
    tcase_add_test(tcase, joined_shards_must_be_complete);
    tcase_add_test(tcase, an_interrupt_keeps_finished_observations);
    tcase_add_test(tcase, a_failure_ends_the_run_with_a_reason);
    tcase_add_test(tcase, the_report_has_all_known_observations);
    tcase_add_test(tcase, values_that_are_not_numbers_are_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
