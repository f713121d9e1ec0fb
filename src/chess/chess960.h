// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The 960 starting positions of Chess960 by Scharnagl's numbers, 0 to 959; 518 is the standard one.
 * Here an array is the first rank of one side in such a position. */

#include "chess/position.h"

enum { CHESS960_NB = 960, CHESS960_STANDARD = 518 };

/* Sets `pos` to the start position with these arrays, each below CHESS960_NB: White to move, all
 * castling rights. With two different arrays this is double Chess960. */
void chess960_start(Position *pos, int white_array, int black_array);

/* Sets `pos` to the start position of standard chess. */
void pos_start(Position *pos);
