// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The batches of an epoch: every training position once. The order depends only on seed and epoch,
 * so training can resume at any batch. Positions in memory were shuffled once; each epoch uses
 * groups of neighbours in a new order (shuffle.h). Positions on disk are read bin after bin, each
 * shuffled again (stream.h). */

#include "train/loader.h"
#include "train/shuffle.h"

typedef struct Batches Batches;

/* Returns a / b, rounded up: the number of parts of at most `b` items. */
static inline size_t divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

/* Returns the number of batches of at least `size` positions on average among `positions`. */
uint64_t batches_among(uint64_t positions, uint64_t size);

/* Creates the batches of at least `size` positions on average; a smaller set is one batch. The
 * dataset must outlive them. NULL if memory runs out. Free with batches_free(). */
Batches *batches_create(const Dataset *dataset, uint64_t size, uint64_t seed);
void batches_free(Batches *batches);

/* Returns the number of batches of an epoch. */
uint64_t batches_per_epoch(const Batches *batches);

/* Returns the largest number of positions of a batch. */
size_t batches_largest(const Batches *batches);

/* Opens batch `step`, counted from 0 through all epochs; fast if it follows the one before. Returns
 * the number of its positions, 0 if they cannot be read from the disk. */
size_t batches_open(Batches *batches, uint64_t step);

/* Returns the number of groups of the open batch. */
size_t batches_groups(const Batches *batches);

/* Returns the samples of a group of the open batch; sets `*count`, 1..SHUFFLE_GROUP. */
const Sample *batches_group(const Batches *batches, size_t group, size_t *count);
