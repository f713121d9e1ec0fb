// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Checks of games beyond what reading them shows, and the merging of files, which keeps only games
 * that pass. */

#include <stdio.h>

#include "datagen/gamefile.h"

typedef struct {
    uint64_t games;      // written
    uint64_t duplicates; // left out: same arrays and moves as an earlier one
    uint64_t faulty;     // left out: damaged, no games, or against the rules
} MergeTally;

/* What is wrong with a legal game, in words, or NULL: it goes on after its end, or its result is
 * not that of its end. A game that stops before an end by the rules was adjudicated, and may have
 * any result. The text is constant. */
const char *verify_game(const GameRecord *game);

/* Checks every block of the file and prints a line on each fault, then one on the whole, to `out`.
 * True when there was no fault. */
bool verify_file(const char *path, FILE *out);

/* Writes the games of the `count` files, each game once, to a new file at `out_path`, numbered anew
 * from 0 in the order they come in. False, with the reason in `error` (GAMEFILE_ERROR_MAX bytes)
 * and no file at `out_path`, when something is there already, or on failure. */
bool merge_files(const char *out_path, char *const *paths, int count, MergeTally *tally,
                 char *error);
