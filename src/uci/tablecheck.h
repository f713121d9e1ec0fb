// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Compares Syzygy files with their published sums, for the command `tb verify` and the option
 * SyzygyVerify. */

#include "uci/settings.h"

typedef struct {
    int intact, bad, unlisted; // files; unlisted: no MD5SUMS names them
} TableCounts;

typedef enum {
    TABLE_CHECK_DONE,
    TABLE_CHECK_STOPPED,   // by `stop` or the end of the input
    TABLE_CHECK_IMPOSSIBLE // a folder cannot be read; `error` says why
} TableCheck;

/* Reads every table file in `folders`, as syzygy_verify() does. Names each bad file, and every
 * three seconds the last file read, on settings->out; messages begin with `who`. `error` has
 * SYZYGY_ERROR_MAX bytes. */
TableCheck tables_check(const Settings *settings, const char *folders, const char *who,
                        TableCounts *counts, char *error);
