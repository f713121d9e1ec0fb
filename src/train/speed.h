// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* How fast the trainer and the network are on this machine. */

#include <stdbool.h>

#include "train/thread_pool.h"

typedef struct {
    double positions_per_second;
    double positions_per_cpu_second; // of one thread; honest on a busy machine
} Speed;

/* Trains for some seconds on positions of 28 pieces from random games, which says all there is to
 * say: time is spent by the piece. False without memory. */
bool speed_measure(Speed *speed, ThreadPool *pool);

/* Nanoseconds of one thread for bringing the hidden layer from a position to the next of a random
 * game and evaluating it, each position waiting for the evaluation before it; the best of several
 * rounds. 0 without memory. */
double speed_inference(void);
