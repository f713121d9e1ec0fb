// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Files that are there whole or not at all: written beside their place, put on the disk, then moved
 * into it. Errors are left in errno. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What parts the folders in a list of folders. */
#ifdef _WIN32
#define FILE_LIST_SEPARATOR ';'
#else
#define FILE_LIST_SEPARATOR ':'
#endif

typedef enum { FILE_MISSING, FILE_REGULAR, FILE_FOLDER, FILE_OTHER } FileKind;

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

/* What stands at `path`, links followed; `*size` (may be NULL) is set for a regular file. */
FileKind file_kind(const char *path, int64_t *size);

/* Calls `visit` with the name of each thing in the folder, in no order, until it says false. False
 * when the folder cannot be read or `visit` ended it. */
bool file_list(const char *folder, bool (*visit)(void *ctx, const char *name), void *ctx);

/* Drops what is printed to stderr until file_unmute_stderr() is given what this returns. */
int file_mute_stderr(void);
void file_unmute_stderr(int kept);

/* Returns a stream to where stdout leads, and makes stdout lead to stderr: what libraries print
 * there can then no longer come between the lines of the caller. NULL, with all as it was, when the
 * system refuses. */
FILE *file_claim_stdout(void);
