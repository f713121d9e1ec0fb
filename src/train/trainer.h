// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Training, batch by batch. A batch is cut into chunks that the crew takes as it comes to them;
 * each member sums a gradient of its own, and all step together. Which member took a chunk decides
 * in what order floating-point numbers are added: a run repeats bit for bit with one thread, and
 * with several only when chunks are dealt out in turn (`is_repeatable`), which costs speed where
 * the cores are shared with others. */

#include "train/checkpoint.h"
#include "train/loader.h"
#include "train/thread_pool.h"

typedef struct {
    uint64_t epochs; // passes over the training set
    uint64_t batch;  // positions, at least
    uint64_t seed;
    double lambda;         // share of the game's result in the target
    double unit;           // internal units, see Aim
    double rate, rate_end; // step length: from the first to the second along a cosine
    double power;          // of the error in the loss
    bool is_repeatable;
} TrainSettings;

typedef struct Trainer Trainer;

/* A trainer of a new model; the dataset and the crew must outlive it. NULL without memory. Free
 * with trainer_free(). */
Trainer *trainer_create(const TrainSettings *settings, const Dataset *dataset, ThreadPool *pool);
void trainer_free(Trainer *trainer);

/* The model, to be read, saved or loaded into between batches, and what it depends on. */
Model *trainer_model(Trainer *trainer);
const CheckpointKey *trainer_key(const Trainer *trainer);

/* Batches in all, and in one epoch; model->step counts those done. */
uint64_t trainer_steps(const Trainer *trainer);
uint64_t trainer_epoch_steps(const Trainer *trainer);

/* The step length of the next batch. */
double trainer_rate(const Trainer *trainer);

/* Learns from the next batch; returns the number of its positions. */
size_t trainer_batch(Trainer *trainer);

/* Mean loss over one of the sets of the dataset with the model as it is; 0 for an empty set. */
double trainer_loss(Trainer *trainer, const SampleSet *set);
