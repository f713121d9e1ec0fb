// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/keyset.h"

#include <check.h>

#include "base/rng.h"

START_TEST(keys_are_counted)
{
    Keyset set = {0};
    Rng rng;
    bool seen;
    enum { KEYS = 20000 };
    for (int round = 0; round < 3; round++) {
        rng_seed(&rng, 8);
        for (int i = 0; i < KEYS; i++) {
            ck_assert(keyset_add(&set, i == 0 ? 0 : rng_next(&rng), &seen));
            ck_assert(seen == (round > 0));
        }
    }
    ck_assert_uint_eq(set.size, KEYS);
    ck_assert_uint_eq(set.total, 3 * KEYS);
    keyset_free(&set);
    ck_assert_uint_eq(set.size, 0);
}
END_TEST

START_TEST(thinning_drops_keys_as_if_never_added)
{
    Keyset set = {0};
    Rng rng;
    rng_seed(&rng, 9);
    uint64_t left = 0;
    ck_assert(keyset_thin(&set, 1));
    for (int i = 0; i < 5000; i++) {
        const uint64_t key = rng_next(&rng);
        const uint64_t times = 1 + (uint64_t)(i % 3);
        for (uint64_t n = 0; n < times; n++)
            ck_assert(keyset_add(&set, key, NULL));
        left += (key & 7) == 0 ? times : 0;
    }
    ck_assert(keyset_thin(&set, 7));
    ck_assert_uint_eq(set.total, left);
    ck_assert_uint_lt(set.size, 1000);
    rng_seed(&rng, 9);
    for (int i = 0; i < 5000; i++) {
        const uint64_t key = rng_next(&rng);
        bool seen;
        ck_assert(keyset_add(&set, key, &seen));
        ck_assert(seen == ((key & 7) == 0));
    }
    keyset_free(&set);
}
END_TEST

Suite *suite_keyset(void);
Suite *suite_keyset(void)
{
    Suite *suite = suite_create("keyset");
    TCase *tcase = tcase_create("keyset");
    tcase_add_test(tcase, keys_are_counted);
    tcase_add_test(tcase, thinning_drops_keys_as_if_never_added);
    suite_add_tcase(suite, tcase);
    return suite;
}
