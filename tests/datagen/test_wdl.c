// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/wdl.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/gamecode.h"
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

/* Makes a file with this text, writes its name to `path` and expects that the fit to it and nothing
 * else fails for `reason`, after the name if `is_named`. */
static void expect_refused(const char *text, WdlOptions options, bool is_named, const char *reason)
{
    char path[] = "/tmp/palimpsest-wdl-XXXXXX", error[WDL_ERROR_MAX], expected[WDL_ERROR_MAX];
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    whole_file_write_text(path, text);
    char *const paths[] = {path};
    options.paths = paths;
    options.count = 1;
    FILE *const out = tmpfile();
    ck_assert_ptr_nonnull(out);
    ck_assert(!wdl_fit(&options, out, error));
    fclose(out);
    remove(path);
    snprintf(expected, sizeof expected, "%s%s%s", is_named ? path : "", is_named ? ": " : "",
             reason);
    ck_assert_str_eq(error, expected);
}

#define SOUND "[White \"a\"]\n[Result \"1-0\"]\n\n1. e4 {+0.10/5} 1-0\n\n"

START_TEST(a_file_without_a_sound_game_is_refused)
{
    static const char REASON[] = "has no game that can be read";
    expect_refused("# Engine\n\nA UCI engine.\n", (WdlOptions){0}, true, REASON);
    expect_refused("1. e4 e4 1-0\n", (WdlOptions){0}, true, REASON);
    expect_refused(GAMECODE_MAGIC "no game", (WdlOptions){0}, true, REASON);
}
END_TEST

START_TEST(a_faulty_game_among_others_is_left_out)
{
    static const char REASON[] = "too few games to fit the model";
    expect_refused("1. e4 e4 1-0\n\n" SOUND, (WdlOptions){0}, false, REASON);
    expect_refused("1. e4 e4 1-0\n\n1. e4 *\n", (WdlOptions){0}, false, REASON);
    expect_refused("", (WdlOptions){0}, false, REASON);
}
END_TEST

START_TEST(options_for_pgn_need_pgn)
{
    expect_refused(GAMECODE_MAGIC, (WdlOptions){.player = "a"}, false,
                   "--player: has no effect without a PGN file");
    expect_refused(GAMECODE_MAGIC, (WdlOptions){.pawn = 100}, false,
                   "--pawn: has no effect without a PGN file");
    expect_refused(SOUND, (WdlOptions){.player = "a", .pawn = 100}, false,
                   "too few games to fit the model");
    expect_refused(SOUND, (WdlOptions){.player = "b"}, false,
                   "--player: no PGN file has scores of this player");
}
END_TEST

Suite *suite_wdl(void);
Suite *suite_wdl(void)
{
    Suite *suite = suite_create("wdl");
    TCase *tcase = tcase_create("wdl");
    tcase_add_test(tcase, a_figure_overwrites_no_other_file);
    tcase_add_test(tcase, a_file_without_a_sound_game_is_refused);
    tcase_add_test(tcase, a_faulty_game_among_others_is_left_out);
    tcase_add_test(tcase, options_for_pgn_need_pgn);
    suite_add_tcase(suite, tcase);
    return suite;
}
