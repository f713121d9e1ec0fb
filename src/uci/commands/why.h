// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Comparison of two lines, and of their scores, for the command `why`. */

#include "chess/position.h"
#include "eval/score.h"

/* A line of legal moves. */
typedef struct {
    const Move *moves;
    int count;
} WhyLine;

/* Returns after how many plies of `a` the line reaches a position that `b` reaches, too; 0: never.
 * Both lines begin at `root`. */
int why_meeting(const Position *root, WhyLine a, WhyLine b);

/* Returns the difference of the two scores as they are shown: rounded to centipawns one by one.
 * `material` is pos_material() of the root. */
int why_centipawns_lost(Score best, Score score, int material);
