// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The tunable numbers of the search, `params.rfp_margin` and so on, one line each in params.def.
 * They are constants that the compiler folds; with PALIMPSEST_TUNE they are variables, and each is
 * a UCI spin option. */

#include <stdbool.h>
#include <stddef.h>

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

/* Name, default and range of a parameter. */
typedef struct {
    const char *name;
    int value, min, max;
    size_t offset; // in Params, bytes
} ParamRange;

/* The table of all parameters, `*count` long. */
const ParamRange *params_list(int *count);

/* Sets a parameter; no search may be running. False when the name is unknown, the value is out of
 * range, or the build is not for tuning. */
bool params_set(const char *name, int value);
