// SPDX-License-Identifier: GPL-3.0-or-later
#include "whole_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

uint8_t *whole_file_read(const char *path, size_t *size)
{
    FILE *const file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *const bytes = malloc(*size + 1); // never 0 bytes
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}
