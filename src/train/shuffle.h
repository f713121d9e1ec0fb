// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The order in which positions are learned from. Samples are mixed thoroughly once; each epoch then
 * takes them in groups of neighbours in an order of its own, found from seed and epoch alone, so
 * that training can go on from anywhere. */

#include <stddef.h>

#include "train/sample.h"

enum { SHUFFLE_GROUP = 16 }; // half a KiB: whole cache lines, and enough to make a jump worth it

/* Brings `count` samples into a random order, each equally likely (Fisher & Yates 1938). */
void shuffle_samples(Sample *samples, size_t count, uint64_t seed);

/* Fills `groups` with the numbers 0..count-1 in the order of `epoch`. */
void shuffle_groups(uint32_t *groups, size_t count, uint64_t seed, uint64_t epoch);
