// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Positions for tests. */

#include "chess/position.h"

/* Returns the position of a FEN, read with Chess960 castling rights. The test fails when the FEN is
 * invalid. */
Position pos_from_fen(const char *fen);
