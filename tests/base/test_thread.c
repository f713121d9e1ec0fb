// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/thread.h"

#include "base/clock.h"

#include <check.h>
#include <string.h>

typedef struct {
    Mutex mutex;
    Cond cond;
    int count;
    bool is_open;
} Shared;

static void shared_init(Shared *shared)
{
    *shared = (Shared){0};
    mutex_init(&shared->mutex);
    cond_init(&shared->cond);
}

static void shared_destroy(Shared *shared)
{
    cond_destroy(&shared->cond);
    mutex_destroy(&shared->mutex);
}

static void *count_up(void *arg)
{
    Shared *shared = arg;
    for (int i = 0; i < 20000; i++) {
        mutex_lock(&shared->mutex);
        shared->count++;
        mutex_unlock(&shared->mutex);
    }
    return &shared->count;
}

START_TEST(mutex_keeps_every_count_and_join_returns_the_result)
{
    Shared shared;
    shared_init(&shared);
    Thread threads[4];
    for (int i = 0; i < 4; i++)
        ck_assert(thread_start(&threads[i], count_up, &shared));
    for (int i = 0; i < 4; i++)
        ck_assert_ptr_eq(thread_join(&threads[i]), &shared.count);
    ck_assert_int_eq(shared.count, 80000);
    shared_destroy(&shared);
}
END_TEST

static void *wait_for_gate(void *arg)
{
    Shared *shared = arg;
    mutex_lock(&shared->mutex);
    while (!shared->is_open)
        cond_wait(&shared->cond, &shared->mutex);
    shared->count++;
    mutex_unlock(&shared->mutex);
    return NULL;
}

START_TEST(broadcast_wakes_all_waiters)
{
    Shared shared;
    shared_init(&shared);
    Thread threads[4];
    for (int i = 0; i < 4; i++)
        ck_assert(thread_start(&threads[i], wait_for_gate, &shared));
    clock_sleep_ms(20);
    mutex_lock(&shared.mutex);
    ck_assert_int_eq(shared.count, 0);
    shared.is_open = true;
    cond_broadcast(&shared.cond);
    mutex_unlock(&shared.mutex);
    for (int i = 0; i < 4; i++)
        thread_join(&threads[i]);
    ck_assert_int_eq(shared.count, 4);
    shared_destroy(&shared);
}
END_TEST

START_TEST(timed_wait_ends_without_a_signal)
{
    Shared shared;
    shared_init(&shared);
    mutex_lock(&shared.mutex);
    const int64_t start_ms = clock_ms();
    bool is_signalled = true;
    while (is_signalled)
        is_signalled = cond_wait_ms(&shared.cond, &shared.mutex, 1050);
    const int64_t waited_ms = clock_ms() - start_ms;
    ck_assert_msg(waited_ms >= 1049 && waited_ms < 3000, "waited %d ms", (int)waited_ms);
    ck_assert(!cond_wait_ms(&shared.cond, &shared.mutex, -1));
    mutex_unlock(&shared.mutex);
    shared_destroy(&shared);
}
END_TEST

static void *signal_gate(void *arg)
{
    Shared *shared = arg;
    clock_sleep_ms(20);
    mutex_lock(&shared->mutex);
    shared->is_open = true;
    cond_signal(&shared->cond);
    mutex_unlock(&shared->mutex);
    return NULL;
}

START_TEST(timed_wait_ends_early_when_signalled)
{
    Shared shared;
    shared_init(&shared);
    Thread thread;
    mutex_lock(&shared.mutex);
    ck_assert(thread_start(&thread, signal_gate, &shared));
    const int64_t start_ms = clock_ms();
    while (!shared.is_open)
        ck_assert(cond_wait_ms(&shared.cond, &shared.mutex, 60000));
    mutex_unlock(&shared.mutex);
    ck_assert_int_lt(clock_ms() - start_ms, 5000);
    thread_join(&thread);
    shared_destroy(&shared);
}
END_TEST

START_TEST(wait_with_a_deadline_ends_when_it_is_over)
{
    Shared shared;
    shared_init(&shared);
    mutex_lock(&shared.mutex);
    const int64_t start_ms = clock_ms(), deadline_ms = start_ms + 200;
    bool has_time = true;
    while (has_time)
        has_time = cond_wait_until(&shared.cond, &shared.mutex, deadline_ms);
    ck_assert_int_ge(clock_ms(), deadline_ms);
    ck_assert_int_lt(clock_ms() - start_ms, 3000);
    ck_assert(!cond_wait_until(&shared.cond, &shared.mutex, start_ms));
    mutex_unlock(&shared.mutex);
    shared_destroy(&shared);
}
END_TEST

START_TEST(wait_with_a_deadline_ends_early_when_signalled)
{
    Shared shared;
    shared_init(&shared);
    Thread thread;
    mutex_lock(&shared.mutex);
    ck_assert(thread_start(&thread, signal_gate, &shared));
    const int64_t start_ms = clock_ms();
    while (!shared.is_open)
        ck_assert(cond_wait_until(&shared.cond, &shared.mutex, start_ms + 60000));
    mutex_unlock(&shared.mutex);
    ck_assert_int_lt(clock_ms() - start_ms, 5000);
    thread_join(&thread);
    shared_destroy(&shared);
}
END_TEST

