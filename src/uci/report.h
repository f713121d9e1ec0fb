// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the search reports, as lines of the protocol. Here the engine's unit becomes the centipawn
 * of the GUI. */

#include "search/job.h"
#include "uci/output.h"

enum { REPORT_TEXT_MAX = 2048 }; // bytes that hold any report's text

/* How reports are written. */
typedef struct {
    bool chess960;  // castling as king takes rook
    bool shows_wdl; // beside the score, how many of a thousand games are won, drawn and lost
    int material;   // of the root, which that depends on
} ReportStyle;

/* The reader of reports: where they go and how. */
typedef struct {
    Output *out;
    ReportStyle style;
} ReportWriter;

/* The score as `cp 31` or `mate -2`, without bounds. `out` holds REPORT_SCORE_MAX bytes. */
enum { REPORT_SCORE_MAX = 32 };
void report_score(Score score, char *out);

/* The report as one line without its end. `out` holds REPORT_TEXT_MAX bytes. */
void report_format(const Report *report, ReportStyle style, char *out);

/* Prints the report: the ReportFn of every search the front end starts; `writer` is a ReportWriter.
 */
void report_write(void *writer, const Report *report);
