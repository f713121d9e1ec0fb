// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/filetask.h"

#include <check.h>
#include <signal.h>
#include <string.h>

#include "base/interrupt.h"
#include "search/strength.h"
#include "uci/commands/commands.h"
#include "uci/options.h"
#include "uci/uci.h"

static const FileTaskForm FORM = {.name = "suite",
                                  .most_files = 2,
                                  .takes_csv = true,
                                  .limits = {.has_move_time = true, .move_ms = 1000}};

static bool parse(FileTaskOptions *options, char *text, char *error)
{
    error[0] = '\0';
    return file_task_parse(options, &FORM, text, error);
}

START_TEST(files_limits_and_switches_come_in_any_order)
{
    FileTaskOptions o;
    char error[FILE_TASK_ERROR_MAX];
    char text[] = " --json \"a b.epd\" nodes 5000000000 --csv x.csv depth 9  c.pgn";
    ck_assert_msg(parse(&o, text, error), "%s", error);
    ck_assert_int_eq(o.file_count, 2);
    ck_assert_str_eq(o.files[0], "a b.epd");
    ck_assert_str_eq(o.files[1], "c.pgn");
    ck_assert_str_eq(o.csv, "x.csv");
    ck_assert(o.is_json);
    ck_assert_uint_eq(o.limits.nodes, 5000000000);
    ck_assert_int_eq(o.limits.depth, 9);
    ck_assert(!o.limits.has_move_time);
    ck_assert(limits_end(&o.limits));
}
END_TEST

START_TEST(without_a_limit_that_of_the_command_holds)
{
    FileTaskOptions o;
    char error[FILE_TASK_ERROR_MAX], text[] = "a.epd";
    ck_assert(parse(&o, text, error));
    ck_assert_int_eq(o.limits.move_ms, 1000);
    ck_assert_ptr_null(o.csv);
    ck_assert(!o.is_json);
}
END_TEST

static const struct {
    const char *text, *error;
} FAULTS[] = {
    {"", "needs a file"},
    {"nodes 100", "needs a file"},
    {"a.epd nodes", "nodes needs a number"},
    {"a.epd nodes x", "nodes x: not a whole number from 1 to 9223372036854775807"},
    {"a.epd depth 1000", "depth 1000: not a whole number from 1 to 245"},
    {"a.epd --csv", "--csv needs a file"},
    {"a.epd --jsno", "'--jsno' is not understood"},
    {"a b c", "'c' is not understood"},
    {"a b infinite", "'infinite' is not understood"},
};

START_TEST(faulty_arguments_are_named)
{
    FileTaskOptions o;
    char error[FILE_TASK_ERROR_MAX], text[128];
    snprintf(text, sizeof text, "%s", FAULTS[_i].text);
    ck_assert(!parse(&o, text, error));
    ck_assert_msg(strncmp(error, FAULTS[_i].error, strlen(FAULTS[_i].error)) == 0, "%s", error);
    ck_assert_ptr_null(strstr(error, "using"));
}
END_TEST

START_TEST(switches_stay_after_a_command_that_has_some)
{
    char suite[] = "suite", file[] = "a.epd", json[] = "--json", go[] = "go";
    char *with[] = {json, suite, file, json}, *without[] = {go, json};
    int count = 4;
    ck_assert_int_eq(uci_filter_arguments(&count, with), CALL_COMMANDS);
    ck_assert_int_eq(count, 3); // the one before the command is ignored
    ck_assert_str_eq(with[2], "--json");
    count = 2;
    ck_assert_int_eq(uci_filter_arguments(&count, without), CALL_COMMANDS);
    ck_assert_int_eq(count, 1);
    ck_assert(command_takes_switches("suite"));
    ck_assert(!command_takes_switches("go"));
    ck_assert(!command_takes_switches("suite x"));
}
END_TEST

/* HashFile Auto watches signals already. */
START_TEST(a_signal_before_its_first_search_stops_a_task)
{
    Session session;
    FileTask task = {.session = &session, .name = "suite"};
    ck_assert(session_open(&session));
    session.serial = ++session.newest;
    interrupt_watch_unless_ignored();
    raise(SIGTERM);
    file_task_begin(&task);
    ck_assert(file_task_is_stopped(&task));
    ck_assert(interrupt_release());
    file_task_begin(&task);
    ck_assert(!file_task_is_stopped(&task));
    ck_assert(!interrupt_release());
    session_close(&session);
}
END_TEST

START_TEST(a_task_searches_with_the_strength_of_the_options)
{
    Session session;
    char option[] = "name UCI_LimitStrength value true";
    const Limits limits = {.depth = 5};
    ck_assert(session_open(&session));
    const FileTask task = {.session = &session};
    SearchJob job = file_task_job(&task, &session.setup.pos, &limits);
    ck_assert(strength_is_full(&job.strength));
    ck_assert(options_set(&session.settings, option));
    job = file_task_job(&task, &session.setup.pos, &limits);
    ck_assert(!strength_is_full(&job.strength));
    session_close(&session);
}
END_TEST

Suite *suite_filetask(void);
Suite *suite_filetask(void)
{
    Suite *suite = suite_create("filetask");
    TCase *tcase = tcase_create("filetask");
    tcase_add_test(tcase, files_limits_and_switches_come_in_any_order);
    tcase_add_test(tcase, without_a_limit_that_of_the_command_holds);
    tcase_add_loop_test(tcase, faulty_arguments_are_named, 0, sizeof FAULTS / sizeof FAULTS[0]);
    tcase_add_test(tcase, switches_stay_after_a_command_that_has_some);
    tcase_add_test(tcase, a_signal_before_its_first_search_stops_a_task);
    tcase_add_test(tcase, a_task_searches_with_the_strength_of_the_options);
    suite_add_tcase(suite, tcase);
    return suite;
}
