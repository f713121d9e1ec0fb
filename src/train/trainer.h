// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Training, batch by batch. The model learns with the rounding of the engine: forward pass and
 * gradients use the rounded weights, and the steps change the exact ones (straight-through
 * estimator: Bengio, Leonard & Courville 2013).
 *
 * A batch is divided into chunks. Each worker of the thread pool claims chunk after chunk and sums
 * their gradients in an array of its own. Then the optimiser adds these arrays, each worker for one
 * slice of the weights.
 *
 * The rounding of floating-point sums depends on which worker processed which chunk. A run with one
 * thread can be repeated bit for bit; a run with several threads only with `is_repeatable`, which
 * assigns chunk i to worker i modulo the number of workers. So only a run with the same number of
 * threads, of the same program, gives the same bits; the key of the checkpoint has that number.
 * This is slower when other programs use the cores. */

#include "train/checkpoint.h"
#include "train/loader.h"
#include "train/thread_pool.h"

typedef struct {
    uint64_t epochs; // passes over the training set
    uint64_t batch;  // at least this many positions per step on average; a smaller set is one batch
    uint64_t seed;
    double lambda, unit, power; // see Objective, backprop.h
    double lambda_end;          // lambda changes linearly from `lambda` to this
    double endgame;             // added to lambda with few pieces; see Objective
    double balance;             // see balance_weights(), balance.h
    double rate, rate_end;      // learning rate: first and last; it falls along a cosine
    bool is_repeatable;
    const Parameters *initial; // weights to begin with, only read by trainer_create(); NULL: random
} TrainSettings;

typedef struct Trainer Trainer;

/* Creates a trainer with a new model. `dataset` has at least one training position; `dataset` and
 * `pool` must outlive the trainer. Returns NULL if memory runs out. Free with trainer_free(). All
 * functions of a trainer must be called from the thread that created the pool. */
Trainer *trainer_create(const TrainSettings *settings, const Dataset *dataset, ThreadPool *pool);

/* Frees a trainer; `trainer` may be NULL. */
void trainer_free(Trainer *trainer);

/* Returns the model, which the trainer owns. It may be read, saved or loaded between batches. */
Model *trainer_model(Trainer *trainer);

/* Returns the weights of the current model as the network will have them. */
const Parameters *trainer_rounded(Trainer *trainer);

/* Returns the settings and data that the model depends on. */
const CheckpointKey *trainer_key(const Trainer *trainer);

/* Return the number of batches in all epochs and in one; model->step counts those done. */
uint64_t trainer_steps(const Trainer *trainer);
uint64_t trainer_epoch_steps(const Trainer *trainer);

/* Return the learning rate and lambda of the next batch. */
double trainer_rate(const Trainer *trainer);
double trainer_lambda(const Trainer *trainer);

/* Trains on the next batch and returns the number of its positions. Returns 0 and does nothing if
 * they cannot be read from the disk. */
size_t trainer_batch(Trainer *trainer);

/* Returns the mean loss of the rounded weights of the current model, with the current lambda, over
 * `set`, one of the two sets of the dataset; 0 for an empty set. */
double trainer_loss(Trainer *trainer, const SampleSet *set);
