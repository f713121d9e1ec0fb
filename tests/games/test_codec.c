// SPDX-License-Identifier: GPL-3.0-or-later
#include "games/codec.h"

#include <check.h>

static const uint16_t WEIGHTS[] = {1, 5, 2};
enum { WEIGHT_TOTAL = 8 };

static Codec reader_of(const uint8_t *bytes, size_t size)
{
    Codec codec = {.is_writing = false};
    range_read_start(&codec.reader, bytes, size);
    return codec;
}

START_TEST(numbers_and_choices_are_read_as_written)
{
    uint8_t bytes[16];
    Codec writer = {.is_writing = true};
    range_write_start(&writer.writer, bytes, sizeof bytes);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(codec_choice(&writer, i, WEIGHTS, WEIGHT_TOTAL), i);
        ck_assert_uint_eq(codec_number(&writer, 500 * i, 1001), 500 * i);
    }
    Codec reader = reader_of(bytes, range_write_end(&writer.writer));
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(codec_choice(&reader, 99, WEIGHTS, WEIGHT_TOTAL), i);
        ck_assert_uint_eq(codec_number(&reader, 99, 1001), 500 * i);
    }
    ck_assert(!reader.has_failed && range_read_end(&reader.reader));
}
END_TEST

/* 0xffffffff is beyond the last of 3 or 8 equal parts. */
static const uint8_t INVALID[] = {0xff, 0xff, 0xff, 0xff};

START_TEST(an_invalid_number_is_a_failure)
{
    Codec reader = reader_of(INVALID, sizeof INVALID);
    ck_assert_uint_eq(codec_number(&reader, 99, 3), 0);
    ck_assert(reader.has_failed);
}
END_TEST

START_TEST(an_invalid_choice_is_a_failure)
{
    Codec reader = reader_of(INVALID, sizeof INVALID);
    ck_assert_uint_eq(codec_choice(&reader, 99, WEIGHTS, WEIGHT_TOTAL), 0);
    ck_assert(reader.has_failed);
}
END_TEST

Suite *suite_codec(void);
Suite *suite_codec(void)
{
    Suite *suite = suite_create("codec");
    TCase *tcase = tcase_create("codec");
    tcase_add_test(tcase, numbers_and_choices_are_read_as_written);
    tcase_add_test(tcase, an_invalid_number_is_a_failure);
    tcase_add_test(tcase, an_invalid_choice_is_a_failure);
    suite_add_tcase(suite, tcase);
    return suite;
}
