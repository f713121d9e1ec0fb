// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/td_targets.h"

#include <math.h>

#include "train/points.h"

/* The inverse of points_of(). */
static double score_of(double points, double unit)
{
    return unit * log(points / (1.0 - points));
}

static double clamped(double score)
{
    return fmin(fmax(score, -TD_SCORE_MAX), TD_SCORE_MAX);
}

void td_targets_mix(GameRecord *game, double share, double unit)
{
    double white_points = game->result / 2.0, weight = share;
    for (int ply = game->plies - 1; ply >= game->opening; ply--) {
        if (game->scores[ply] == GAME_NO_SCORE) {
            weight *= share;
            continue;
        }
        const double sign = ply % 2 == 0 ? 1.0 : -1.0; // plies alternate, White first
        const double own = points_of(clamped(sign * game->scores[ply]), unit);
        white_points = weight * white_points + (1.0 - weight) * own;
        weight = share;
        game->scores[ply] = (int16_t)lround(sign * clamped(score_of(white_points, unit)));
    }
}
