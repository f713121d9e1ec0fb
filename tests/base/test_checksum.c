// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/checksum.h"

#include <check.h>
#include <string.h>

#include "base/bits.h"
#include "base/rng.h"

START_TEST(values_are_those_of_the_file_formats)
{
    ck_assert_uint_eq(checksum64("", 0), 0xbf8fec90feaa8750);
    ck_assert_uint_eq(checksum64("palimpsest", 10), 0x23a666eae17b99d7);
}
END_TEST

START_TEST(value_does_not_depend_on_alignment)
{
    const char text[] = "A parchment written on more than once.";
    char shifted[sizeof text + 8];
    for (size_t offset = 0; offset < 8; offset++) {
        memcpy(shifted + offset, text, sizeof text);
        ck_assert_uint_eq(checksum64(shifted + offset, sizeof text), checksum64(text, sizeof text));
    }
}
END_TEST

START_TEST(trailing_zeros_change_the_value)
{
    const uint8_t zeros[64] = {0};
    for (size_t a = 0; a <= sizeof zeros; a++)
        for (size_t b = 0; b < a; b++)
            ck_assert_uint_ne(checksum64(zeros, a), checksum64(zeros, b));
}
END_TEST

/* Tests both halves of the value, because some files store only the low half. */
START_TEST(every_bit_of_the_input_flips_about_half_of_the_value)
{
    uint8_t bytes[37];
    Rng rng;
    rng_seed(&rng, 1);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)rng_next(&rng);
    const uint64_t before = checksum64(bytes, sizeof bytes);
    int low_sum = 0, high_sum = 0;
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        const uint64_t changed = before ^ checksum64(bytes, sizeof bytes);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        const int low = popcount((uint32_t)changed), high = popcount(changed >> 32);
        ck_assert_msg(low >= 4 && high >= 4, "bit %zu changes %d and %d", bit, low, high);
        low_sum += low;
        high_sum += high;
    }
    const int expected = 16 * 8 * (int)sizeof bytes; // standard deviation about 49
    ck_assert_int_lt(low_sum, expected + 250);
    ck_assert_int_gt(low_sum, expected - 250);
    ck_assert_int_lt(high_sum, expected + 250);
    ck_assert_int_gt(high_sum, expected - 250);
}
END_TEST

START_TEST(the_order_of_words_changes_the_value)
{
    char words[] = "one-----two-----three---";
    const uint64_t before = checksum64(words, 24);
    memcpy(words, "two-----one-----", 16);
    ck_assert_uint_ne(checksum64(words, 24), before);
}
END_TEST

Suite *suite_checksum(void);
Suite *suite_checksum(void)
{
    Suite *suite = suite_create("checksum");
    TCase *tcase = tcase_create("checksum");
    tcase_add_test(tcase, values_are_those_of_the_file_formats);
    tcase_add_test(tcase, value_does_not_depend_on_alignment);
    tcase_add_test(tcase, trailing_zeros_change_the_value);
    tcase_add_test(tcase, every_bit_of_the_input_flips_about_half_of_the_value);
    tcase_add_test(tcase, the_order_of_words_changes_the_value);
    suite_add_tcase(suite, tcase);
    return suite;
}
