// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Estimates how likely each legal move is to be played, so that likely moves take fewer bits in
 * game files. The estimate is part of the file format and never changes. It therefore depends only
 * on the rules of chess and the order of gen_legal(), never on an evaluation. */

#include "chess/position.h"

enum { MOVEODDS_WEIGHT_MAX = 1023 };

/* Writes a weight of 1..MOVEODDS_WEIGHT_MAX for each of the `count` moves of gen_legal() to
 * `weights` and returns their sum. A move's probability is its weight divided by the sum. `last`
 * and `own_last` are the moves one and two plies before, or MOVE_NONE. */
uint32_t moveodds_weigh(const Position *pos, Move last, Move own_last, const Move *moves, int count,
                        uint16_t *weights);
