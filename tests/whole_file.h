// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Reads and writes whole files in tests. The test fails when that is not possible. */

#include <stddef.h>
#include <stdint.h>

/* Returns the contents of the file `path` with a zero byte behind them, which the caller frees, and
 * their size in `*size`. */
uint8_t *whole_file_read(const char *path, size_t *size);

/* Expects that the file has exactly these bytes. */
void whole_file_expect(const char *path, const void *bytes, size_t size);

/* Writes a file with these bytes, or with this text. */
void whole_file_write(const char *path, const void *bytes, size_t size);
void whole_file_write_text(const char *path, const char *text);

/* Size of the file in bytes. */
size_t whole_file_size(const char *path);
