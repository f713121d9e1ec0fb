// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Reads files in tests. */

#include <stddef.h>
#include <stdint.h>

/* Returns the contents of the file `path`, which the caller frees, and their size in `*size`. The
 * test fails when the file cannot be read. */
uint8_t *whole_file_read(const char *path, size_t *size);
