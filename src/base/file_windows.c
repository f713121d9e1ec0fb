// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <windows.h>

#include "base/wide.h"

FILE *file_open(const char *path, const char *mode)
{
    wchar_t wide_path[FILE_PATH_MAX], wide_mode[8];
    if (!wide_from_text(wide_path, FILE_PATH_MAX, path) || !wide_from_text(wide_mode, 8, mode))
        return NULL;
    return _wfopen(wide_path, wide_mode);
}

bool file_remove(const char *path)
{
    wchar_t wide[FILE_PATH_MAX];
    return wide_from_text(wide, FILE_PATH_MAX, path) && _wremove(wide) == 0;
}

bool file_sync(FILE *stream)
{
    return fflush(stream) == 0 && _commit(_fileno(stream)) == 0;
}

/* The C library's rename() fails when `to` exists. */
bool file_replace(const char *from, const char *to)
{
    wchar_t wide_from[FILE_PATH_MAX], wide_to[FILE_PATH_MAX];
    if (!wide_from_text(wide_from, FILE_PATH_MAX, from) ||
        !wide_from_text(wide_to, FILE_PATH_MAX, to))
        return false;
    for (int tries = 0; tries < 20; tries++) {
        if (MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
            return true;
        errno = GetLastError() == ERROR_FILE_NOT_FOUND ? ENOENT : EACCES;
        if (errno == ENOENT)
            break;
        Sleep(25); // another program may have `to` open for a moment
    }
    return false;
}

void file_outlive_limits(void) {}

void file_outlive_readers(void) {}

int file_columns(FILE *stream)
{
    CONSOLE_SCREEN_BUFFER_INFO found;
    const HANDLE console = (HANDLE)_get_osfhandle(_fileno(stream));
    return GetConsoleScreenBufferInfo(console, &found) ? found.dwSize.X : 80;
}

void file_fill_standard_streams(void) {}

bool file_is_writable(FILE *stream, int ms)
{
    (void)stream;
    (void)ms;
    return true;
}

bool file_lock(FILE *stream)
{
    (void)stream;
    return true;
}

/* The sharing mode denies other writers, so that only one process can have the file. */
static FILE *open_alone(const char *path, const wchar_t *mode)
{
    wchar_t wide[FILE_PATH_MAX];
    return wide_from_text(wide, FILE_PATH_MAX, path) ? _wfsopen(wide, mode, _SH_DENYWR) : NULL;
}

FILE *file_open_locked(const char *path)
{
    return open_alone(path, L"ab");
}

/* Windows cannot remove an open file. */
void file_remove_locked(FILE *stream, const char *path)
{
    const int why = errno;
    fclose(stream);
    file_remove(path);
    errno = why;
}

bool file_draft(FileDraft *draft, const char *path)
{
    *draft = (FileDraft){.stream = NULL};
    /* A device, for example, must not be replaced by a file. */
    if (file_kind(path, NULL) == FILE_OTHER) {
        errno = EINVAL;
        return false;
    }
    if (snprintf(draft->path, FILE_PATH_MAX, "%s", path) >= FILE_PATH_MAX ||
        snprintf(draft->beside, FILE_PATH_MAX, "%s" FILE_DRAFT_END, path) >= FILE_PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    draft->stream = open_alone(draft->beside, L"wb");
    return draft->stream != NULL;
}

bool file_publish(FileDraft *draft)
{
    /* Windows cannot rename an open file. */
    const bool is_synced = file_sync(draft->stream);
    const bool is_written = fclose(draft->stream) == 0 && is_synced;
    if (is_written && file_replace(draft->beside, draft->path))
        return true;
    const int why = errno;
    file_remove(draft->beside);
    errno = why;
    return false;
}

FILE *file_temporary(const char *path)
{
    char name[FILE_PATH_MAX];
    wchar_t wide[FILE_PATH_MAX];
    if (snprintf(name, sizeof name, "%s.%lu", path, GetCurrentProcessId()) >= (int)sizeof name ||
        !wide_from_text(wide, FILE_PATH_MAX, name))
        return NULL;
    const int file =
        _wopen(wide, _O_RDWR | _O_CREAT | _O_EXCL | _O_TEMPORARY | _O_BINARY, _S_IREAD | _S_IWRITE);
    FILE *const stream = file >= 0 ? _fdopen(file, "w+b") : NULL;
    if (file >= 0 && stream == NULL)
        _close(file);
    return stream;
}

FileKind file_kind(const char *path, int64_t *size)
{
    wchar_t wide[FILE_PATH_MAX];
    struct _stat64 found;
    if (!wide_from_text(wide, FILE_PATH_MAX, path) || _wstat64(wide, &found) != 0)
        return FILE_MISSING;
    if (size != NULL)
        *size = found.st_size;
    return S_ISREG(found.st_mode)   ? FILE_REGULAR
           : S_ISDIR(found.st_mode) ? FILE_FOLDER
                                    : FILE_OTHER;
}

bool file_is_same(const char *path, const char *other)
{
    wchar_t wide[FILE_PATH_MAX], one[FILE_PATH_MAX], two[FILE_PATH_MAX];
    return file_kind(path, NULL) != FILE_MISSING && wide_from_text(wide, FILE_PATH_MAX, path) &&
           _wfullpath(one, wide, FILE_PATH_MAX) && wide_from_text(wide, FILE_PATH_MAX, other) &&
           _wfullpath(two, wide, FILE_PATH_MAX) && _wcsicmp(one, two) == 0;
}

bool file_list(const char *folder, bool (*visit)(void *ctx, const char *name), void *ctx)
{
    wchar_t wide[FILE_PATH_MAX];
    _WDIR *const stream = wide_from_text(wide, FILE_PATH_MAX, folder) ? _wopendir(wide) : NULL;
    if (stream == NULL)
        return false;
    bool is_continuing = true;
    for (const struct _wdirent *entry = _wreaddir(stream); entry != NULL && is_continuing;
         entry = _wreaddir(stream)) {
        char *const name = wide_to_text(entry->d_name);
        is_continuing = name != NULL && visit(ctx, name);
        free(name);
    }
    _wclosedir(stream);
    return is_continuing;
}

bool file_is_complete(FILE *stream, int ms)
{
    const HANDLE handle = (HANDLE)_get_osfhandle(_fileno(stream));
    const DWORD kind = GetFileType(handle);
    if (kind != FILE_TYPE_PIPE)
        return kind == FILE_TYPE_DISK;
    for (int waited = 0;; waited++) {
        if (!PeekNamedPipe(handle, NULL, 0, NULL, NULL, NULL))
            return GetLastError() == ERROR_BROKEN_PIPE;
        if (waited >= ms)
            return false;
        Sleep(1);
    }
}
