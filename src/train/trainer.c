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
#include "train/batches.h"
#include "train/quantise.h"

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
    Parameters *rounded; // weights of the model as the network will have them
    Batches *batches;
    Chunk *chunks[THREAD_POOL_MAX]; // one for each worker, like the gradients
    Parameters *gradients[THREAD_POOL_MAX];
    double *losses; // of each chunk; summed in the order of the chunks, for repeatable sums
    /* The current job. */
    const SampleSet *set; // the set to evaluate; NULL: train on the open batch
    size_t chunk_count;
    float scale, rate;        // 1 / positions of the batch; learning rate
    atomic_size_t next_chunk; // chunk to claim next, unless `is_repeatable`
};

static bool allocate(Trainer *trainer)
{
    const Dataset *const dataset = trainer->dataset;
    const TrainSettings *const settings = &trainer->settings;
    trainer->model = model_create(settings->seed);
    trainer->rounded = parameters_create();
    trainer->batches = batches_create(dataset, settings->batch, settings->seed);
    if (trainer->model == NULL || trainer->rounded == NULL || trainer->batches == NULL)
        return false;
    size_t most = batches_largest(trainer->batches);
    const size_t sets[] = {dataset->train.count, dataset->held_out.count};
    for (int i = 0; i < 2; i++)
        most = most > sets[i] ? most : sets[i];
    trainer->losses = calloc(divide_up(most, BACKPROP_CHUNK), sizeof *trainer->losses);
    if (trainer->losses == NULL)
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
    trainer->objective = (Objective){.endgame = (float)settings->endgame,
                                     .unit = (float)settings->unit,
                                     .power = (float)settings->power};
    trainer->dataset = dataset;
    trainer->pool = pool;
    if (!allocate(trainer)) {
        trainer_free(trainer);
        return NULL;
    }
    uint64_t counts[NNUE_BUCKETS] = {0};
    balance_count(set->samples, set->count, counts); // on disk: of a large sample
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
        .positions = loader_positions(dataset),
        .positions_checksum = checksum64(set->samples, checked * sizeof *set->samples),
        .initial_checksum = initial != NULL ? checksum64(initial, sizeof *initial) : 0,
        .lambda_change = settings->lambda_end - settings->lambda,
        .balance = settings->balance,
        .is_on_disk = dataset->store != NULL,
        .endgame = settings->endgame,
        .repeatable_threads = settings->is_repeatable ? (uint64_t)thread_pool_size(pool) : 0,
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
    parameters_free(trainer->rounded);
    model_free(trainer->model);
    batches_free(trainer->batches);
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
    return trainer->settings.epochs * trainer_epoch_steps(trainer);
}

uint64_t trainer_epoch_steps(const Trainer *trainer)
{
    return batches_per_epoch(trainer->batches);
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
    const size_t first = number * CHUNK_GROUPS, left = batches_groups(trainer->batches) - first;
    const size_t end = first + (left < CHUNK_GROUPS ? left : CHUNK_GROUPS);
    Rng rng;
    rng_seed(&rng, trainer->settings.seed + (trainer->model->step << 20) + number);
    chunk->count = 0;
    for (size_t g = first; g < end; g++) {
        size_t count;
        const Sample *const samples = batches_group(trainer->batches, g, &count);
        const uint64_t flips = NNUE_MIRRORED ? 0 : rng_next(&rng);
        for (size_t i = 0; i < count; i++)
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
    const Parameters *const weights = trainer->rounded;
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

/* A job: rounds the worker's slice of the weights. */
static void round_slice(void *ctx, int worker)
{
    Trainer *const trainer = ctx;
    quantise_round(trainer->rounded, &trainer->model->weights, worker,
                   thread_pool_size(trainer->pool));
}

const Parameters *trainer_rounded(Trainer *trainer)
{
    thread_pool_run(trainer->pool, round_slice, trainer);
    return trainer->rounded;
}

/* Runs the current job on all workers and returns the sum of the losses. */
static double run_chunks(Trainer *trainer, size_t chunk_count)
{
    trainer->objective.lambda = (float)trainer_lambda(trainer);
    trainer->chunk_count = chunk_count;
    atomic_store(&trainer->next_chunk, 0);
    trainer_rounded(trainer);
    thread_pool_run(trainer->pool, work_on_chunks, trainer);
    double sum = 0.0;
    for (size_t i = 0; i < chunk_count; i++)
        sum += trainer->losses[i];
    return sum;
}

size_t trainer_batch(Trainer *trainer)
{
    Model *const model = trainer->model;
    const size_t count = batches_open(trainer->batches, model->step);
    if (count == 0)
        return 0;
    if (model->step % trainer_epoch_steps(trainer) == 0) {
        model->loss_sum = 0.0;
        model->loss_count = 0;
    }
    trainer->set = NULL;
    trainer->scale = 1.0f / (float)count;
    trainer->rate = (float)trainer_rate(trainer);
    const size_t chunks = divide_up(batches_groups(trainer->batches), CHUNK_GROUPS);
    model->loss_sum += run_chunks(trainer, chunks);
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
