// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

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

void file_discard(FileDraft *draft)
{
    file_remove_locked(draft->stream, draft->beside);
}

/* A folder cannot be replaced by a file. */
bool file_can_save(const char *path)
{
    FileDraft draft;
    if (file_kind(path, NULL) == FILE_FOLDER) {
        errno = EISDIR;
        return false;
    }
    if (!file_draft(&draft, path))
        return false;
    file_discard(&draft);
    return true;
}

bool file_read_text(const char *path, StrBuf *out)
{
    char part[4096];
    FILE *const file = file_open(path, "rb");
    if (file == NULL)
        return false;
    errno = 0;
    for (size_t count = 1; count > 0 && !out->is_cut;) {
        count = fread(part, 1, sizeof part, file);
        for (size_t i = 0; i < count; i++)
            if (part[i] == '\0')
                part[i] = ' ';
        strbuf_add_bytes(out, part, count);
    }
    const bool is_read = ferror(file) == 0 && !out->is_cut;
    const int reason = out->is_cut ? ENOMEM : errno;
    fclose(file);
    errno = reason;
    return is_read;
}

bool file_begins_with(const char *path, const void *bytes, size_t size)
{
    FILE *const file = file_open(path, "rb");
    if (file == NULL)
        return false;
    size_t same = 0;
    while (same < size && fgetc(file) == ((const uint8_t *)bytes)[same])
        same++;
    fclose(file);
    return same == size;
}

bool file_is_database(const char *path)
{
    static const char HEAD[] = "SQLite format 3"; // with its NUL
    return file_begins_with(path, HEAD, sizeof HEAD);
}

int file_end_output(const char *program, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "%s: the output cannot be written\n", program);
    return EXIT_FAILURE;
}

bool file_seek(FILE *stream, uint64_t offset)
{
    return fseeko(stream, (off_t)offset, SEEK_SET) == 0;
}

int file_mute_stderr(void)
{
    fflush(stderr);
    const int kept = dup(fileno(stderr)), nowhere = open(FILE_NOWHERE, O_WRONLY);
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
    if (stream == NULL) {
        if (kept >= 0)
            close(kept);
        return NULL;
    }
#ifdef _WIN32
    _setmode(kept, _O_BINARY); // no CR before LF
#endif
    if (dup2(fileno(stderr), fileno(stdout)) >= 0)
        return stream;
    fclose(stream);
    return NULL;
}
