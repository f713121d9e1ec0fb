// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/correction.h"

#include <string.h>

#include "engine/gravity.h"
#include "engine/params.h"

enum { ENTRY_NB = 7, STEP_MAX = CORRECTION_MAX / 4, UNITS = 1024 };

void correction_clear(Corrections *c)
{
    memset(c, 0, sizeof *c);
}

static int16_t *entry(CorrectionTable *table, const Position *pos, Key key)
{
    return &(*table)[pos->side][key % CORRECTION_SIZE];
}

/* The entries that speak for a position, in the order of the weights in correction_of(). */
static void find(Corrections *c, CorrectionPoint at, int16_t *found[ENTRY_NB])
{
    const Position *pos = at.pos;
    found[0] = entry(&c->pawn, pos, pos->pawn_key);
    found[1] = entry(&c->minor, pos, pos->minor_key);
    found[2] = entry(&c->major, pos, pos->major_key);
    found[3] = entry(&c->nonpawn[WHITE], pos, pos->nonpawn_key[WHITE]);
    found[4] = entry(&c->nonpawn[BLACK], pos, pos->nonpawn_key[BLACK]);
    found[5] = entry(&c->continuation[0], pos, pos->key ^ at.two_ago);
    found[6] = entry(&c->continuation[1], pos, pos->key ^ at.four_ago);
}

void correction_prefetch(const Corrections *c, CorrectionPoint at)
{
    int16_t *found[ENTRY_NB];
    find((Corrections *)(uintptr_t)c, at, found); // read only
    for (int i = 0; i < ENTRY_NB; i++)
        __builtin_prefetch(found[i]);
}

Score correction_of(const Corrections *c, CorrectionPoint at)
{
    const int weights[ENTRY_NB] = {params.correction_pawn,        params.correction_minor,
                                   params.correction_major,       params.correction_nonpawn,
                                   params.correction_nonpawn,     params.correction_continuation,
                                   params.correction_continuation};
    int16_t *found[ENTRY_NB];
    find((Corrections *)(uintptr_t)c, at, found); // read only
    int sum = 0;
    for (int i = 0; i < ENTRY_NB; i++)
        sum += *found[i] * weights[i];
    return sum / UNITS;
}

void correction_learn(Corrections *c, CorrectionPoint at, int error, int depth)
{
    const int wanted = error * depth * params.correction_rate / 800;
    const int step = wanted > STEP_MAX ? STEP_MAX : wanted < -STEP_MAX ? -STEP_MAX : wanted;
    int16_t *found[ENTRY_NB];
    find(c, at, found);
    for (int i = 0; i < ENTRY_NB; i++)
        gravity_pull(found[i], step, CORRECTION_MAX);
}
