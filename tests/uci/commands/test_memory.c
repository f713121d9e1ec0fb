// SPDX-License-Identifier: GPL-3.0-or-later
/* The command `memory` where its answers depend on the rights of the user or on a damaged file. The
 * session memory.uci tests the other answers. */
#include "uci/commands/memory.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "learning/learn_store_fixture.h"
#include "uci/commands/run.h"
#include "uci/options.h"

static const char ADVICE[] = "teach rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - a2a3";

/* Runs `memory` with these arguments in a new session, which learns into store_path. Returns true
 * when the command has failed and `wanted` was printed behind the name of the file. */
static bool fails_with(const char *arguments, const char *wanted)
{
    Session session;
    char line[256], mode[] = "name Memory value learn", *printed;
    size_t size;
    if (!session_open(&session))
        return false;
    session.out.stream = open_memstream(&printed, &size);
    snprintf(line, sizeof line, "name MemoryFile value %s", store_path);
    bool is_good = options_set(&session.settings, mode) && options_set(&session.settings, line);
    memory_apply(&session);
    session.failed = false; // by the message of the file
    snprintf(line, sizeof line, "%s", arguments);
    run_memory(&session, line);
    is_good = is_good && session.failed;
    session_close(&session); // closes the stream
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
    return suite;
}
