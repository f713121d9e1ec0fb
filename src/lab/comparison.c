// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/comparison.h"

#include <math.h>
#include <stdio.h>

/* The logarithm of what is compared; false where it is not known. */
static bool log_value(const Comparison *comparison, int row, int column, double *log_of_it)
{
    const int64_t *const values = grid_values(comparison->grid, row * comparison->columns + column);
    if (values == NULL || values[comparison->value] <= 0)
        return false;
    *log_of_it = log((double)values[comparison->value]);
    return true;
}

Ratio comparison_ratio(const Comparison *comparison, int of, int to)
{
    int count = 0;
    for (int row = 0; row < comparison->rows; row++) {
        double one, other;
        if (!log_value(comparison, row, of, &one) || !log_value(comparison, row, to, &other))
            continue;
        comparison->pairs[count++] = (RatioPair){
            .log_ratio = one - other,
            .group = comparison->group != NULL ? comparison->group(comparison->ctx, row) : row};
    }
    return ratio_of(comparison->pairs, count);
}

double comparison_mean(const Comparison *comparison, int column)
{
    double sum = 0.0, one;
    int count = 0;
    for (int row = 0; row < comparison->rows; row++)
        if (log_value(comparison, row, column, &one)) {
            sum += one;
            count++;
        }
    return count > 0 ? exp(sum / count) : 0.0;
}

void comparison_print(const Comparison *comparison, int first, int count, int to,
                      const char *(*name)(int i), const char *const headings[2])
{
    printf("%-14s %10s %12s %9s %19s\n", headings[0], headings[1], "nodes", "ratio",
           "95% interval");
    for (int i = 0; i < count; i++) {
        const Ratio ratio = comparison_ratio(comparison, first + i, to);
        printf("%-14s %10d %12.0f", name(i), ratio.pairs, comparison_mean(comparison, first + i));
        if (ratio.pairs == 0)
            printf(" %9s\n", "-");
        else if (first + i == to)
            printf(" %9.4f\n", ratio.mean);
        else
            printf(" %9.4f   %7.4f .. %7.4f\n", ratio.mean, ratio.low, ratio.high);
    }
}
