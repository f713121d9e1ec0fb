// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Seeded pseudo-random numbers: xoshiro256** (Blackman & Vigna 2018), its state filled by
 * splitmix64 (Steele, Lea & Flood 2014). The state belongs to the caller, so a run can be repeated
 * from its seed. Hand-written because rand() differs between C libraries and has hidden state. */

#include <stdint.h>

typedef struct {
    uint64_t s[4];
} Rng;

/* Initialises `rng`. Equal seeds give equal sequences on every machine. Any seed is allowed. */
void rng_seed(Rng *rng, uint64_t seed);

/* Returns the next 64 random bits. */
uint64_t rng_next(Rng *rng);

/* Returns a uniform random number in 0..n-1; `n` must not be 0. */
uint64_t rng_below(Rng *rng, uint64_t n);
