// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Seeded pseudo-random numbers: xoshiro256** (Blackman & Vigna 2018), its state filled by
 * splitmix64 (Steele, Lea & Flood 2014). The caller owns the state, so a run repeats from its seed
 * alone. */

#include <stdint.h>

typedef struct {
    uint64_t s[4];
} Rng;

/* Makes `rng` ready for use; equal seeds give equal sequences on every machine. Any seed will do.
 */
void rng_seed(Rng *rng, uint64_t seed);

/* The next 64 random bits. */
uint64_t rng_next(Rng *rng);

/* A number in 0..n-1, each equally likely; `n` must not be 0. */
uint64_t rng_below(Rng *rng, uint64_t n);
