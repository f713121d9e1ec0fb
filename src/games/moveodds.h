// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The chance of each legal move to be the one played, by a fixed rule: what is likely is cheap to
 * write down. The rule is part of the format of game files, so it never changes, and it rests on
 * nothing that may: not on an evaluation, only on the rules and the order of gen_legal(). */

#include "chess/position.h"

enum { MOVEODDS_WEIGHT_MAX = 1023 };

/* Fills `weights`, 1..MOVEODDS_WEIGHT_MAX each, for the `count` moves of gen_legal() and returns
 * their sum. `last` and `own_last` are the moves one and two plies before, MOVE_NONE at the start.
 */
uint32_t moveodds_weigh(const Position *pos, Move last, Move own_last, const Move *moves, int count,
                        uint16_t *weights);
