// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/comparison.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Sets `*result` to the natural logarithm of the compared value; false when the value is missing.
 */
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
                        .pairs = malloc((size_t)rows * sizeof(MeanValue))};
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
        comparison->pairs[count++] = (MeanValue){
            .value = above - below,
            .group = comparison->set != NULL ? comparison->set->positions[row].game : row};
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

static void print_table(const Comparison *comparison, const ComparisonTables *tables, int first)
{
    const int reference = first + tables->reference;
    printf("%-14s %10s %12s %9s %19s\n", tables->name_heading, tables->row_heading, "nodes",
           "ratio", "95% interval");
    for (int column = first; column < first + tables->count; column++) {
        const Ratio ratio = comparison_ratio(comparison, column, reference);
        printf("%-14s %10d %12.0f", tables->name(column - first), ratio.pairs,
               comparison_mean(comparison, column));
        if (ratio.pairs == 0)
            printf(" %9s\n", "-");
        else if (column == reference)
            printf(" %9.4f\n", ratio.mean);
        else
            printf(" %9.4f   %7.4f .. %7.4f\n", ratio.mean, ratio.low, ratio.high);
    }
}

void comparison_print(const Comparison *comparison, const ComparisonTables *tables)
{
    for (int i = 0; i < tables->size_count; i++) {
        printf("\n%" PRIu64 " MiB\n", tables->sizes[i]);
        print_table(comparison, tables, i * tables->count);
    }
}

SearchChange comparison_change(const Grid *grid, int rows, int columns, SearchValues values,
                               int column, int reference)
{
    SearchChange change = {.nodes = 1.0};
    double log_nodes = 0.0;
    int pairs = 0; // with nodes in both searches: a mate or stalemate has none
    for (int row = 0; row < rows; row++) {
        const int64_t *const these = grid_values(grid, row * columns + column);
        const int64_t *const those = grid_values(grid, row * columns + reference);
        if (these == NULL || those == NULL)
            continue;
        change.positions++;
        change.moves += these[values.best] != those[values.best];
        change.scores += these[values.score] != those[values.score];
        change.distance += fabs((double)(these[values.score] - those[values.score]));
        if (these[values.nodes] <= 0 || those[values.nodes] <= 0)
            continue;
        pairs++;
        log_nodes += log((double)these[values.nodes]) - log((double)those[values.nodes]);
    }
    if (change.positions == 0)
        return change;
    change.moves /= change.positions;
    change.scores /= change.positions;
    change.distance /= change.positions;
    change.nodes = pairs > 0 ? exp(log_nodes / pairs) : 1.0;
    return change;
}

void comparison_print_change(const SearchChange *change)
{
    printf(" %8.1f%% %8.1f%% %10.1f %8.3f\n", 100.0 * change->moves, 100.0 * change->scores,
           change->distance, change->nodes);
}
