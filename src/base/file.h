// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Atomic file replacement, locks and folders. A new file is written under a temporary name beside
 * its place (a draft), synced to the disk, then renamed. A crash or power cut leaves either the old
 * file or the whole new one. Functions that fail leave the reason in errno. Paths are UTF-8 on
 * every system. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/strbuf.h"

/* The separator in a list of folders, and the null device. */
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

/* The name of a draft: that of its file with this suffix. An existing file of that name is
 * overwritten, so the suffix is one that users do not choose for their own files. */
#define FILE_DRAFT_END ".palimpsest-draft"

/* A new file that is not yet in its place. */
typedef struct {
    FILE *stream;               // the caller writes here
    char path[FILE_PATH_MAX];   // of the file to replace
    char beside[FILE_PATH_MAX]; // of the draft, in the same folder
} FileDraft;

/* fopen() and remove() with UTF-8 paths, which Windows' own functions do not accept. Outside
 * Windows, does not wait for the other side of a named pipe: without a writer it is empty, without
 * a reader it cannot be opened (ENXIO). Devices other than FILE_NOWHERE are not read (ENOTSUP). */
FILE *file_open(const char *path, const char *mode);
bool file_remove(const char *path);

/* Appends the whole file to `out`; NUL bytes become blanks. False when it cannot be read or memory
 * is short (ENOMEM). */
bool file_read_text(const char *path, StrBuf *out);

/* Whether the file can be read and begins with these bytes. */
bool file_begins_with(const char *path, const void *bytes, size_t size);

/* True for an SQLite database, such as a file of learned positions: no other file replaces it. */
bool file_is_database(const char *path);

/* Opens an empty draft of the file `path`; end it with file_publish() or file_discard(). A draft
 * left by a crashed process is overwritten. False, with nothing changed, on failure: errno is EBUSY
 * while any process has a draft of this file open, EINVAL when `path` is a device or a pipe. If
 * `path` is a symbolic link to a file, that file is meant and the link stays (not on Windows). */
bool file_draft(FileDraft *draft, const char *path);

/* Syncs the draft to the disk and renames it to its path. On failure returns false, removes the
 * draft and leaves the old file unchanged. */
bool file_publish(FileDraft *draft);

/* Removes the draft. Keeps errno. */
void file_discard(FileDraft *draft);

/* Replaces the file `path` atomically by the parts, one after the other. Each part needs at least
 * one byte. On failure returns false and leaves the old file unchanged. */
bool file_save(const char *path, const FilePart *parts, int count);

/* True when file_save() to `path` will probably succeed. Tests this by opening and removing a
 * draft. For programs that would otherwise fail only after hours of work. */
bool file_can_save(const char *path);

/* Opens the file `path` for writing and locks it, so that only one process can have it. Creates it
 * if missing; an existing file keeps its contents. NULL on failure: errno is EBUSY while another
 * process has the file, ELOOP if `path` is a symbolic link (not on Windows). */
FILE *file_open_locked(const char *path);

/* Removes the file that file_open_locked() has opened at `path`, and closes it. Keeps errno. */
void file_remove_locked(FILE *stream, const char *path);

/* Opens an empty file for reading and writing in the folder of `path`, for temporary data. The
 * system removes it when it is closed or the process ends in any way. NULL on failure. */
FILE *file_temporary(const char *path);

/* Moves the stream to `offset` bytes from its start, also beyond 2 GiB. False on failure. */
bool file_seek(FILE *stream, uint64_t offset);

/* Flushes the stream and syncs it to the disk. False on failure. */
bool file_sync(FILE *stream);

/* Make writes fail with an ordinary error when they exceed the file size limit (ulimit -f), or go
 * to a pipe that nobody reads. By default the system ends the process. Hold for the whole process.
 */
void file_outlive_limits(void);
void file_outlive_readers(void);

/* Columns of the terminal that the stream writes to; 80 if unknown. */
int file_columns(FILE *stream);

/* Opens the null device for each standard stream that is closed. Otherwise the next file that is
 * opened would take its place and get what is meant for that stream. Call it before any file is
 * opened. Does nothing on Windows. */
void file_fill_standard_streams(void);

/* Waits up to `ms` milliseconds until the stream accepts FILE_WRITE_MAX bytes without waiting.
 * False when the time is over. True at once on Windows. */
enum { FILE_WRITE_MAX = 4096 };
bool file_is_writable(FILE *stream, int ms);

/* Locks the open file against other streams that lock it, without waiting. False when another
 * stream, also one of this process, holds the lock. Closing the stream unlocks. Returns true
 * without a lock on disks (some network drives) that have no such locks. */
bool file_lock(FILE *stream);

/* Returns the kind of file at `path`, following symbolic links. For a regular file writes its bytes
 * to `*size` (`size` may be NULL). */
FileKind file_kind(const char *path, int64_t *size);

/* True when both paths lead to the same existing file. */
bool file_is_same(const char *path, const char *other);

/* Calls `visit` with each name in the folder, "." and ".." included, in any order, until `visit`
 * returns false. Returns false when the folder cannot be opened or `visit` returned false. */
bool file_list(const char *folder, bool (*visit)(void *ctx, const char *name), void *ctx);

/* Returns a list of folders, separated by FILE_LIST_SEPARATOR, as a library wants it that knows no
 * UTF-8: on Windows in the code page of the system, with the short name of a folder ("FOLDER~1") if
 * the code page lacks a character of it; elsewhere a copy. The caller frees it. NULL when out of
 * memory, or if a folder has no short name (EILSEQ). */
char *file_list_for_library(const char *folders);

/* Returns the path in UTF-8, for a library that takes nothing else; the functions above also take
 * the code page of Windows. The caller frees it; NULL on failure. */
char *file_path_in_utf8(const char *path);

/* Returns the text of an error that a library got from the system: of GetLastError() on Windows, of
 * errno elsewhere. */
const char *file_system_reason(int code);

/* At the end of a program: returns `status`, or EXIT_FAILURE if standard output could not be
 * written (a full disk); then stderr says so, after the program's name. */
int file_end_output(const char *program, int status);

/* Discards the whole process's output to stderr until file_unmute_stderr() is called with the
 * returned value. */
int file_mute_stderr(void);
void file_unmute_stderr(int kept);

/* True when nobody can write to the stream any more: it is a regular file, or a pipe or (on Linux)
 * a socket whose writers have closed it, even if bytes in it are still unread. Waits for that up to
 * `ms` milliseconds. False for a terminal. On Windows a pipe with unread bytes counts as open. */
bool file_is_complete(FILE *stream, int ms);

/* After a failed read from a stream that does not block and has no bytes at the moment: waits until
 * it has some or ends, clears the error, and returns true. On Windows, returns true if Ctrl-C has
 * ended a read from the console and this program has caught it. False after any other error and at
 * the end of the file. */
bool file_await_bytes(FILE *stream);

/* Returns a line that was typed at a console of Windows, where it is in the console's code page, in
 * UTF-8; the caller frees it. NULL if `stream` is no such console, or memory is short. */
char *file_typed_text(FILE *stream, const char *line);

/* Returns a new stream to the present stdout and redirects stdout to stderr, so that the output of
 * libraries cannot mix with the caller's lines. The caller closes the stream. NULL, with stdout
 * unchanged, on failure. */
FILE *file_claim_stdout(void);
