// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The position the GUI has set up, and the way to it. */

#include "chess/game.h"
#include "uci/output.h"

typedef struct {
    Position pos;
    Path path; // of the game, ending in `pos`
} Setup;

/* The start position. */
void setup_init(Setup *setup);

/* Carries out the arguments of `position`, which are written to: `startpos` or `fen` and its
 * fields, then perhaps `moves`. False when they are refused: `setup` is as before, but for a list
 * of moves that ends at an illegal one, which leaves the position before it. What is wrong or was
 * repaired is appended to `notes` as info strings. */
bool setup_parse(Setup *setup, char *arguments, bool chess960, Block *notes);

/* The same position with the colours exchanged, without the moves that led to it. */
void setup_flip(Setup *setup);
