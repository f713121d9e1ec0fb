// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/timeman.h"

#include "search/params.h"

static const int64_t CLOCK_MAX_MS = 1000000000000; // thirty years; keeps products within 64 bits

static int64_t clamp_ms(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

static double clamp_real(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

/* Moves for which the clock must last in sudden death. */
static int moves_left(int move_number)
{
    const int left = params.time_moves_game - move_number;
    return left > params.time_moves_least ? left : params.time_moves_least;
}

/* Deadlines on a clock. `left` >= 1 is the clock minus this move's overhead. */
static TimePlan plan_clock(const Limits *limits, Color side, int move_number, int64_t left,
                           int64_t overhead)
{
    const int64_t increment = clamp_ms(limits->increment_ms[side], 0, CLOCK_MAX_MS);
    const int64_t gain = increment - overhead; // net gain per later move, may be negative
    const int64_t most = left * params.time_reserve_share / 100;
    int64_t usable = left - clamp_ms(most, 0, params.time_reserve_ms);
    int64_t soft, hard;
    if (limits->moves_to_go > 0) {
        const int64_t moves = clamp_ms(limits->moves_to_go, 1, params.time_moves_to_go_max);
        const int64_t part = left * params.time_reserve_control / (100 * moves);
        const int64_t least = clamp_ms(part, 0, params.time_reserve_control_max);
        usable = clamp_ms(usable, 0, left - least);
        soft = (usable + gain * (moves - 1)) * params.time_control_share / (100 * moves);
        hard = usable * params.time_hard_of_clock_control / 100;
    } else {
        soft = usable / moves_left(move_number) + gain * params.time_increment / 100;
        hard = usable * params.time_hard_of_clock / 100;
    }
    /* Use at least 1% of what overhead and reserve leave. */
    hard = clamp_ms(hard, 1, TIME_UNLIMITED);
    soft = clamp_ms(soft, clamp_ms(usable / 100, 1, hard), hard);
    hard = clamp_ms(soft * params.time_hard_of_soft / 100, 1, hard);
    return (TimePlan){.soft_ms = soft, .hard_ms = hard};
}

TimePlan time_plan(const Limits *limits, Color side, int move_number, int overhead_ms)
{
    TimePlan plan = {.soft_ms = TIME_UNLIMITED, .hard_ms = TIME_UNLIMITED};
    if (limits->infinite)
        return plan;
    if (limits->has_clock) {
        const int64_t left = clamp_ms(limits->clock_ms[side], 0, CLOCK_MAX_MS) - overhead_ms;
        plan = plan_clock(limits, side, move_number, left > 1 ? left : 1, overhead_ms);
    }
    if (limits->has_move_time) {
        /* If there is a clock, too, its hard limit still applies: the flag must not fall. */
        const int64_t wanted = clamp_ms(limits->move_ms, 0, CLOCK_MAX_MS) - overhead_ms;
        plan.hard_ms = clamp_ms(wanted, 1, plan.hard_ms);
        plan.soft_ms = plan.hard_ms;
        plan.fixed = true;
    }
    return plan;
}

void time_cap(TimePlan *plan, int64_t left_ms)
{
    plan->hard_ms = clamp_ms(left_ms, 1, plan->hard_ms);
    plan->soft_ms = clamp_ms(plan->soft_ms, 1, plan->hard_ms);
}

int64_t time_scaled(const TimePlan *plan, const TimeSigns *signs)
{
    if (plan->fixed || plan->soft_ms >= TIME_UNLIMITED)
        return plan->soft_ms;
    double scale = 1.0;
    if (signs->depth >= params.time_factors_min_depth) {
        const double share = clamp_real(signs->best_share, 0.0, 1.0);
        const double stable = clamp_real(signs->stable_iterations, 0.0, params.time_stable_max);
        const double trend = params.time_trend_base +
                             (double)params.time_trend_drop * signs->score_drop +
                             (double)params.time_trend_previous * signs->previous_drop;
        scale = (params.time_nodes_base - params.time_nodes_slope * share) / 100;
        scale *= (params.time_stable_base - params.time_stable_slope * stable) / 100;
        scale *= clamp_real(trend, params.time_trend_min, params.time_trend_max) / 1000;
    }
    if (signs->mate_found)
        scale *= params.time_mate_share / 100.0;
    scale = clamp_real(scale, params.time_scale_min / 100.0, params.time_scale_max / 100.0);
    int64_t soft = (int64_t)((double)plan->soft_ms * scale);
    if (signs->root_moves == 1 && soft > params.time_only_move_ms)
        soft = params.time_only_move_ms;
    return clamp_ms(soft, 1, plan->hard_ms);
}
