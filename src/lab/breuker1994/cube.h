// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The observations of the replacement experiment summed up over the positions: nodes by seed,
 * stamping, scheme, table size and depth. What misses a position is as good as not there. */

#include "lab/breuker1994/observation.h"

enum { CUBE_SEEDS = 16, CUBE_SIZES = 16, CUBE_PLIES = ALIBABA_MAX_DEPTH + 1, CUBE_MEAN = -1 };

typedef struct {
    double nodes;
    int positions;
} CubeCell;

typedef struct {
    Setting common;                    // suite, history and early termination: the same throughout
    int kilos[CUBE_SIZES], size_count; // ascending
    int seeds[CUBE_SEEDS], seed_count; // ascending
    int position_count;
    CubeCell cells[CUBE_SEEDS][STAMPING_NB][SCHEME_NB][CUBE_SIZES][CUBE_PLIES];
} Cube;

/* A cell, or over all seeds the mean of it. Without a table the size is not looked at, nor the
 * seed.
 */
typedef struct {
    int seed; // index, or CUBE_MEAN
    Stamping stamping;
    int scheme, size, ply; // size: index
} CubePlace;

/* Sums up those rows whose suite, history and early termination are those of `common`. False with
 * the reason in `error` when there are more sizes or seeds than fit, or a row cannot be read. */
bool cube_fill(Cube *cube, const Results *results, const Setting *common, char *error);

/* Nodes over all positions; NAN when they are not all there. The mean takes seeds that are whole.
 */
double cube_nodes(const Cube *cube, CubePlace place);

/* Relative standard deviation over the seeds; NAN with less than two. */
double cube_noise(const Cube *cube, CubePlace place);

/* Index of the table size in units of 1024 positions; -1 when absent. */
int cube_size(const Cube *cube, int kilo);
