// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Files that are there whole or not at all: written beside their place, put on the disk, then moved
 * into it. Errors are left in errno. */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct {
    const void *bytes;
    size_t size;
} FilePart;

/* Writes the parts, one after the other, as the file `path`. Whatever happens, a power cut
 * included, there is afterwards the file that was there or the new one, whole; true when it is the
 * new one. */
bool file_save(const char *path, const FilePart *parts, int count);

/* Whether there is hope for file_save(): tries all of it that needs no bytes, and leaves nothing
 * behind. For programs that would learn it only after hours of work. */
bool file_can_save(const char *path);

/* Puts what was written to the stream on the disk. */
bool file_sync(FILE *stream);

/* Renames `from` to `to` in one step, in place of a file that may be there. */
bool file_replace(const char *from, const char *to);
