// SPDX-License-Identifier: GPL-3.0-or-later
#include "games/rangecode.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"

enum { CHOICES = 3000, BYTES = 16384 };

typedef struct {
    uint32_t from, width, total;
} Choice;

static Choice choices[CHOICES];
static uint8_t bytes[BYTES];

/* Choices of all widths, including certain ones. */
static void make_choices(uint64_t seed)
{
    Rng rng;
    rng_seed(&rng, seed);
    for (int i = 0; i < CHOICES; i++) {
        Choice *c = &choices[i];
        c->total = 1 + (uint32_t)rng_below(&rng, 1u << rng_below(&rng, 21));
        const uint32_t a = (uint32_t)rng_below(&rng, c->total);
        const uint32_t b = (uint32_t)rng_below(&rng, c->total);
        c->from = a < b ? a : b;
        c->width = (a < b ? b : a) - c->from + 1;
        if (rng_below(&rng, 4) == 0) { // the top of the range, which causes carries
            c->from = c->total - 1;
            c->width = 1;
        }
    }
}

static size_t write_choices(int count, size_t capacity)
{
    RangeWriter writer;
    range_write_start(&writer, bytes, capacity);
    for (int i = 0; i < count; i++)
        range_write(&writer, choices[i].from, choices[i].width, choices[i].total);
    return range_write_end(&writer);
}

/* True when the message decodes to the first `count` choices and ends there. */
static bool reads_back(const uint8_t *message, size_t size, int count)
{
    RangeReader reader;
    range_read_start(&reader, message, size);
    for (int i = 0; i < count; i++) {
        const Choice *c = &choices[i];
        const uint32_t number = range_peek(&reader, c->total);
        if (number == c->total || number < c->from || number >= c->from + c->width)
            return false;
        range_take(&reader, c->from, c->width);
    }
    return range_read_end(&reader);
}

START_TEST(choices_are_read_as_written)
{
    make_choices((uint64_t)_i);
    for (int count = 0; count <= CHOICES; count += count < 50 ? 1 : 211) {
        const size_t size = write_choices(count, BYTES);
        ck_assert_msg(reads_back(bytes, size, count), "%d choices in %zu bytes", count, size);
    }
}
END_TEST

START_TEST(size_is_close_to_the_information)
{
    make_choices(7);
    double bits = 0;
    for (int i = 0; i < CHOICES; i++)
        bits += log2((double)choices[i].total / choices[i].width);
    const double size = (double)write_choices(CHOICES, BYTES);
    ck_assert_double_ge(8 * size, bits - 16);
    ck_assert_double_le(8 * size, 1.01 * bits + 16);
}
END_TEST

START_TEST(certain_choices_take_no_bits)
{
    for (int i = 0; i < 10; i++)
        choices[i] = (Choice){.from = 0, .width = 1, .total = 1};
    ck_assert_uint_eq(write_choices(10, BYTES), 0);
    ck_assert(reads_back(bytes, 0, 10));
}
END_TEST

/* The interval of this choice ends at a number with fewer bytes than any number in it. */
START_TEST(a_message_is_not_the_end_of_its_interval)
{
    choices[0] = (Choice){.from = 4095, .width = 1, .total = RANGE_TOTAL_MAX - 1};
    ck_assert_uint_eq(write_choices(1, BYTES), 3);
    ck_assert(reads_back(bytes, 3, 1));
}
END_TEST

START_TEST(a_message_has_one_encoding)
{
    make_choices(11);
    for (int count = 1; count < 40; count++) {
        const size_t size = write_choices(count, BYTES);
        uint8_t other[BYTES];
        memcpy(other, bytes, size);
        memset(other + size, 0, 8);
        for (size_t longer = size + 1; longer < size + 8; longer++)
            ck_assert(!reads_back(other, longer, count));
        other[size] = 1;
        ck_assert(!reads_back(other, size + 1, count));
        for (size_t shorter = 0; shorter < size; shorter++)
            ck_assert(!reads_back(bytes, shorter, count));
        for (size_t offset = 0; offset < size; offset++)
            for (int by = 1; by < 256; by++) {
                other[offset] = (uint8_t)(bytes[offset] + by);
                ck_assert_msg(!reads_back(other, size, count), "%d choices, byte %zu", count,
                              offset);
                other[offset] = bytes[offset];
            }
    }
}
END_TEST

START_TEST(a_number_that_no_choice_owns_is_the_total)
{
    static const uint8_t LAST[] = {0xff, 0xff, 0xff, 0xff};
    static const uint32_t TOTALS[] = {2, 1000, RANGE_TOTAL_MAX - 1, RANGE_TOTAL_MAX};
    for (int i = 0; i < 4; i++) {
        RangeReader reader;
        range_read_start(&reader, LAST, sizeof LAST);
        ck_assert_uint_eq(range_peek(&reader, TOTALS[i]), TOTALS[i]);
    }
}
END_TEST

START_TEST(a_message_that_does_not_fit_is_refused_without_overrun)
{
    make_choices(13);
    const size_t size = write_choices(CHOICES, BYTES);
    ck_assert_uint_eq(write_choices(CHOICES, size), size);
    for (size_t capacity = 0; capacity < size; capacity += 1 + capacity / 8) {
        bytes[capacity] = 0xa5;
        ck_assert_uint_eq(write_choices(CHOICES, capacity), 0);
        ck_assert_int_eq(bytes[capacity], 0xa5);
    }
    ck_assert_uint_eq(write_choices(CHOICES, size - 1), 0);
}
END_TEST

Suite *suite_rangecode(void);
Suite *suite_rangecode(void)
{
    Suite *suite = suite_create("rangecode");
    TCase *tcase = tcase_create("rangecode");
    tcase_set_timeout(tcase, 20);
    tcase_add_loop_test(tcase, choices_are_read_as_written, 0, 8);
    tcase_add_test(tcase, size_is_close_to_the_information);
    tcase_add_test(tcase, certain_choices_take_no_bits);
    tcase_add_test(tcase, a_message_is_not_the_end_of_its_interval);
    tcase_add_test(tcase, a_message_has_one_encoding);
    tcase_add_test(tcase, a_number_that_no_choice_owns_is_the_total);
    tcase_add_test(tcase, a_message_that_does_not_fit_is_refused_without_overrun);
    suite_add_tcase(suite, tcase);
    return suite;
}
