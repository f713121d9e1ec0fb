// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/batches.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "train/stream.h"

struct Batches {
    const SampleSet *set;
    uint64_t seed, per_epoch;
    size_t first, end; // the open batch: indices into `groups`, or sample numbers of the epoch
    /* In memory: */
    uint32_t *groups; // group numbers in the order of `epoch`
    size_t group_count;
    uint64_t epoch; // UINT64_MAX: `groups` is not ordered yet
    /* On disk: */
    SampleStream *stream; // NULL: all positions are in memory
    uint64_t sample_count;
    Sample *samples; // of the open batch
    uint64_t next;   // batch at which the stream stands; UINT64_MAX: at none
};

static bool allocate(Batches *batches, SampleStore *store)
{
    if (store == NULL) {
        batches->groups = calloc(batches->group_count, sizeof *batches->groups);
        return batches->groups != NULL;
    }
    batches->stream = stream_create(store, batches->seed);
    batches->samples = mem_alloc_large(batches_largest(batches) * sizeof(Sample), NULL);
    return batches->stream != NULL && batches->samples != NULL;
}

uint64_t batches_among(uint64_t positions, uint64_t size)
{
    const uint64_t wanted = positions / size;
    const uint64_t most = divide_up((size_t)positions, SHUFFLE_GROUP); // one group or more each
    return wanted == 0 ? 1 : wanted < most ? wanted : most;
}

Batches *batches_create(const Dataset *dataset, uint64_t size, uint64_t seed)
{
    Batches *const batches = calloc(1, sizeof *batches);
    if (batches == NULL)
        return NULL;
    batches->set = &dataset->train;
    batches->seed = seed;
    batches->sample_count = loader_positions(dataset);
    batches->group_count = divide_up((size_t)batches->sample_count, SHUFFLE_GROUP);
    batches->per_epoch = batches_among(batches->sample_count, size);
    batches->epoch = batches->next = UINT64_MAX;
    if (allocate(batches, dataset->store))
        return batches;
    batches_free(batches);
    return NULL;
}

void batches_free(Batches *batches)
{
    if (batches == NULL)
        return;
    stream_free(batches->stream);
    mem_free_large(batches->samples, batches_largest(batches) * sizeof(Sample));
    free(batches->groups);
    free(batches);
}

uint64_t batches_per_epoch(const Batches *batches)
{
    return batches->per_epoch;
}

size_t batches_largest(const Batches *batches)
{
    return divide_up(batches->group_count, (size_t)batches->per_epoch) * SHUFFLE_GROUP;
}

/* Returns the number of samples of a group: SHUFFLE_GROUP, or fewer in the last one. */
static size_t group_size(size_t samples, size_t group)
{
    const size_t left = samples - group * SHUFFLE_GROUP;
    return left < SHUFFLE_GROUP ? left : SHUFFLE_GROUP;
}

static size_t open_in_memory(Batches *batches, uint64_t epoch)
{
    if (epoch != batches->epoch) {
        shuffle_groups(batches->groups, batches->group_count, batches->seed, epoch);
        batches->epoch = epoch;
    }
    size_t count = 0;
    for (size_t g = batches->first; g < batches->end; g++)
        count += group_size(batches->set->count, batches->groups[g]);
    return count;
}

static size_t open_on_disk(Batches *batches, uint64_t step)
{
    const uint64_t epoch = step / batches->per_epoch;
    const size_t count = batches->end - batches->first;
    const bool is_there =
        step == batches->next || stream_seek(batches->stream, epoch, batches->first);
    batches->next = UINT64_MAX;
    if (!is_there || !stream_take(batches->stream, batches->samples, count))
        return 0;
    batches->next = step + 1;
    return count;
}

size_t batches_open(Batches *batches, uint64_t step)
{
    const uint64_t epoch = step / batches->per_epoch, batch = step % batches->per_epoch;
    const uint64_t all =
        batches->stream != NULL ? batches->sample_count : (uint64_t)batches->group_count;
    batches->first = (size_t)(batch * all / batches->per_epoch);
    batches->end = (size_t)((batch + 1) * all / batches->per_epoch);
    return batches->stream != NULL ? open_on_disk(batches, step) : open_in_memory(batches, epoch);
}

size_t batches_groups(const Batches *batches)
{
    const size_t count = batches->end - batches->first;
    return batches->stream != NULL ? divide_up(count, SHUFFLE_GROUP) : count;
}

const Sample *batches_group(const Batches *batches, size_t group, size_t *count)
{
    assert(group < batches_groups(batches));
    if (batches->stream != NULL) {
        *count = group_size(batches->end - batches->first, group);
        return batches->samples + group * SHUFFLE_GROUP;
    }
    const size_t number = batches->groups[batches->first + group];
    *count = group_size(batches->set->count, number);
    return batches->set->samples + number * SHUFFLE_GROUP;
}
