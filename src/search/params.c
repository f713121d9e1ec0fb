// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/params.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static const ParamRange RANGES[] = {
#define PARAM(name, value, min, max) {#name, value, min, max, offsetof(Params, name)},
#include "search/params.def"
#undef PARAM
};

#define PARAM(name, value, min, max)                                                               \
    static_assert((min) <= (value) && (value) <= (max), "params.def: " #name " is out of range");
#include "search/params.def"
#undef PARAM

#ifdef PALIMPSEST_TUNE
Params params = {
#define PARAM(name, value, min, max) .name = (value),
#include "search/params.def"
#undef PARAM
};
#endif

const ParamRange *params_list(int *count)
{
    *count = (int)(sizeof RANGES / sizeof RANGES[0]);
    return RANGES;
}

bool params_set(const char *name, int value)
{
#ifdef PALIMPSEST_TUNE
    for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++) {
        if (strcmp(name, RANGES[i].name) == 0 && value >= RANGES[i].min && value <= RANGES[i].max) {
            *(int *)((char *)&params + RANGES[i].offset) = value;
            return true;
        }
    }
#else
    (void)name;
    (void)value;
#endif
    return false;
}
