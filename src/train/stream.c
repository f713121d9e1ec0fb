// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/thread.h"
#include "train/shuffle.h"

enum { BUFFERS = 2 };

/* The reader fills the buffers in turn, the caller empties them in the same turn. */
struct SampleStream {
    SampleStore *store;
    uint64_t seed;
    size_t room; // samples of a buffer
    Sample *buffers[BUFFERS];
    size_t counts[BUFFERS];
    Thread thread;
    bool has_thread;
    Mutex mutex;
    Cond change; // of the following members, which the mutex guards
    int filled;  // buffers that the caller may read
    bool is_stopping, has_failed;
    /* The reader's place. */
    uint64_t epoch;
    int index; // of the bin in the order of the epoch
    uint32_t order[SAMPLE_STORE_BINS];
    int next_to_fill;
    /* The caller's place. */
    int current;
    size_t taken; // samples taken from the current buffer
};

SampleStream *stream_create(SampleStore *store, uint64_t seed)
{
    SampleStream *const stream = calloc(1, sizeof *stream);
    if (stream == NULL)
        return NULL;
    stream->store = store;
    stream->seed = seed;
    stream->room = sample_store_largest_bin(store);
    assert(stream->room > 0);
    mutex_init(&stream->mutex);
    cond_init(&stream->change);
    for (int i = 0; i < BUFFERS; i++) {
        stream->buffers[i] = mem_alloc_large(stream->room * sizeof(Sample), NULL);
        if (stream->buffers[i] == NULL) {
            stream_free(stream);
            return NULL;
        }
    }
    return stream;
}

static void stop(SampleStream *stream)
{
    if (!stream->has_thread)
        return;
    mutex_lock(&stream->mutex);
    stream->is_stopping = true;
    cond_broadcast(&stream->change);
    mutex_unlock(&stream->mutex);
    thread_join(&stream->thread);
    stream->has_thread = false;
}

void stream_free(SampleStream *stream)
{
    if (stream == NULL)
        return;
    stop(stream);
    for (int i = 0; i < BUFFERS; i++)
        mem_free_large(stream->buffers[i], stream->room * sizeof(Sample));
    cond_destroy(&stream->change);
    mutex_destroy(&stream->mutex);
    free(stream);
}

/* Moves the reader's place to the next bin. */
static void advance(SampleStream *stream)
{
    if (++stream->index < SAMPLE_STORE_BINS)
        return;
    stream->index = 0;
    shuffle_groups(stream->order, SAMPLE_STORE_BINS, stream->seed, ++stream->epoch);
}

/* Reads and shuffles the bin at the reader's place. */
static bool fill(SampleStream *stream, int buffer)
{
    const int bin = (int)stream->order[stream->index];
    const uint64_t number = stream->epoch * SAMPLE_STORE_BINS + (uint64_t)bin;
    stream->counts[buffer] = sample_store_bin_count(stream->store, bin);
    if (!sample_store_read(stream->store, bin, stream->buffers[buffer]))
        return false;
    shuffle_samples(stream->buffers[buffer], stream->counts[buffer],
                    stream->seed ^ (number + 1) * 0xD1B54A32D192ED03u);
    return true;
}

/* The reader's thread. */
static void *read_ahead(void *ctx)
{
    SampleStream *const stream = ctx;
    for (;;) {
        mutex_lock(&stream->mutex);
        while (stream->filled == BUFFERS && !stream->is_stopping)
            cond_wait(&stream->change, &stream->mutex);
        const bool is_stopping = stream->is_stopping;
        mutex_unlock(&stream->mutex);
        if (is_stopping)
            return NULL;
        const bool is_read = fill(stream, stream->next_to_fill);
        mutex_lock(&stream->mutex);
        stream->filled += is_read;
        stream->has_failed = !is_read;
        cond_broadcast(&stream->change);
        mutex_unlock(&stream->mutex);
        if (!is_read)
            return NULL;
        stream->next_to_fill = (stream->next_to_fill + 1) % BUFFERS;
        advance(stream);
    }
}

/* Waits until the current buffer is filled. */
static bool await(SampleStream *stream)
{
    mutex_lock(&stream->mutex);
    while (stream->filled == 0 && !stream->has_failed)
        cond_wait(&stream->change, &stream->mutex);
    const bool is_filled = stream->filled > 0;
    mutex_unlock(&stream->mutex);
    return is_filled;
}

/* Gives the current buffer back to the reader. */
static void release(SampleStream *stream)
{
    mutex_lock(&stream->mutex);
    stream->filled--;
    cond_broadcast(&stream->change);
    mutex_unlock(&stream->mutex);
    stream->current = (stream->current + 1) % BUFFERS;
    stream->taken = 0;
}

bool stream_seek(SampleStream *stream, uint64_t epoch, uint64_t first)
{
    assert(first < sample_store_count(stream->store));
    stop(stream);
    stream->is_stopping = stream->has_failed = false;
    stream->filled = stream->next_to_fill = stream->current = 0;
    stream->epoch = epoch;
    shuffle_groups(stream->order, SAMPLE_STORE_BINS, stream->seed, epoch);
    stream->index = 0;
    for (;; stream->index++) {
        const size_t count =
            sample_store_bin_count(stream->store, (int)stream->order[stream->index]);
        if (first < count)
            break;
        first -= count;
    }
    stream->taken = (size_t)first;
    stream->has_thread = thread_start(&stream->thread, read_ahead, stream);
    return stream->has_thread && await(stream);
}

bool stream_take(SampleStream *stream, Sample *samples, size_t count)
{
    assert(stream->has_thread);
    while (count > 0) {
        if (!await(stream))
            return false;
        const size_t left = stream->counts[stream->current] - stream->taken;
        const size_t size = count < left ? count : left;
        memcpy(samples, stream->buffers[stream->current] + stream->taken, size * sizeof *samples);
        samples += size;
        count -= size;
        stream->taken += size;
        if (size == left)
            release(stream);
    }
    return true;
}
