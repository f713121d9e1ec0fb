// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/block.h"

#include <check.h>
#include <string.h>
#include <wchar.h>

START_TEST(text_is_appended_and_the_block_can_be_used_again)
{
    Block block = {0};
    for (int i = 0; i < 1000; i++)
        block_add(&block, "%d,", i % 10);
    ck_assert_uint_eq(block.length, 2000);
    ck_assert_int_eq(strncmp(block.text + 1980, "0,1,2,3,4,5,6,7,8,9,", 21), 0);
    block_clear(&block);
    ck_assert_str_eq(block.text, "");
    block_add_bytes(&block, "abcdef", 3);
    block_add_bytes(&block, "", 0);
    ck_assert_str_eq(block.text, "abc");
    ck_assert(!block.is_cut);
    block_free(&block);
    ck_assert_ptr_null(block.text);
}
END_TEST

START_TEST(a_text_that_printf_cannot_write_is_missing)
{
    Block block = {0};
    block_add(&block, "kept");
    block_add(&block, "%lc", (wint_t)0x20ac); // not in the locale "C"
    ck_assert(block.is_cut);
    ck_assert_str_eq(block.text, "kept");
    block_free(&block);
}
END_TEST

START_TEST(json_members_are_separated_and_escaped)
{
    Block block = {0};
    block_add(&block, "{");
    block_json_text(&block, "name", "a \"b\" \\ \t");
    block_json_int(&block, "n", -5);
    block_json_bool(&block, "yes", true);
    block_json_text(&block, "none", NULL);
    block_json_name(&block, "list");
    block_add(&block, "[]}");
    ck_assert_str_eq(block.text, "{\"name\":\"a \\\"b\\\" \\\\ \\u0009\",\"n\":-5,\"yes\":true,"
                                 "\"none\":null,\"list\":[]}");
    block_free(&block);
}
END_TEST

static const struct {
    const char *text, *json;
} STRINGS[] = {
    {"M\xc3\xbcller", "\"M\xc3\xbcller\""}, // UTF-8 stays
    {"M\xfcller", "\"M\\u00fcller\""},      // Latin-1
    {"\xe2\x99\x9e", "\"\xe2\x99\x9e\""},
    {"\xe2\x99", "\"\\u00e2\\u0099\""},            // a cut character
    {"\xc0\x80", "\"\\u00c0\\u0080\""},            // longer than needed
    {"\xed\xa0\x80", "\"\\u00ed\\u00a0\\u0080\""}, // a surrogate
    {"\xf0\x9f\x90\xb4", "\"\xf0\x9f\x90\xb4\""},
    {"", "\"\""},
};

START_TEST(json_strings_are_always_utf8)
{
    Block block = {0};
    block_json_string(&block, STRINGS[_i].text);
    ck_assert_str_eq(block.text, STRINGS[_i].json);
    block_free(&block);
}
END_TEST

START_TEST(csv_fields_are_quoted_where_needed)
{
    Block block = {0};
    block_csv(&block, "plain");
    block_csv(&block, "a,b");
    block_csv(&block, "say \"x\"");
    block_csv(&block, "");
    block_add(&block, "\n");
    block_csv(&block, "");
    block_csv(&block, "second line");
    ck_assert_str_eq(block.text, "plain,\"a,b\",\"say \"\"x\"\"\",\"\"\n\"\",second line");
    block_free(&block);
}
END_TEST

Suite *suite_block(void);
Suite *suite_block(void)
{
    Suite *suite = suite_create("block");
    TCase *tcase = tcase_create("block");
    tcase_add_test(tcase, text_is_appended_and_the_block_can_be_used_again);
    tcase_add_test(tcase, a_text_that_printf_cannot_write_is_missing);
    tcase_add_test(tcase, json_members_are_separated_and_escaped);
    tcase_add_loop_test(tcase, json_strings_are_always_utf8, 0, sizeof STRINGS / sizeof STRINGS[0]);
    tcase_add_test(tcase, csv_fields_are_quoted_where_needed);
    suite_add_tcase(suite, tcase);
    return suite;
}
