// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.h"

#include <check.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "short_memory.h"

START_TEST(words_are_split_at_any_white_space)
{
    char text[] = "  go\tdepth\v \f12\r\n";
    char *cursor = text;
    ck_assert_str_eq(text_word(&cursor), "go");
    ck_assert_str_eq(text_word(&cursor), "depth");
    ck_assert_str_eq(text_word(&cursor), "12");
    ck_assert_ptr_null(text_word(&cursor));
    ck_assert_ptr_null(text_word(&cursor));
}
END_TEST

START_TEST(a_blank_text_has_no_words)
{
    char empty[] = "", blank[] = " \t\r\n";
    char *cursor = empty;
    ck_assert_ptr_null(text_word(&cursor));
    cursor = blank;
    ck_assert_ptr_null(text_word(&cursor));
}
END_TEST

START_TEST(words_are_joined_up_to_a_word_in_any_case)
{
    char with[] = "  Move \t Overhead  VALUE  7  8", without[] = " w  - ", none[] = "value x";
    ck_assert_str_eq(text_join_words(with, "value"), " 7  8");
    ck_assert_str_eq(with, "Move Overhead");
    ck_assert_ptr_null(text_join_words(without, "value"));
    ck_assert_str_eq(without, "w -");
    ck_assert_str_eq(text_join_words(none, "value"), "x");
    ck_assert_str_eq(none, "");
}
END_TEST

START_TEST(trimming_keeps_white_space_inside)
{
    char text[] = " \t a  b \r\n", blank[] = " \n ";
    ck_assert_str_eq(text_trim(text), "a  b");
    ck_assert_str_eq(text_trim(blank), "");
}
END_TEST

START_TEST(characters_are_told_apart)
{
    for (int c = CHAR_MIN; c <= CHAR_MAX; c++) {
        ck_assert_int_eq(text_is_blank((char)c), c != 0 && strchr(TEXT_BLANKS, c) != NULL);
        ck_assert_int_eq(text_is_digit((char)c), c != 0 && strchr("0123456789", c) != NULL);
    }
}
END_TEST

START_TEST(two_quotes_inside_quotes_are_one)
{
    char text[] = " \"my \"\"x\"\" game\" b \"\"\"\" \"\" \"open \"\"";
    char *cursor = text;
    ck_assert_str_eq(text_quoted_word(&cursor), "my \"x\" game");
    ck_assert_str_eq(text_quoted_word(&cursor), "b");
    ck_assert_str_eq(text_quoted_word(&cursor), "\"");
    ck_assert_str_eq(text_quoted_word(&cursor), "");
    ck_assert_str_eq(text_quoted_word(&cursor), "open \"");
    ck_assert_ptr_null(text_quoted_word(&cursor));
}
END_TEST

/* text_word() ends a word at white space. */
START_TEST(white_space_is_the_same_for_words)
{
    for (int c = 1; c < 256; c++) {
        char text[] = {'a', (char)c, 'b', '\0'}, *cursor = text;
        const bool is_space = strchr(TEXT_SPACES, c) != NULL;
        ck_assert_str_eq(text_word(&cursor), is_space ? "a" : text);
        ck_assert_int_eq(*cursor != '\0', is_space);
    }
}
END_TEST

START_TEST(the_mark_of_utf_8_is_recognised)
{
    ck_assert_uint_eq(text_mark_length("\xef\xbb\xbf"
                                       "a"),
                      3);
    ck_assert_uint_eq(text_mark_length("\xef\xbb"), 0);
    ck_assert_uint_eq(text_mark_length("a\xef\xbb\xbf"), 0);
    ck_assert_uint_eq(text_mark_length(""), 0);
}
END_TEST

