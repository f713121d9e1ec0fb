// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Converts the reports of a search into UCI lines, and scores from the engine's unit into
 * centipawns (winrate.h). Tablebase wins and mates are not scaled. */

#include "search/job.h"
#include "uci/output.h"

enum { REPORT_TEXT_MAX = 2048 }; // longest line, in bytes

/* How reports are written. */
typedef struct {
    bool chess960;  // castling is written as king takes rook
    bool shows_wdl; // adds expected wins, draws and losses per thousand
    int material;   // pos_material() of the root; centipawns, wins, draws and losses depend on it
} ReportStyle;

/* Context of report_write(). */
typedef struct {
    Output *out;
    ReportStyle style;
} ReportWriter;

/* Returns the centipawns of a score that is no mate. `material` is pos_material() of the position,
 * or of the root of the search. */
int report_centipawns(Score score, int material);

/* Writes the score as `cp 31` or `mate -2`, without bound. `material` is pos_material() of the
 * position, or of the root of the search; `out` holds REPORT_SCORE_MAX bytes. */
enum { REPORT_SCORE_MAX = 32 };
void report_score(Score score, int material, char *out);

/* Writes the report as one line without line end. `out` holds REPORT_TEXT_MAX bytes. */
void report_format(const Report *report, ReportStyle style, char *out);

/* Prints the report. A ReportFn; `writer` is a ReportWriter. Any thread. */
void report_write(void *writer, const Report *report);
