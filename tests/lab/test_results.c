// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/results.h"

#include <check.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "lab/temp_file.h"

#define HEADER "name,size,nodes"
enum { KEY_COLUMNS = 2 };

static char error[RESULTS_ERROR_MAX];
static Results results;

/* Opens the file of the test. */
static bool open_results(Results *opened, ResultsMode mode)
{
    const ResultsFile file = {
        .path = temp_file_path(), .header = HEADER, .key_columns = KEY_COLUMNS, .mode = mode};
    return results_open(opened, &file, error);
}

static void open_for(ResultsMode mode)
{
    ck_assert_msg(open_results(&results, mode), "%s", error);
}

static void expect_file(const char *text)
{
    char found[1024];
    FILE *file = fopen(temp_file_path(), "r");
    ck_assert_ptr_nonnull(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    ck_assert_str_eq(found, text);
}

START_TEST(rows_are_written_at_once_and_found_again)
{
    open_for(RESULTS_EXTEND);
    ck_assert(results_add(&results, "a,1,100", error));
    expect_file(HEADER "\na,1,100\n");
    ck_assert(results_add(&results, "a,10,200", error));
    ck_assert_str_eq(results_find(&results, "a,1"), "a,1,100");
    ck_assert_ptr_null(results_find(&results, "a"));
    ck_assert_ptr_null(results_find(&results, "b,1"));
    results_close(&results);
    open_for(RESULTS_READ);
    ck_assert_uint_eq(results.count, 2);
    ck_assert_str_eq(results_find(&results, "a,10"), "a,10,200");
    results_close(&results);
}
END_TEST

START_TEST(an_incomplete_row_left_by_a_crash_is_removed)
{
    temp_file_write(HEADER "\na,1,100\na,2,20");
    open_for(RESULTS_EXTEND);
    ck_assert_uint_eq(results.count, 1);
    ck_assert(results_add(&results, "a,2,200", error));
    results_close(&results);
    expect_file(HEADER "\na,1,100\na,2,200\n");
}
END_TEST

START_TEST(so_it_is_in_a_file_with_crlf_line_ends)
{
    temp_file_write(HEADER "\r\na,1,100\r\na,2,20");
    open_for(RESULTS_EXTEND);
    ck_assert_str_eq(results_find(&results, "a,1"), "a,1,100");
    ck_assert(results_add(&results, "a,2,200", error));
    results_close(&results);
    expect_file(HEADER "\r\na,1,100\r\na,2,200\n");
}
END_TEST

/* The disk is full for a moment. */
START_TEST(after_a_row_that_could_not_be_written_no_other_is)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlim_t before = limit.rlim_cur;
    open_for(RESULTS_EXTEND);
    ck_assert(results_add(&results, "a,1,100", error));
    limit.rlim_cur = sizeof HEADER - 1 + sizeof "\na,1,100\na,2";
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert(!results_add(&results, "a,2,200", error));
    ck_assert_ptr_nonnull(strstr(error, "a row could not be written"));
    limit.rlim_cur = before;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert(!results_add(&results, "a,3,300", error));
    results_close(&results);
    open_for(RESULTS_EXTEND);
    ck_assert(results_add(&results, "a,4,400", error));
    results_close(&results);
    expect_file(HEADER "\na,1,100\na,4,400\n");
}
END_TEST

START_TEST(a_file_has_one_writer_at_a_time_and_any_number_of_readers)
{
    Results second;
    open_for(RESULTS_EXTEND);
    ck_assert(!open_results(&second, RESULTS_EXTEND));
    ck_assert_ptr_nonnull(strstr(error, "another program"));
    ck_assert_msg(open_results(&second, RESULTS_READ), "%s", error);
    results_close(&second);
    ck_assert(results_add(&results, "a,1,100", error));
    results_close(&results);
    open_for(RESULTS_EXTEND);
    ck_assert_uint_eq(results.count, 1);
    results_close(&results);
}
END_TEST

START_TEST(concatenated_files_are_merged)
{
    temp_file_write(HEADER "\na,1,100\n" HEADER "\nb,1,300\na,1,100\n");
    open_for(RESULTS_READ);
    ck_assert_uint_eq(results.count, 2);
    ck_assert_str_eq(results_find(&results, "b,1"), "b,1,300");
    results_close(&results);
}
END_TEST

START_TEST(malformed_files_are_refused_and_left_unchanged)
{
    static const char *const BAD[] = {
        "another,header\na,1\n",
        HEADER "\na,1,100\na,1,101\n",
        HEADER "\na,1\n",
        HEADER "\na,1,2,3\n",
        HEADER "\na,1,100\nname,threads,hits\nb,2,200\n",
        "a line without end of another kind of file",
    };
    temp_file_write(BAD[_i]);
    ck_assert(!open_results(&results, RESULTS_EXTEND));
    ck_assert_ptr_nonnull(strstr(error, temp_file_path()));
    expect_file(BAD[_i]);
}
END_TEST

START_TEST(the_header_of_another_experiment_is_named)
{
    temp_file_write(HEADER "\na,1,100\nname,threads,hits\nb,2,200\n");
    ck_assert(!open_results(&results, RESULTS_READ));
    ck_assert_ptr_nonnull(strstr(error, "another experiment: name,threads,hits"));
}
END_TEST

