// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/strbuf.h"

#include <check.h>
#include <string.h>
#include <wchar.h>

#include "short_memory.h"

START_TEST(text_is_appended_and_the_buffer_can_be_used_again)
{
    StrBuf buf = {0};
    for (int i = 0; i < 1000; i++)
        strbuf_add(&buf, "%d,", i % 10);
    ck_assert_uint_eq(buf.length, 2000);
    ck_assert_int_eq(strncmp(buf.text + 1980, "0,1,2,3,4,5,6,7,8,9,", 21), 0);
    strbuf_clear(&buf);
    ck_assert_str_eq(buf.text, "");
    strbuf_add_bytes(&buf, "abcdef", 3);
    strbuf_add_bytes(&buf, "", 0);
    ck_assert_str_eq(buf.text, "abc");
    ck_assert(!buf.is_cut);
    strbuf_free(&buf);
    ck_assert_ptr_null(buf.text);
}
END_TEST

START_TEST(a_text_that_printf_cannot_write_is_missing)
{
    StrBuf buf = {0};
    strbuf_add(&buf, "kept");
    strbuf_add(&buf, "%lc", (wint_t)0x20ac); // not in the locale "C"
    ck_assert(buf.is_cut);
    ck_assert_str_eq(buf.text, "kept");
    strbuf_free(&buf);
}
END_TEST

START_TEST(a_text_has_no_gap)
{
    static char text[5000];
    StrBuf buf = {0};
    strbuf_add(&buf, "kept");
    memset(text, 'x', sizeof text);
    if (short_memory_begin()) {
        strbuf_add_bytes(&buf, text, sizeof text);
        strbuf_add_bytes(&buf, "y", 1);
        short_memory_end();
        ck_assert(buf.is_cut);
        ck_assert_str_eq(buf.text, "kept");
        strbuf_clear(&buf);
        strbuf_add(&buf, "again");
        ck_assert_str_eq(buf.text, "again");
    }
    strbuf_free(&buf);
}
END_TEST

START_TEST(json_members_are_separated_and_escaped)
{
    StrBuf buf = {0};
    strbuf_add(&buf, "{");
    strbuf_json_text(&buf, "name", "a \"b\" \\ \t");
    strbuf_json_int(&buf, "n", -5);
    strbuf_json_bool(&buf, "yes", true);
    strbuf_json_text(&buf, "none", NULL);
    strbuf_json_name(&buf, "list");
    strbuf_add(&buf, "[]}");
    ck_assert_str_eq(buf.text, "{\"name\":\"a \\\"b\\\" \\\\ \\u0009\",\"n\":-5,\"yes\":true,"
                               "\"none\":null,\"list\":[]}");
    strbuf_free(&buf);
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
    StrBuf buf = {0};
    strbuf_json_string(&buf, STRINGS[_i].text);
    ck_assert_str_eq(buf.text, STRINGS[_i].json);
    strbuf_free(&buf);
}
END_TEST

START_TEST(csv_fields_are_quoted_where_needed)
{
    StrBuf buf = {0};
    strbuf_csv(&buf, "plain");
    strbuf_csv(&buf, "a,b");
    strbuf_csv(&buf, "say \"x\"");
    strbuf_csv(&buf, "");
    strbuf_add(&buf, "\n");
    strbuf_csv(&buf, "");
    strbuf_csv(&buf, "second line");
    ck_assert_str_eq(buf.text, "plain,\"a,b\",\"say \"\"x\"\"\",\"\"\n\"\",second line");
    strbuf_free(&buf);
}
END_TEST

Suite *suite_strbuf(void);
Suite *suite_strbuf(void)
{
    Suite *suite = suite_create("strbuf");
    TCase *tcase = tcase_create("strbuf");
    tcase_add_test(tcase, text_is_appended_and_the_buffer_can_be_used_again);
    tcase_add_test(tcase, a_text_that_printf_cannot_write_is_missing);
    tcase_add_test(tcase, a_text_has_no_gap);
    tcase_add_test(tcase, json_members_are_separated_and_escaped);
    tcase_add_loop_test(tcase, json_strings_are_always_utf8, 0, sizeof STRINGS / sizeof STRINGS[0]);
    tcase_add_test(tcase, csv_fields_are_quoted_where_needed);
    suite_add_tcase(suite, tcase);
    return suite;
}
