// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Speed of training and of inference on this machine (palimpsest-train --bench). */

#include <stdbool.h>

#include "train/thread_pool.h"

typedef struct {
    double positions_per_second;
    double positions_per_cpu_second; // per second of one core; reliable on a busy machine
} Speed;

/* Trains for about 5 seconds on positions from random games, all with 28 pieces, because the time
 * per position is proportional to the number of pieces. Returns false if memory runs out. */
bool speed_measure(Speed *speed, ThreadPool *pool);

/* Returns the time in nanoseconds to update the hidden layer to the next position of a game and to
 * evaluate this position, on one thread: the best of several rounds with a random network and
 * random games. Evaluations do not overlap: each waits for the result of the previous one. Returns
 * 0 if memory runs out. */
double speed_inference(void);