START_TEST(a_contradicting_row_is_refused)
{
    open_for(RESULTS_EXTEND);
    ck_assert(results_add(&results, "a,1,100", error));
    ck_assert(results_add(&results, "a,1,100", error));
    ck_assert(!results_add(&results, "a,1,101", error));
    results_close(&results);
    expect_file(HEADER "\na,1,100\n");
}
END_TEST

START_TEST(without_a_path_rows_stay_in_memory)
{
    const ResultsFile file = {.header = HEADER, .key_columns = KEY_COLUMNS, .mode = RESULTS_EXTEND};
    ck_assert_msg(results_open(&results, &file, error), "%s", error);
    ck_assert_ptr_null(results_find(&results, "a,1"));
    ck_assert(results_add(&results, "a,1,100", error));
    ck_assert_str_eq(results_find(&results, "a,1"), "a,1,100");
    ck_assert(!results_add(&results, "a,1,101", error));
    results_close(&results);
}
END_TEST

START_TEST(an_incomplete_header_is_written_again)
{
    temp_file_write("name,si");
    open_for(RESULTS_EXTEND);
    results_close(&results);
    expect_file(HEADER "\n");
}
END_TEST

START_TEST(a_reader_learns_of_an_incomplete_last_line)
{
    temp_file_write(HEADER "\na,1,100\nb,1,3");
    open_for(RESULTS_READ);
    ck_assert(!results_are_whole(&results, "r.csv", 2, 1, error));
    ck_assert_msg(strstr(error, "the last line is incomplete") != NULL, "%s", error);
    results_close(&results);
}
END_TEST

START_TEST(thousands_of_rows_are_found)
{
    char row[64];
    open_for(RESULTS_EXTEND);
    for (int i = 0; i < 5000; i++) {
        snprintf(row, sizeof row, "name%d,%d,%d", i % 7, i, i * i);
        ck_assert(results_add(&results, row, error));
    }
    for (int i = 0; i < 5000; i++) {
        snprintf(row, sizeof row, "name%d,%d", i % 7, i);
        ck_assert_ptr_nonnull(results_find(&results, row));
    }
    results_close(&results);
}
END_TEST

START_TEST(fields_are_copied_by_number)
{
    char field[4];
    ck_assert(results_field("a,bcd,,e", 1, field, sizeof field));
    ck_assert_str_eq(field, "bcd");
    ck_assert(results_field("a,bcd,,e", 2, field, sizeof field));
    ck_assert_str_eq(field, "");
    ck_assert(results_field("a,bcd,,e", 3, field, sizeof field));
    ck_assert_str_eq(field, "e");
    ck_assert(!results_field("a,bcd,,e", 4, field, sizeof field));
    ck_assert(!results_field("abcd", 0, field, sizeof field));
    ck_assert_int_eq(results_columns("a,bcd,,e"), 4);
    ck_assert_int_eq(results_columns(""), 1);
}
END_TEST

START_TEST(a_list_of_numbers_is_read_whole_or_not_at_all)
{
    int numbers[3];
    ck_assert_int_eq(results_numbers("8,1,1024", numbers, 3, 1024), 3);
    ck_assert(numbers[0] == 8 && numbers[1] == 1 && numbers[2] == 1024);
    ck_assert_int_eq(results_numbers("8,16,32,64", numbers, 3, 1024), 0);
    ck_assert_int_eq(results_numbers("8,1025", numbers, 3, 1024), 0);
    ck_assert_int_eq(results_numbers("8,0", numbers, 3, 1024), 0);
    ck_assert_int_eq(results_numbers("8,16,8", numbers, 3, 1024), 0);
    ck_assert_int_eq(results_numbers("8,x", numbers, 3, 1024), 0);
    ck_assert_int_eq(results_numbers("", numbers, 3, 1024), 0);
}
END_TEST

Suite *suite_results(void);
Suite *suite_results(void)
{
    Suite *suite = suite_create("results");
    TCase *tcase = tcase_create("results");
    tcase_add_checked_fixture(tcase, temp_file_remove, temp_file_remove);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, rows_are_written_at_once_and_found_again);
    tcase_add_test(tcase, an_incomplete_row_left_by_a_crash_is_removed);
    tcase_add_test(tcase, so_it_is_in_a_file_with_crlf_line_ends);
    tcase_add_test(tcase, after_a_row_that_could_not_be_written_no_other_is);
    tcase_add_test(tcase, a_file_has_one_writer_at_a_time_and_any_number_of_readers);
    tcase_add_test(tcase, concatenated_files_are_merged);
    tcase_add_loop_test(tcase, malformed_files_are_refused_and_left_unchanged, 0, 6);
    tcase_add_test(tcase, the_header_of_another_experiment_is_named);
    tcase_add_test(tcase, a_contradicting_row_is_refused);
    tcase_add_test(tcase, without_a_path_rows_stay_in_memory);
    tcase_add_test(tcase, an_incomplete_header_is_written_again);
    tcase_add_test(tcase, a_reader_learns_of_an_incomplete_last_line);
    tcase_add_test(tcase, thousands_of_rows_are_found);
    tcase_add_test(tcase, fields_are_copied_by_number);
    tcase_add_test(tcase, a_list_of_numbers_is_read_whole_or_not_at_all);
    suite_add_tcase(suite, tcase);
    return suite;
}
