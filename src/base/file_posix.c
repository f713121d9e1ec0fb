// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE // POLLRDHUP
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The event of a socket whose other side writes no more; only Linux has it. macOS reports a closed
 * pipe only if some event is asked for. */
#ifdef POLLRDHUP
enum { CLOSED_EVENTS = POLLRDHUP | POLLHUP };
#else
enum { CLOSED_EVENTS = POLLHUP };
#endif

/* Opens a pipe or a device. Does not wait for the other side of a pipe: without a writer it is
 * empty, without a reader it cannot be opened. A device, which may never end, is not read. */
static FILE *open_other(const char *path, const char *mode)
{
    const bool is_read = *mode == 'r';
    const int file = open(path, (is_read ? O_RDONLY : O_WRONLY) | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return NULL;
    struct stat found;
    const bool is_good = fstat(file, &found) == 0 && (!is_read || S_ISFIFO(found.st_mode)) &&
                         fcntl(file, F_SETFL, 0) == 0; // from here on, reads and writes wait
    FILE *const stream = is_good ? fdopen(file, mode) : NULL;
    if (stream == NULL)
        close(file);
    if (!is_good)
        errno = ENOTSUP;
    return stream;
}

FILE *file_open(const char *path, const char *mode)
{
    if (file_kind(path, NULL) == FILE_OTHER && strcmp(path, FILE_NOWHERE) != 0)
        return open_other(path, mode);
    return fopen(path, mode);
}

bool file_remove(const char *path)
{
    return remove(path) == 0;
}

bool file_sync(FILE *stream)
{
    return fflush(stream) == 0 && fsync(fileno(stream)) == 0;
}

void file_outlive_limits(void)
{
    signal(SIGXFSZ, SIG_IGN);
}

void file_outlive_readers(void)
{
    signal(SIGPIPE, SIG_IGN);
}

int file_columns(FILE *stream)
{
    struct winsize size;
    const bool is_known = ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return is_known ? size.ws_col : 80;
}

void file_fill_standard_streams(void)
{
    int file = open(FILE_NOWHERE, O_RDWR); // takes the lowest free number
    while (file >= 0 && file <= STDERR_FILENO)
        file = dup(file);
    if (file >= 0)
        close(file);
}

static bool lock(int file)
{
    return flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

bool file_lock(FILE *stream)
{
    return lock(fileno(stream));
}

static bool is_one_file(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Locks the open file, as file_lock(). False also when it is no longer the one at `path`: another
 * process may have renamed or removed it between our open and our lock. */
static bool lock_at(int file, const char *path)
{
    struct stat own, there;
    return lock(file) && fstat(file, &own) == 0 && stat(path, &there) == 0 &&
           is_one_file(&own, &there);
}

/* Opens `path` for writing without truncating it; creates it if missing. Follows no symbolic link
 * to a file, which is somebody else's. */
static FILE *open_to_write(const char *path)
{
    const int flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC;
    int file = open(path, flags | O_EXCL, 0666);
    const bool is_new = file >= 0;
    if (!is_new && errno == EEXIST)
        file = open(path, flags, 0666);
    FILE *const stream = file >= 0 ? fdopen(file, "wb") : NULL; // fdopen() does not truncate
    if (file >= 0 && stream == NULL) {
        const int why = errno;
        if (is_new && lock_at(file, path)) // else another process has it by now
            unlink(path);
        close(file);
        errno = why;
    }
    return stream;
}

FILE *file_open_locked(const char *path)
{
    FILE *const stream = open_to_write(path);
    if (stream == NULL || lock_at(fileno(stream), path))
        return stream;
    fclose(stream); // another process owns the file
    errno = EBUSY;
    return NULL;
}

void file_remove_locked(FILE *stream, const char *path)
{
    const int why = errno;
    remove(path); // before fclose() unlocks it
    fclose(stream);
    errno = why;
}

/* Writes the name behind a symbolic link to `target` (FILE_PATH_MAX bytes), relative to the same
 * folder as `path`. False when `path` is no link, or the name is too long. */
static bool read_link(const char *path, char *target)
{
    char name[FILE_PATH_MAX];
    const ssize_t length = readlink(path, name, sizeof name - 1);
    if (length <= 0)
        return false;
    name[length] = '\0';
    const char *const slash = strrchr(path, '/');
    const int folder = slash != NULL && name[0] != '/' ? (int)(slash + 1 - path) : 0;
    return snprintf(target, FILE_PATH_MAX, "%.*s%s", folder, path, name) < FILE_PATH_MAX;
}

/* Sets the names of the file and of its draft. Symbolic links stay links: the draft will replace
 * the file behind them, or become it. */
static bool set_paths(FileDraft *draft, const char *path)
{
    enum { LINKS_MAX = 40 }; // as in Linux
    char behind[FILE_PATH_MAX];
    char *const target = realpath(path, NULL); // NULL when the file does not exist yet
    const char *const name = target != NULL ? target : path;
    bool fits = snprintf(draft->path, FILE_PATH_MAX, "%s", name) < FILE_PATH_MAX;
    free(target);
    for (int i = 0; fits && i < LINKS_MAX && read_link(draft->path, behind); i++)
        memcpy(draft->path, behind, sizeof behind);
    return fits &&
           snprintf(draft->beside, FILE_PATH_MAX, "%s" FILE_DRAFT_END, draft->path) < FILE_PATH_MAX;
}

/* Gives the draft the owner, group and permissions of the file that it replaces, where the system
 * allows it. If the group cannot be kept, the draft's own group gets only the rights of everyone.
 * False, with errno set, if the old file may not be written: a rename would not ask. */
static bool take_permissions(const FileDraft *draft)
{
    const int file = fileno(draft->stream);
    struct stat old;
    if (stat(draft->path, &old) != 0)
        return true;
    if (access(draft->path, W_OK) != 0)
        return false;
    const bool has_group =
        fchown(file, old.st_uid, old.st_gid) == 0 || fchown(file, (uid_t)-1, old.st_gid) == 0;
    const mode_t others = old.st_mode & 07;
    const mode_t mode =
        has_group ? old.st_mode & 0777 : (old.st_mode & 0700) | others << 3 | others;
    return fchmod(file, mode) == 0 || errno == EPERM;
}

bool file_draft(FileDraft *draft, const char *path)
{
    *draft = (FileDraft){.stream = NULL};
    /* A device, for example, must not be replaced by a file. */
    if (file_kind(path, NULL) == FILE_OTHER) {
        errno = EINVAL;
        return false;
    }
    if (!set_paths(draft, path)) {
        errno = ENAMETOOLONG;
        return false;
    }
    draft->stream = file_open_locked(draft->beside);
    if (draft->stream == NULL)
        return false;
    if (take_permissions(draft) && ftruncate(fileno(draft->stream), 0) == 0)
        return true;
    file_discard(draft);
    return false;
}

bool file_publish(FileDraft *draft)
{
    /* Rename before fclose() unlocks the draft. Otherwise another process could open and empty it
     * in between. */
    if (!file_sync(draft->stream) || rename(draft->beside, draft->path) != 0) {
        file_discard(draft);
        return false;
    }
    fclose(draft->stream);
    return true;
}

FILE *file_temporary(const char *path)
{
    char name[FILE_PATH_MAX];
    if (snprintf(name, sizeof name, "%s.XXXXXX", path) >= (int)sizeof name) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    const int file = mkstemp(name);
    if (file < 0)
        return NULL;
    unlink(name); // the data lives as long as the file is open
    FILE *const stream = fdopen(file, "w+b");
    if (stream == NULL)
        close(file);
    return stream;
}

FileKind file_kind(const char *path, int64_t *size)
{
    struct stat found;
    if (stat(path, &found) != 0)
        return FILE_MISSING;
    if (size != NULL)
        *size = found.st_size;
    return S_ISREG(found.st_mode)   ? FILE_REGULAR
           : S_ISDIR(found.st_mode) ? FILE_FOLDER
                                    : FILE_OTHER;
}

bool file_is_same(const char *path, const char *other)
{
    struct stat one, two;
    return stat(path, &one) == 0 && stat(other, &two) == 0 && is_one_file(&one, &two);
}

bool file_list(const char *folder, bool (*visit)(void *ctx, const char *name), void *ctx)
{
    DIR *const stream = opendir(folder);
    if (stream == NULL)
        return false;
    bool is_continuing = true;
    for (const struct dirent *entry = readdir(stream); entry != NULL && is_continuing;
         entry = readdir(stream))
        is_continuing = visit(ctx, entry->d_name);
    closedir(stream);
    return is_continuing;
}

char *file_list_for_library(const char *folders)
{
    return strdup(folders);
}

char *file_path_in_utf8(const char *path)
{
    return strdup(path);
}

const char *file_system_reason(int code)
{
    return strerror(code);
}

bool file_is_writable(FILE *stream, int ms)
{
    struct pollfd pipe = {.fd = fileno(stream), .events = POLLOUT};
    if (pipe.fd < 0)
        return true; // a stream to memory
    const int count = poll(&pipe, 1, ms);
    return count > 0 || (count < 0 && errno != EINTR); // a signal does not make it writable
}

bool file_is_complete(FILE *stream, int ms)
{
    struct stat status;
    struct pollfd pipe = {.fd = fileno(stream), .events = CLOSED_EVENTS}; // waits for the end only
    if (fstat(pipe.fd, &status) == 0 && S_ISREG(status.st_mode))
        return true;
    return poll(&pipe, 1, ms) > 0 && (pipe.revents & CLOSED_EVENTS) != 0;
}

char *file_typed_text(FILE *stream, const char *line)
{
    (void)stream;
    (void)line;
    return NULL;
}

bool file_await_bytes(FILE *stream)
{
    struct pollfd input = {.fd = fileno(stream), .events = POLLIN};
    if (!ferror(stream) || errno != EAGAIN)
        return false;
    clearerr(stream);
    poll(&input, 1, -1);
    return true;
}
