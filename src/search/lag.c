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

/* Whether the clock at the end of the path is expected: it belongs to the move after the last one,
 * and no time control lies between the clock that was last read and this one. */
static bool expects_clock(const Lag *lag, const Path *path, const Limits *limits)
{
    const bool is_next =
        lag->moves > 0 && path->count >= 3 && path->keys[path->count - 3] == lag->root;
    const bool has_passed = (lag->moves_to_go > 0 && lag->moves >= lag->moves_to_go) ||
                            limits_passed_control(lag->moves_to_go, limits->moves_to_go);
    return is_next && limits->has_clock && !has_passed;
}

/* Takes the time that these moves together have lost; negative: the GUI gives time back. It is not
 * known which of them lost it. For the average all lost the same. For the longest lag one of them
 * lost all that exceeds the average of the others: after few moves that is a pause, after many
 * moves their steady lag is in the average. */
static void measure(Lag *lag, int64_t lost_ms, int moves)
{
    const int64_t share_ms = lost_ms / moves;
    if (share_ms < -LAG_MAX_MS || share_ms > LAG_MAX_MS)
        return;
    for (int i = 0; i < moves; i++) {
        lag->average = longer(lag->average + share_ms - lag->average / LAG_FADING, 0);
        lag->longest_ms -= (lag->longest_ms + LAG_PEAK_FADING - 1) / LAG_PEAK_FADING;
    }
    const int64_t rest_ms = lost_ms - (moves - 1) * (int64_t)lag_overhead_ms(lag, 0);
    lag->longest_ms = longer(lag->longest_ms, shorter(longer(rest_ms, share_ms), LAG_MAX_MS));
}

void lag_read(Lag *lag, const Path *path, Color side, Limits *limits)
{
    const bool is_expected = expects_clock(lag, path, limits);
    const int64_t clock_ms = limits->clock_ms[side];
    if (limits->ponder) {
        const int64_t own_ms = lag->clock_ms - lag->moves * (int64_t)lag_overhead_ms(lag, 0);
        if (is_expected)
            limits->clock_ms[side] = shorter(clock_ms, own_ms);
        return;
    }
    const int64_t lost_ms = lag->clock_ms - clock_ms;
    const bool was_whole = lag->is_whole;
    const int moves = lag->moves;
    lag->is_whole = clock_ms % 1000 == 0;
    lag->moves = 0;
    const bool is_rounded = was_whole && lag->is_whole && lost_ms > -1000 && lost_ms < 1000;
    if (is_expected)
        measure(lag, is_rounded ? 0 : lost_ms, moves); // some GUIs send whole seconds
}

void lag_note(Lag *lag, const Path *path, Color side, const Limits *limits, int64_t spent_ms,
              int64_t pause_ms)
{
    const bool is_known = limits->ponder ? expects_clock(lag, path, limits) : limits->has_clock;
    if (!limits->ponder) {
        lag->clock_ms = limits->clock_ms[side];
        lag->moves_to_go = limits->moves_to_go;
        lag->moves = 0;
    }
    lag->clock_ms += limits->increment_ms[side] - spent_ms;
    lag->moves = is_known ? lag->moves + 1 : 0;
    lag->root = path->keys[path->count - 1];
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
