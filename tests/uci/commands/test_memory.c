// SPDX-License-Identifier: GPL-3.0-or-later
/* The command `memory` where its answers depend on the rights of the user or on a damaged file. The
 * session memory.uci tests the other answers. */
#include "uci/commands/memory.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "eval/built_in.h"
#include "learning/learn_store_fixture.h"
#include "uci/commands/memory_epd.h"
#include "uci/commands/run.h"
#include "uci/options.h"
#include "whole_file.h"

static const char ADVICE[] = "teach rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - a2a3";

/* Runs `memory` with these arguments in a new session, which learns into store_path; with
 * `is_stopped` a `stop` was read meanwhile. Returns what was printed, which the caller frees; NULL
 * if the session could not be opened. */
static char *run_command(const char *arguments, bool is_stopped, bool *has_failed)
{
    Session session;
    char line[256], mode[] = "name Memory value learn", *printed;
    size_t size;
    if (!session_open(&session))
        return NULL;
    session.out.stream = open_memstream(&printed, &size);
    snprintf(line, sizeof line, "name MemoryFile value %s", store_path);
    const bool is_set =
        options_set(&session.settings, mode) && options_set(&session.settings, line);
    memory_apply(&session);
    session.failed = false; // by the message of the file
    snprintf(line, sizeof line, "%s", arguments);
    session.serial = session.newest = 1; // that of the command
    if (is_stopped)
        session_stop(&session);
    run_memory(&session, line);
    *has_failed = session.failed || !is_set;
    session_close(&session); // closes the stream
    return printed;
}

/* Runs such a command. Returns true when it has failed and `wanted` was printed after the name of
 * the file. */
static bool fails_with(const char *arguments, const char *wanted)
{
    char line[256];
    bool is_good = false;
    char *const printed = run_command(arguments, false, &is_good);
    if (printed == NULL)
        return false;
    snprintf(line, sizeof line, "info string error: memory %.*s: '%s' %s",
             (int)strcspn(arguments, " "), arguments, store_path, wanted);
    is_good = is_good && strstr(printed, line) != NULL;
    if (!is_good)
        fputs(printed, stderr);
    free(printed);
    return is_good;
}

/* Makes a file of three positions. */
static void make_file(void)
{
    LearnStore *const store = store_open();
    store_write_made(store, 0, 3, 1000);
    learn_store_close(store);
}

static int teach_read_only_file(void)
{
    return fails_with(ADVICE, "is read-only: no permission to write\n") ? 0 : 1;
}

START_TEST(a_file_without_permission_is_called_read_only)
{
    make_file();
    ck_assert_int_eq(chmod(store_path, 0444), 0);
    store_check_as_user(teach_read_only_file);
}
END_TEST

START_TEST(a_damaged_file_is_called_damaged)
{
    make_file();
    store_damage(100);
    ck_assert(fails_with(ADVICE, "is damaged ("));
    ck_assert(fails_with("forget all", "is damaged ("));
}
END_TEST

START_TEST(a_list_names_results_of_another_network)
{
    bool has_failed = true;
    make_file();
    char *text = run_command("list 1", false, &has_failed);
    ck_assert(!has_failed);
    ck_assert_ptr_nonnull(strstr(text, " (another network)  seen "));
    free(text);
    text = run_command("list --json 1", false, &has_failed);
    ck_assert(!has_failed);
    ck_assert_ptr_nonnull(strstr(text, "\"network_in_use\":false,"));
    free(text);
}
END_TEST

/* Two records of a position, without the network and its comment's end. */
static const char DEEP[] = "bm e4; ce 80; acd 30; fmvn 1; c0 \"learned 120",
                  SHALLOW[] = "bm a3; ce -90; acd 5; fmvn 1; c0 \"learned -150";

enum { IMPORT_MAX = 256 };

/* Writes the command that imports a file to `line`, and opens that file to be written. */
static FILE *begin_import(char line[IMPORT_MAX])
{
    snprintf(line, IMPORT_MAX, "import %s/m.epd", store_folder);
    FILE *const file = fopen(line + strlen("import "), "w");
    ck_assert_ptr_nonnull(file);
    return file;
}

