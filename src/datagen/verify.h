// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Checks the end and the result of games, which gamefile_read() does not, and merges files, keeping
 * only games that pass. */

#include <stdio.h>

#include "datagen/gamefile.h"

typedef struct {
    uint64_t games;      // written
    uint64_t duplicates; // skipped: same arrays and moves as an earlier game
    uint64_t faulty;     // skipped: damaged blocks, illegal games, wrong ends or results
} MergeTally;

/* Describes the fault of a legal game in a constant text, or returns NULL: moves follow the end of
 * the game, or the result contradicts the end. A game that stops without an end by the rules was
 * adjudicated and may have any result. */
const char *verify_game(const GameRecord *game);

/* Checks every block of the file and prints one line for each faulty game, then a summary, to
 * `out`. True when there was no fault. */
bool verify_file(const char *path, FILE *out);

/* Writes the distinct games of the `count` files to a new file at `out_path`, renumbered from 0 in
 * the order of the files. Returns false, with the reason in `error` (GAMEFILE_ERROR_MAX bytes),
 * when a file exists at `out_path`, which then stays unchanged, or after a failure, which leaves no
 * file at `out_path`. */
bool merge_files(const char *out_path, char *const *paths, int count, MergeTally *tally,
                 char *error);
