// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strength.h"

#include <assert.h>
#include <math.h>

#include "base/rng.h"

/* Between these levels the logarithm of the nodes and the spread go in straight lines. */
static const struct {
    int elo;
    double nodes, spread;
} LEVELS[] = {
    {STRENGTH_ELO_MIN, 60, 0.30},
    {1600, 100, 0.15},
    {1900, 400, 0.05},
    {2100, 1500, 0.0},
    {2400, 12000, 0.0},
    {STRENGTH_ELO_MAX, 300000, 0.0},
};

enum { LEVEL_COUNT = sizeof LEVELS / sizeof LEVELS[0] };

Strength strength_at(int elo, uint64_t seed)
{
    assert(STRENGTH_ELO_MIN <= elo && elo <= STRENGTH_ELO_MAX);
    int i = 0;
    while (i < LEVEL_COUNT - 2 && elo > LEVELS[i + 1].elo)
        i++;
    const double part = (double)(elo - LEVELS[i].elo) / (LEVELS[i + 1].elo - LEVELS[i].elo);
    const double nodes = LEVELS[i].nodes * pow(LEVELS[i + 1].nodes / LEVELS[i].nodes, part);
    const double spread = LEVELS[i].spread + part * (LEVELS[i + 1].spread - LEVELS[i].spread);
    return (Strength){.nodes = (uint64_t)nodes,
                      .lines = spread > 0.0 ? STRENGTH_LINES : 1,
                      .spread = spread,
                      .seed = seed};
}

bool strength_applies(const Limits *limits)
{
    return !limits->infinite && limits->mate == 0;
}

/* A pawn more or less matters the less the more there is between the players already: after Regan
 * and Haworth a difference is measured by the integral of 1 / (1 + |score in pawns|). */
static double felt(Score score)
{
    const double size = log1p(fabs((double)score) / SCORE_PAWN_SHOWN);
    return score < 0 ? -size : size;
}

int strength_choose(const Strength *strength, const Score *scores, int count, Key key)
{
    assert(0 < count && count <= STRENGTH_LINES);
    int best = 0;
    for (int i = 1; i < count; i++)
        if (scores[i] > scores[best])
            best = i;
    if (strength->spread <= 0.0)
        return best;
    double weights[STRENGTH_LINES], sum = 0.0;
    for (int i = 0; i < count; i++) {
        weights[i] = exp((felt(scores[i]) - felt(scores[best])) / strength->spread);
        sum += weights[i];
    }
    Rng rng;
    rng_seed(&rng, strength->seed ^ key);
    double left = sum * (double)(rng_next(&rng) >> 11) * 0x1p-53;
    for (int i = 0; i < count; i++) {
        left -= weights[i];
        if (left < 0.0)
            return i;
    }
    return best;
}
