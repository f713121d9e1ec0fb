// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The observations of the replacement experiment, summed over the positions: nodes by seed,
 * stamping, scheme, table size and depth. A sum without all positions counts as missing. */

#include "lab/breuker1994/observation.h"

enum { CUBE_SEEDS = 16, CUBE_SIZES = 32, CUBE_PLIES = ALIBABA_MAX_DEPTH + 1, CUBE_MEAN = -1 };

typedef struct {
    double nodes;  // sum over the positions
    int positions; // number of positions in the sum
} CubeCell;

typedef struct {
    Setting common;                    // only suite, history and early termination are used
    int kilos[CUBE_SIZES], size_count; // table sizes in units of 1024 positions, ascending
    int seeds[CUBE_SEEDS], seed_count; // ascending
    int position_count;
    int unfinished; // number of cells that have only some of the positions
    CubeCell cells[CUBE_SEEDS][STAMPING_NB][SCHEME_NB][CUBE_SIZES][CUBE_PLIES];
} Cube;

/* Identifies a cell, or the mean of a cell over all seeds. For SCHEME_NONE, seed, size and stamping
 * are ignored. */
typedef struct {
    int seed; // index, or CUBE_MEAN
    Stamping stamping;
    int scheme; // Replacement or SCHEME_NONE
    int size;   // index
    int ply;    // depth
} CubePlace;

/* Sums the rows that belong to the group of `common` (setting_same_group()); others and malformed
 * rows do not count. False, with the reason in `error` (RESULTS_ERROR_MAX bytes), when there are
 * more than CUBE_SIZES sizes or CUBE_SEEDS seeds. */
bool cube_fill(Cube *cube, const Results *results, const Setting *common, char *error);

/* Nodes of all positions together; NAN when a position is missing. CUBE_MEAN is the mean over the
 * seeds without missing positions. */
double cube_nodes(const Cube *cube, CubePlace place);

/* Standard deviation of the nodes over the seeds, divided by their mean; NAN with fewer than two
 * seeds. */
double cube_noise(const Cube *cube, CubePlace place);

/* Index of the table size `kilo`, in units of 1024 positions; -1 when absent. */
int cube_size(const Cube *cube, int kilo);
