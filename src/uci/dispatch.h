// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One program for every processor of a family: the whole engine once for each level of levels.def,
 * each with a main() of its own, and a main() before them that looks at the processor and goes on
 * in the best it can run, or in the one that the environment variable PALIMPSEST_ARCH names.
 *
 * Link-time seam: dispatch.c in such a program, dispatch_none.c in one for a single kind. */

#include <stdbool.h>

/* What was found, what was chosen and why. */
typedef struct {
    const char *chosen, *best; // names of levels: where this runs, and where it would unless told
    const char *known;         // the names of all levels, parted by blanks
    bool is_told;              // by PALIMPSEST_ARCH
    bool is_pext_slow;         // in this processor, so that a level that uses it is not the best
} DispatchChoice;

/* The choice made when the program began, or NULL where there was none to make. */
const DispatchChoice *dispatch_choice(void);
