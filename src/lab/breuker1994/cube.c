// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/breuker1994/cube.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Inserts `value` into an ascending list without duplicates; false when the list is full. */
static bool insert(int *list, int *count, int capacity, int value)
{
    int i = 0;
    while (i < *count && list[i] < value)
        i++;
    if (i < *count && list[i] == value)
        return true;
    if (*count == capacity)
        return false;
    memmove(list + i + 1, list + i, (size_t)(*count - i) * sizeof *list);
    list[i] = value;
    (*count)++;
    return true;
}

static int find(const int *list, int count, int value)
{
    for (int i = 0; i < count; i++)
        if (list[i] == value)
            return i;
    return -1;
}

/* Collects the table sizes and seeds, and determines the number of positions. */
static bool measure(Cube *cube, const Results *results, char *error)
{
    Observation o;
    for (size_t i = 0; i < results->count; i++) {
        if (!observation_parse(&o, results->rows[i]) ||
            !setting_same_group(&o.setting, &cube->common))
            continue;
        if (!insert(cube->seeds, &cube->seed_count, CUBE_SEEDS, o.setting.seed) ||
            (o.setting.scheme != SCHEME_NONE &&
             !insert(cube->kilos, &cube->size_count, CUBE_SIZES, o.setting.kilo))) {
            snprintf(error, RESULTS_ERROR_MAX, "more than %d sizes or %d seeds", CUBE_SIZES,
                     CUBE_SEEDS);
            return false;
        }
        cube->position_count =
            o.position > cube->position_count ? o.position : cube->position_count;
    }
    return true;
}

bool cube_fill(Cube *cube, const Results *results, const Setting *common, char *error)
{
    memset(cube, 0, sizeof *cube);
    cube->common = *common;
    if (!measure(cube, results, error))
        return false;
    for (size_t i = 0; i < results->count; i++) {
        Observation o;
        if (!observation_parse(&o, results->rows[i]) || !setting_same_group(&o.setting, common))
            continue;
        const bool has_no_table = o.setting.scheme == SCHEME_NONE;
        const int size = has_no_table ? 0 : find(cube->kilos, cube->size_count, o.setting.kilo);
        const int seed = has_no_table ? 0 : find(cube->seeds, cube->seed_count, o.setting.seed);
        CubeCell *const cell =
            &cube->cells[seed][o.setting.stamping][o.setting.scheme][size][o.ply];
        cell->nodes += (double)nodes_total(&o.nodes);
        cell->positions++;
        cube->unfinished += (cell->positions == 1) - (cell->positions == cube->position_count);
    }
    return true;
}

static double one_seed(const Cube *cube, int seed, const CubePlace *place)
{
    const bool has_no_table = place->scheme == SCHEME_NONE;
    if (!has_no_table && (place->size < 0 || place->size >= cube->size_count))
        return NAN;
    const CubeCell *const cell =
        has_no_table ? &cube->cells[0][STAMPING_OFF][SCHEME_NONE][0][place->ply]
                     : &cube->cells[seed][place->stamping][place->scheme][place->size][place->ply];
    return cell->positions > 0 && cell->positions == cube->position_count ? cell->nodes : NAN;
}

double cube_nodes(const Cube *cube, CubePlace place)
{
    if (place.seed != CUBE_MEAN)
        return one_seed(cube, place.seed, &place);
    double sum = 0;
    int count = 0;
    for (int seed = 0; seed < cube->seed_count; seed++) {
        const double nodes = one_seed(cube, seed, &place);
        sum += isnan(nodes) ? 0 : nodes;
        count += !isnan(nodes);
    }
    return count > 0 ? sum / count : NAN;
}

double cube_noise(const Cube *cube, CubePlace place)
{
    place.seed = CUBE_MEAN;
    const double mean = cube_nodes(cube, place);
    double squares = 0;
    int count = 0;
    for (int seed = 0; seed < cube->seed_count; seed++) {
        const double nodes = one_seed(cube, seed, &place);
        squares += isnan(nodes) ? 0 : (nodes - mean) * (nodes - mean);
        count += !isnan(nodes);
    }
    return count > 1 ? sqrt(squares / (count - 1)) / mean : NAN;
}

int cube_size(const Cube *cube, int kilo)
{
    return find(cube->kilos, cube->size_count, kilo);
}
