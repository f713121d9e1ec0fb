// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A run of the trainer from its beginning, or a checkpoint, to a network: what is printed, when it
 * is saved, and what is checked at the end. */

#include <stdatomic.h>

#include "train/trainer.h"

enum { RUN_ERROR_MAX = 512 };

typedef struct {
    const char *out;     // the network's file; its checkpoint's is that and ".ckpt"
    bool resume;         // begin with the checkpoint
    uint64_t stop_after; // batches of this run; 0: no such end
    double output_scale;
    int64_t checkpoint_ms;   // between two checkpoints; 0: a minute
    const atomic_bool *stop; // set from outside: save and end
    bool is_quiet;           // prints nothing
} RunOptions;

typedef enum { RUN_DONE, RUN_STOPPED, RUN_FAILED } RunEnd;

/* Whether the network `out` and its checkpoint can be written, as far as that can be known before
 * there are any. False, with the reason in `error` (RUN_ERROR_MAX bytes), if not. */
bool run_can_write(const char *out, char *error);

/* Trains to the end, or until stopped, and then writes a checkpoint; before that, a trained network
 * is rounded, compared with the model on the samples held out, and written. RUN_FAILED, with the
 * reason in `error` (RUN_ERROR_MAX bytes), when there is no checkpoint to go on from, or there
 * is one and nobody asked for it, what the run is for cannot be written, or rounding lost too much.
 * A checkpoint that fails while there will be others, or beside a network that was written, costs
 * no more than a warning. */
RunEnd run_training(Trainer *trainer, const Dataset *dataset, const RunOptions *options,
                    char *error);
