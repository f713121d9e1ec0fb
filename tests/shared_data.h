// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Files of the shared folder, which is not part of the project. A test that needs a missing file is
 * skipped (skip.h). */

#include <stdbool.h>
#include <stdio.h>

/* Opens data/`name` of the shared folder ($PALIMPSEST_SHARED, else ../shared); the caller closes
 * it. When the file is missing, calls skip_test() and returns NULL: the test must return. */
FILE *shared_open(const char *name);

/* Writes the path of `name` below the shared folder to `path` (SHARED_PATH_MAX bytes). When nothing
 * is there, calls skip_test() and returns false: the test must return. */
enum { SHARED_PATH_MAX = 4096 };
bool shared_find(const char *name, char *path);

/* Reads a line of any length, without its line end, into a buffer that the next call reuses. NULL
 * at the end of the file. */
char *shared_line(FILE *file);
