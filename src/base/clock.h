// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A monotonic clock for durations, and the calendar time for logs. All functions may be called from
 * any thread. */

#include <stddef.h>
#include <stdint.h>

/* Milliseconds since an arbitrary fixed moment. Never runs backwards. */
int64_t clock_ms(void);

/* Microseconds since the same moment. */
int64_t clock_us(void);

/* Microseconds of processor time that the calling thread has had; where the system cannot tell, the
 * same as clock_us(). */
int64_t clock_thread_us(void);

/* The steps in which clock_thread_us() advances, in microseconds; 0: so fine that they do not
 * matter. Windows charges a thread with the whole tick of the scheduler that finds it running. */
#ifdef _WIN32
enum { CLOCK_THREAD_STEP_US = 15625 };
#else
enum { CLOCK_THREAD_STEP_US = 0 };
#endif

/* Processor time that all threads of the process together have used, in microseconds; in the web
 * build the same as clock_us(). */
int64_t clock_process_us(void);

/* Sleeps for at least `ms` milliseconds; returns at once when `ms` <= 0. */
void clock_sleep_ms(int ms);

/* Seconds since 1970 by the system's calendar clock. Users can set that clock back, so do not order
 * events by it. */
int64_t clock_calendar_s(void);

/* Writes the UTC date of `calendar_s` as "2026-11-21" and a NUL to `text` (11 bytes suffice). Dates
 * outside the years 0 to 9999 become the nearest date inside. */
void clock_date(int64_t calendar_s, char *text, size_t size);

/* Writes the present time in UTC as "hh:mm:ss.uuuuuu" and a NUL to `text` (16 bytes suffice). */
void clock_time_of_day(char *text, size_t size);
