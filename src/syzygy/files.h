// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Syzygy tables (de Man 2013) as files: which there are, and whether each is whole. libfathom looks
 * at the first four bytes and the size modulo 64 only, and what is damaged otherwise makes it
 * crash, loop, lie or end the process. Hence this reads a file's header as far as it tells how long
 * the file must be. KQvK.rtbw knows wins, draws and losses, KQvK.rtbz distances to a zeroing move.
 */

#include "syzygy/material.h"

enum { SYZYGY_PATH_MAX = 4096, SYZYGY_ERROR_MAX = 512 };

typedef struct {
    const char *folder, *name;
    char path[SYZYGY_PATH_MAX]; // of both
    SyzygyMaterial material;
    bool is_dtz;
} SyzygyFile;

/* Tells what `name` is a table of; false when it is no table's name. */
bool syzygy_file_parse(SyzygyFile *file, const char *name);

/* NULL when the file is what its name says, as far as its header and size can tell; otherwise what
 * is wrong with it, in words that follow its name. The text is constant. */
const char *syzygy_file_fault(const SyzygyFile *file);

/* Calls `visit` with each table file in the folders of the list, which FILE_LIST_SEPARATOR parts,
 * until it says false. False when it did, or when a folder cannot be read; `error`
 * (SYZYGY_ERROR_MAX bytes), "" at first, then tells which. */
bool syzygy_files_visit(const char *folders, bool (*visit)(void *ctx, const SyzygyFile *file),
                        void *ctx, char *error);
