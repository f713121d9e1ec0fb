// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Checkpoints: a partly trained model in a file, to continue training later. Only a run with the
 * same settings and data may continue it; such a run would have reached the same state. */

#include "train/model.h"

enum { CHECKPOINT_ERROR_MAX = 512 };

/* The settings and data that determine a run. All members have eight bytes. */
typedef struct {
    uint64_t seed, epochs, batch;
    double lambda, unit, rate, rate_end, power;
    uint64_t positions, positions_checksum; // of the training set
} CheckpointKey;

/* Writes the model to `path`. An existing file is replaced only when the new one is complete.
 * Returns false, with the reason in `error` (CHECKPOINT_ERROR_MAX bytes), on failure. */
bool checkpoint_save(const Model *model, const CheckpointKey *key, const char *path, char *error);

/* Reads the model from `path`. Returns false, with the reason in `error`, if the file cannot be
 * read, is damaged, or has another key or architecture; `*model` is then undefined. */
bool checkpoint_load(Model *model, const CheckpointKey *key, const char *path, char *error);

/* Returns the number of batches done in a checkpoint with this key; 0 if there is none. */
uint64_t checkpoint_steps(const CheckpointKey *key, const char *path);
