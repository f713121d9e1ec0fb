// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Checks the end and the result of each game; gamefile_read() does not check them. Also
 * merges files and keeps only the games without a fault. */

#include <stdio.h>

#include "datagen/gamefile.h"

typedef struct {
    uint64_t games;      // games written
    uint64_t duplicates; // games skipped: same arrays and moves as an earlier game
    uint64_t faulty;     // skipped: damaged stretches, illegal games, games with a fault
} MergeTally;

/* Returns a static text about the fault of a legal game, such as "continues after its end", or
 * NULL. Faults are moves after the end of the game by the rules, and a result that contradicts this
 * end. A game that stops earlier was adjudicated and may have any result. */
const char *verify_game(const GameRecord *game);

/* As verify_game(), and checks that the tree nodes of the block are valid: their paths are legal
 * and do not end in check. */
const char *verify_block(const GameRecord *game, const GameBlock *block);

/* Checks every block of the file. Prints one line to `out` for each game with a fault, then a
 * summary. True when the file could be read and has no fault. */
bool verify_file(const char *path, FILE *out);

/* Writes the distinct faultless games of the `count` files to a new file at `out_path`, renumbered
 * from 0 in the order of the files. Returns false, with the reason in `error` (GAMEFILE_ERROR_MAX
 * bytes), if a file exists at `out_path`, another merge writes it, a file cannot be read or
 * written, a file has only duplicates, or memory is short. An existing file stays unchanged; a
 * failure leaves no new file. */
bool merge_files(const char *out_path, char *const *paths, int count, MergeTally *tally,
                 char *error);
