// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/winrate.h"

#include <math.h>

/* Fitted by scripts/wdl/fit.sh to games of generation 16. scripts/wdl/README.md names the games and
 * says how to refit for a new network. */
static const WinRate FITTED = {{178.03, -62.09, 26.58}, {70.57, 28.25, 0.73}};

double winrate_place(int material)
{
    enum { MIN = WINRATE_MATERIAL_MIN, MAX = WINRATE_MATERIAL_MAX };
    const int within = material < MIN ? MIN : material > MAX ? MAX : material;
    return (2.0 * within - (MAX + MIN)) / (MAX - MIN);
}

static double polynomial(const double *terms, double x)
{
    double sum = 0.0;
    for (int i = WINRATE_TERMS - 1; i >= 0; i--)
        sum = sum * x + terms[i];
    return sum;
}

double winrate_half(const WinRate *model, int material)
{
    return polynomial(model->half, winrate_place(material));
}

double winrate_spread(const WinRate *model, int material)
{
    return polynomial(model->spread, winrate_place(material));
}

double winrate_win(const WinRate *model, Score score, int material)
{
    return 1.0 /
           (1.0 + exp((winrate_half(model, material) - score) / winrate_spread(model, material)));
}

int winrate_centipawns(Score score, int material)
{
    return (int)lround(100.0 * score / winrate_half(&FITTED, material));
}

Score winrate_units(double centipawns, int material)
{
    const double units = centipawns * winrate_half(&FITTED, material) / 100.0;
    if (units > SCORE_EVAL_MAX || units < -SCORE_EVAL_MAX)
        return units > 0 ? SCORE_EVAL_MAX : -SCORE_EVAL_MAX;
    return (Score)lround(units);
}

WinShares winrate_shares(Score score, int material)
{
    if (score_is_win(score))
        return (WinShares){.wins = 1000};
    if (score_is_loss(score))
        return (WinShares){.losses = 1000};
    const int wins = (int)lround(1000.0 * winrate_win(&FITTED, score, material));
    const int losses = (int)lround(1000.0 * winrate_win(&FITTED, -score, material));
    return (WinShares){.wins = wins, .draws = 1000 - wins - losses, .losses = losses};
}

WinShares winrate_certain_shares(Score score, int material)
{
    if (score_is_near_draw(score))
        return (WinShares){.draws = 1000};
    return winrate_shares(score, material);
}
