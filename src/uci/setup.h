// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The current position and the game that led to it. The command `position` sets them; `go` and most
 * other commands use them. */

#include "chess/game.h"
#include "uci/output.h"

typedef struct {
    Position pos;
    Path path;     // positions of the game for repetitions, ends with `pos`
    Position root; // `pos` before the moves of the last `position`
    int plies;     // number of these moves
    bool in_game;  // the last `go` had a clock, and no new game has begun; session.c sets it
} Setup;

/* Sets the start position. */
void setup_init(Setup *setup);

/* Sets the position by the arguments of `position`: `startpos` or `fen FEN`, then optionally
 * `moves` and moves. Modifies `arguments`. Appends errors and repairs of the FEN to `notes` as info
 * strings. Returns false on an error: an invalid FEN leaves `setup` unchanged, an illegal move
 * leaves the position before that move, and other words after `startpos` are skipped.
 *
 * Some GUIs send the FEN of every position of a game. So in a game the path goes on if the new root
 * follows from `pos`, or from the old root, by at most two legal moves. From the old root: the game
 * has not gone on with the move that `pos` was searched for while pondering. */
bool setup_parse(Setup *setup, char *arguments, bool chess960, StrBuf *notes);

/* Exchanges the colours of the position (pos_flip()) and forgets the moves that led to it. */
void setup_flip(Setup *setup);
