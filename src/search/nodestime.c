// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/nodestime.h"

#include <assert.h>

/* Thirty years; keeps products and sums within 64 bits. */
static const int64_t MS_MAX = 1000000000000;

static int64_t nodes_of(const NodeClock *clock, int64_t ms)
{
    return (ms < -MS_MAX ? -MS_MAX : ms > MS_MAX ? MS_MAX : ms) * clock->nodes_per_ms;
}

void nodestime_read(NodeClock *clock, Color side, int nodes_per_ms, Limits *limits)
{
    assert(nodes_per_ms > 0);
    if (!limits->has_clock)
        return;
    if (clock->nodes_per_ms != nodes_per_ms)
        *clock = (NodeClock){.nodes_per_ms = nodes_per_ms};
    NodeClockSide *const own = &clock->sides[side];
    if (!own->runs)
        own->left = own->control = nodes_of(clock, limits->clock_ms[side]);
    else if (limits_passed_control(own->moves_left + 1, limits->moves_to_go))
        own->left += own->control;
    own->runs = true;
    own->moves_left = limits->moves_to_go > 0 ? limits->moves_to_go : -1;
    limits->clock_ms[side] = own->left / nodes_per_ms;
}

void nodestime_spend(NodeClock *clock, Color side, const Limits *limits, uint64_t nodes)
{
    if (!limits->has_clock)
        return;
    NodeClockSide *const own = &clock->sides[side];
    const int64_t most = nodes_of(clock, MS_MAX);
    const int64_t spent = nodes < (uint64_t)most ? (int64_t)nodes : most;
    const int64_t left = own->left - spent + nodes_of(clock, limits->increment_ms[side]);
    own->left = left < -most ? -most : left > most ? most : left;
    own->moves_left -= own->moves_left > 0;
}