static const struct {
    const char *text;
    int64_t min, max;
    TextInt verdict;
    int64_t value;
} NUMBERS[] = {
    {"0", -5, 5, TEXT_INT_OK, 0},
    {"-0", -5, 5, TEXT_INT_OK, 0},
    {"+5", -5, 5, TEXT_INT_OK, 5},
    {"-5", -5, 5, TEXT_INT_OK, -5},
    {"0000000000000000000000007", 0, 9, TEXT_INT_OK, 7},
    {"6", -5, 5, TEXT_INT_TOO_LARGE, 5},
    {"-6", -5, 5, TEXT_INT_TOO_SMALL, -5},
    {"9223372036854775807", INT64_MIN, INT64_MAX, TEXT_INT_OK, INT64_MAX},
    {"-9223372036854775808", INT64_MIN, INT64_MAX, TEXT_INT_OK, INT64_MIN},
    {"9223372036854775808", INT64_MIN, INT64_MAX, TEXT_INT_TOO_LARGE, INT64_MAX},
    {"-9223372036854775809", INT64_MIN, INT64_MAX, TEXT_INT_TOO_SMALL, INT64_MIN},
    {"18446744073709551617", 0, 9, TEXT_INT_TOO_LARGE, 9},
    {"-99999999999999999999999999", 0, 9, TEXT_INT_TOO_SMALL, 0},
    {"", 0, 9, TEXT_INT_NOT_A_NUMBER, 0},
    {"-", -9, 9, TEXT_INT_NOT_A_NUMBER, 0},
    {"+", -9, 9, TEXT_INT_NOT_A_NUMBER, 0},
    {"--1", -9, 9, TEXT_INT_NOT_A_NUMBER, 0},
    {"+-1", -9, 9, TEXT_INT_NOT_A_NUMBER, 0},
    {" 1", 0, 9, TEXT_INT_NOT_A_NUMBER, 0},
    {"1 ", 0, 9, TEXT_INT_NOT_A_NUMBER, 0},
    {"1x", 0, 9, TEXT_INT_NOT_A_NUMBER, 0},
    {"0x1", 0, 9, TEXT_INT_NOT_A_NUMBER, 0},
    {"1.0", 0, 9, TEXT_INT_NOT_A_NUMBER, 0},
    {"99999999999999999999999999x", 0, 9, TEXT_INT_NOT_A_NUMBER, 0},
};

START_TEST(integers_are_parsed_strictly)
{
    int64_t clamped = -77, parsed = -77;
    const bool is_ok = NUMBERS[_i].verdict == TEXT_INT_OK;
    const bool is_number = NUMBERS[_i].verdict != TEXT_INT_NOT_A_NUMBER;
    const char *const text = NUMBERS[_i].text;
    const int64_t min = NUMBERS[_i].min, max = NUMBERS[_i].max;

    ck_assert_msg(text_clamp_int(text, min, max, &clamped) == NUMBERS[_i].verdict, "\"%s\"", text);
    ck_assert_int_eq(clamped, is_number ? NUMBERS[_i].value : -77);
    ck_assert_msg(text_parse_int(text, min, max, &parsed) == is_ok, "\"%s\"", text);
    ck_assert_int_eq(parsed, is_ok ? NUMBERS[_i].value : -77);
}
END_TEST

START_TEST(real_numbers_are_parsed_strictly)
{
    static const char *const WRONG[] = {"",    ".",  "1x",  " 1",  "1 ",  "0x1",  "nan",
                                        "inf", "1e", "1,5", "-1.", "2.1", "1e99", "1e999"};
    double x = -7;
    ck_assert(text_parse_real("1e-3", -0.5, 2, &x) && x == 1e-3);
    ck_assert(text_parse_real("-0.5", -0.5, 2, &x) && x == -0.5);
    ck_assert(text_parse_real("-0", -0.5, 2, &x) && x == 0 && !signbit(x));
    ck_assert(text_parse_real("2", -0.5, 2, &x) && x == 2);
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++)
        ck_assert_msg(!text_parse_real(WRONG[i], -0.5, 2, &x) && x == 2, "\"%s\"", WRONG[i]);
}
END_TEST

START_TEST(only_the_case_of_letters_is_ignored)
{
    ck_assert(text_equal_nocase("", ""));
    ck_assert(text_equal_nocase("Clear Hash", "cLEAR hASH"));
    ck_assert(!text_equal_nocase("Hash", "Has"));
    ck_assert(!text_equal_nocase("Has", "Hash"));
    ck_assert(!text_equal_nocase("a", "b"));
    ck_assert(!text_equal_nocase("@[`{", "`{@["));
}
END_TEST

