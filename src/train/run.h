// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One run of the trainer: from its beginning or a checkpoint to a network file. It prints progress,
 * writes checkpoints, and checks the network before it writes it. */

#include <stdatomic.h>

#include "train/trainer.h"

enum { RUN_ERROR_MAX = 512 };

typedef struct {
    const char *out;         // path of the network; its checkpoint has ".ckpt" appended
    bool resume;             // start from the checkpoint
    uint64_t stop_after;     // stop when this many batches of the run are done; 0: at the end
    double output_scale;     // factor for the evaluations of the network written
    int64_t checkpoint_ms;   // time between two checkpoints; 0: one minute
    const atomic_bool *stop; // another thread sets it to stop the run; may be NULL
    bool is_quiet;           // print nothing
} RunOptions;

typedef enum { RUN_DONE, RUN_STOPPED, RUN_FAILED } RunEnd;

/* Checks in advance whether the network `out` and its checkpoint can be written. Returns false,
 * with the reason in `error` (RUN_ERROR_MAX bytes), if not. */
bool run_can_write(const char *out, char *error);

/* Trains to the end, or until stopped; then writes a checkpoint. At the end it also rounds the
 * model, compares the result with the model on held-out positions, and writes the network.
 *
 * Returns RUN_FAILED, with the reason in `error` (RUN_ERROR_MAX bytes), if the checkpoint to resume
 * from is missing, if there is an unfinished checkpoint and `resume` is false, if the output cannot
 * be written, or if rounding changes evaluations too much. A checkpoint that cannot be written only
 * causes a warning, unless the run stops and nothing else would keep its work. */
RunEnd run_training(Trainer *trainer, const Dataset *dataset, const RunOptions *options,
                    char *error);
