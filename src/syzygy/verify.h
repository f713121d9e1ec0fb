// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Compares whole Syzygy files with the list of MD5 sums that is published with them: a file
 * MD5SUMS, in the format of md5sum, in the folder of the tables or in its parent. No other check
 * finds altered bytes inside a table. */

#include "syzygy/files.h"

typedef enum {
    SYZYGY_INTACT,
    SYZYGY_ALTERED,
    SYZYGY_UNREADABLE,
    SYZYGY_UNLISTED // not in the list, or there is no list
} SyzygyVerdict;

typedef struct {
    void (*tell)(void *ctx, const SyzygyFile *file, SyzygyVerdict verdict); // reports a verdict
    bool (*goes_on)(void *ctx); // called after each MiB and each file; false ends the check
    void *ctx;
} SyzygyVerifier;

/* Reads every table file in `folders` and calls `tell` for each. Returns false when `goes_on` ended
 * the check, with `error` (SYZYGY_ERROR_MAX bytes) empty, or when a folder cannot be read, with the
 * reason in `error`. */
bool syzygy_verify(const char *folders, const SyzygyVerifier *verifier, char *error);
