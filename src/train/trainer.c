// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/trainer.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/checksum.h"
#include "base/rng.h"
#include "train/adam.h"
#include "train/backprop.h"
#include "train/balance.h"
#include "train/shuffle.h"

/* During the warm-up steps the learning rate rises from near 0, because the first gradients are
 * noisy. */
enum { WARM_UP_STEPS = 50, CHUNK_GROUPS = BACKPROP_CHUNK / SHUFFLE_GROUP };

/* Number of samples in the checksum that identifies a shuffled set. */
enum { CHECKSUM_SAMPLES = 1 << 20 };

struct Trainer {
    TrainSettings settings;
    Objective objective; // of the current job; its weights are those of the run
    const Dataset *dataset;
    ThreadPool *pool;
    CheckpointKey key;
    Model *model;
    uint32_t *groups; // group numbers (shuffle.h) in the order of `epoch`
    size_t group_count;
    uint64_t epoch;                 // UINT64_MAX: `groups` is not ordered yet
    uint64_t epoch_steps;           // batches of an epoch
    Chunk *chunks[THREAD_POOL_MAX]; // one for each worker, like the gradients
    Parameters *gradients[THREAD_POOL_MAX];
    double *losses; // of each chunk; summed in the order of the chunks, for repeatable sums
    /* The current job. */
    size_t first_group, end_group; // the batch to train on: indices into `groups`
    const SampleSet *set;          // the set to evaluate; NULL: train on the batch
    size_t chunk_count;
    float scale, rate;        // 1 / positions of the batch; learning rate
    atomic_size_t next_chunk; // chunk to claim next, unless `is_repeatable`
};

static size_t divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

/* Returns the number of samples of a group: SHUFFLE_GROUP, or fewer in the last one. */
static size_t group_size(const Trainer *trainer, size_t group)
{
    const size_t left = trainer->dataset->train.count - group * SHUFFLE_GROUP;
    return left < SHUFFLE_GROUP ? left : SHUFFLE_GROUP;
}

static bool allocate(Trainer *trainer)
{
    const size_t trained = trainer->dataset->train.count, held = trainer->dataset->held_out.count;
    const size_t chunks = divide_up(trained > held ? trained : held, BACKPROP_CHUNK);
    trainer->model = model_create(trainer->settings.seed);
    trainer->groups = calloc(trainer->group_count, sizeof *trainer->groups);
    trainer->losses = calloc(chunks, sizeof *trainer->losses);
    if (trainer->model == NULL || trainer->groups == NULL || trainer->losses == NULL)
        return false;
    for (int i = 0; i < thread_pool_size(trainer->pool); i++) {
        trainer->chunks[i] = backprop_create();
        trainer->gradients[i] = parameters_create();
        if (trainer->chunks[i] == NULL || trainer->gradients[i] == NULL)
            return false;
    }
    return true;
}

Trainer *trainer_create(const TrainSettings *settings, const Dataset *dataset, ThreadPool *pool)
{
    const SampleSet *const set = &dataset->train;
    assert(set->count > 0 && settings->epochs > 0 && settings->batch > 0);
    Trainer *const trainer = calloc(1, sizeof *trainer);
    if (trainer == NULL)
        return NULL;
    trainer->settings = *settings;
    trainer->objective =
        (Objective){.unit = (float)settings->unit, .power = (float)settings->power};
    trainer->dataset = dataset;
    trainer->pool = pool;
    trainer->group_count = divide_up(set->count, SHUFFLE_GROUP);
    trainer->epoch = UINT64_MAX;
    const size_t batches = set->count / settings->batch;
    const size_t batches_max = trainer->group_count; // a batch has at least one group
    trainer->epoch_steps = batches == 0 ? 1 : batches < batches_max ? batches : batches_max;
    if (!allocate(trainer)) {
        trainer_free(trainer);
        return NULL;
    }
    uint64_t counts[NNUE_BUCKETS] = {0};
    balance_count(set->samples, set->count, counts);
    balance_weights(counts, settings->balance, trainer->objective.weights);
    const Parameters *const initial = settings->initial;
    if (initial != NULL)
        trainer->model->weights = *initial;
    const size_t checked = set->count < CHECKSUM_SAMPLES ? set->count : CHECKSUM_SAMPLES;
    trainer->key = (CheckpointKey){
        .seed = settings->seed,
        .epochs = settings->epochs,
        .batch = settings->batch,
        .lambda = settings->lambda,
        .unit = settings->unit,
        .rate = settings->rate,
        .rate_end = settings->rate_end,
        .power = settings->power,
        .positions = set->count,
        .positions_checksum = checksum64(set->samples, checked * sizeof *set->samples),
        .initial_checksum = initial != NULL ? checksum64(initial, sizeof *initial) : 0,
        .lambda_change = settings->lambda_end - settings->lambda,
        .balance = settings->balance,
    };
    return trainer;
}

void trainer_free(Trainer *trainer)
{
    if (trainer == NULL)
        return;
    for (int i = 0; i < thread_pool_size(trainer->pool); i++) {
        backprop_free(trainer->chunks[i]);
        parameters_free(trainer->gradients[i]);
    }
    model_free(trainer->model);
    free(trainer->groups);
    free(trainer->losses);
    free(trainer);
}

Model *trainer_model(Trainer *trainer)
{
    return trainer->model;
}

const CheckpointKey *trainer_key(const Trainer *trainer)
{
    return &trainer->key;
}

uint64_t trainer_steps(const Trainer *trainer)
{
    return trainer->settings.epochs * trainer->epoch_steps;
}

uint64_t trainer_epoch_steps(const Trainer *trainer)
{
    return trainer->epoch_steps;
}

