// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* How entries of histories and corrections move: the nearer the bound, the less. */

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

/* x += b - x*|b|/max keeps |x| <= max for every |b| <= max and lets old evidence decay. */
static inline void gravity_pull(int16_t *entry, int bonus, int max)
{
    assert(abs(bonus) <= max);
    *entry = (int16_t)(*entry + bonus - *entry * abs(bonus) / max);
    assert(abs(*entry) <= max);
}