START_TEST(a_part_is_found_in_any_case)
{
    ck_assert(text_contains_nocase("Clear Hash", "hash"));
    ck_assert(text_contains_nocase("HHash", "Hash"));
    ck_assert(text_contains_nocase("Hash", "Hash"));
    ck_assert(text_contains_nocase("Hash", ""));
    ck_assert(text_contains_nocase("", ""));
    ck_assert(!text_contains_nocase("Hash", "Hashes"));
    ck_assert(!text_contains_nocase("Clear Hash", "clearhash"));
    ck_assert(!text_contains_nocase("", "h"));
}
END_TEST

START_TEST(copy_reports_a_truncated_text)
{
    char text[5] = "xxxx";
    ck_assert(text_copy(text, 5, "abcd"));
    ck_assert_str_eq(text, "abcd");
    ck_assert(!text_copy(text, 5, "ABCDE"));
    ck_assert_str_eq(text, "ABCD");
    ck_assert(text_copy(text, 1, ""));
    ck_assert(!text_copy(text, 1, "a"));
    ck_assert_str_eq(text, "");
}
END_TEST

/* A stream that holds these bytes. */
static FILE *stream_of(const char *bytes, size_t count)
{
    FILE *stream = tmpfile();
    ck_assert_ptr_nonnull(stream);
    ck_assert_uint_eq(fwrite(bytes, 1, count, stream), count);
    rewind(stream);
    return stream;
}

