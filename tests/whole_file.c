// SPDX-License-Identifier: GPL-3.0-or-later
#include "whole_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

uint8_t *whole_file_read(const char *path, size_t *size)
{
    *size = whole_file_size(path);
    FILE *const file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    uint8_t *const bytes = malloc(*size + 1);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
    fclose(file);
    bytes[*size] = 0;
    return bytes;
}

void whole_file_expect(const char *path, const void *bytes, size_t size)
{
    size_t found_size;
    uint8_t *const found = whole_file_read(path, &found_size);
    ck_assert_uint_eq(found_size, size);
    ck_assert_mem_eq(found, bytes, size);
    free(found);
}

void whole_file_write(const char *path, const void *bytes, size_t size)
{
    FILE *const file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

void whole_file_write_text(const char *path, const char *text)
{
    whole_file_write(path, text, strlen(text));
}

size_t whole_file_size(const char *path)
{
    struct stat found;
    ck_assert_msg(stat(path, &found) == 0, "%s is missing", path);
    return (size_t)found.st_size;
}
