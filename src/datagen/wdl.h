// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* For --wdl: fits the chances of winning (engine/winrate.h) to files of games of either kind and
 * tells how well they fit. */

#include <stdbool.h>
#include <stdio.h>

enum { WDL_ERROR_MAX = 256 };

typedef struct {
    char *const *paths; // of files of games made here, or PGN
    int count;
    const char *player; // whose moves in PGN are looked at; NULL: everybody's
    const char *figure; // file that what was seen and the fit are written to, or NULL
} WdlOptions;

/* Does so, printing to `out`. False, with the reason in `error` (WDL_ERROR_MAX bytes), when a
 * file cannot be read or written or the games do not determine the fit. */
bool wdl_fit(const WdlOptions *options, FILE *out, char *error);