START_TEST(a_cut_text_ends_with_a_whole_letter)
{
    static const struct {
        const char *text;
        int most, length;
    } CASES[] = {
        {"word", 4, 4},
        {"word", 3, 3},
        {"", 4, 0},
        {"caf\xc3\xa9", 5, 5},
        {"caf\xc3\xa9", 4, 3},
        {"\xc3\xa9", 1, 0},
        {"\xe2\x82\xac", 3, 3},
        {"a\xe2\x82\xac", 3, 1},
        {"\xf0\x9f\x98\x80", 3, 0},
        {"\xf0\x9f\x98\x80", 4, 4},
        {"caf\xe9s", 4, 4}, // Latin-1
        {"\x80\x80\x80\x80\x80\x80", 5, 5},
        {"a\x80\x80", 2, 2},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        ck_assert_msg(text_cut(CASES[i].text, CASES[i].most) == CASES[i].length, "case %zu", i);
}
END_TEST

START_TEST(lines_end_in_lf_or_cr_lf_or_the_end_of_the_file)
{
    static const char BYTES[] = "\none\r\n\r\ntw\ro\na\0b\nlast";
    static const char *const EXPECTED[] = {"", "one", "", "tw\ro", "a b", "last"};
    FILE *stream = stream_of(BYTES, sizeof BYTES - 1);
    TextLine line = {0};
    for (int i = 0; i < 6; i++) {
        ck_assert(text_line_read(&line, stream));
        ck_assert_str_eq(line.text, EXPECTED[i]);
        ck_assert_uint_eq(line.length, strlen(EXPECTED[i]));
    }
    ck_assert(!text_line_read(&line, stream));
    text_line_free(&line);
    ck_assert_ptr_null(line.text);
    fclose(stream);
}
END_TEST

START_TEST(lines_around_the_size_of_the_buffer_are_whole)
{
    enum { LONGEST = 100000 };
    static char bytes[LONGEST + 1];
    memset(bytes, 'x', LONGEST);
    TextLine line = {0};
    static const size_t LENGTHS[] = {8190, 8191, 8192, 8193, 16383, 16384, 16385, LONGEST};
    for (int i = 0; i < 8; i++) {
        bytes[LENGTHS[i]] = '\n';
        FILE *stream = stream_of(bytes, LENGTHS[i] + 1);
        ck_assert(text_line_read(&line, stream));
        ck_assert_uint_eq(line.length, LENGTHS[i]);
        ck_assert_uint_eq(strlen(line.text), LENGTHS[i]);
        ck_assert(!text_line_read(&line, stream));
        bytes[LENGTHS[i]] = 'x';
        fclose(stream);
    }
    text_line_free(&line);
}
END_TEST

START_TEST(the_first_line_needs_memory)
{
    FILE *const stream = stream_of("first\nsecond\n", 13);
    TextLine line = {0};
    if (short_memory_begin()) {
        const bool first = text_line_read(&line, stream), is_too_long = line.too_long;
        short_memory_end();
        ck_assert(!first && is_too_long);
        ck_assert(text_line_read(&line, stream) && !line.too_long);
        ck_assert_str_eq(line.text, "second");
        ck_assert(!text_line_read(&line, stream) && !line.too_long);
    }
    text_line_free(&line);
    fclose(stream);
}
END_TEST

/* A GUI would wait for ever for the best move if `go` were lost after a line that is too long. */
START_TEST(an_ordinary_line_needs_no_memory)
{
    enum { ORDINARY = 8000, LONG = 1 << 20, SECOND = 3 + ORDINARY + 1, THIRD = SECOND + LONG + 1 };
    static char bytes[THIRD + ORDINARY];
    memset(bytes, 'x', sizeof bytes);
    bytes[2] = bytes[SECOND - 1] = bytes[THIRD - 1] = '\n';
    FILE *const stream = stream_of(bytes, sizeof bytes);
    TextLine line = {0};
    ck_assert(text_line_read(&line, stream));
    if (short_memory_begin()) {
        const bool first = text_line_read(&line, stream);
        const size_t first_length = line.length;
        const bool second = text_line_read(&line, stream), is_too_long = line.too_long;
        const bool third = text_line_read(&line, stream);
        short_memory_end();
        ck_assert(first && second && third);
        ck_assert_uint_eq(first_length, ORDINARY);
        ck_assert(is_too_long && !line.too_long);
        ck_assert_uint_eq(line.length, ORDINARY);
    }
    text_line_free(&line);
    fclose(stream);
}
END_TEST

static void *write_lines(void *argument)
{
    static const char *const PARTS[] = {"on", "e\ntwo\n", "last"};
    const int file = *(const int *)argument;
    for (int i = 0; i < 3; i++) {
        clock_sleep_ms(20);
        ck_assert_int_eq(write(file, PARTS[i], strlen(PARTS[i])), (ssize_t)strlen(PARTS[i]));
    }
    close(file);
    return NULL;
}

/* The program that starts ours, or another one at the same terminal, may have set this mode. */
START_TEST(a_stream_that_does_not_block_is_waited_for)
{
    static const char *const EXPECTED[] = {"one", "two", "last"};
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    FILE *const stream = fdopen(ends[0], "r");
    TextLine line = {0};
    Thread writer;
    ck_assert(thread_start(&writer, write_lines, &ends[1]));
    for (int i = 0; i < 3; i++) {
        ck_assert(text_line_read(&line, stream));
        ck_assert_str_eq(line.text, EXPECTED[i]);
    }
    ck_assert(!text_line_read(&line, stream));
    ck_assert(feof(stream));
    thread_join(&writer);
    text_line_free(&line);
    fclose(stream);
}
END_TEST

Suite *suite_text(void);
Suite *suite_text(void)
{
    Suite *suite = suite_create("text");
    TCase *tcase = tcase_create("text");
    tcase_add_test(tcase, words_are_split_at_any_white_space);
    tcase_add_test(tcase, a_blank_text_has_no_words);
    tcase_add_test(tcase, words_are_joined_up_to_a_word_in_any_case);
    tcase_add_test(tcase, trimming_keeps_white_space_inside);
    tcase_add_test(tcase, two_quotes_inside_quotes_are_one);
    tcase_add_test(tcase, characters_are_told_apart);
    tcase_add_test(tcase, white_space_is_the_same_for_words);
    tcase_add_test(tcase, the_mark_of_utf_8_is_recognised);
    tcase_add_loop_test(tcase, integers_are_parsed_strictly, 0, sizeof NUMBERS / sizeof NUMBERS[0]);
    tcase_add_test(tcase, real_numbers_are_parsed_strictly);
    tcase_add_test(tcase, only_the_case_of_letters_is_ignored);
    tcase_add_test(tcase, a_part_is_found_in_any_case);
    tcase_add_test(tcase, copy_reports_a_truncated_text);
    tcase_add_test(tcase, a_cut_text_ends_with_a_whole_letter);
    tcase_add_test(tcase, lines_end_in_lf_or_cr_lf_or_the_end_of_the_file);
    tcase_add_test(tcase, lines_around_the_size_of_the_buffer_are_whole);
    tcase_add_test(tcase, the_first_line_needs_memory);
    tcase_add_test(tcase, an_ordinary_line_needs_no_memory);
    tcase_add_test(tcase, a_stream_that_does_not_block_is_waited_for);
    suite_add_tcase(suite, tcase);
    return suite;
}
