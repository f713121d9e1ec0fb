// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/strength.h"

#include <assert.h>
#include <math.h>

#include "base/rng.h"

/* Calibrated levels. Between two of them lines, spread and the logarithm of the nodes are
 * interpolated. The lowest levels have more nodes than those above them, because they choose among
 * many lines and each line needs nodes for its score. */
static const struct {
    int elo;
    double nodes, lines, spread;
} LEVELS[] = {
    {STRENGTH_ELO_MIN, 1200, STRENGTH_LINES, 0.37},
    {890, 1200, STRENGTH_LINES, 0.25},
    {1070, 700, 25, 0.2},
    {1440, 350, 12, 0.175},
    {1600, 110, 5, 0.1},
    {1880, 140, 5, 0.07},
    {2000, 150, 1, 0.0},
    {2300, 740, 1, 0.0},
    {2600, 3300, 1, 0.0},
    {STRENGTH_ELO_MAX, 20000, 1, 0.0},
};

enum { LEVEL_COUNT = sizeof LEVELS / sizeof LEVELS[0] };

/* With ENDING_MEN men or fewer every level plays its best line and searches at least ENDING_NODES,
 * which suffices to mate with a rook. With CROWDED_MEN men or more the table holds unchanged. */
enum { ENDING_MEN = 4, CROWDED_MEN = 10, ENDING_NODES = 1000 };

/* Adapts the settings of a level to the number of men. Between the two limits they are
 * interpolated. */
static Strength fit_to_men(double nodes, double lines, double spread, int men)
{
    const double most = nodes > ENDING_NODES ? nodes : ENDING_NODES;
    const double part = men <= ENDING_MEN ? 0.0
                        : men >= CROWDED_MEN
                            ? 1.0
                            : (double)(men - ENDING_MEN) / (CROWDED_MEN - ENDING_MEN);
    return (Strength){.nodes = (uint64_t)(most * pow(nodes / most, part)),
                      .lines = (int)lround(1.0 + part * (lines - 1.0)),
                      .spread = part * spread};
}

Strength strength_at(int elo, int men, uint64_t seed)
{
    assert(STRENGTH_ELO_MIN <= elo && elo <= STRENGTH_ELO_MAX);
    int i = 0;
    while (i < LEVEL_COUNT - 2 && elo > LEVELS[i + 1].elo)
        i++;
    const double part = (double)(elo - LEVELS[i].elo) / (LEVELS[i + 1].elo - LEVELS[i].elo);
    const double nodes = LEVELS[i].nodes * pow(LEVELS[i + 1].nodes / LEVELS[i].nodes, part);
    const double lines = LEVELS[i].lines + part * (LEVELS[i + 1].lines - LEVELS[i].lines);
    const double spread = LEVELS[i].spread + part * (LEVELS[i + 1].spread - LEVELS[i].spread);
    Strength strength = fit_to_men(nodes, lines, spread, men);
    strength.seed = seed;
    return strength;
}

bool strength_applies(const Limits *limits)
{
    return !limits->infinite && limits->mate == 0;
}

/* Internal units of a pawn when the spreads were calibrated. */
enum { FELT_PAWN = 390 };

/* Perceived size of a score, since a pawn matters less in a decided position: the integral of
 * 1 / (1 + |score in pawns|) (Regan and Haworth). */
static double felt(Score score)
{
    const double size = log1p(fabs((double)score) / FELT_PAWN);
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
