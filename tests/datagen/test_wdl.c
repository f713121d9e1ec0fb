// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/wdl.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "whole_file.h"

/* `--wdl --figure games.pgn`: the name of the figure was forgotten. */
START_TEST(a_figure_overwrites_no_other_file)
{
    static const char GAME[] = "[Event \"precious\"]\n\n1. e4 *\n";
    char path[] = "/tmp/palimpsest-wdl-XXXXXX", error[WDL_ERROR_MAX], expected[WDL_ERROR_MAX];
    FILE *const file = fdopen(mkstemp(path), "wb");
    ck_assert_ptr_nonnull(file);
    fputs(GAME, file);
    fclose(file);
    char *const paths[] = {path};
    const WdlOptions options = {.paths = paths, .count = 1, .figure = path};
    ck_assert(!wdl_fit(&options, stdout, error));
    snprintf(expected, sizeof expected, "%s exists and is no figure", path);
    ck_assert_str_eq(error, expected);
    size_t size;
    uint8_t *const left = whole_file_read(path, &size);
    ck_assert_uint_eq(size, strlen(GAME));
    ck_assert_mem_eq(left, GAME, size);
    free(left);
    remove(path);
}
END_TEST

Suite *suite_wdl(void);
Suite *suite_wdl(void)
{
    Suite *suite = suite_create("wdl");
    TCase *tcase = tcase_create("wdl");
    tcase_add_test(tcase, a_figure_overwrites_no_other_file);
    suite_add_tcase(suite, tcase);
    return suite;
}
