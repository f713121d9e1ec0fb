// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One run of the trainer, from the beginning or from a checkpoint, to a network file. Prints
 * progress, writes checkpoints, and checks the network before writing it. */

#include <stdatomic.h>

#include "train/judge.h"
#include "train/trainer.h"

enum { RUN_ERROR_MAX = 512 };

typedef struct {
    const char *out;         // path of the network; its checkpoint has ".ckpt" appended
    bool resume;             // start from the checkpoint
    uint64_t stop_after;     // stop after this many batches, not counting resumed ones; 0: never
    double output_scale;     // factor of the evaluations of the network
    LabelSet *labels;        // judge the network on them after each epoch; may be NULL
    int64_t checkpoint_ms;   // time between two checkpoints; 0: one minute
    const atomic_bool *stop; // a signal or another thread sets it to stop the run; may be NULL
    bool is_silent;          // print nothing
} RunOptions;

typedef enum { RUN_DONE, RUN_STOPPED, RUN_FAILED } RunEnd;

/* Checks, before the games are loaded, what would make run_training() fail at its start. Returns
 * false, with the reason in `error` (RUN_ERROR_MAX bytes), if
 * - the network file `out` or its checkpoint cannot be written, or another kind of file is there,
 * - another process trains that network,
 * - `resume` is true and there is no checkpoint,
 * - `resume` is false and there is the checkpoint of a run that is unfinished or whose network is
 *   missing, or one that this program cannot read. */
bool run_can_start(const char *out, bool resume, char *error);

/* Writes a network that needs no training. Returns false, with the reason in `error`, if it cannot
 * be written or would replace another kind of file, or if a run trains the network `out`. */
bool run_save_network(const Network *network, const char *out, char *error);

/* True if a run that makes the network file `out` would overwrite the existing file `path`: it is
 * that network or its checkpoint. */
bool run_overwrites(const char *out, const char *path);

/* Trains to the end, or until stopped; then writes a checkpoint. At the end it also rounds the
 * model, compares the network with the model on held-out positions (on training positions if none
 * are held out), and writes the network.
 *
 * Returns RUN_FAILED, with the reason in `error` (RUN_ERROR_MAX bytes), if
 * - another process trains the same network (it holds a lock on the file `out`.lock), or that file
 *   is not empty, so that it is no such lock,
 * - the checkpoint to resume from cannot be loaded,
 * - `resume` is false and there is the checkpoint of a run that is unfinished or whose network is
 *   missing, or one that this program cannot read,
 * - the network cannot be written, or rounding changes evaluations too much,
 * - the run is stopped and its checkpoint cannot be written. A failure to write any other
 *   checkpoint only causes a warning. */
RunEnd run_training(Trainer *trainer, const Dataset *dataset, const RunOptions *options,
                    char *error);
