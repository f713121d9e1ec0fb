// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

#include "base/interrupt.h"
#include "base/wide.h"

static HANDLE handle_of(FILE *stream)
{
    return (HANDLE)_get_osfhandle(_fileno(stream));
}

/* The value of errno for an error of the system. */
static int errno_of(DWORD code)
{
    switch (code) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH: return ENOENT;
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION: return EBUSY;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: return ENOSPC;
    case ERROR_WRITE_PROTECT: return EROFS;
    case ERROR_FILENAME_EXCED_RANGE: return ENAMETOOLONG;
    default: return EACCES;
    }
}

static void set_errno(void)
{
    errno = errno_of(GetLastError());
}

const char *file_system_reason(int code)
{
    return strerror(errno_of((DWORD)code));
}

/* Arguments of CreateFileW(), and flags for _open_osfhandle(). */
typedef struct {
    DWORD access, share, creation;
    int flags;
} OpenWay;

static FILE *open_by(const char *path, const char *mode, OpenWay way)
{
    wchar_t wide[FILE_PATH_MAX];
    if (!wide_from_text(wide, FILE_PATH_MAX, path))
        return NULL;
    const HANDLE handle =
        CreateFileW(wide, way.access, way.share, NULL, way.creation, FILE_ATTRIBUTE_NORMAL, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        set_errno();
        return NULL;
    }
    const int file = _open_osfhandle((intptr_t)handle, way.flags);
    FILE *const stream = file >= 0 ? _fdopen(file, mode) : NULL;
    if (stream == NULL && file >= 0)
        _close(file);
    else if (stream == NULL)
        CloseHandle(handle);
    return stream;
}

/* A file that is only read shares everything, so that it can be replaced meanwhile. */
FILE *file_open(const char *path, const char *mode)
{
    wchar_t wide_path[FILE_PATH_MAX], wide_mode[8];
    if (strcmp(mode, "r") == 0 || strcmp(mode, "rb") == 0)
        return open_by(path, mode,
                       (OpenWay){.access = GENERIC_READ,
                                 .share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                 .creation = OPEN_EXISTING,
                                 .flags = _O_RDONLY | (mode[1] == 'b' ? _O_BINARY : _O_TEXT)});
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

void file_outlive_limits(void) {}

void file_outlive_readers(void) {}

int file_columns(FILE *stream)
{
    CONSOLE_SCREEN_BUFFER_INFO found;
    return GetConsoleScreenBufferInfo(handle_of(stream), &found) ? found.dwSize.X : 80;
}

void file_fill_standard_streams(void) {}

bool file_is_writable(FILE *stream, int ms)
{
    (void)stream;
    (void)ms;
    return true;
}

/* Nobody else can write to locked bytes, or read them: locks one byte that no file has. */
bool file_lock(FILE *stream)
{
    OVERLAPPED place = {.OffsetHigh = 0x40000000};
    const DWORD flags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
    return LockFileEx(handle_of(stream), flags, 0, 1, 0, &place) ||
           GetLastError() != ERROR_LOCK_VIOLATION;
}

/* Only one process can have the file, because it is not shared with other writers. DELETE is the
 * right to rename and remove it while it is open. */
static FILE *open_alone(const char *path, DWORD creation)
{
    return open_by(path, "wb",
                   (OpenWay){.access = GENERIC_WRITE | DELETE,
                             .share = FILE_SHARE_READ,
                             .creation = creation,
                             .flags = _O_WRONLY | _O_BINARY});
}

FILE *file_open_locked(const char *path)
{
    return open_alone(path, OPEN_ALWAYS);
}

void file_remove_locked(FILE *stream, const char *path)
{
    const int why = errno;
    FILE_DISPOSITION_INFO removal = {.DeleteFile = TRUE};
    (void)path;
    SetFileInformationByHandle(handle_of(stream), FileDispositionInfo, &removal, sizeof removal);
    fclose(stream); // this removes it
    errno = why;
}

static bool is_write_protected(const char *path)
{
    wchar_t wide[FILE_PATH_MAX];
    const DWORD attributes = wide_from_text(wide, FILE_PATH_MAX, path) ? GetFileAttributesW(wide)
                                                                       : INVALID_FILE_ATTRIBUTES;
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY) != 0;
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
    if (is_write_protected(path)) {
        errno = EACCES;
        return false;
    }
    draft->stream = open_alone(draft->beside, CREATE_ALWAYS);
    return draft->stream != NULL;
}

