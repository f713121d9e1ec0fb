// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The material of a Syzygy table and its name, such as KQPvKR. The side with more men comes first;
 * with equal numbers, the side whose first different piece is stronger. */

#include "chess/position.h"

enum { SYZYGY_MEN_MAX = 7 }; // of the largest existing tables

typedef struct {
    int count[COLOR_NB][PIECE_TYPE_NB];
    int men;
} SyzygyMaterial;

/* Parses the `length` bytes at `name`. Returns false when that is not the name of a table. */
bool syzygy_material_parse(SyzygyMaterial *material, const char *name, size_t length);

/* Returns the number of pairs of colour and type that occur exactly once. */
int syzygy_material_singles(const SyzygyMaterial *material);

/* Sets up a position of the material in which no man attacks another, so that a probe must read the
 * table itself. Returns false when no such position exists. */
bool syzygy_material_quiet(const SyzygyMaterial *material, Position *pos);
