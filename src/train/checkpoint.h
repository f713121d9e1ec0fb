// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A model half trained, in a file, to go on from. Only a run that would have come to the same state
 * itself may do so. */

#include "train/model.h"

enum { CHECKPOINT_ERROR_MAX = 512 };

/* What the course of training depends on; all members have eight bytes. */
typedef struct {
    uint64_t seed, epochs, batch;
    double lambda, unit, rate, rate_end, power;
    uint64_t positions, positions_checksum; // trained on
} CheckpointKey;

/* Writes the model to `path`, replacing a file there only once the new one is complete. False, with
 * the reason in `error` (CHECKPOINT_ERROR_MAX bytes), on failure. */
bool checkpoint_save(const Model *model, const CheckpointKey *key, const char *path, char *error);

/* Reads it back. False, with the reason in `error`, when it cannot be read, is damaged, or was
 * written by a run with another key or architecture; `*model` is then undefined. */
bool checkpoint_load(Model *model, const CheckpointKey *key, const char *path, char *error);

/* How many batches a checkpoint that checkpoint_load() would take has behind it; 0 when there is
 * none. */
uint64_t checkpoint_steps(const CheckpointKey *key, const char *path);
