// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Comparison of two lines, for the command `why`. */

#include "chess/position.h"

/* A line of legal moves. */
typedef struct {
    const Move *moves;
    int count;
} WhyLine;

/* Returns after how many plies of `a` the line reaches a position that `b` reaches, too; 0: never.
 * Both lines begin at `root`. */
int why_meeting(const Position *root, WhyLine a, WhyLine b);