double trainer_rate(const Trainer *trainer)
{
    const TrainSettings *const settings = &trainer->settings;
    const double step = (double)trainer->model->step, steps = (double)trainer_steps(trainer);
    const double cosine = 0.5 * (1.0 + cos(acos(-1.0) * step / steps));
    const double rate = settings->rate_end + (settings->rate - settings->rate_end) * cosine;
    return step < WARM_UP_STEPS ? rate * (step + 1.0) / WARM_UP_STEPS : rate;
}

double trainer_lambda(const Trainer *trainer)
{
    const TrainSettings *const settings = &trainer->settings;
    const double share = (double)trainer->model->step / (double)trainer_steps(trainer);
    return settings->lambda + (settings->lambda_end - settings->lambda) * share;
}

/* Fills `chunk` with chunk `number` of the batch. If the network does not mirror its inputs,
 * mirrors a random half of the positions left to right: apart from castling, chess has this
 * symmetry. The choice depends on seed, step and chunk number, not on the worker. */
static void fill_from_batch(const Trainer *trainer, size_t number, Chunk *chunk)
{
    const size_t first = trainer->first_group + number * CHUNK_GROUPS;
    const size_t left = trainer->end_group - first;
    const size_t end = first + (left < CHUNK_GROUPS ? left : CHUNK_GROUPS);
    Rng rng;
    rng_seed(&rng, trainer->settings.seed + (trainer->model->step << 20) + number);
    chunk->count = 0;
    for (size_t g = first; g < end; g++) {
        const size_t group = trainer->groups[g];
        const Sample *const samples = trainer->dataset->train.samples + group * SHUFFLE_GROUP;
        const uint64_t flips = NNUE_MIRRORED ? 0 : rng_next(&rng);
        for (size_t i = 0; i < group_size(trainer, group); i++)
            backprop_add(chunk, &samples[i], flips >> i & 1, &trainer->objective);
    }
}

static void fill_from_set(const Trainer *trainer, size_t number, Chunk *chunk)
{
    const size_t first = number * BACKPROP_CHUNK, left = trainer->set->count - first;
    const size_t count = left < BACKPROP_CHUNK ? left : BACKPROP_CHUNK;
    chunk->count = 0;
    for (size_t i = first; i < first + count; i++)
        backprop_add(chunk, &trainer->set->samples[i], false, &trainer->objective);
}

/* A job: processes chunks of the batch or of the set to evaluate until none is left. */
static void work_on_chunks(void *ctx, int worker)
{
    Trainer *const trainer = ctx;
    Chunk *const chunk = trainer->chunks[worker];
    const Parameters *const weights = &trainer->model->weights;
    const size_t stride = (size_t)thread_pool_size(trainer->pool);
    const bool in_turn = trainer->settings.is_repeatable;
    for (size_t i = (size_t)worker;; i += stride) {
        const size_t number =
            in_turn ? i : atomic_fetch_add_explicit(&trainer->next_chunk, 1, memory_order_relaxed);
        if (number >= trainer->chunk_count)
            return;
        if (trainer->set != NULL)
            fill_from_set(trainer, number, chunk);
        else
            fill_from_batch(trainer, number, chunk);
        backprop_forward(chunk, weights);
        trainer->losses[number] = backprop_loss(chunk, &trainer->objective);
        if (trainer->set == NULL)
            backprop_backward(chunk, weights, trainer->scale, trainer->gradients[worker]);
    }
}

/* A job: applies the optimiser's step to the worker's slice of the weights. */
static void step_slice(void *ctx, int worker)
{
    Trainer *const trainer = ctx;
    const int size = thread_pool_size(trainer->pool);
    adam_step(trainer->model, trainer->gradients, size, trainer->rate, worker, size);
}

/* Runs the current job on all workers and returns the sum of the losses. */
static double run_chunks(Trainer *trainer, size_t chunk_count)
{
    trainer->objective.lambda = (float)trainer_lambda(trainer);
    trainer->chunk_count = chunk_count;
    atomic_store(&trainer->next_chunk, 0);
    thread_pool_run(trainer->pool, work_on_chunks, trainer);
    double sum = 0.0;
    for (size_t i = 0; i < chunk_count; i++)
        sum += trainer->losses[i];
    return sum;
}

size_t trainer_batch(Trainer *trainer)
{
    Model *const model = trainer->model;
    const uint64_t epoch = model->step / trainer->epoch_steps;
    const uint64_t batch = model->step % trainer->epoch_steps;
    if (epoch != trainer->epoch) {
        shuffle_groups(trainer->groups, trainer->group_count, trainer->settings.seed, epoch);
        trainer->epoch = epoch;
    }
    if (batch == 0) {
        model->loss_sum = 0.0;
        model->loss_count = 0;
    }
    trainer->first_group = batch * trainer->group_count / trainer->epoch_steps;
    trainer->end_group = (batch + 1) * trainer->group_count / trainer->epoch_steps;
    size_t count = 0;
    for (size_t g = trainer->first_group; g < trainer->end_group; g++)
        count += group_size(trainer, trainer->groups[g]);
    trainer->set = NULL;
    trainer->scale = 1.0f / (float)count;
    trainer->rate = (float)trainer_rate(trainer);
    const size_t groups = trainer->end_group - trainer->first_group;
    model->loss_sum += run_chunks(trainer, divide_up(groups, CHUNK_GROUPS));
    model->loss_count += count;
    thread_pool_run(trainer->pool, step_slice, trainer);
    model->step++;
    return count;
}

double trainer_loss(Trainer *trainer, const SampleSet *set)
{
    trainer->set = set;
    const double sum = run_chunks(trainer, divide_up(set->count, BACKPROP_CHUNK));
    return set->count > 0 ? sum / (double)set->count : 0.0;
}
