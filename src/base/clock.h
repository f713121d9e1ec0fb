// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A clock that only goes forward, whatever happens to the time of day; its zero is arbitrary. And,
 * for logs, the time of day. */

#include <stddef.h>
#include <stdint.h>

/* Milliseconds since a fixed moment. Any thread. */
int64_t clock_ms(void);

/* Microseconds since the same moment. Any thread. */
int64_t clock_us(void);

/* Sleeps for at least `ms` milliseconds; returns at once when `ms` <= 0. */
void clock_sleep_ms(int ms);

/* Seconds since 1970 by the system's calendar, which anyone may set back: for telling when
 * something was, never for deciding what comes first. Any thread. */
int64_t clock_calendar_s(void);

/* Writes such a moment's date, UTC, as "2026-11-21" and a NUL; moments beyond the years 0 to 9999
 * become the nearest of these. 11 bytes hold it. Any thread. */
void clock_date(int64_t calendar_s, char *text, size_t size);

/* Writes the time of day, UTC, as "hh:mm:ss.uuuuuu" and a NUL; 16 bytes hold it. Any thread. */
void clock_time_of_day(char *text, size_t size);
