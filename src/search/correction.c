// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/correction.h"

#include <string.h>

#include "search/history.h"
#include "search/params.h"

enum {
    STEP_MAX = CORRECTION_MAX / 4,
    STEP_DIVISOR = 8 * 100, // a step is correction_rate percent of error * depth / 8
    UNITS = 1024
};

void correction_clear(Corrections *c)
{
    memset(c, 0, sizeof *c);
}

/* Index of the position in each table. */
static void find_entries(CorrectionPoint point, unsigned found[CORRECTION_TABLES])
{
    const Position *pos = point.pos;
    const Key keys[CORRECTION_TABLES] = {
        [CORRECTION_PAWN] = pos->pawn_key,
        [CORRECTION_MINOR] = pos->minor_key,
        [CORRECTION_MAJOR] = pos->major_key,
        [CORRECTION_WHITE] = pos->nonpawn_key[WHITE],
        [CORRECTION_BLACK] = pos->nonpawn_key[BLACK],
        [CORRECTION_TWO_AGO] = pos->key ^ point.two_ago,
        [CORRECTION_FOUR_AGO] = pos->key ^ point.four_ago,
    };
    for (int i = 0; i < CORRECTION_TABLES; i++)
        found[i] = keys[i] % CORRECTION_SIZE;
}

void correction_prefetch(const Corrections *c, CorrectionPoint point)
{
    unsigned found[CORRECTION_TABLES];
    find_entries(point, found);
    for (int i = 0; i < CORRECTION_TABLES; i++)
        __builtin_prefetch(&c->tables[i][point.pos->side][found[i]]);
}

Score correction_value(const Corrections *c, CorrectionPoint point)
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
    find_entries(point, found);
    int sum = 0;
    for (int i = 0; i < CORRECTION_TABLES; i++)
        sum += c->tables[i][point.pos->side][found[i]] * weights[i];
    return sum / UNITS;
}

void correction_update(Corrections *c, CorrectionPoint point, int error, int depth)
{
    const int target = error * depth * params.correction_rate / STEP_DIVISOR;
    const int step = target > STEP_MAX ? STEP_MAX : target < -STEP_MAX ? -STEP_MAX : target;
    unsigned found[CORRECTION_TABLES];
    find_entries(point, found);
    for (int i = 0; i < CORRECTION_TABLES; i++)
        history_gravity(&c->tables[i][point.pos->side][found[i]], step, CORRECTION_MAX);
}
