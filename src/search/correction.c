// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/correction.h"

#include <string.h>

#include "search/gravity.h"
#include "search/params.h"

enum {
    STEP_MAX = CORRECTION_MAX / 4,
    STEP_DIVISOR = 8 * 100, // an eighth of error times depth, of which correction_rate is percent
    UNITS = 1024
};

void correction_clear(Corrections *c)
{
    memset(c, 0, sizeof *c);
}

/* Which entry of each table speaks for a position. */
static void find(CorrectionPoint at, unsigned found[CORRECTION_TABLES])
{
    const Position *pos = at.pos;
    const Key keys[CORRECTION_TABLES] = {
        [CORRECTION_PAWN] = pos->pawn_key,
        [CORRECTION_MINOR] = pos->minor_key,
        [CORRECTION_MAJOR] = pos->major_key,
        [CORRECTION_WHITE] = pos->nonpawn_key[WHITE],
        [CORRECTION_BLACK] = pos->nonpawn_key[BLACK],
        [CORRECTION_TWO_AGO] = pos->key ^ at.two_ago,
        [CORRECTION_FOUR_AGO] = pos->key ^ at.four_ago,
    };
    for (int i = 0; i < CORRECTION_TABLES; i++)
        found[i] = keys[i] % CORRECTION_SIZE;
}

void correction_prefetch(const Corrections *c, CorrectionPoint at)
{
    unsigned found[CORRECTION_TABLES];
    find(at, found);
    for (int i = 0; i < CORRECTION_TABLES; i++)
        __builtin_prefetch(&c->tables[i][at.pos->side][found[i]]);
}

Score correction_of(const Corrections *c, CorrectionPoint at)
{
    const int weights[CORRECTION_TABLES] = {
        [CORRECTION_PAWN] = params.correction_pawn,
        [CORRECTION_MINOR] = params.correction_minor,
        [CORRECTION_MAJOR] = params.correction_major,
        [CORRECTION_WHITE] = params.correction_nonpawn,
        [CORRECTION_BLACK] = params.correction_nonpawn,
        [CORRECTION_TWO_AGO] = params.correction_continuation,
        [CORRECTION_FOUR_AGO] = params.correction_continuation,
    };
    unsigned found[CORRECTION_TABLES];
    find(at, found);
    int sum = 0;
    for (int i = 0; i < CORRECTION_TABLES; i++)
        sum += c->tables[i][at.pos->side][found[i]] * weights[i];
    return sum / UNITS;
}

void correction_learn(Corrections *c, CorrectionPoint at, int error, int depth)
{
    const int wanted = error * depth * params.correction_rate / STEP_DIVISOR;
    const int step = wanted > STEP_MAX ? STEP_MAX : wanted < -STEP_MAX ? -STEP_MAX : wanted;
    unsigned found[CORRECTION_TABLES];
    find(at, found);
    for (int i = 0; i < CORRECTION_TABLES; i++)
        gravity_pull(&c->tables[i][at.pos->side][found[i]], step, CORRECTION_MAX);
}
