// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Training positions on disk, for sets larger than memory. Each sample is added to one of
 * SAMPLE_STORE_BINS bins at random. So each bin is a random subset of all positions, small enough
 * to be read into memory and shuffled there: together a shuffle in two passes. All bins share one
 * temporary file, which the system removes at the end of the process, whatever ends it. */

#include "train/sample.h"

enum {
    SAMPLE_STORE_ERROR_MAX = 512,
    SAMPLE_STORE_BINS = 256,
    SAMPLE_STORE_BLOCK = 8192 // samples (256 KiB) of one bin that are written and read together
};

typedef struct SampleStore SampleStore;

/* Creates an empty store with its file in the folder of `path`. The bins of samples depend only on
 * `seed` and their order. Returns NULL, with the reason in `error` (SAMPLE_STORE_ERROR_MAX bytes),
 * on failure. Free with sample_store_free(). */
SampleStore *sample_store_create(const char *path, uint64_t seed, char *error);
void sample_store_free(SampleStore *store);

/* Adds samples. False, with the reason in errno, when memory or the disk is full. */
bool sample_store_add(SampleStore *store, const Sample *samples, size_t count);

/* Ends the adding; the store can then be read. Keeps a random subset of at most `limit` samples:
 * some whole bins, and a random part of one more. 0: keeps all. False as for sample_store_add(). */
bool sample_store_finish(SampleStore *store, uint64_t limit);

/* Numbers of samples after sample_store_finish(): in all bins, in one, in the largest. */
uint64_t sample_store_count(const SampleStore *store);
size_t sample_store_bin_count(const SampleStore *store, int bin);
size_t sample_store_largest_bin(const SampleStore *store);

/* Reads the sample_store_bin_count() samples of a bin, in the order of adding; only the bin that a
 * limit has cut is shuffled. False on failure. Only one thread may read at a time. */
bool sample_store_read(SampleStore *store, int bin, Sample *samples);
