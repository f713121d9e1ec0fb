// SPDX-License-Identifier: GPL-3.0-or-later
#include "syzygy/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "syzygy/md5.h"

enum { CHUNK_BYTES = 1 << 20, HEX_DIGITS = 2 * MD5_BYTES };

static void write_hex(const uint8_t sum[MD5_BYTES], char hex[HEX_DIGITS + 1])
{
    for (int i = 0; i < MD5_BYTES; i++)
        snprintf(hex + 2 * i, 3, "%02x", sum[i]);
}

/* Opens the list for the folder of the file. Returns NULL when there is none. */
static FILE *open_list(const SyzygyFile *file)
{
    char path[FILE_PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/MD5SUMS", file->folder);
    FILE *const beside = file_open(path, "r");
    if (beside != NULL)
        return beside;
    snprintf(path, sizeof path, "%s/../MD5SUMS", file->folder);
    return file_open(path, "r");
}

/* Finds the sum of the file in the list. A line has the sum, blanks, an optional `*`, and the name,
 * which may be a path. Returns false when the file is not listed. */
static bool find_sum(const SyzygyFile *file, char hex[HEX_DIGITS + 1])
{
    FILE *const list = open_list(file);
    TextLine line = {0};
    bool is_found = false;
    while (list != NULL && !is_found && text_line_read(&line, list)) {
        char *cursor = line.text;
        const char *const sum = text_word(&cursor), *const path = text_trim(cursor);
        const char *const slash = strrchr(path, '/');
        const char *const name = slash != NULL ? slash + 1 : *path == '*' ? path + 1 : path;
        is_found = sum != NULL && strlen(sum) == HEX_DIGITS && strcmp(name, file->name) == 0;
        if (is_found)
            text_copy(hex, HEX_DIGITS + 1, sum);
    }
    text_line_free(&line);
    if (list != NULL)
        fclose(list);
    return is_found;
}

/* Computes the sum of the whole file. Returns false when the file is unreadable or goes_on() ended
 * the check. */
static bool sum_file(const SyzygyVerifier *verifier, const SyzygyFile *file,
                     char hex[HEX_DIGITS + 1])
{
    FILE *const stream = file_open(file->path, "rb");
    uint8_t *const chunk = malloc(CHUNK_BYTES);
    bool is_good = stream != NULL && chunk != NULL;
    size_t size = CHUNK_BYTES;
    Md5 md5;
    md5_start(&md5);
    while (is_good && size == CHUNK_BYTES) {
        size = fread(chunk, 1, CHUNK_BYTES, stream);
        md5_add(&md5, chunk, size);
        is_good = !ferror(stream) && verifier->goes_on(verifier->ctx);
    }
    uint8_t sum[MD5_BYTES];
    md5_finish(&md5, sum);
    write_hex(sum, hex);
    free(chunk);
    if (stream != NULL)
        fclose(stream);
    return is_good;
}

static bool verify_file(void *ctx, const SyzygyFile *file)
{
    const SyzygyVerifier *const verifier = ctx;
    char expected[HEX_DIGITS + 1], found[HEX_DIGITS + 1];
    SyzygyVerdict verdict = SYZYGY_UNLISTED;
    if (find_sum(file, expected))
        verdict = !sum_file(verifier, file, found)     ? SYZYGY_UNREADABLE
                  : text_equal_nocase(expected, found) ? SYZYGY_INTACT
                                                       : SYZYGY_ALTERED;
    if (!verifier->goes_on(verifier->ctx))
        return false;
    verifier->tell(verifier->ctx, file, verdict);
    return true;
}

bool syzygy_verify(const char *folders, const SyzygyVerifier *verifier, char *error)
{
    SyzygyVerifier own = *verifier;
    return syzygy_files_visit(folders, verify_file, &own, error);
}
