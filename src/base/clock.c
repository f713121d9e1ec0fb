// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/clock.h"

#include <stdio.h>
#include <time.h>

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#endif

int64_t clock_ms(void)
{
    return clock_us() / 1000;
}

#ifdef __EMSCRIPTEN__
/* The clock of scripts/web/package/api.js, which is the same in all web workers. */
EM_JS(double, clock_of_workers_us, (void), { return Palimpsest.clockUs(); });

int64_t clock_us(void)
{
    return (int64_t)clock_of_workers_us();
}

int64_t clock_thread_us(void)
{
    return clock_us();
}

int64_t clock_process_us(void)
{
    return clock_us();
}
#else
static int64_t microseconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int64_t clock_us(void)
{
    return microseconds(CLOCK_MONOTONIC);
}

int64_t clock_thread_us(void)
{
    return microseconds(CLOCK_THREAD_CPUTIME_ID);
}

/* clock() of <time.h> counts waiting as well on Windows, and has only 32 bits there. */
int64_t clock_process_us(void)
{
    return microseconds(CLOCK_PROCESS_CPUTIME_ID);
}
#endif

void clock_sleep_ms(int ms)
{
    /* A signal ends a sleep early, so sleep again until the end time. */
    const int64_t end_us = clock_us() + (int64_t)ms * 1000;
    for (int64_t left_us = (int64_t)ms * 1000; left_us > 0; left_us = end_us - clock_us()) {
        const struct timespec t = {.tv_sec = left_us / 1000000,
                                   .tv_nsec = (long)(left_us % 1000000) * 1000};
        nanosleep(&t, NULL);
    }
}

int64_t clock_calendar_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec;
}

/* Here a year begins on 1 March, so that the leap day is its last day. The calendar repeats after
 * an era of 400 years, or 146097 days (Baum 1998). */
void clock_date(int64_t calendar_s, char *text, size_t size)
{
    const int64_t day_s = 86400, first = -719528, last = 2932896; // 0000-01-01, 9999-12-31
    int64_t days = calendar_s / day_s - (calendar_s % day_s < 0);
    days = days < first ? first : days > last ? last : days;
    const int64_t from_march = days + 719468 + 146097; // since 1 March of the year -400
    const int64_t era = from_march / 146097, day = from_march % 146097;
    const int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    const int64_t of_year = day - (365 * year + year / 4 - year / 100);
    const int64_t month = (5 * of_year + 2) / 153; // 0 is March
    snprintf(text, size, "%04d-%02d-%02d", (int)(year + era * 400 - 400 + (month >= 10)),
             (int)(month < 10 ? month + 3 : month - 9), (int)(of_year - (153 * month + 2) / 5 + 1));
}

void clock_time_of_day(char *text, size_t size)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    const unsigned second = (unsigned)(t.tv_sec % 86400);
    snprintf(text, size, "%02u:%02u:%02u.%06u", second / 3600 % 24, second / 60 % 60, second % 60,
             (unsigned)(t.tv_nsec / 1000 % 1000000));
}
