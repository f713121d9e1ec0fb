// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/clock.h"

#include <stdio.h>
#include <time.h>

int64_t clock_ms(void)
{
    return clock_us() / 1000;
}

int64_t clock_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

void clock_sleep_ms(int ms)
{
    /* A signal cuts a sleep short, so sleep towards a moment instead of for a time. */
    const int64_t end_us = clock_us() + (int64_t)ms * 1000;
    for (int64_t left_us = (int64_t)ms * 1000; left_us > 0; left_us = end_us - clock_us()) {
        const struct timespec t = {.tv_sec = left_us / 1000000,
                                   .tv_nsec = (long)(left_us % 1000000) * 1000};
        nanosleep(&t, NULL);
    }
}

void clock_time_of_day(char *text, size_t size)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    const unsigned second = (unsigned)(t.tv_sec % 86400);
    snprintf(text, size, "%02u:%02u:%02u.%06u", second / 3600 % 24, second / 60 % 60, second % 60,
             (unsigned)(t.tv_nsec / 1000 % 1000000));
}
