// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/shuffle.h"

#include "base/bits.h"
#include "base/rng.h"

void shuffle_samples(Sample *samples, size_t count, uint64_t seed)
{
    Rng rng;
    rng_seed(&rng, seed);
    for (size_t left = count; left > 1; left--) {
        const size_t i = rng_below(&rng, left);
        const Sample last = samples[left - 1];
        samples[left - 1] = samples[i];
        samples[i] = last;
    }
}

void shuffle_groups(uint32_t *groups, size_t count, uint64_t seed, uint64_t epoch)
{
    Rng rng;
    rng_seed(&rng, seed ^ (epoch + 1) * GOLDEN_RATIO_64);
    for (size_t i = 0; i < count; i++) {
        const size_t j = rng_below(&rng, i + 1);
        groups[i] = groups[j];
        groups[j] = (uint32_t)i;
    }
}
