// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* How fast the trainer is on this machine. */

#include <stdbool.h>

#include "train/crew.h"

typedef struct {
    double positions_per_second;
    double positions_per_cpu_second; // of one thread; honest on a busy machine
} Speed;

/* Trains for some seconds on positions of 28 pieces from random games, which says all there is to
 * say: time is spent by the piece. False without memory. */
bool speed_measure(Speed *speed, Crew *crew);
