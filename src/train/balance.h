// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Weights by piece count. Self-play gives several times as many positions with some piece counts as
 * with others, and each output bucket of the network learns only from its own positions. The
 * weights raise the share of the rare buckets in the loss. */

#include "nnue/arch.h"
#include "train/sample.h"

/* Adds the number of samples of each output bucket (feature_bucket()) to `counts`. */
void balance_count(const Sample *samples, size_t count, uint64_t counts[NNUE_BUCKETS]);

/* Sets the weight of a sample of each bucket: proportional to (1 / count)^`balance`, with a mean of
 * 1 over all samples. `balance` 0: all weights are 1; 1: all buckets have the same total weight.
 * The weight of an empty bucket is 1. */
void balance_weights(const uint64_t counts[NNUE_BUCKETS], double balance,
                     float weights[NNUE_BUCKETS]);
