// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Operations on the bits of 64-bit words, by compiler builtins that work on every CPU. */

#ifndef __SIZEOF_INT128__
#error "Palimpsest needs a compiler for a 64-bit processor: this one has no __int128"
#endif

#include <stdint.h>

/* 2^64 / golden ratio. Multiplied by it, even keys that differ little are spread evenly (Knuth
 * 1973). */
#define GOLDEN_RATIO_64 UINT64_C(0x9E3779B97F4A7C15)

/* Number of one bits. */
static inline int popcount(uint64_t x)
{
    return __builtin_popcountll(x);
}

/* Index of the lowest one bit; `x` must not be 0. */
static inline int lsb(uint64_t x)
{
    return __builtin_ctzll(x);
}

/* Index of the highest one bit; `x` must not be 0. */
static inline int msb(uint64_t x)
{
    return 63 - __builtin_clzll(x);
}

/* Removes the lowest one bit of `*x`, which must not be 0, and returns its index. */
static inline int pop_lsb(uint64_t *x)
{
    const int i = lsb(*x);
    *x &= *x - 1;
    return i;
}

/* Moves all bits up by `count` (0..63); those that leave at the top come in at the bottom. */
static inline uint64_t rotate_left(uint64_t x, int count)
{
    return x << count | x >> (-count & 63);
}

/* High half of the 128-bit product. Maps a uniform random `a` to 0..b-1 without division (Lemire
 * 2019). */
static inline uint64_t mulhi64(uint64_t a, uint64_t b)
{
    return (uint64_t)(((unsigned __int128)a * b) >> 64);
}
