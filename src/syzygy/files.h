// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Syzygy tables (de Man 2013) as files: finds them and checks that each is complete. libfathom
 * checks only the first four bytes and the size modulo 64; other damage makes it crash, loop,
 * return wrong results or end the process. So this module computes the exact size of a file from
 * its header. A .rtbw file contains wins, draws and losses (WDL), a .rtbz file distances to a
 * zeroing move (DTZ). */

#include "base/file.h"
#include "syzygy/material.h"

enum { SYZYGY_ERROR_MAX = 512 };

typedef struct {
    const char *folder, *name; // not copied
    char path[FILE_PATH_MAX];  // folder and name
    SyzygyMaterial material;
    bool is_dtz;
} SyzygyFile;

/* Sets name, material and kind from a file name, which must outlive `file`. Returns false when it
 * is not the name of a table. */
bool syzygy_file_parse(SyzygyFile *file, const char *name);

/* Checks header and size of the file at file->path. Returns NULL when they are correct, else the
 * fault: a constant text that follows the name of the file in messages. */
const char *syzygy_file_fault(const SyzygyFile *file);

/* Calls `visit` for each table file in `folders`, a list separated by FILE_LIST_SEPARATOR, until it
 * returns false. The file is valid during the call only. Returns false when `visit` did, with
 * `error` (SYZYGY_ERROR_MAX bytes) empty, or when a folder cannot be read, with the reason in
 * `error`. */
bool syzygy_files_visit(const char *folders, bool (*visit)(void *ctx, const SyzygyFile *file),
                        void *ctx, char *error);
