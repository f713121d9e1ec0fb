// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/rng.h"

#include "base/bits.h"

#include <check.h>

/* The first outputs of the published generator from the state 1, 2, 3, 4, computed by hand: the
 * first depends on s[1] only, so it is 2 * 5 rotated by 7, times 9. */
START_TEST(sequence_is_xoshiro256starstar)
{
    Rng rng = {{1, 2, 3, 4}};
    static const uint64_t EXPECTED[] = {11520, 0, 1509978240, UINT64_C(1215971899390074240)};
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(rng_next(&rng), EXPECTED[i]);
}
END_TEST

/* This is the well-known first output of splitmix64 from 0. */
START_TEST(seed_is_spread_by_splitmix64)
{
    Rng rng;
    rng_seed(&rng, 0);
    ck_assert_uint_eq(rng.s[0], UINT64_C(0xe220a8397b1dcdaf));
    ck_assert_uint_ne(rng.s[1], rng.s[0]);
}
END_TEST

START_TEST(equal_seeds_repeat_and_others_differ)
{
    Rng a, b, c;
    rng_seed(&a, 42);
    rng_seed(&b, 42);
    rng_seed(&c, 43);
    int differences = 0;
    for (int i = 0; i < 100; i++) {
        const uint64_t x = rng_next(&a);
        ck_assert_uint_eq(x, rng_next(&b));
        differences += x != rng_next(&c);
    }
    ck_assert_int_eq(differences, 100);
}
END_TEST

START_TEST(below_stays_in_range_and_fills_it_evenly)
{
    enum { N = 7, DRAWS = 70000 };
    Rng rng;
    rng_seed(&rng, 7);
    int count[N] = {0};
    for (int i = 0; i < DRAWS; i++) {
        const uint64_t x = rng_below(&rng, N);
        ck_assert_uint_lt(x, N);
        count[x]++;
    }
    /* A count has a standard deviation of 93, so the tolerance is more than five of them. */
    for (int i = 0; i < N; i++)
        ck_assert_msg(count[i] > 9500 && count[i] < 10500, "%d came %d times", i, count[i]);
}
END_TEST

/* With n = 3 * 2^62 a scaled draw without rejection would give every third value twice as often. */
START_TEST(below_is_fair_for_a_huge_range)
{
    const uint64_t n = UINT64_C(3) << 62;
    Rng rng;
    rng_seed(&rng, 1);
    int thirds[3] = {0};
    for (int i = 0; i < 30000; i++)
        thirds[rng_below(&rng, n) % 3]++;
    for (int i = 0; i < 3; i++)
        ck_assert_msg(thirds[i] > 9500 && thirds[i] < 10500, "%d came %d times", i, thirds[i]);
    ck_assert_uint_eq(rng_below(&rng, 1), 0);
}
END_TEST

START_TEST(every_bit_is_set_half_the_time)
{
    Rng rng;
    rng_seed(&rng, 99);
    int count[64] = {0};
    for (int i = 0; i < 10000; i++)
        for (uint64_t x = rng_next(&rng); x;)
            count[pop_lsb(&x)]++;
    for (int i = 0; i < 64; i++)
        ck_assert_msg(count[i] > 4700 && count[i] < 5300, "bit %d set %d times", i, count[i]);
}
END_TEST

Suite *suite_rng(void);
Suite *suite_rng(void)
{
    Suite *suite = suite_create("rng");
    TCase *tcase = tcase_create("rng");
    tcase_add_test(tcase, sequence_is_xoshiro256starstar);
    tcase_add_test(tcase, seed_is_spread_by_splitmix64);
    tcase_add_test(tcase, equal_seeds_repeat_and_others_differ);
    tcase_add_test(tcase, below_stays_in_range_and_fills_it_evenly);
    tcase_add_test(tcase, below_is_fair_for_a_huge_range);
    tcase_add_test(tcase, every_bit_is_set_half_the_time);
    suite_add_tcase(suite, tcase);
    return suite;
}
