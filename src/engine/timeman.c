// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timeman.h"

/* Shares are in percent of what they multiply, slopes in percent per unit, moves or times in ms. */
enum {
    TIME_RESERVE_MS = 80,      // kept on the clock against a busy machine,
    TIME_RESERVE_SHARE = 75,   // but at most this share of it
    TIME_MOVES = 28,           // sudden death: the clock is spread over so many moves
    TIME_INCREMENT = 64,       // and this share of the increment is used on top
    TIME_CONTROL_SHARE = 90,   // moves to go: this share of an even split
    TIME_HARD_SOFTS = 600,     // the hard deadline is so much of the soft one
    TIME_HARD_CLOCK = 65,      // and at most so much of the clock,
    TIME_HARD_CONTROL = 80,    // or of the clock when more time comes soon
    TIME_MOVES_TO_GO_MAX = 50, // a control further away is as good as this far
    TIME_SIGNS_DEPTH = 5,      // shallower iterations say nothing yet
    TIME_NODES_BASE = 259,
    TIME_NODES_SLOPE = 160,
    TIME_STABLE_BASE = 171,
    TIME_STABLE_SLOPE = 8,
    TIME_STABLE_MAX = 8,
    TIME_TREND_BASE = 860,
    TIME_TREND_DROP = 10,
    TIME_TREND_PREVIOUS = 25, // per mille
    TIME_TREND_LEAST = 810,
    TIME_TREND_MOST = 1500,
    TIME_SCALE_LEAST = 10,
    TIME_SCALE_MOST = 300,
    TIME_MATE_SHARE = 30, // a mate needs confirming only
    TIME_ONLY_MOVE_MS = 500
};

static const int64_t CLOCK_MAX_MS = 1000000000000; // thirty years; keeps products within 64 bits

static int64_t clamp_ms(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

static double clamp_real(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

/* Spreads the clock. `left` is at least 1: what remains once this move's overhead is paid. */
static TimePlan plan_clock(const Limits *limits, Color side, int64_t left, int64_t overhead)
{
    const int64_t increment = clamp_ms(limits->increment_ms[side], 0, CLOCK_MAX_MS);
    const int64_t gain = increment - overhead; // what a later move brings, perhaps negative
    const int64_t usable = left - clamp_ms(left * TIME_RESERVE_SHARE / 100, 0, TIME_RESERVE_MS);
    int64_t soft, hard;
    if (limits->moves_to_go > 0) {
        const int64_t moves = clamp_ms(limits->moves_to_go, 1, TIME_MOVES_TO_GO_MAX);
        soft = (usable + gain * (moves - 1)) * TIME_CONTROL_SHARE / (100 * moves);
        hard = usable * TIME_HARD_CONTROL / 100;
    } else {
        soft = usable / TIME_MOVES + gain * TIME_INCREMENT / 100;
        hard = usable * TIME_HARD_CLOCK / 100;
    }
    /* An overhead set far too high would leave nothing to think with; it is seldom spent in full.
     */
    hard = clamp_ms(hard, 1, TIME_UNLIMITED);
    soft = clamp_ms(soft, clamp_ms(usable / 100, 1, hard), hard);
    hard = clamp_ms(soft * TIME_HARD_SOFTS / 100, 1, hard);
    return (TimePlan){.soft_ms = soft, .hard_ms = hard};
}

TimePlan time_plan(const Limits *limits, Color side, int overhead_ms)
{
    TimePlan plan = {.soft_ms = TIME_UNLIMITED, .hard_ms = TIME_UNLIMITED};
    if (limits->infinite)
        return plan;
    const int64_t overhead = overhead_ms > 0 ? overhead_ms : 0;
    if (limits->has_clock) {
        const int64_t left = clamp_ms(limits->clock_ms[side], 0, CLOCK_MAX_MS) - overhead;
        plan = plan_clock(limits, side, left > 1 ? left : 1, overhead);
    }
    if (limits->move_ms >= 0) {
        /* Given both, the clock still sets the limit: a move time must not lose the game. */
        const int64_t wanted = clamp_ms(limits->move_ms, 0, CLOCK_MAX_MS) - overhead;
        plan.hard_ms = clamp_ms(wanted, 1, plan.hard_ms);
        plan.soft_ms = plan.hard_ms;
        plan.fixed = true;
    }
    return plan;
}

int64_t time_scaled(const TimePlan *plan, const TimeSigns *signs)
{
    if (plan->fixed || plan->soft_ms >= TIME_UNLIMITED)
        return plan->soft_ms;
    double scale = 1.0;
    if (signs->depth >= TIME_SIGNS_DEPTH) {
        const double share = clamp_real(signs->best_share, 0.0, 1.0);
        const double stable = clamp_real(signs->stable_iterations, 0.0, TIME_STABLE_MAX);
        const double trend = TIME_TREND_BASE + (double)TIME_TREND_DROP * signs->score_drop +
                             (double)TIME_TREND_PREVIOUS * signs->previous_drop;
        scale = (TIME_NODES_BASE - TIME_NODES_SLOPE * share) / 100;
        scale *= (TIME_STABLE_BASE - TIME_STABLE_SLOPE * stable) / 100;
        scale *= clamp_real(trend, TIME_TREND_LEAST, TIME_TREND_MOST) / 1000;
    }
    if (signs->mate_found)
        scale *= TIME_MATE_SHARE / 100.0;
    scale = clamp_real(scale, TIME_SCALE_LEAST / 100.0, TIME_SCALE_MOST / 100.0);
    int64_t soft = (int64_t)((double)plan->soft_ms * scale);
    if (signs->legal_moves == 1 && soft > TIME_ONLY_MOVE_MS)
        soft = TIME_ONLY_MOVE_MS;
    return clamp_ms(soft, 1, plan->hard_ms);
}
