// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/thread_pool.h"

#include <check.h>

enum { JOBS = 300, SIZE = 4 };

typedef struct {
    int done[THREAD_POOL_MAX]; // by each worker
} Work;

static void work(void *ctx, int worker)
{
    ((Work *)ctx)->done[worker]++;
}

START_TEST(every_worker_does_every_job_once)
{
    const int size = _i;
    Work all = {0};
    ThreadPool *const pool = thread_pool_create(size);
    ck_assert_ptr_nonnull(pool);
    ck_assert_int_eq(thread_pool_size(pool), size);
    for (int job = 1; job <= JOBS; job++) {
        thread_pool_run(pool, work, &all);
        for (int i = 0; i < size; i++)
            ck_assert_int_eq(all.done[i], job); // and not later
    }
    ck_assert_int_eq(all.done[size], 0);
    thread_pool_free(pool);
}
END_TEST

START_TEST(a_pool_without_a_job_can_be_freed)
{
    thread_pool_free(thread_pool_create(SIZE));
    thread_pool_free(NULL);
}
END_TEST

Suite *suite_thread_pool(void);
Suite *suite_thread_pool(void)
{
    Suite *suite = suite_create("thread_pool");
    TCase *tcase = tcase_create("thread_pool");
    tcase_set_timeout(tcase, 20);
    tcase_add_loop_test(tcase, every_worker_does_every_job_once, 1, SIZE + 1);
    tcase_add_test(tcase, a_pool_without_a_job_can_be_freed);
    suite_add_tcase(suite, tcase);
    return suite;
}
