// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The report of the replacement experiment: our results compared with tables 1 to 3 of the paper,
 * nodes by table size, spread between the schemes, saving per doubling of the table, and the claims
 * of the paper. */

#include <stdio.h>

#include "lab/results.h"

typedef enum { REPORT_TEXT, REPORT_MARKDOWN } ReplacementReportStyle;

typedef struct {
    ReplacementReportStyle style;
    int positions_per_row; // each row is the sum over this number of positions; usually 1
    int max_claim_ply;     // test the claims at most at this depth
} ReportForm;

/* Prints one report per group of rows (setting_same_group()) to `out`. False, with the reason in
 * `error` (RESULTS_ERROR_MAX bytes), when a row is malformed or memory is short. */
bool replacement_report(const Results *results, const ReportForm *form, FILE *out, char *error);
