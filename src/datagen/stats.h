// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Statistics of files of games, for --stats. */

#include <stdbool.h>
#include <stdio.h>

/* Reads the `count` files and prints the statistics over all of them to `out`. Returns false, with
 * the reason in `error` (GAMEFILE_ERROR_MAX bytes, gamefile.h), when a file cannot be read or
 * memory is short. Damaged blocks are counted and skipped. */
bool stats_print(char *const *paths, int count, FILE *out, char *error);
