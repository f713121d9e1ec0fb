// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/balance.h"

#include <math.h>

#include "nnue/features.h"

void balance_count(const Sample *samples, size_t count, uint64_t counts[NNUE_BUCKETS])
{
    for (size_t i = 0; i < count; i++)
        counts[feature_bucket(popcount(samples[i].occupied))]++;
}

void balance_weights(const uint64_t counts[NNUE_BUCKETS], double balance,
                     float weights[NNUE_BUCKETS])
{
    double samples = 0.0, sum = 0.0; // sum of the weights of all samples before normalisation
    for (int b = 0; b < NNUE_BUCKETS; b++)
        if (counts[b] > 0) {
            samples += (double)counts[b];
            sum += (double)counts[b] * pow((double)counts[b], -balance);
        }
    for (int b = 0; b < NNUE_BUCKETS; b++)
        weights[b] =
            counts[b] > 0 ? (float)(pow((double)counts[b], -balance) * samples / sum) : 1.0f;
}
