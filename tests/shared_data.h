// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The suites in ../shared, which the project must do without: a test that wants one says so when it
 * is absent. */

#include <stdbool.h>
#include <stdio.h>

/* Opens data/`name` of the shared folder ($PALIMPSEST_SHARED, else ../shared). NULL, after a line
 * "skipped: ..." on stdout, when it is not there. The caller closes it. */
FILE *shared_open(const char *name);

/* Writes the path of `name` below the shared folder to `path` (SHARED_PATH_MAX bytes). False, after
 * such a line, when nothing is there. */
enum { SHARED_PATH_MAX = 4096 };
bool shared_find(const char *name, char *path);

/* Reads a line of any length without its line end into a buffer that is reused; NULL at the end. */
char *shared_line(FILE *file);