/* Renames the open file, which may replace another one. */
static bool rename_open(FILE *stream, const char *to)
{
    enum { NAME_AT = offsetof(FILE_RENAME_INFO, FileName) };
    const FILE_INFO_BY_HANDLE_CLASS posix = 22; // FileRenameInfoEx, which some headers lack
    union {
        FILE_RENAME_INFO info;
        char bytes[NAME_AT + FILE_PATH_MAX * sizeof(wchar_t)];
    } request = {.info = {.RootDirectory = NULL}};
    wchar_t wide[FILE_PATH_MAX], full[FILE_PATH_MAX];
    if (!wide_from_text(wide, FILE_PATH_MAX, to))
        return false;
    const DWORD length = GetFullPathNameW(wide, FILE_PATH_MAX, full, NULL);
    if (length == 0 || length >= FILE_PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    request.info.FileNameLength = length * (DWORD)sizeof(wchar_t);
    memcpy(request.bytes + NAME_AT, full, request.info.FileNameLength);
    /* First as POSIX wants it, in place of a file that others read. Only Windows 10 and later, on
     * NTFS, can do that. */
    const HANDLE handle = handle_of(stream);
    const DWORD flags = FILE_RENAME_FLAG_REPLACE_IF_EXISTS | FILE_RENAME_FLAG_POSIX_SEMANTICS;
    memcpy(request.bytes, &flags, sizeof flags);
    if (SetFileInformationByHandle(handle, posix, &request, sizeof request))
        return true;
    request.info.ReplaceIfExists = TRUE;
    if (SetFileInformationByHandle(handle, FileRenameInfo, &request, sizeof request))
        return true;
    set_errno();
    return false;
}

bool file_publish(FileDraft *draft)
{
    /* Rename before fclose() unlocks the draft, as in file_posix.c. Another program, such as a
     * virus scanner, may have one of the files open for a moment. */
    bool is_done = file_sync(draft->stream);
    for (int tries = 1; is_done && !rename_open(draft->stream, draft->path); tries++) {
        is_done = tries < 20 && (errno == EACCES || errno == EBUSY);
        if (is_done)
            Sleep(25);
    }
    if (!is_done) {
        file_discard(draft);
        return false;
    }
    fclose(draft->stream);
    return true;
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

/* Removes separators at the end, for which _wstat64() finds no folder; that of "C:\" stays. */
static void cut_separators(wchar_t *path)
{
    for (size_t i = wcslen(path); i > 1 && wcschr(L"/\\", path[i - 1]) && path[i - 2] != L':'; i--)
        path[i - 1] = L'\0';
}

FileKind file_kind(const char *path, int64_t *size)
{
    wchar_t wide[FILE_PATH_MAX];
    struct _stat64 found;
    if (!wide_from_text(wide, FILE_PATH_MAX, path))
        return FILE_MISSING;
    cut_separators(wide);
    if (_wstat64(wide, &found) != 0)
        return FILE_MISSING;
    if (size != NULL)
        *size = found.st_size;
    return S_ISREG(found.st_mode)   ? FILE_REGULAR
           : S_ISDIR(found.st_mode) ? FILE_FOLDER
                                    : FILE_OTHER;
}

/* What identifies an existing file or folder, whatever path leads to it. */
static bool identify(const char *path, BY_HANDLE_FILE_INFORMATION *found)
{
    wchar_t wide[FILE_PATH_MAX];
    if (!wide_from_text(wide, FILE_PATH_MAX, path))
        return false;
    const HANDLE handle =
        CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    const bool is_found =
        handle != INVALID_HANDLE_VALUE && GetFileInformationByHandle(handle, found);
    if (handle != INVALID_HANDLE_VALUE)
        CloseHandle(handle);
    return is_found;
}

bool file_is_same(const char *path, const char *other)
{
    BY_HANDLE_FILE_INFORMATION one, two;
    return identify(path, &one) && identify(other, &two) &&
           one.dwVolumeSerialNumber == two.dwVolumeSerialNumber &&
           one.nFileIndexHigh == two.nFileIndexHigh && one.nFileIndexLow == two.nFileIndexLow;
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

/* Appends the name in the code page of the system. False if that lacks a character. */
static bool add_in_code_page(StrBuf *list, const wchar_t *name)
{
    char text[FILE_PATH_MAX];
    BOOL is_lossy = FALSE;
    if (WideCharToMultiByte(CP_ACP, WC_NO_BEST_FIT_CHARS, name, -1, text, FILE_PATH_MAX, NULL,
                            &is_lossy) == 0 ||
        is_lossy)
        return false;
    strbuf_add(list, list->length > 0 ? ";%s" : "%s", text);
    return true;
}

char *file_list_for_library(const char *folders)
{
    StrBuf list = {0};
    if (GetACP() == CP_UTF8)
        return strdup(folders);
    while (*folders != '\0') {
        char name[FILE_PATH_MAX];
        wchar_t wide[FILE_PATH_MAX], brief[FILE_PATH_MAX];
        const size_t length = strcspn(folders, ";");
        const bool is_whole =
            snprintf(name, sizeof name, "%.*s", (int)length, folders) < FILE_PATH_MAX &&
            wide_from_text(wide, FILE_PATH_MAX, name);
        const bool is_added =
            is_whole &&
            (add_in_code_page(&list, wide) ||
             (GetShortPathNameW(wide, brief, FILE_PATH_MAX) > 0 && add_in_code_page(&list, brief)));
        if (!is_added) {
            strbuf_free(&list);
            errno = EILSEQ;
            return NULL;
        }
        folders += length + (folders[length] == ';');
    }
    return list.text;
}

char *file_path_in_utf8(const char *path)
{
    wchar_t wide[FILE_PATH_MAX];
    return wide_from_text(wide, FILE_PATH_MAX, path) ? wide_to_text(wide) : NULL;
}

bool file_is_complete(FILE *stream, int ms)
{
    const HANDLE handle = handle_of(stream);
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

static bool is_console(FILE *stream)
{
    DWORD mode;
    return GetConsoleMode(handle_of(stream), &mode);
}

char *file_typed_text(FILE *stream, const char *line)
{
    const UINT page = GetConsoleCP();
    const int size = is_console(stream) ? MultiByteToWideChar(page, 0, line, -1, NULL, 0) : 0;
    wchar_t *const wide = size > 0 ? malloc((size_t)size * sizeof *wide) : NULL;
    char *text = NULL;
    if (wide != NULL && MultiByteToWideChar(page, 0, line, -1, wide, size) > 0)
        text = wide_to_text(wide);
    free(wide);
    return text;
}

/* The signal comes in a thread of its own, soon before or after the end of the read. */
bool file_await_bytes(FILE *stream)
{
    for (int tries = 0; tries < 10 && feof(stream) && is_console(stream); tries++) {
        if (interrupt_take_keyboard()) {
            clearerr(stream);
            return true;
        }
        Sleep(10);
    }
    return false;
}
