// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/bitlist.h"

#include <check.h>

START_TEST(every_single_bit_is_counted_and_found)
{
    const uint64_t x = UINT64_C(1) << _i;
    ck_assert_int_eq(popcount(x), 1);
    ck_assert_int_eq(lsb(x), _i);
    ck_assert_int_eq(msb(x), _i);
    ck_assert_int_eq(lsb(UINT64_MAX << _i), _i);
    ck_assert_int_eq(msb(UINT64_MAX >> _i), 63 - _i);
    ck_assert_int_eq(popcount(UINT64_MAX >> _i), 64 - _i);
    ck_assert_uint_eq(rotate_left(1, _i), x);
    ck_assert_uint_eq(rotate_left(x, (64 - _i) % 64), 1);
}
END_TEST

START_TEST(pop_lsb_returns_the_bits_in_rising_order)
{
    uint64_t set = UINT64_C(0x8000000100000029);
    static const int EXPECTED[] = {0, 3, 5, 32, 63};
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(pop_lsb(&set), EXPECTED[i]);
    ck_assert_uint_eq(set, 0);
}
END_TEST

START_TEST(mulhi64_is_the_high_half_of_the_product)
{
    ck_assert_uint_eq(mulhi64(UINT64_MAX, UINT64_MAX), UINT64_MAX - 1);
    ck_assert_uint_eq(mulhi64(UINT64_C(1) << 63, 6), 3);
    ck_assert_uint_eq(mulhi64(UINT32_MAX, UINT32_MAX), 0);
    ck_assert_uint_eq(mulhi64(UINT64_MAX, 1000), 999);
}
END_TEST

START_TEST(a_list_has_all_bits_in_rising_order)
{
    static const uint64_t SETS[] = {0,
                                    1,
                                    UINT64_C(1) << 63,
                                    UINT64_C(0x8000000100000029),
                                    UINT64_C(0x5555555555555555),
                                    UINT64_C(0xffffffff00000000)};
    for (int i = 0; i < 6; i++) {
        uint16_t list[2 + BITLIST_MAX] = {7, 7};
        uint64_t set = SETS[i];
        const int count = popcount(set);
        ck_assert_ptr_eq(bitlist_add(list + 1, set, 65, -9), list + 1 + count);
        ck_assert_uint_eq(list[0], 7);
        for (int j = 1; j <= count; j++)
            ck_assert_uint_eq(list[j], (uint16_t)(pop_lsb(&set) * 65 - 9));
    }
}
END_TEST

Suite *suite_bits(void);
Suite *suite_bits(void)
{
    Suite *suite = suite_create("bits");
    TCase *tcase = tcase_create("bits");
    tcase_add_loop_test(tcase, every_single_bit_is_counted_and_found, 0, 64);
    tcase_add_test(tcase, pop_lsb_returns_the_bits_in_rising_order);
    tcase_add_test(tcase, a_list_has_all_bits_in_rising_order);
    tcase_add_test(tcase, mulhi64_is_the_high_half_of_the_product);
    suite_add_tcase(suite, tcase);
    return suite;
}
