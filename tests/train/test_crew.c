// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/crew.h"

#include <check.h>
#include <stdint.h>

enum { JOBS = 300, SIZE = 4 };

typedef struct {
    int done[CREW_MAX]; // by each member
} Work;

static void work(void *ctx, int member)
{
    ((Work *)ctx)->done[member]++;
}

START_TEST(every_member_does_every_job_once)
{
    const int size = _i;
    Work all = {0};
    Crew *const crew = crew_create(size);
    ck_assert_ptr_nonnull(crew);
    ck_assert_int_eq(crew_size(crew), size);
    for (int job = 1; job <= JOBS; job++) {
        crew_run(crew, work, &all);
        for (int i = 0; i < size; i++)
            ck_assert_int_eq(all.done[i], job); // and not later
    }
    ck_assert_int_eq(all.done[size], 0);
    crew_free(crew);
}
END_TEST

START_TEST(a_crew_without_a_job_goes_home)
{
    crew_free(crew_create(SIZE));
    crew_free(NULL);
}
END_TEST

Suite *suite_crew(void);
Suite *suite_crew(void)
{
    Suite *suite = suite_create("crew");
    TCase *tcase = tcase_create("crew");
    tcase_set_timeout(tcase, 20);
    tcase_add_loop_test(tcase, every_member_does_every_job_once, 1, SIZE + 1);
    tcase_add_test(tcase, a_crew_without_a_job_goes_home);
    suite_add_tcase(suite, tcase);
    return suite;
}
