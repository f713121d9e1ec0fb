// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The observations of the replacement experiment, summed over the positions: nodes by seed,
 * stamping, scheme, table size and depth. A sum counts as missing unless it has all positions. */

#include "lab/breuker1994/observation.h"

enum { CUBE_SEEDS = 16, CUBE_SIZES = 16, CUBE_PLIES = ALIBABA_MAX_DEPTH + 1, CUBE_MEAN = -1 };

typedef struct {
    double nodes;
    int positions;
} CubeCell;

typedef struct {
    Setting common;                    // only suite, history and early termination are used
    int kilos[CUBE_SIZES], size_count; // ascending
    int seeds[CUBE_SEEDS], seed_count; // ascending
    int position_count;
    CubeCell cells[CUBE_SEEDS][STAMPING_NB][SCHEME_NB][CUBE_SIZES][CUBE_PLIES];
} Cube;

/* Identifies a cell, or the mean of a cell over all seeds. Size and seed are ignored for
 * SCHEME_NONE. */
typedef struct {
    int seed; // index, or CUBE_MEAN
    Stamping stamping;
    int scheme, size, ply; // size: index
} CubePlace;

/* Sums up the rows of the group of `common` (setting_same_group()). False, with the reason in
 * `error` (RESULTS_ERROR_MAX bytes), when a row is malformed, or sizes or seeds are too many. */
bool cube_fill(Cube *cube, const Results *results, const Setting *common, char *error);

/* Nodes of all positions; NAN when any is missing. The mean uses the complete seeds. */
double cube_nodes(const Cube *cube, CubePlace place);

/* Relative standard deviation between the seeds; NAN with fewer than two. */
double cube_noise(const Cube *cube, CubePlace place);

/* Index of the table size `kilo`, in units of 1024 positions; -1 when absent. */
int cube_size(const Cube *cube, int kilo);
