// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/lag.h"

static int64_t longer(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t shorter(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void lag_new_game(Lag *lag)
{
    *lag = (Lag){.longest_ms = lag->longest_ms, .wall_us = lag->wall_us, .ran_us = lag->ran_us};
}

void lag_read(Lag *lag, const Path *path, Color side, const Limits *limits)
{
    const bool is_next =
        lag->is_running && path->count >= 3 && path->keys[path->count - 3] == lag->root;
    const int64_t clock_ms = limits->clock_ms[side], difference_ms = lag->clock_ms - clock_ms;
    const bool was_whole = lag->is_whole;
    lag->is_whole = clock_ms % 1000 == 0;
    const bool is_rounded =
        was_whole && lag->is_whole && difference_ms > -1000 && difference_ms < 1000;
    const int64_t lost_ms = is_rounded ? 0 : difference_ms; // some GUIs send whole seconds
    lag->is_running = false;
    if (!is_next || !limits->has_clock ||
        limits_passed_control(lag->moves_to_go, limits->moves_to_go) || lost_ms < -LAG_MAX_MS ||
        lost_ms > LAG_MAX_MS)
        return;
    /* Negative: the GUI gives time back. */
    lag->average = longer(lag->average + lost_ms - lag->average / LAG_FADING, 0);
    lag->longest_ms -= (lag->longest_ms + LAG_PEAK_FADING - 1) / LAG_PEAK_FADING;
    lag->longest_ms = longer(lag->longest_ms, lost_ms);
}

void lag_note(Lag *lag, Key root, Color side, const Limits *limits, int64_t spent_ms,
              int64_t pause_ms)
{
    lag->is_running = limits->has_clock;
    lag->root = root;
    lag->moves_to_go = limits->moves_to_go;
    lag->clock_ms = limits->clock_ms[side] + limits->increment_ms[side] - spent_ms;
    lag->longest_ms = longer(lag->longest_ms, shorter(pause_ms, LAG_MAX_MS));
}

void lag_note_share(Lag *lag, int64_t wall_us, int64_t ran_us, int64_t step_us)
{
    lag->new_wall_us += wall_us;
    lag->new_ran_us += ran_us;
    if (lag->new_wall_us < LAG_SHARE_STEPS * step_us)
        return;
    lag->wall_us += lag->new_wall_us - lag->wall_us / LAG_SHARE_FADING;
    lag->ran_us += lag->new_ran_us - lag->ran_us / LAG_SHARE_FADING;
    lag->new_wall_us = lag->new_ran_us = 0;
}

static bool is_overloaded(const Lag *lag)
{
    return lag->ran_us * 100 < lag->wall_us * LAG_SHARE_LEAST;
}

int lag_overhead_ms(const Lag *lag, int option_ms)
{
    const int average_ms = (int)((lag->average + LAG_FADING - 1) / LAG_FADING);
    return average_ms > option_ms ? average_ms : option_ms;
}

int64_t lag_reserve_ms(const Lag *lag)
{
    return 2 * longer(lag->longest_ms, is_overloaded(lag) ? LAG_OVERLOAD_MS : 0);
}

int64_t lag_deficit_ms(const Lag *lag, int64_t increment_ms, int moves_to_go)
{
    const int64_t loss_ms = lag_overhead_ms(lag, 0) - increment_ms;
    const int64_t later = moves_to_go > 0 ? moves_to_go - 1 : LAG_MOVES;
    return loss_ms > 0 ? shorter(later, LAG_MOVES) * loss_ms : 0;
}

int64_t lag_kept_ms(const Lag *lag, int64_t clock_ms, int64_t increment_ms, int moves_to_go)
{
    const int64_t of_short_clock_ms = shorter(LAG_RESERVE_MS, clock_ms * 3 / 4);
    const int64_t most_ms = longer(clock_ms / 2, of_short_clock_ms);
    const int64_t reserve_ms = shorter(lag_reserve_ms(lag), most_ms);
    const int64_t rest_ms = longer(clock_ms - reserve_ms, 0);
    return reserve_ms + shorter(lag_deficit_ms(lag, increment_ms, moves_to_go), rest_ms * 3 / 4);
}
