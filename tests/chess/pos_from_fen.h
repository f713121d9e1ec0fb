// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Positions for tests. */

#include "chess/position.h"

/* A quiet middlegame; and "Kiwipete", a well-known position for perft, with many kinds of moves. */
extern const char MIDDLEGAME[], KIWIPETE[];

/* Returns the position of a FEN, read with Chess960 castling rights. The test fails when the FEN is
 * invalid. */
Position pos_from_fen(const char *fen);
