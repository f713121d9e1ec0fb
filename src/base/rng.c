// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/rng.h"

#include "base/bits.h"

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = *state += GOLDEN_RATIO_64;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

void rng_seed(Rng *rng, uint64_t seed)
{
    /* From an all-zero state xoshiro would return only zeros. That state never occurs, because four
     * successive outputs of splitmix64 are distinct. */
    for (int i = 0; i < 4; i++)
        rng->s[i] = splitmix64(&seed);
}

uint64_t rng_next(Rng *rng)
{
    uint64_t *const s = rng->s;
    const uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    const uint64_t shifted = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t rng_below(Rng *rng, uint64_t n)
{
    /* The high half of x * n is in range, but some values come from one x more than others.
     * Rejecting each x with a low half below 2^64 mod n makes all values equally likely (Lemire
     * 2019). */
    uint64_t x = rng_next(rng);
    if (x * n < n)
        for (const uint64_t surplus = -n % n; x * n < surplus;)
            x = rng_next(rng);
    return mulhi64(x, n);
}
