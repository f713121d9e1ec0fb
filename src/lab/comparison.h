// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Cells of an experiment set against each other: a grid (grid.h) of which each row was searched in
 * every column's way. Rows of one game count as one piece of evidence (ratio.h). */

#include "lab/grid.h"
#include "lab/ratio.h"

typedef struct {
    const Grid *grid; // `rows` times `columns` observations, row after row
    int rows, columns;
    int value; // of each observation; observations where it is not above 0 do not count
    int (*group)(const void *ctx, int row); // see RatioPair; NULL: each row is one
    const void *ctx;
    RatioPair *pairs; // `rows` of them, to work with
} Comparison;

/* The ratio of column `of` to column `to` over the rows where both are known. */
Ratio comparison_ratio(const Comparison *comparison, int of, int to);

/* The table of `count` neighbouring columns, named by `name`, set against column `to`: rows known
 * to both, mean and ratio. `headings` are those of the names and of the rows. */
void comparison_print(const Comparison *comparison, int first, int count, int to,
                      const char *(*name)(int i), const char *const headings[2]);

/* The geometric mean of a column; 0 where nothing is known. */
double comparison_mean(const Comparison *comparison, int column);
