// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>

#include "base/rng.h"
#include "lab/keybits.h"
#include "tt/tt.h"

START_TEST(lists_of_bits_are_ascending_and_end_with_the_whole_key)
{
    int bits[KEYBITS_MAX];
    ck_assert_int_eq(keybits_read_list("8,12,40", bits), 4);
    ck_assert_int_eq(bits[0], 8);
    ck_assert_int_eq(bits[2], 40);
    ck_assert_int_eq(bits[3], KEYBITS_MAX);
    ck_assert_int_eq(keybits_read_list("48", bits), 1);
    ck_assert_int_eq(keybits_read_list("1,48", bits), 2);
    ck_assert_int_eq(
        keybits_read_list("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,"
                          "24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,"
                          "43,44,45,46,47,48",
                          bits),
        KEYBITS_MAX);
    static const char *const BAD[] = {"",    ",",   "8,",  "8,,9", "0",   "49",
                                      "9,8", "8,8", "8 9", "x",    "8,-9"};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        ck_assert_msg(keybits_read_list(BAD[i], bits) == 0, "%s", BAD[i]);
}
END_TEST

START_TEST(each_bit_halves_the_expected_errors)
{
    ck_assert_double_eq_tol(keybits_expected(1024, 8), 4.0, 1e-12);
    ck_assert_double_eq_tol(keybits_expected(1024, 9), 2.0, 1e-12);
    ck_assert_double_eq(keybits_expected(0, 8), 0.0);
}
END_TEST

/* Stores and probes random keys with a short key check. */
static TtStats use_table(Replacement replacement, uint64_t mask)
{
    Tt tt = {.check_mask = mask, .replacement = replacement};
    ck_assert_uint_eq(tt_resize(&tt, 1), 1);
    const SearchPoint root = {.ply = 0, .rule50 = 0};
    const TtData data = {.move = move_make(E2, E4, KIND_NORMAL),
                         .score = 10,
                         .eval = 12,
                         .depth = 3,
                         .bound = BOUND_EXACT,
                         .nodes = 9};
    Rng rng;
    TtStats stats = {0};
    rng_seed(&rng, 7);
    for (int i = 0; i < 300000; i++)
        tt_store(&tt, rng_next(&rng), root, &data, &stats);
    for (int i = 0; i < 300000; i++) {
        TtData out[2];
        tt_probe(&tt, rng_next(&rng), root, out, &stats);
    }
    tt_free(&tt);
    return stats;
}

START_TEST(the_table_counts_the_false_hits_of_a_short_check)
{
    /* No key is repeated, so all hits are false. */
    static const Replacement SCHEMES[] = {REPLACE_THOMPSON, REPLACE_TWO_DEEP, REPLACE_NEW};
    for (size_t i = 0; i < sizeof SCHEMES / sizeof SCHEMES[0]; i++) {
        const TtStats stats = use_table(SCHEMES[i], 0xFF);
        const double expected = keybits_expected(stats.foreign, 8);
        ck_assert_uint_ge(stats.false_hits, stats.hits);
        ck_assert_uint_eq(stats.false_hits, stats.hits + stats.double_hits);
        ck_assert_double_gt((double)stats.false_hits, 0.8 * expected);
        ck_assert_double_lt((double)stats.false_hits, 1.2 * expected);
        ck_assert_uint_gt(stats.foreign, 250000);
    }
}
END_TEST

START_TEST(a_whole_key_check_counts_no_false_hits)
{
    const TtStats stats = use_table(REPLACE_THOMPSON, 0);
    ck_assert_uint_eq(stats.hits, 0);
    ck_assert_uint_eq(stats.foreign, 0);
    ck_assert_uint_eq(stats.false_hits, 0);
}
END_TEST

Suite *suite_keybits(void);
Suite *suite_keybits(void)
{
    Suite *suite = suite_create("keybits");
    TCase *tcase = tcase_create("keybits");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, lists_of_bits_are_ascending_and_end_with_the_whole_key);
    tcase_add_test(tcase, each_bit_halves_the_expected_errors);
    tcase_add_test(tcase, the_table_counts_the_false_hits_of_a_short_check);
    tcase_add_test(tcase, a_whole_key_check_counts_no_false_hits);
    suite_add_tcase(suite, tcase);
    return suite;
}
