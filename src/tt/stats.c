// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/stats.h"

#define ADD(name) sum->name += from->name;
#define ADD_BY_BOUND(name)                                                                         \
    for (int bound = 0; bound <= BOUND_EXACT; bound++)                                             \
        sum->name[bound] += from->name[bound];

void tt_stats_add(TtStats *sum, const TtStats *from)
{
    TT_COUNTERS(ADD)
    TT_BOUND_COUNTERS(ADD_BY_BOUND)
}
