// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The samples of a store in the order of training: each epoch reads the bins in a new random order
 * and shuffles each one. A thread of its own reads and shuffles the next bin while the caller works
 * on the present one. The order depends only on the seed and the epoch, so a stream can start
 * anywhere. */

#include "train/sample_store.h"

typedef struct SampleStream SampleStream;

/* Creates a stream of a finished store with at least one sample. The store must outlive it, and
 * nobody else may read the store meanwhile. NULL if memory runs out. Free with stream_free(). */
SampleStream *stream_create(SampleStore *store, uint64_t seed);

/* Ends the thread and frees the stream; `stream` may be NULL. */
void stream_free(SampleStream *stream);

/* Goes to sample `first` of `epoch`. Call once before stream_take(). False if no thread can be
 * started or the samples cannot be read. */
bool stream_seek(SampleStream *stream, uint64_t epoch, uint64_t first);

/* Copies the next `count` samples; after the last one of an epoch follows the first of the next.
 * False if samples cannot be read. */
bool stream_take(SampleStream *stream, Sample *samples, size_t count);
