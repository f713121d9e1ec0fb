// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#else
#include <unistd.h>
#endif

enum { PATH_ROOM = 4096 };

bool file_sync(FILE *stream)
{
#ifdef _WIN32
    return fflush(stream) == 0 && _commit(_fileno(stream)) == 0;
#else
    return fflush(stream) == 0 && fsync(fileno(stream)) == 0;
#endif
}

/* Windows' own rename() refuses where there is a file. */
bool file_replace(const char *from, const char *to)
{
#ifdef _WIN32
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
#else
    return rename(from, to) == 0;
#endif
}

/* Leaves no file behind where it fails. */
static bool write_parts(const char *path, const FilePart *parts, int count)
{
    FILE *const file = fopen(path, "wb");
    if (file == NULL)
        return false;
    bool is_good = true;
    for (int i = 0; i < count && is_good; i++)
        is_good = fwrite(parts[i].bytes, parts[i].size, 1, file) == 1;
    is_good = is_good && file_sync(file);
    int why = errno; // of the first thing that goes wrong
    if (fclose(file) != 0 && is_good) {
        why = errno;
        is_good = false;
    }
    if (!is_good)
        remove(path);
    errno = why;
    return is_good;
}

/* The name of what is to become the file `path`, in `beside` (PATH_ROOM bytes). */
static bool name_beside(const char *path, char *beside)
{
    if (snprintf(beside, PATH_ROOM, "%s.new", path) < PATH_ROOM)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

bool file_save(const char *path, const FilePart *parts, int count)
{
    char beside[PATH_ROOM];
    if (!name_beside(path, beside) || !write_parts(beside, parts, count))
        return false;
    if (file_replace(beside, path))
        return true;
    const int why = errno;
    remove(beside);
    errno = why;
    return false;
}

/* Only a folder cannot be replaced by a file; one that merely must not be written to can. */
bool file_can_save(const char *path)
{
    char beside[PATH_ROOM];
    FILE *const there = fopen(path, "r+b");
    if (there != NULL)
        fclose(there);
    else if (errno == EISDIR)
        return false;
    return name_beside(path, beside) && write_parts(beside, NULL, 0) && remove(beside) == 0;
}

FileKind file_kind(const char *path, int64_t *size)
{
#ifdef _WIN32
    struct _stat64 found;
    if (_stat64(path, &found) != 0)
        return FILE_MISSING;
#else
    struct stat found;
    if (stat(path, &found) != 0)
        return FILE_MISSING;
#endif
    if (size != NULL)
        *size = found.st_size;
    return S_ISREG(found.st_mode)   ? FILE_REGULAR
           : S_ISDIR(found.st_mode) ? FILE_FOLDER
                                    : FILE_OTHER;
}

bool file_list(const char *folder, bool (*visit)(void *ctx, const char *name), void *ctx)
{
    DIR *const stream = opendir(folder);
    if (stream == NULL)
        return false;
    bool goes_on = true;
    for (const struct dirent *entry = readdir(stream); entry != NULL && goes_on;
         entry = readdir(stream))
        goes_on = visit(ctx, entry->d_name);
    closedir(stream);
    return goes_on;
}

#ifdef _WIN32
static const char NULL_DEVICE[] = "NUL";
#else
static const char NULL_DEVICE[] = "/dev/null";
#endif

int file_mute_stderr(void)
{
    fflush(stderr);
    const int kept = dup(fileno(stderr)), nowhere = open(NULL_DEVICE, O_WRONLY);
    if (kept >= 0 && nowhere >= 0)
        dup2(nowhere, fileno(stderr));
    if (nowhere >= 0)
        close(nowhere);
    return kept;
}

void file_unmute_stderr(int kept)
{
    fflush(stderr);
    if (kept < 0)
        return;
    dup2(kept, fileno(stderr));
    close(kept);
}

FILE *file_claim_stdout(void)
{
    fflush(stdout);
    const int kept = dup(fileno(stdout));
    FILE *const stream = kept >= 0 ? fdopen(kept, "w") : NULL;
    if (stream == NULL)
        return NULL;
    if (dup2(fileno(stderr), fileno(stdout)) >= 0)
        return stream;
    fclose(stream);
    return NULL;
}
