// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The order of positions in training. All samples are shuffled once. Each epoch then uses groups of
 * neighbouring samples in a new order. This order depends only on seed and epoch, so training can
 * resume at any batch. */

#include <stddef.h>

#include "train/sample.h"

enum { SHUFFLE_GROUP = 16 }; // samples, 512 bytes: fewer random accesses than single samples

/* Shuffles `count` samples; all orders are equally likely (Fisher & Yates 1938). */
void shuffle_samples(Sample *samples, size_t count, uint64_t seed);

/* Fills `groups` with a permutation of 0..count - 1: the order of the groups in epoch `epoch` (from
 * 0). */
void shuffle_groups(uint32_t *groups, size_t count, uint64_t seed, uint64_t epoch);
