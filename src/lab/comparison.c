// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Natural logarithm of the compared value; false when it is unknown. */
static bool log_value(const Comparison *comparison, int row, int column, double *result)
{
    const int64_t *const values = grid_values(comparison->grid, row * comparison->columns + column);
    if (values == NULL || values[comparison->value] <= 0)
        return false;
    *result = log((double)values[comparison->value]);
    return true;
}

Comparison comparison_make(const Grid *grid, int rows, int columns, int value)
{
    return (Comparison){.grid = grid,
                        .rows = rows,
                        .columns = columns,
                        .value = value,
                        .pairs = malloc((size_t)rows * sizeof(RatioPair))};
}

void comparison_free(Comparison *comparison)
{
    free(comparison->pairs);
    *comparison = (Comparison){0};
}

Ratio comparison_ratio(const Comparison *comparison, int numerator, int denominator)
{
    int count = 0;
    for (int row = 0; row < comparison->rows; row++) {
        double above, below;
        if (!log_value(comparison, row, numerator, &above) ||
            !log_value(comparison, row, denominator, &below))
            continue;
        comparison->pairs[count++] = (RatioPair){
            .log_ratio = above - below,
            .group = comparison->group != NULL ? comparison->group(comparison->ctx, row) : row};
    }
    return ratio_of(comparison->pairs, count);
}

double comparison_mean(const Comparison *comparison, int column)
{
    double sum = 0.0, logarithm;
    int count = 0;
    for (int row = 0; row < comparison->rows; row++)
        if (log_value(comparison, row, column, &logarithm)) {
            sum += logarithm;
            count++;
        }
    return count > 0 ? exp(sum / count) : 0.0;
}

void comparison_print(const Comparison *comparison, int first, int count, int reference,
                      const char *(*name)(int i), const char *const headings[2])
{
    printf("%-14s %10s %12s %9s %19s\n", headings[0], headings[1], "nodes", "ratio",
           "95% interval");
    for (int i = 0; i < count; i++) {
        const Ratio ratio = comparison_ratio(comparison, first + i, reference);
        printf("%-14s %10d %12.0f", name(i), ratio.pairs, comparison_mean(comparison, first + i));
        if (ratio.pairs == 0)
            printf(" %9s\n", "-");
        else if (first + i == reference)
            printf(" %9.4f\n", ratio.mean);
        else
            printf(" %9.4f   %7.4f .. %7.4f\n", ratio.mean, ratio.low, ratio.high);
    }
}
