// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/winmodel.h"

#include <assert.h>
#include <math.h>

enum { NO_GROUP = -1, STEPS_MAX = 100 };

static const double UNIT = 400.0; // scores are divided by it, so that both parameters are near 1

/* The model as a line: log odds of a win = offset + slope * score / UNIT. */
typedef struct {
    double offset, slope;
} Odds;

/* First and second derivatives of the log likelihood. */
typedef struct {
    double offset, slope;
    double offset2, mixed, slope2;
} Derivatives;

void winmodel_count(WinCounts *counts, int group, int score, bool is_won)
{
    assert(0 <= group && group < WINMODEL_GROUPS);
    assert(-WINMODEL_SCORE_MAX <= score && score <= WINMODEL_SCORE_MAX);
    counts->seen[group][score + WINMODEL_SCORE_MAX]++;
    counts->won[group][score + WINMODEL_SCORE_MAX] += is_won;
}

static Derivatives derive(const WinCounts *counts, int left_out, Odds odds)
{
    Derivatives d = {0};
    for (int bin = 0; bin < WINMODEL_BINS; bin++) {
        uint64_t seen = 0, won = 0;
        for (int group = 0; group < WINMODEL_GROUPS; group++) {
            seen += group == left_out ? 0 : counts->seen[group][bin];
            won += group == left_out ? 0 : counts->won[group][bin];
        }
        if (seen == 0)
            continue;
        const double x = (bin - WINMODEL_SCORE_MAX) / UNIT;
        const double p = 1.0 / (1.0 + exp(-odds.offset - odds.slope * x));
        const double gradient = (double)won - (double)seen * p;
        const double weight = (double)seen * p * (1.0 - p);
        d.offset += gradient;
        d.slope += gradient * x;
        d.offset2 += weight;
        d.mixed += weight * x;
        d.slope2 += weight * x * x;
    }
    return d;
}

static double limited(double step)
{
    return step > 1.0 ? 1.0 : step < -1.0 ? -1.0 : step;
}

/* Newton's method; the likelihood has one maximum. Steps are limited, for far from it they
 * overshoot. False when it runs away: wins and other results do not overlap, or do not rise with
 * the score. */
static bool fit(const WinCounts *counts, int left_out, Odds *odds)
{
    *odds = (Odds){.offset = -1.0, .slope = 1.0};
    for (int i = 0; i < STEPS_MAX; i++) {
        const Derivatives d = derive(counts, left_out, *odds);
        const double determinant = d.offset2 * d.slope2 - d.mixed * d.mixed;
        if (!(determinant > 1e-9))
            return false;
        const double offset = (d.offset * d.slope2 - d.slope * d.mixed) / determinant;
        const double slope = (d.slope * d.offset2 - d.offset * d.mixed) / determinant;
        odds->offset += limited(offset);
        odds->slope += limited(slope);
        if (fabs(offset) + fabs(slope) < 1e-9)
            return odds->slope > 1e-3;
    }
    return false;
}

static double half_won(Odds odds)
{
    return -odds.offset / odds.slope * UNIT;
}

bool winmodel_fit(const WinCounts *counts, WinModel *model)
{
    Odds all;
    if (!fit(counts, NO_GROUP, &all))
        return false;
    *model = (WinModel){.a = half_won(all), .b = UNIT / all.slope};
    double squares = 0.0;
    for (int group = 0; group < WINMODEL_GROUPS; group++) {
        Odds rest;
        if (!fit(counts, group, &rest))
            return false;
        squares += (half_won(rest) - model->a) * (half_won(rest) - model->a);
    }
    model->a_error = sqrt(squares * (WINMODEL_GROUPS - 1) / WINMODEL_GROUPS);
    return true;
}
