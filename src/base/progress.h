// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A bar with the time left, on stderr, for tasks long enough to make one wonder. On a terminal it
 * is redrawn in place at most four times a second; elsewhere a line is printed at each tenth of the
 * way. */

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *label; // not copied: must outlive the bar
    const char *note;  // likewise; shown behind the bar, may be set at any time; NULL: none
    uint64_t total;
    int64_t start_ms;
    int64_t drawn_ms;
    int tenths_printed;
    bool is_terminal;
} Progress;

/* Begins a task of `total` steps; a total of 0 counts as done. */
void progress_start(Progress *progress, const char *label, uint64_t total);

/* Tells that `done` steps are behind us. Cheap enough to call every few milliseconds; one thread.
 */
void progress_update(Progress *progress, uint64_t done);

/* Ends the bar with the time taken. */
void progress_finish(Progress *progress);

/* Ends the bar of a task that was not finished, as far as it got. */
void progress_break_off(Progress *progress);
