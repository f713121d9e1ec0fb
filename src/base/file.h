// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Files that are there whole or not at all: written beside their place, put on the disk, then moved
 * into it. Whatever happens, a power cut included, there is afterwards the file that was there or
 * the new one. Errors are left in errno. Paths are UTF-8 on every system. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What parts the folders in a list of folders, and the file in which everything is lost. */
#ifdef _WIN32
#define FILE_LIST_SEPARATOR ';'
#define FILE_NOWHERE "NUL"
#else
#define FILE_LIST_SEPARATOR ':'
#define FILE_NOWHERE "/dev/null"
#endif

typedef enum { FILE_MISSING, FILE_REGULAR, FILE_FOLDER, FILE_OTHER } FileKind;

typedef struct {
    const void *bytes;
    size_t size;
} FilePart;

enum { FILE_PATH_MAX = 4096 };

/* A file on its way to its place. */
typedef struct {
    FILE *stream; // to be written to
    char path[FILE_PATH_MAX], beside[FILE_PATH_MAX];
} FileDraft;

/* fopen() and remove(), of which Windows' own read other names than UTF-8. */
FILE *file_open(const char *path, const char *mode);
bool file_remove(const char *path);

/* Opens a draft of the file `path`, empty whatever a process that died has left of one. False, with
 * nothing changed, when it cannot be had; with EBUSY while another process, or this one, has a
 * draft of that file open (not told on Windows), with EINVAL where a device or a pipe stands. */
bool file_draft(FileDraft *draft, const char *path);

/* Puts the draft on the disk and then in its place. False, with the draft gone and what was there
 * untouched, when that fails. */
bool file_publish(FileDraft *draft);

/* Removes the draft. What errno tells stays. */
void file_discard(FileDraft *draft);

/* Writes the parts, one after the other, as the file `path`; true when it is there. */
bool file_save(const char *path, const FilePart *parts, int count);

/* Whether there is hope for file_save(): tries all of it that needs no bytes, and leaves nothing
 * behind. For programs that would learn it only after hours of work. */
bool file_can_save(const char *path);

/* Puts what was written to the stream on the disk. */
bool file_sync(FILE *stream);

/* From now on to write more than the process may (ulimit -f), or to a pipe that nobody reads any
 * more, is an error as a full disk is, not the end of the process. */
void file_outlive_limits(void);

/* Locks the open file against other streams that ask for the same; false when one has it. It is
 * free again when the stream is closed. Where the system knows no such locks the user must take
 * care. */
bool file_lock(FILE *stream);

/* Renames `from` to `to` in one step, in place of a file that may be there. */
bool file_replace(const char *from, const char *to);

/* What stands at `path`, links followed; `*size` (may be NULL) is set for a regular file. */
FileKind file_kind(const char *path, int64_t *size);

/* True when both paths lead to one file that is there. */
bool file_is_same(const char *path, const char *other);

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
