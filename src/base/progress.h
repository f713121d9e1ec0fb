// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A progress bar on stderr with the estimated time left. On a terminal the bar is redrawn in place,
 * at most four times a second, and shortened to its width; elsewhere a line is printed after each
 * tenth of the task. Hand-written because code that uses a terminal library would be longer. */

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *label; // not copied: must outlive the bar
    const char *note;  // not copied; shown after the bar, may change at any time; NULL: none
    uint64_t total;
    int64_t start_ms;
    int64_t drawn_ms;  // time of the last drawing
    int drawn_columns; // of the last drawing on a terminal
    int tenths_printed;
    bool is_terminal;
} Progress;

enum {
    PROGRESS_TIME_MAX = 32,
    PROGRESS_REDRAW_MS = 250 // least time between two drawings on a terminal
};

/* Writes a duration to `text` (PROGRESS_TIME_MAX bytes): "1:02:03", or "2:03" below an hour. */
void progress_format_time(char *text, int64_t ms);

/* Starts the bar of a task of `total` steps; a total of 0 counts as done. With `label` NULL the bar
 * shows nothing, as does one of zero bytes that was never started. */
void progress_start(Progress *progress, const char *label, uint64_t total);

/* Reports that `done` steps are finished. Cheap enough for a call every few milliseconds. Only one
 * thread may use a bar. */
void progress_update(Progress *progress, uint64_t done);

/* Wipes the bar off a terminal, so that the caller can print a line there; the next update draws it
 * again. */
void progress_clear(Progress *progress);

/* Ends the bar. When the task is done, prints the time taken; otherwise leaves the last drawing of
 * the bar on the screen. */
void progress_end(Progress *progress, bool is_done);
