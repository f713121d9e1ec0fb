// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Every tunable of the search, one line each in params.def: `params.rfp_margin`. A static constant,
 * which the compiler folds, or with PALIMPSEST_TUNE a variable that is also a UCI spin, from the
 * same line. */

#include <stdbool.h>

typedef struct {
#define PARAM(name, value, min, max) int name;
#include "search/params.def"
#undef PARAM
} Params;

#ifdef PALIMPSEST_TUNE
extern Params params;
static const bool params_are_tunable = true;
#else
static const bool params_are_tunable = false;
static const Params params __attribute__((unused)) = {
#define PARAM(name, value, min, max) .name = (value),
#include "search/params.def"
#undef PARAM
};
#endif

/* Name, default and range of each, for the tuner's options and the tests. */
typedef struct {
    const char *name;
    int value, min, max;
} ParamRange;

/* The table of all parameters, `*count` long. */
const ParamRange *params_list(int *count);

/* Sets one parameter within its range; false when there is none of that name or the build is not
 * for tuning. */
bool params_set(const char *name, int value);
