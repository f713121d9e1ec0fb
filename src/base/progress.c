// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.h"

#include "base/clock.h"
#include "base/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum { BAR_WIDTH = 30, TEXT_MAX = 400 };

void progress_format_time(char *text, int64_t ms)
{
    const int64_t seconds = ms / 1000;
    if (seconds >= 3600)
        snprintf(text, PROGRESS_TIME_MAX, "%" PRId64 ":%02d:%02d", seconds / 3600,
                 (int)(seconds / 60 % 60), (int)(seconds % 60));
    else
        snprintf(text, PROGRESS_TIME_MAX, "%d:%02d", (int)(seconds / 60), (int)(seconds % 60));
}

static double share_done(const Progress *progress, uint64_t done)
{
    return done < progress->total ? (double)done / (double)progress->total : 1.0;
}

static void draw(Progress *progress, double share, int64_t now_ms)
{
    char left[PROGRESS_TIME_MAX] = "?";
    if (share > 0.0)
        progress_format_time(
            left, (int64_t)((double)(now_ms - progress->start_ms) * (1.0 / share - 1.0)));
    const char *const note = progress->note != NULL ? progress->note : "";
    const char *const comma = progress->note != NULL ? ", " : "";
    if (!progress->is_terminal) {
        fprintf(stderr, "%s: %3.0f%%, %s left%s%s\n", progress->label, 100.0 * share, left, comma,
                note);
        return;
    }
    char bar[BAR_WIDTH + 1], text[TEXT_MAX];
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < (int)(share * BAR_WIDTH) ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    /* A line as wide as the terminal would scroll it. */
    const int columns = file_columns(stderr) - 1,
              most = columns < TEXT_MAX ? columns : TEXT_MAX - 1;
    int length = snprintf(text, sizeof text, "%s [%s] %3.0f%%, %s left%s%s", progress->label, bar,
                          100.0 * share, left, comma, note);
    if (length > most)
        length = snprintf(text, sizeof text, "%s: %3.0f%%, %s left%s%s", progress->label,
                          100.0 * share, left, comma, note);
    if (length > most)
        length = most;
    fprintf(stderr, "\r%-*.*s", progress->drawn_columns, length, text);
    progress->drawn_columns = length;
    progress->drawn_ms = now_ms;
}

void progress_start(Progress *progress, const char *label, uint64_t total)
{
    const int64_t now_ms = clock_ms();
    *progress = (Progress){.label = label,
                           .total = total,
                           .start_ms = now_ms,
                           .drawn_ms = now_ms - PROGRESS_REDRAW_MS,
                           .is_terminal = isatty(STDERR_FILENO) != 0};
    progress_update(progress, 0);
}

void progress_update(Progress *progress, uint64_t done)
{
    if (progress->label == NULL)
        return;
    const double share = share_done(progress, done);
    const int64_t now_ms = clock_ms();
    const int tenths = (int)(share * 10.0);
    const bool is_due = progress->is_terminal ? now_ms - progress->drawn_ms >= PROGRESS_REDRAW_MS
                                              : tenths > progress->tenths_printed;
    if (!is_due)
        return;
    draw(progress, share, now_ms);
    progress->tenths_printed = tenths;
}

void progress_clear(Progress *progress)
{
    if (progress->is_terminal)
        fprintf(stderr, "\r%*s\r", progress->drawn_columns, "");
    progress->drawn_ms = clock_ms() - PROGRESS_REDRAW_MS;
}

void progress_end(Progress *progress, bool is_done)
{
    char taken[PROGRESS_TIME_MAX];
    if (progress->label == NULL)
        return;
    if (is_done) {
        progress_clear(progress);
        progress_format_time(taken, clock_ms() - progress->start_ms);
        fprintf(stderr, "%s: done in %s\n", progress->label, taken);
    } else if (progress->is_terminal) {
        fputc('\n', stderr);
    }
}
