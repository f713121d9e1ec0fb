// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Vectors of floats that fill one register. The compiler would split wider vectors in memory, which
 * takes five times as long. With explicit vectors sums stay in registers; with plain loops not
 * every compiler manages this. */

#include "nnue/simd.h"

typedef float Lanes __attribute__((vector_size(SIMD_BYTES), may_alias));

enum { LANES = sizeof(Lanes) / sizeof(float) };

/* A row of floats as vectors; `row` is aligned to SIMD_BYTES. */
static inline const Lanes *lanes(const float *row)
{
    return (const Lanes *)(const void *)row;
}

static inline Lanes *lanes_of(float *row)
{
    return (Lanes *)(void *)row;
}

static inline float lanes_sum(Lanes lanes)
{
    float sum = 0.0f;
    for (int i = 0; i < LANES; i++)
        sum += lanes[i];
    return sum;
}
