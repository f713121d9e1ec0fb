// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What men a Syzygy table is about, and its name: KQPvKR. The side with more men comes first, of
 * equally many the one whose men are worth more from the left. */

#include "chess/position.h"

enum { SYZYGY_MEN_MAX = 7 }; // of any table there is

typedef struct {
    int count[COLOR_NB][PIECE_TYPE_NB];
    int men;
} SyzygyMaterial;

/* Reads the `length` bytes at `name`; false when no table is called that. */
bool syzygy_material_parse(SyzygyMaterial *material, const char *name, size_t length);

/* How many men of one colour and type there are exactly one of. */
int syzygy_material_singles(const SyzygyMaterial *material);

/* Sets up a position of the material in which nothing attacks anything: a probe of it can come to
 * no answer but by the table itself. False when there is none. */
bool syzygy_material_quiet(const SyzygyMaterial *material, Position *pos);