/* Computes for 50 ms of processor time. */
static void *compute(void *arg)
{
    const int64_t start_us = clock_thread_us();
    while (clock_thread_us() - start_us < 50000)
        ;
    return arg;
}

START_TEST(processor_time_is_that_of_all_threads_without_waiting)
{
    Thread threads[2];
    const int64_t start_us = clock_process_us();
    for (int i = 0; i < 2; i++)
        ck_assert(thread_start(&threads[i], compute, NULL));
    for (int i = 0; i < 2; i++)
        thread_join(&threads[i]);
    clock_sleep_ms(300);
    const int64_t used_us = clock_process_us() - start_us;
    ck_assert_msg(used_us >= 100000 && used_us < 300000, "used %d us", (int)used_us);
}
END_TEST

static void *use_stack(void *arg)
{
    char frame[6 << 20];
    memset(frame, *(const char *)arg, sizeof frame);
    return memchr(frame, 0, sizeof frame) ? NULL : arg;
}

START_TEST(threads_have_a_deep_stack)
{
    char mark = 'x';
    Thread thread;
    ck_assert(thread_start(&thread, use_stack, &mark));
    ck_assert_ptr_eq(thread_join(&thread), &mark);
}
END_TEST

START_TEST(the_machine_has_a_processor)
{
    ck_assert_int_ge(thread_hardware_count(), 1);
    ck_assert_int_le(thread_hardware_count(), 65536);
    ck_assert_int_ge(thread_limit(), thread_hardware_count());
}
END_TEST

static const struct {
    int64_t calendar_s;
    const char *date;
} DATES[] = {
    {0, "1970-01-01"},
    {86399, "1970-01-01"},
    {86400, "1970-01-02"},
    {-1, "1969-12-31"},
    {951782400, "2000-02-29"},
    {951868800, "2000-03-01"},
    {1709164800, "2024-02-29"},
    {1795219200, "2026-11-21"},
    {4107542400, "2100-03-01"},
    {4107456000, "2100-02-28"},
    {-62167219200, "0000-01-01"},
    {-62167219201, "0000-01-01"},
    {253402300799, "9999-12-31"},
    {INT64_MAX, "9999-12-31"},
    {INT64_MIN, "0000-01-01"},
};

START_TEST(dates_follow_the_calendar)
{
    char text[11];
    clock_date(DATES[_i].calendar_s, text, sizeof text);
    ck_assert_str_eq(text, DATES[_i].date);
    ck_assert_int_gt(clock_calendar_s(), 1700000000);
}
END_TEST

START_TEST(clock_advances_by_the_time_slept)
{
    const int64_t start_us = clock_us(), start_ms = clock_ms();
    clock_sleep_ms(30);
    ck_assert_int_ge(clock_us() - start_us, 30000);
    ck_assert_int_ge(clock_ms() - start_ms, 29);
    const int64_t before_ms = clock_ms();
    clock_sleep_ms(0);
    clock_sleep_ms(-1000);
    ck_assert_int_lt(clock_ms() - before_ms, 500);
}
END_TEST

START_TEST(time_of_day_has_its_full_format)
{
    char text[16];
    memset(text, 'x', sizeof text);
    clock_time_of_day(text, sizeof text);
    static const char *const PICTURE = "dd:dd:dd.dddddd";
    ck_assert_uint_eq(strlen(text), strlen(PICTURE));
    for (int i = 0; PICTURE[i]; i++)
        ck_assert_msg(PICTURE[i] == 'd' ? text[i] >= '0' && text[i] <= '9' : text[i] == PICTURE[i],
                      "%s", text);
}
END_TEST

Suite *suite_thread(void);
Suite *suite_thread(void)
{
    Suite *suite = suite_create("thread");
    TCase *tcase = tcase_create("thread");
    tcase_set_timeout(tcase, 20);
    tcase_add_test(tcase, mutex_keeps_every_count_and_join_returns_the_result);
    tcase_add_test(tcase, broadcast_wakes_all_waiters);
    tcase_add_test(tcase, timed_wait_ends_without_a_signal);
    tcase_add_test(tcase, timed_wait_ends_early_when_signalled);
    tcase_add_test(tcase, wait_with_a_deadline_ends_when_it_is_over);
    tcase_add_test(tcase, wait_with_a_deadline_ends_early_when_signalled);
    tcase_add_test(tcase, processor_time_is_that_of_all_threads_without_waiting);
    tcase_add_test(tcase, threads_have_a_deep_stack);
    tcase_add_test(tcase, the_machine_has_a_processor);
    tcase_add_loop_test(tcase, dates_follow_the_calendar, 0, (int)(sizeof DATES / sizeof DATES[0]));
    tcase_add_test(tcase, clock_advances_by_the_time_slept);
    tcase_add_test(tcase, time_of_day_has_its_full_format);
    suite_add_tcase(suite, tcase);
    return suite;
}