/* Imports a file that has first the one record, then the other. Returns the depth that is kept. */
static int import_two(const char *first, uint32_t first_network, const char *second,
                      uint32_t second_network)
{
    static const char FORMAT[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "
                                 "%s %08" PRIx32 " 1700000000 1\";\n";
    static StoreContents contents;
    char line[IMPORT_MAX];
    bool has_failed = true;
    FILE *const file = begin_import(line);
    fprintf(file, FORMAT, first, first_network);
    fprintf(file, FORMAT, second, second_network);
    fclose(file);
    free(run_command(line, false, &has_failed));
    ck_assert(!has_failed);
    LearnStore *const store = store_open();
    store_read(store, CONTENTS_MAX, &contents);
    learn_store_close(store);
    ck_assert_int_eq(contents.count, 1);
    ck_assert_int_eq(remove(store_path), 0);
    return contents.positions[0].depth;
}

START_TEST(an_import_keeps_the_score_of_the_network_in_use_else_the_deeper_one)
{
    const EvalSource eval = built_in_eval();
    const uint32_t used = eval_fingerprint_short(&eval), other = used + 1, third = used + 2;
    ck_assert_int_eq(import_two(DEEP, used, SHALLOW, other), 30);
    ck_assert_int_eq(import_two(SHALLOW, other, DEEP, used), 30);
    ck_assert_int_eq(import_two(DEEP, other, SHALLOW, used), 5);
    ck_assert_int_eq(import_two(SHALLOW, used, DEEP, other), 5);
    ck_assert_int_eq(import_two(DEEP, other, SHALLOW, third), 30);
    ck_assert_int_eq(import_two(SHALLOW, other, DEEP, third), 30);
}
END_TEST

START_TEST(an_import_keeps_the_newer_advice)
{
    static const char DEEP_ADVICE[] = "bm e4; ce 80; acd 30; fmvn 1; c0 \"advice 120",
                      SHALLOW_ADVICE[] = "bm a3; ce -90; acd 5; fmvn 1; c0 \"advice -150";
    ck_assert_int_eq(import_two(DEEP_ADVICE, 1, SHALLOW_ADVICE, 1), 5);
    ck_assert_int_eq(import_two(SHALLOW_ADVICE, 1, DEEP_ADVICE, 1), 30);
}
END_TEST

START_TEST(an_import_says_how_many_scores_it_did_not_keep)
{
    static const struct {
        const char *operations, *wanted;
    } FILES[] = {
        {"bm e4; ce 100; hmvc 19;", "memory: 1 position imported, 0 lines refused\n"},
        {"bm e4; ce 100; hmvc 20;",
         "memory: 1 position imported, 1 of them without its score (near the draw, not a number, "
         "or the fifty-move counter is 20 or more), 0 lines refused\n"},
    };
    for (int i = 0; i < 2; i++) {
        char line[IMPORT_MAX];
        bool has_failed;
        FILE *const file = begin_import(line);
        fprintf(file, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - %s\n",
                FILES[i].operations);
        fclose(file);
        char *const printed = run_command(line, false, &has_failed);
        ck_assert_ptr_nonnull(printed);
        ck_assert(!has_failed);
        ck_assert_msg(strstr(printed, FILES[i].wanted) != NULL, "%s", printed);
        free(printed);
    }
}
END_TEST

/* A repaired FEN is another position. */
START_TEST(an_import_refuses_what_needs_a_repair)
{
    char line[IMPORT_MAX];
    bool has_failed;
    FILE *const file = begin_import(line);
    fputs("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - bm e4; ce 30;\n"
          "4k3/8/8/8/8/8/4P3/4K3 w - e3 bm e4; ce 30;\n"
          "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 bm dxe3; ce 30;\n",
          file);
    fclose(file);
    char *const printed = run_command(line, false, &has_failed);
    ck_assert_ptr_nonnull(printed);
    ck_assert_ptr_nonnull(strstr(printed, "position 1: castling right K dropped"));
    ck_assert_ptr_nonnull(strstr(printed, "position 2: en passant square e3 dropped"));
    ck_assert_msg(strstr(printed, "1 position imported, 2 lines refused") != NULL, "%s", printed);
    free(printed);
}
END_TEST

START_TEST(a_long_file_is_imported_in_several_transactions)
{
    static StoreContents contents;
    char line[IMPORT_MAX], text[EPD_TEXT_MAX];
    bool has_failed;
    FILE *const file = begin_import(line);
    for (uint64_t seed = 0; seed < 1200; seed++) {
        const LearnedPosition learned = make_learned(seed);
        memory_epd_print(&learned, text);
        fprintf(file, "%s\n", text);
    }
    fclose(file);
    char *const printed = run_command(line, false, &has_failed);
    ck_assert_ptr_nonnull(printed);
    ck_assert_msg(strstr(printed, "memory: 1200 positions imported") != NULL, "%s", printed);
    free(printed);
    LearnStore *const store = store_open();
    ck_assert_int_eq(store_read(store, CONTENTS_MAX, &contents), LEARN_STORE_DONE);
    learn_store_close(store);
    ck_assert_int_gt(contents.count, 1000); // some positions are the same
}
END_TEST

START_TEST(a_stop_ends_an_import)
{
    char line[IMPORT_MAX];
    bool has_failed;
    FILE *const file = begin_import(line);
    for (int i = 0; i < 2000; i++)
        fprintf(file, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; ce %d;\n", i);
    fclose(file);
    char *const printed = run_command(line, true, &has_failed);
    ck_assert_ptr_nonnull(printed);
    ck_assert_msg(strstr(printed, "info string memory import was stopped\n") != NULL, "%s",
                  printed);
    ck_assert_ptr_nonnull(strstr(printed, "memory: 0 positions imported"));
    free(printed);
}
END_TEST

START_TEST(a_stop_ends_an_export_and_leaves_the_old_file)
{
    char line[IMPORT_MAX];
    bool has_failed;
    free(run_command(ADVICE, false, &has_failed));
    ck_assert(!has_failed);
    snprintf(line, sizeof line, "export %s/m.epd", store_folder);
    const char *const path = line + strlen("export ");
    whole_file_write_text(path, "old\n");
    char *const printed = run_command(line, true, &has_failed);
    ck_assert_ptr_nonnull(printed);
    ck_assert_msg(strstr(printed, "info string memory export was stopped\n") != NULL, "%s",
                  printed);
    ck_assert(!has_failed);
    ck_assert_uint_eq(whole_file_size(path), strlen("old\n"));
    strcat(line, FILE_DRAFT_END);
    ck_assert_int_eq(file_kind(path, NULL), FILE_MISSING);
    free(printed);
}
END_TEST

START_TEST(a_failed_export_leaves_the_old_file)
{
    char line[IMPORT_MAX];
    bool has_failed = false;
    store_make_file(500);
    store_damage(500);
    snprintf(line, sizeof line, "export %s/m.epd", store_folder);
    const char *const path = line + strlen("export ");
    whole_file_write_text(path, "old\n");
    char *const printed = run_command(line, false, &has_failed);
    ck_assert_ptr_nonnull(printed);
    ck_assert(has_failed);
    ck_assert_ptr_null(strstr(printed, "all learned positions are in"));
    ck_assert_uint_eq(whole_file_size(path), strlen("old\n"));
    free(printed);
}
END_TEST

Suite *suite_memory(void);
Suite *suite_memory(void)
{
    Suite *const suite = suite_create("memory");
    TCase *const tcase = tcase_create("memory");
    tcase_add_checked_fixture(tcase, store_setup, store_teardown);
    tcase_set_timeout(tcase, 30);
    suite_add_tcase(suite, tcase);
    if (!store_tests_can_run(tcase))
        return suite;
    tcase_add_test(tcase, a_file_without_permission_is_called_read_only);
    tcase_add_test(tcase, a_damaged_file_is_called_damaged);
    tcase_add_test(tcase, a_list_names_results_of_another_network);
    tcase_add_test(tcase, an_import_keeps_the_newer_advice);
    tcase_add_test(tcase, an_import_says_how_many_scores_it_did_not_keep);
    tcase_add_test(tcase, a_stop_ends_an_export_and_leaves_the_old_file);
    tcase_add_test(tcase, a_failed_export_leaves_the_old_file);
    tcase_add_test(tcase, an_import_refuses_what_needs_a_repair);
    tcase_add_test(tcase, a_long_file_is_imported_in_several_transactions);
    tcase_add_test(tcase, a_stop_ends_an_import);
    tcase_add_test(tcase, an_import_keeps_the_score_of_the_network_in_use_else_the_deeper_one);
    return suite;
}
