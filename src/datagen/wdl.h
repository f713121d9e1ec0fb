// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Fits the win, draw and loss model (eval/winrate.h) to files of games, for --wdl, and prints how
 * well it fits. */

#include <stdbool.h>
#include <stdio.h>

enum { WDL_ERROR_MAX = 256 };

typedef struct {
    char *const *paths; // `count` files of games (gamefile.h) or PGN; pipes: PGN only
    int count;
    const char *player; // use only this player's moves from PGN; NULL: all
    int pawn;           // score of a pawn in PGN, internal units; 0: as this program prints scores
    const char *figure; // output file for the data of the figure; NULL: none
} WdlOptions;

/* Reads the files, fits the model and prints it to `out`. Returns false, with the reason in `error`
 * (WDL_ERROR_MAX bytes), when a file cannot be read or written, a file has only damaged or illegal
 * games, `player` or `pawn` is set and no file is PGN, memory is short, or the games are too few.
 */
bool wdl_fit(const WdlOptions *options, FILE *out, char *error);
