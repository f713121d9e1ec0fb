// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/warmup.h"

#include <check.h>

#include "base/mem.h"
#include "skip.h"

START_TEST(the_whole_table_is_touched_or_the_time_is_over)
{
    enum { MIB = 64, THREADS = 2, LONG_MS = 60000 };
    Tt tt = {.slots = NULL};
    if (mem_available() < (uint64_t)2 * MIB << 20) {
        skip_test("less than %d MiB of memory are available", 2 * MIB);
        return;
    }
    ck_assert_uint_eq(tt_resize(&tt, MIB), MIB);
    tt_warm_up(&tt, THREADS, 0);
    ck_assert_uint_eq(tt.touched, 0);
    for (int i = 0; i < 2; i++) {
        tt_warm_up(&tt, THREADS, LONG_MS);
        ck_assert_uint_eq(tt.touched, tt.bytes);
        tt_clear(&tt);
        ck_assert_uint_eq(tt.touched, 0);
    }
    tt_warm_up(&tt, THREADS, LONG_MS);
    ck_assert_uint_eq(tt_resize(&tt, MIB / 2), MIB / 2);
    ck_assert_uint_eq(tt.touched, 0);
    tt_free(&tt);
}
END_TEST

Suite *suite_warmup(void);
Suite *suite_warmup(void)
{
    Suite *suite = suite_create("warmup");
    TCase *tcase = tcase_create("warmup");
    tcase_add_test(tcase, the_whole_table_is_touched_or_the_time_is_over);
    suite_add_tcase(suite, tcase);
    return suite;
}
