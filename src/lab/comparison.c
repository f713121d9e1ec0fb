// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/comparison.h"

#include <math.h>

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
