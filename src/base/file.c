// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#else
#include <sys/file.h>
#include <unistd.h>
#endif

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

void file_outlive_limits(void)
{
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN);
#endif
}

bool file_lock(FILE *stream)
{
#ifdef _WIN32
    (void)stream;
    return true;
#else
    return flock(fileno(stream), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
#endif
}

/* Opens `path` without cutting it to nothing, making it if need be. */
static FILE *open_to_write(const char *path)
{
#ifdef _WIN32
    return fopen(path, "ab");
#else
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    FILE *const stream = file >= 0 ? fdopen(file, "wb") : NULL; // which cuts nothing
    if (file >= 0 && stream == NULL)
        close(file);
    return stream;
#endif
}

/* Whether the open file is still the one at `path`: another process may have moved it on between
 * our opening and our locking it. */
static bool is_at(FILE *stream, const char *path)
{
#ifdef _WIN32
    (void)stream, (void)path;
    return true;
#else
    struct stat own, there;
    return fstat(fileno(stream), &own) == 0 && stat(path, &there) == 0 &&
           own.st_dev == there.st_dev && own.st_ino == there.st_ino;
#endif
}

bool file_draft(FileDraft *draft, const char *path)
{
    *draft = (FileDraft){.stream = NULL};
    if (snprintf(draft->path, FILE_PATH_MAX, "%s", path) >= FILE_PATH_MAX ||
        snprintf(draft->beside, FILE_PATH_MAX, "%s.new", path) >= FILE_PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    draft->stream = open_to_write(draft->beside);
    if (draft->stream == NULL)
        return false;
    int why = EBUSY;
    if (file_lock(draft->stream) && is_at(draft->stream, draft->beside)) {
        if (ftruncate(fileno(draft->stream), 0) == 0)
            return true;
        why = errno;
    }
    fclose(draft->stream); // it is another's, or nothing that can be a draft
    errno = why;
    return false;
}

bool file_publish(FileDraft *draft)
{
    bool is_good = file_sync(draft->stream);
#ifdef _WIN32
    /* An open file cannot be moved there. */
    is_good = fclose(draft->stream) == 0 && is_good;
    is_good = is_good && file_replace(draft->beside, draft->path);
    if (!is_good)
        remove(draft->beside);
    return is_good;
#else
    /* Moved while the lock is held, or it could be another's draft that is moved. */
    is_good = is_good && file_replace(draft->beside, draft->path);
    if (!is_good) {
        file_discard(draft);
        return false;
    }
    fclose(draft->stream);
    return true;
#endif
}

void file_discard(FileDraft *draft)
{
    const int why = errno;
#ifdef _WIN32
    fclose(draft->stream);
    remove(draft->beside);
#else
    remove(draft->beside); // before the lock is given up
    fclose(draft->stream);
#endif
    errno = why;
}

bool file_save(const char *path, const FilePart *parts, int count)
{
    FileDraft draft;
    if (!file_draft(&draft, path))
        return false;
    bool is_good = true;
    for (int i = 0; i < count && is_good; i++)
        is_good = fwrite(parts[i].bytes, parts[i].size, 1, draft.stream) == 1;
    if (is_good)
        return file_publish(&draft);
    file_discard(&draft);
    return false;
}

/* Only a folder cannot be replaced by a file; one that merely must not be written to can. */
bool file_can_save(const char *path)
{
    FileDraft draft;
    FILE *const there = fopen(path, "r+b");
    if (there != NULL)
        fclose(there);
    else if (errno == EISDIR)
        return false;
    if (!file_draft(&draft, path))
        return false;
    file_discard(&draft);
    return true;
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
