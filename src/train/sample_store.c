// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/sample_store.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "train/shuffle.h"

typedef struct {
    uint64_t *blocks; // offset in the file of each block; all blocks but the last are full
    size_t block_count, block_capacity;
    uint64_t count;  // samples to read
    size_t waiting;  // samples in `pending`
    Sample *pending; // not yet written, room for SAMPLE_STORE_BLOCK
} Bin;

struct SampleStore {
    FILE *file;
    uint64_t size; // of the file
    Rng rng;
    Bin bins[SAMPLE_STORE_BINS];
    Sample *pending; // of all bins
};

static const size_t PENDING_BYTES = (size_t)SAMPLE_STORE_BINS * SAMPLE_STORE_BLOCK * sizeof(Sample);

SampleStore *sample_store_create(const char *path, uint64_t seed, char *error)
{
    SampleStore *const store = calloc(1, sizeof *store);
    if (store != NULL)
        store->pending = mem_alloc_large(PENDING_BYTES, NULL);
    if (store == NULL || store->pending == NULL) {
        snprintf(error, SAMPLE_STORE_ERROR_MAX, "out of memory");
        sample_store_free(store);
        return NULL;
    }
    store->file = file_temporary(path);
    if (store->file == NULL) {
        snprintf(error, SAMPLE_STORE_ERROR_MAX,
                 "%.200s: no temporary file can be made beside it: %s", path, strerror(errno));
        sample_store_free(store);
        return NULL;
    }
    rng_seed(&store->rng, seed);
    for (int b = 0; b < SAMPLE_STORE_BINS; b++)
        store->bins[b].pending = &store->pending[(size_t)b * SAMPLE_STORE_BLOCK];
    return store;
}

void sample_store_free(SampleStore *store)
{
    if (store == NULL)
        return;
    if (store->file != NULL)
        fclose(store->file);
    for (int b = 0; b < SAMPLE_STORE_BINS; b++)
        free(store->bins[b].blocks);
    mem_free_large(store->pending, PENDING_BYTES);
    free(store);
}

/* Writes the pending samples of a bin as a block. */
static bool write_block(SampleStore *store, Bin *bin)
{
    if (bin->block_count == bin->block_capacity) {
        const size_t capacity = 2 * bin->block_capacity + 16;
        uint64_t *const blocks = realloc(bin->blocks, capacity * sizeof *blocks);
        if (blocks == NULL)
            return false;
        bin->blocks = blocks;
        bin->block_capacity = capacity;
    }
    if (fwrite(bin->pending, sizeof(Sample), bin->waiting, store->file) != bin->waiting)
        return false;
    bin->blocks[bin->block_count++] = store->size;
    store->size += bin->waiting * sizeof(Sample);
    bin->waiting = 0;
    return true;
}

bool sample_store_add(SampleStore *store, const Sample *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Bin *const bin = &store->bins[rng_below(&store->rng, SAMPLE_STORE_BINS)];
        bin->pending[bin->waiting++] = samples[i];
        bin->count++;
        if (bin->waiting == SAMPLE_STORE_BLOCK && !write_block(store, bin))
            return false;
    }
    return true;
}

/* Returns the number of samples in the block that begins with sample `begin` of the bin. */
static size_t block_size(const Bin *bin, size_t begin)
{
    const size_t left = (size_t)bin->count - begin;
    return left < SAMPLE_STORE_BLOCK ? left : SAMPLE_STORE_BLOCK;
}

/* Shuffles a bin in the file. */
static bool shuffle_bin(SampleStore *store, int index)
{
    const Bin *const bin = &store->bins[index];
    const size_t bytes = (size_t)bin->count * sizeof(Sample);
    Sample *const samples = mem_alloc_large(bytes, NULL);
    if (samples == NULL)
        return false;
    bool is_done = sample_store_read(store, index, samples);
    if (is_done)
        shuffle_samples(samples, (size_t)bin->count, rng_next(&store->rng));
    for (size_t begin = 0, block = 0; is_done && begin < bin->count; block++) {
        const size_t count = block_size(bin, begin);
        is_done = file_seek(store->file, bin->blocks[block]) &&
                  fwrite(samples + begin, sizeof(Sample), count, store->file) == count;
        begin += count;
    }
    mem_free_large(samples, bytes);
    return is_done;
}

/* Keeps `limit` samples. Shuffles the bin that is cut: its first samples are from the first games.
 */
static bool cut_bins(SampleStore *store, uint64_t limit)
{
    uint64_t left = limit;
    for (int b = 0; b < SAMPLE_STORE_BINS; b++) {
        Bin *const bin = &store->bins[b];
        if (bin->count > left && left > 0 && !shuffle_bin(store, b))
            return false;
        if (bin->count > left)
            bin->count = left;
        left -= bin->count;
    }
    return true;
}

bool sample_store_finish(SampleStore *store, uint64_t limit)
{
    for (int b = 0; b < SAMPLE_STORE_BINS; b++) {
        Bin *const bin = &store->bins[b];
        if (bin->waiting > 0 && !write_block(store, bin))
            return false;
    }
    mem_free_large(store->pending, PENDING_BYTES);
    store->pending = NULL;
    return (limit == 0 || cut_bins(store, limit)) && fflush(store->file) == 0;
}

uint64_t sample_store_count(const SampleStore *store)
{
    uint64_t sum = 0;
    for (int b = 0; b < SAMPLE_STORE_BINS; b++)
        sum += store->bins[b].count;
    return sum;
}

size_t sample_store_bin_count(const SampleStore *store, int bin)
{
    return (size_t)store->bins[bin].count;
}

size_t sample_store_largest_bin(const SampleStore *store)
{
    size_t largest = 0;
    for (int b = 0; b < SAMPLE_STORE_BINS; b++)
        if (sample_store_bin_count(store, b) > largest)
            largest = sample_store_bin_count(store, b);
    return largest;
}

bool sample_store_read(SampleStore *store, int bin, Sample *samples)
{
    const Bin *const from = &store->bins[bin];
    assert(store->pending == NULL); // sample_store_finish() was called
    for (size_t begin = 0, block = 0; begin < from->count; begin += SAMPLE_STORE_BLOCK, block++) {
        const size_t count = block_size(from, begin);
        if (!file_seek(store->file, from->blocks[block]) ||
            fread(samples + begin, sizeof(Sample), count, store->file) != count)
            return false;
    }
    return true;
}
