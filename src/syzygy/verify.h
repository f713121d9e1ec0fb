// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Whole Syzygy files compared with the list of MD5 sums that comes with them: a file MD5SUMS, as
 * md5sum writes it, in their folder or the one above. Altered bytes show in no other way. */

#include "syzygy/files.h"

typedef enum {
    SYZYGY_INTACT,
    SYZYGY_ALTERED,
    SYZYGY_UNREADABLE,
    SYZYGY_UNLISTED // the list does not name it, or there is no list
} SyzygyVerdict;

typedef struct {
    void (*tell)(void *ctx, const SyzygyFile *file, SyzygyVerdict verdict);
    bool (*goes_on)(void *ctx); // asked at each MiB
    void *ctx;
} SyzygyVerifier;

/* Reads every table in the folders of the list and tells of each. False when it was ended or a
 * folder cannot be read; `error` (SYZYGY_ERROR_MAX bytes) then says which, or is "". */
bool syzygy_verify(const char *folders, const SyzygyVerifier *verifier, char *error);
