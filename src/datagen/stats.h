// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What is in files of games: for --stats. */

#include <stdbool.h>
#include <stdio.h>

/* Reads the `count` files and prints the figures of all together to `out`. False, with the reason
 * in `error` (GAMEFILE_ERROR_MAX bytes, gamefile.h), when one cannot be read. Damage is counted,
 * not refused. */
bool stats_print(char *const *paths, int count, FILE *out, char *error);
