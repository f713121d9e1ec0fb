// SPDX-License-Identifier: GPL-3.0-or-later
#include "syzygy/md5.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static void expect_sum(Md5 *md5, const char *hex)
{
    uint8_t sum[MD5_BYTES];
    char found[2 * MD5_BYTES + 1];
    md5_finish(md5, sum);
    for (int i = 0; i < MD5_BYTES; i++)
        snprintf(found + 2 * i, 3, "%02x", sum[i]);
    ck_assert_str_eq(found, hex);
}

/* RFC 1321, appendix A.5. */
static const struct {
    const char *text, *hex;
} KNOWN[] = {
    {"", "d41d8cd98f00b204e9800998ecf8427e"},
    {"a", "0cc175b9c0f1b6a831c399e269772661"},
    {"abc", "900150983cd24fb0d6963f7d28e17f72"},
    {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
    {"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
    {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
     "d174ab98d277d9f5a5611c2c9f419d9f"},
    {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
     "57edf4a22be3c955ac49da2e2107b67a"},
};

START_TEST(sums_are_those_of_the_standard)
{
    Md5 md5;
    md5_start(&md5);
    md5_add(&md5, KNOWN[_i].text, strlen(KNOWN[_i].text));
    expect_sum(&md5, KNOWN[_i].hex);
}
END_TEST

START_TEST(sums_do_not_depend_on_how_the_bytes_are_split)
{
    static const char text[] = "What was written first shows through what was written over it, a "
                               "little, to whoever holds the page against the light long enough.";
    Md5 whole, parts;
    uint8_t wanted[MD5_BYTES], found[MD5_BYTES];
    for (size_t length = 0; length < sizeof text; length++)
        for (size_t step = 1; step < 70; step += 3) {
            md5_start(&whole);
            md5_add(&whole, text, length);
            md5_finish(&whole, wanted);
            md5_start(&parts);
            for (size_t at = 0; at < length; at += step)
                md5_add(&parts, text + at, length - at < step ? length - at : step);
            md5_finish(&parts, found);
            ck_assert_int_eq(memcmp(wanted, found, MD5_BYTES), 0);
        }
}
END_TEST

START_TEST(the_sum_of_a_million_letters_is_right)
{
    Md5 md5;
    md5_start(&md5);
    for (int i = 0; i < 1000000; i++)
        md5_add(&md5, "a", 1);
    expect_sum(&md5, "7707d6ae4e027c70eea2a935c2296f21");
}
END_TEST

Suite *suite_md5(void);
Suite *suite_md5(void)
{
    Suite *const suite = suite_create("md5");
    TCase *const tcase = tcase_create("md5");
    tcase_set_timeout(tcase, 30);
    tcase_add_loop_test(tcase, sums_are_those_of_the_standard, 0,
                        (int)(sizeof KNOWN / sizeof KNOWN[0]));
    tcase_add_test(tcase, sums_do_not_depend_on_how_the_bytes_are_split);
    tcase_add_test(tcase, the_sum_of_a_million_letters_is_right);
    suite_add_tcase(suite, tcase);
    return suite;
}
