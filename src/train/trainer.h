// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Training, batch by batch. A batch is divided into chunks. Each worker of the thread pool takes
 * the next free chunk and sums a gradient of its own; then all workers apply the step together.
 *
 * Floating-point sums depend on which worker took which chunk. One thread therefore repeats a run
 * bit for bit; several threads do so only with `is_repeatable`, which assigns chunks in turn. That
 * is slower when other programs use the cores. */

#include "train/checkpoint.h"
#include "train/loader.h"
#include "train/thread_pool.h"

typedef struct {
    uint64_t epochs; // passes over the training set
    uint64_t batch;  // positions per step, at least
    uint64_t seed;
    double lambda;         // share of the game's result in the target
    double unit;           // internal units, see Objective
    double rate, rate_end; // learning rate: from the first to the second along a cosine
    double power;          // exponent of the error in the loss
    bool is_repeatable;
} TrainSettings;

typedef struct Trainer Trainer;

/* Creates a trainer with a new model. `dataset` and `pool` must outlive it. Returns NULL if memory
 * runs out. Free with trainer_free(). */
Trainer *trainer_create(const TrainSettings *settings, const Dataset *dataset, ThreadPool *pool);

/* Frees a trainer; `trainer` may be NULL. */
void trainer_free(Trainer *trainer);

/* Returns the model. It may be read, saved or loaded between batches. */
Model *trainer_model(Trainer *trainer);

/* Returns the settings and data that the model depends on. */
const CheckpointKey *trainer_key(const Trainer *trainer);

/* Return the number of batches in all and in one epoch; model->step counts those done. */
uint64_t trainer_steps(const Trainer *trainer);
uint64_t trainer_epoch_steps(const Trainer *trainer);

/* Returns the learning rate of the next batch. */
double trainer_rate(const Trainer *trainer);

/* Trains on the next batch and returns the number of its positions. */
size_t trainer_batch(Trainer *trainer);

/* Returns the mean loss of the current model over a set of the dataset; 0 for an empty set. */
double trainer_loss(Trainer *trainer, const SampleSet *set);
