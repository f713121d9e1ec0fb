// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command `tb verify` and the option SyzygyVerify: compares Syzygy files with their published
 * MD5 sums (syzygy/verify.h) and prints progress and bad files as info strings. */

#include "uci/settings.h"

typedef struct {
    int intact, bad, unlisted; // files; unlisted: no MD5SUMS names them
} SyzygyCheckCounts;

typedef enum {
    SYZYGY_CHECK_DONE,
    SYZYGY_CHECK_STOPPED,   // by `stop` or the end of the input
    SYZYGY_CHECK_IMPOSSIBLE // a folder cannot be read; `error` says why
} SyzygyCheckEnd;

/* Reads every table file in `folders`, as syzygy_verify() does. Prints on settings->out each bad
 * file, and every three seconds the last file read; messages begin with `who`. `error` has
 * SYZYGY_ERROR_MAX bytes. */
SyzygyCheckEnd syzygy_check(const Settings *settings, const char *folders, const char *who,
                            SyzygyCheckCounts *counts, char *error);
