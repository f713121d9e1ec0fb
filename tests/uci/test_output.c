// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/output.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "short_memory.h"
#include "skip.h"
#include "whole_file.h"

static Output out;
static char *printed;
static size_t printed_size;
static char path[] = "/tmp/palimpsest-test-XXXXXX";

static void setup(void)
{
    strcpy(path + sizeof path - 7, "XXXXXX");
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    output_init(&out);
    out.stream = open_memstream(&printed, &printed_size);
    fflush(out.stream); // sets both
}

static void teardown(void)
{
    output_close(&out);
    free(printed);
    remove(path);
}

/* The log without the times of its lines. */
static const char *logged(void)
{
    static char text[2 * OUTPUT_EARLY_MAX];
    size_t size, length = 0;
    uint8_t *const file = whole_file_read(path, &size);
    bool is_time = true;
    for (size_t i = 0; i < size && length + 1 < sizeof text; i++) {
        if (!is_time)
            text[length++] = (char)file[i];
        is_time = file[i] == '\n' || (is_time && file[i] != ' ');
    }
    text[length] = '\0';
    free(file);
    return text;
}

START_TEST(a_log_has_input_and_output)
{
    ck_assert(output_set_log(&out, path));
    output_log_input(&out, "isready");
    output_line(&out, "readyok");
    ck_assert_str_eq(logged(), ">> isready\n<< readyok\n");
    ck_assert_str_eq(printed, "readyok\n");
}
END_TEST

/* GUIs send options in one burst: lines are read before the file is open. */
START_TEST(a_log_begins_with_the_lines_from_before_it)
{
    output_log_input(&out, "uci");
    output_line(&out, "uciok");
    output_log_input(&out, "setoption name Debug Log File value x");
    output_log_input(&out, "isready");
    ck_assert(!output_set_log(&out, "/tmp/no/such/folder"));
    ck_assert(output_set_log(&out, path));
    output_line(&out, "readyok");
    ck_assert_str_eq(logged(), ">> uci\n<< uciok\n>> setoption name Debug Log File value x\n"
                               ">> isready\n<< readyok\n");
}
END_TEST

START_TEST(a_later_log_begins_where_it_is_opened)
{
    output_log_input(&out, "first");
    ck_assert(output_set_log(&out, path));
    ck_assert(output_set_log(&out, ""));
    output_log_input(&out, "between");
    ck_assert(output_set_log(&out, path));
    output_log_input(&out, "last");
    ck_assert_str_eq(logged(), ">> first\n>> last\n");
}
END_TEST

START_TEST(a_log_that_cannot_be_written_is_one_error)
{
    if (!output_set_log(&out, "/dev/full")) {
        skip_test("this system has no /dev/full");
        return;
    }
    output_log_input(&out, "isready");
    output_line(&out, "readyok");
    output_line(&out, "readyok");
    ck_assert_str_eq(printed, "readyok\n"
                              "info string error: cannot write to the log file, lines are missing "
                              "in it: No space left on device\nreadyok\n");
}
END_TEST

START_TEST(only_so_many_early_lines_are_kept)
{
    char line[1000];
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    for (int i = 0; i < 100; i++)
        output_log_input(&out, line);
    output_log_input(&out, "short");
    ck_assert_uint_le(out.early.length, OUTPUT_EARLY_MAX);
    ck_assert(output_set_log(&out, path));
    output_log_input(&out, "last");
    const char *const text = logged();
    ck_assert_ptr_nonnull(strstr(text, "\nlines are missing here\n>> last\n"));
    ck_assert_ptr_null(strstr(text, "short"));
    ck_assert_uint_gt(strlen(text), OUTPUT_EARLY_MAX - 3 * sizeof line);
}
END_TEST

START_TEST(a_line_of_a_search_needs_no_memory)
{
    static char buffer[BUFSIZ];
    FILE *const memory = out.stream, *const file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    setvbuf(file, buffer, _IOFBF, sizeof buffer);
    if (short_memory_begin()) {
        out.stream = file;
        output_line(&out, "bestmove %s ponder %s", "e2e4", "e7e5");
        short_memory_end();
        out.stream = memory;
        size_t size;
        uint8_t *const found = whole_file_read(path, &size);
        ck_assert_uint_eq(size, strlen("bestmove e2e4 ponder e7e5\n"));
        ck_assert_mem_eq(found, "bestmove e2e4 ponder e7e5\n", size);
        free(found);
    }
    fclose(file);
}
END_TEST

START_TEST(a_buffer_that_is_cut_is_an_error)
{
    StrBuf line = {.is_cut = true}, block = {0};
    output_buffer_line(&out, &line);
    strbuf_add(&block, "{\"a\":");
    block.is_cut = true;
    output_block(&out, &block);
    ck_assert_str_eq(printed, "info string error: out of memory for the output\n"
                              "info string error: out of memory for the output\n");
    ck_assert(out.is_incomplete && !out.has_failed);
}
END_TEST

START_TEST(lines_of_any_length_are_whole)
{
    static char line[10000];
    for (size_t length = 4000; length < sizeof line; length += length < 4200 ? 1 : 1000) {
        memset(line, 'x', length);
        line[length] = '\0';
        const size_t before = printed_size;
        output_line(&out, "%s", line);
        ck_assert_uint_eq(printed_size - before, length + 1);
        ck_assert_str_eq(printed + printed_size - 2, "x\n");
    }
}
END_TEST

Suite *suite_output(void);
Suite *suite_output(void)
{
    Suite *suite = suite_create("output");
    TCase *tcase = tcase_create("output");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_log_has_input_and_output);
    tcase_add_test(tcase, a_log_begins_with_the_lines_from_before_it);
    tcase_add_test(tcase, a_later_log_begins_where_it_is_opened);
    tcase_add_test(tcase, a_log_that_cannot_be_written_is_one_error);
    tcase_add_test(tcase, only_so_many_early_lines_are_kept);
    tcase_add_test(tcase, a_line_of_a_search_needs_no_memory);
    tcase_add_test(tcase, a_buffer_that_is_cut_is_an_error);
    tcase_add_test(tcase, lines_of_any_length_are_whole);
    suite_add_tcase(suite, tcase);
    return suite;
}
