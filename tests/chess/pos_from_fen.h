// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Positions for tests. */

#include "chess/position.h"

/* The position of a FEN, castling rights by the rules of Chess960; the test fails when it is none.
 */
Position made_position(const char *fen);
