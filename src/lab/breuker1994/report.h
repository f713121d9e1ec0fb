// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What came out of the replacement experiment, beside what the paper printed: its tables 1 to 3,
 * nodes against table size, spread, saving per doubling, and its claims. */

#include <stdio.h>

#include "lab/results.h"

typedef enum { REPORT_TEXT, REPORT_MARKDOWN } ReportStyle;

/* Prints a report for each suite, history fate and kind of quiescence among the rows. False with
 * the reason in `error` (RESULTS_ERROR_MAX bytes). */
bool replacement_report(const Results *results, ReportStyle style, FILE *out, char *error);
