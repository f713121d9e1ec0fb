// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Compares the columns of a grid (grid.h) over its rows: geometric means, and ratios with
 * confidence intervals. Correlated rows, such as the positions of one game, form a group
 * (ratio.h). */

#include "lab/grid.h"
#include "lab/positions.h"
#include "lab/ratio.h"

typedef struct {
    const Grid *grid; // rows * columns observations, row by row; must outlive this
    int rows, columns;
    int value; // index of the value to compare; observations with a value <= 0 are ignored
    const PositionSet *set; // its positions are the rows, grouped by game; NULL: no groups
    MeanValue *pairs;       // buffer of `rows` elements
} Comparison;

/* Makes a comparison without a set; `pairs` is NULL when memory is short. Free with
 * comparison_free(). */
Comparison comparison_make(const Grid *grid, int rows, int columns, int value);
void comparison_free(Comparison *comparison);

/* The ratio of column `numerator` to column `denominator`, over the rows that have both values.
 * Uses the buffer: one thread at a time. */
Ratio comparison_ratio(const Comparison *comparison, int numerator, int denominator);

/* The geometric mean of a column over the rows that have its value; 0 without such rows. */
double comparison_mean(const Comparison *comparison, int column);

/* Prints one table per size of the transposition table to stdout. The columns of the grid are in
 * blocks of `count` columns, one block per size. Each column is compared with column `reference` of
 * its block. */
typedef struct {
    const uint64_t *sizes; // MiB
    int size_count;
    int count, reference;
    const char *(*name)(int i); // of column `i` of each block
    const char *name_heading;   // of the column of names
    const char *row_heading;    // of the column with the number of rows compared
} ComparisonTables;
void comparison_print(const Comparison *comparison, const ComparisonTables *tables);

/* How the searches of a column differ from those of another column, the reference. */
typedef struct {
    int positions;        // with both searches
    double moves, scores; // shares of the positions with another best move, another score
    double distance;      // mean difference of the scores, in internal units
    double nodes;         // geometric mean of the ratios; searches without nodes do not count
} SearchChange;

/* Where a search has its results among the values of an observation. */
typedef struct {
    int nodes, score, best;
} SearchValues;

/* Compares `column` with `reference` over the `rows` positions of a grid. */
SearchChange comparison_change(const Grid *grid, int rows, int columns, SearchValues values,
                               int column, int reference);

/* The end of a line of a table with this heading, with the line break. */
#define SEARCH_CHANGE_HEADING "     moves    scores   distance    nodes\n"
void comparison_print_change(const SearchChange *change);
