// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The material of a Syzygy table and its name, such as KQPvKR. The side with more men comes first.
 * With equal numbers, the piece types are compared from queen to pawn: the side with more pieces of
 * the first type that differs comes first. */

#include "chess/position.h"

enum { SYZYGY_MEN_MAX = 7 }; // men (pieces and pawns, with kings) of the largest existing tables

typedef struct {
    int count[COLOR_NB][PIECE_TYPE_NB];
    int men;
} SyzygyMaterial;

/* Parses the name in the `length` bytes at `name`. Returns false when it is not the name of a
 * table. */
bool syzygy_material_parse(SyzygyMaterial *material, const char *name, size_t length);

/* Returns how many kinds of men (colour and type) occur exactly once. */
int syzygy_material_singles(const SyzygyMaterial *material);

/* Sets up a position of the material in which no man attacks a man of the other side, so that a
 * probe must read the table itself. Returns false when no such position exists. */
bool syzygy_material_quiet(const SyzygyMaterial *material, Position *pos);
