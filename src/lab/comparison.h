// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Compares the columns of a grid (grid.h) over its rows: geometric means, and ratios with
 * confidence intervals. Rows of one game count as one piece of evidence (ratio.h). */

#include "lab/grid.h"
#include "lab/ratio.h"

typedef struct {
    const Grid *grid; // rows * columns observations, row by row
    int rows, columns;
    int value; // index of the value to compare; observations where it is <= 0 are ignored
    int (*group)(const void *ctx, int row); // group of a row, see RatioPair; NULL: the row itself
    const void *ctx;
    RatioPair *pairs; // buffer of `rows` elements
} Comparison;

/* A comparison without groups; NULL in `pairs` when memory is short. Release with
 * comparison_free(). */
Comparison comparison_make(const Grid *grid, int rows, int columns, int value);
void comparison_free(Comparison *comparison);

/* The ratio of column `numerator` to column `denominator`, over the rows where both are known. */
Ratio comparison_ratio(const Comparison *comparison, int numerator, int denominator);

/* The geometric mean of a column; 0 when nothing is known. */
double comparison_mean(const Comparison *comparison, int column);

/* Prints one table per size of the transposition table. The columns are in blocks, one per size,
 * and a block has `count` columns; each is compared with column `reference` of its block. */
typedef struct {
    const uint64_t *sizes; // MiB
    int size_count;
    int count, reference;
    const char *(*name)(int i); // of column `i` of each block
    const char *names, *rows;   // headings of the names and of the numbers of rows
} ComparisonTables;
void comparison_print(const Comparison *comparison, const ComparisonTables *tables);
