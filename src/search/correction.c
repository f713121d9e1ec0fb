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

/* A switch, not an array of keys: the compiler would load several keys at once, and that load would
 * wait for the separate stores of pos_play(). */
static inline Key feature_key(CorrectionPoint point, int feature)
{
    const Position *pos = point.pos;
    switch (feature) {
    case CORRECTION_PAWN: return pos->pawn_key;
    case CORRECTION_MINOR: return pos->minor_key;
    case CORRECTION_MAJOR: return pos->major_key;
    case CORRECTION_WHITE: return pos->nonpawn_key[WHITE];
    case CORRECTION_BLACK: return pos->nonpawn_key[BLACK];
    case CORRECTION_CONTINUATION_2: return pos->key ^ point.two_ago;
    default: return pos->key ^ point.four_ago;
    }
}

/* Index of the position in the table of a feature. */
static inline unsigned correction_index(CorrectionPoint point, int feature)
{
    return feature_key(point, feature) % CORRECTION_SIZE;
}

static inline int feature_weight(int feature)
{
    switch (feature) {
    case CORRECTION_PAWN: return params.correction_pawn;
    case CORRECTION_MINOR: return params.correction_minor;
    case CORRECTION_MAJOR: return params.correction_major;
    case CORRECTION_WHITE:
    case CORRECTION_BLACK: return params.correction_nonpawn;
    default: return params.correction_continuation;
    }
}

void correction_prefetch(const Corrections *c, CorrectionPoint point)
{
    for (int i = 0; i < CORRECTION_TABLES; i++)
        __builtin_prefetch(c->tables[i][correction_index(point, i)]);
}

Score correction_value(const Corrections *c, CorrectionPoint point)
{
    const Color side = point.pos->side;
    int sum = 0;
    for (int i = 0; i < CORRECTION_TABLES; i++)
        sum += c->tables[i][correction_index(point, i)][side] * feature_weight(i);
    return sum / UNITS;
}

void correction_update(Corrections *c, CorrectionPoint point, int error, int depth)
{
    const int64_t target = (int64_t)error * depth * params.correction_rate / STEP_DIVISOR;
    const int step = target > STEP_MAX ? STEP_MAX : target < -STEP_MAX ? -STEP_MAX : (int)target;
    for (int i = 0; i < CORRECTION_TABLES; i++)
        history_gravity(&c->tables[i][correction_index(point, i)][point.pos->side], step,
                        CORRECTION_MAX);
}
