// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Checkpoints: the state of a model in a file, to continue training later. Only a run with the same
 * settings and data may continue from a checkpoint. */

#include "train/model.h"

enum { CHECKPOINT_ERROR_MAX = 512 };

/* The settings and data that determine the model. All members have eight bytes, so that two keys
 * can be compared member by member. A new member goes to the end, and its 0 means what the program
 * did before: checkpoints of older programs lack it. */
typedef struct {
    uint64_t seed, epochs, batch;
    double lambda, unit, rate, rate_end, power;
    uint64_t positions, positions_checksum; // number and checksum of the training positions
    uint64_t initial_checksum;              // of the weights at the start; 0: random from `seed`
    double lambda_change;                   // from the first to the last batch
    double balance;
    uint64_t is_on_disk;         // 1: another order of the positions than in memory
    double endgame;              // see TrainSettings, trainer.h
    uint64_t repeatable_threads; // number of threads of a repeatable run; 0: not repeatable
} CheckpointKey;

/* Writes the model to `path`. Replaces an existing file only when the new one is complete.
 * Returns false, with the reason in `error` (CHECKPOINT_ERROR_MAX bytes), on failure. */
bool checkpoint_save(const Model *model, const CheckpointKey *key, const char *path, char *error);

/* Reads the model from `path`. Returns false, with the reason in `error`, if the file cannot be
 * read, is damaged, or has another key or architecture; `*model` is then undefined. */
bool checkpoint_load(Model *model, const CheckpointKey *key, const char *path, char *error);

/* Returns whether `path` can be opened to resume a run; if not, the reason is in `error`. */
bool checkpoint_can_open(const char *path, char *error);

/* Reads only the weights, from the checkpoint of any run with this architecture or with fewer
 * hidden neurons. New neurons have random input weights, and weights of 0 in the direct output and
 * the first dense layer, so the evaluation is that of the smaller network until they have learned
 * (the idea of Net2Net: Chen, Goodfellow and Shlens 2016). Returns false, with the reason in
 * `error`, if the file cannot be read, is damaged or has another architecture; `*weights` is then
 * unchanged. */
bool checkpoint_load_weights(Parameters *weights, const char *path, char *error);

/* Returns whether the file `path` begins as a checkpoint does. */
bool checkpoint_has_magic(const char *path);

/* Reads the key and the number of batches done of the checkpoint at `path`. False if there is no
 * checkpoint of this architecture. */
bool checkpoint_read_key(CheckpointKey *key, uint64_t *steps, const char *path);

/* Returns the name of a setting that differs between two keys, NULL if they are equal. */
const char *checkpoint_difference(const CheckpointKey *a, const CheckpointKey *b);
