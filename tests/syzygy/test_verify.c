// SPDX-License-Identifier: GPL-3.0-or-later
#include "syzygy/verify.h"

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "syzygy/syzygy_fixture.h"

typedef struct {
    int counts[SYZYGY_UNLISTED + 1];
    char bad[64];   // the last one that is not intact
    int looks_left; // until it ends
} Tally;

static void tell(void *ctx, const SyzygyFile *file, SyzygyVerdict verdict)
{
    Tally *const tally = ctx;
    tally->counts[verdict]++;
    if (verdict != SYZYGY_INTACT)
        snprintf(tally->bad, sizeof tally->bad, "%s", file->name);
}

static bool goes_on(void *ctx)
{
    return ((Tally *)ctx)->looks_left-- > 0;
}

static bool verify(const char *folders, Tally *tally)
{
    char error[SYZYGY_ERROR_MAX];
    const SyzygyVerifier verifier = {.tell = tell, .goes_on = goes_on, .ctx = tally};
    const int looks = tally->looks_left;
    *tally = (Tally){.looks_left = looks};
    return syzygy_verify(folders, &verifier, error);
}

START_TEST(files_are_compared_with_the_list)
{
    Tally tally = {.looks_left = 1000};
    made_tables();
    ck_assert(verify(made_folder, &tally));
    ck_assert_int_eq(tally.counts[SYZYGY_UNLISTED], 4);
    made_sums();
    ck_assert(verify(made_folder, &tally));
    ck_assert_int_eq(tally.counts[SYZYGY_INTACT], 4);
    ck_assert_str_eq(tally.bad, "");
}
END_TEST

START_TEST(one_altered_byte_anywhere_is_detected)
{
    Tally tally = {.looks_left = 100000};
    made_tables();
    made_sums();
    for (int at = 0; at < MADE_TABLE_BYTES; at++) {
        uint8_t bytes[MADE_TABLE_BYTES];
        made_table(bytes, 'N', true);
        bytes[at] ^= 16;
        made_write("KNvK.rtbz", bytes, sizeof bytes);
        ck_assert(verify(made_folder, &tally));
        ck_assert_int_eq(tally.counts[SYZYGY_INTACT], 3);
        ck_assert_int_eq(tally.counts[SYZYGY_ALTERED], 1);
        ck_assert_str_eq(tally.bad, "KNvK.rtbz");
    }
}
END_TEST

START_TEST(unlisted_and_unreadable_files_are_reported)
{
    Tally tally = {.looks_left = 1000};
    char path[512];
    made_tables();
    made_sums();
    made_write("KQvK.rtbw", "x", 1);
    ck_assert(verify(made_folder, &tally));
    ck_assert_int_eq(tally.counts[SYZYGY_UNLISTED], 1);
    ck_assert_str_eq(tally.bad, "KQvK.rtbw");
    snprintf(path, sizeof path, "%s/KQvK.rtbw", made_folder);
    ck_assert_int_eq(remove(path), 0);
    snprintf(path, sizeof path, "%s/KBvK.rtbw", made_folder);
    ck_assert(remove(path) == 0 && mkdir(path, 0700) == 0);
    ck_assert(verify(made_folder, &tally));
    ck_assert_int_eq(tally.counts[SYZYGY_UNREADABLE], 1);
    ck_assert(!verify("/tmp/no such folder of palimpsest", &tally));
}
END_TEST

START_TEST(a_sum_of_another_kind_is_no_entry)
{
    static const char sha1[] = "da39a3ee5e6b4b0d3255bfef95601890afd80709  KBvK.rtbw\n";
    Tally tally = {.looks_left = 1000};
    made_tables();
    made_write("MD5SUMS", sha1, strlen(sha1));
    ck_assert(verify(made_folder, &tally));
    ck_assert_int_eq(tally.counts[SYZYGY_ALTERED], 0);
    ck_assert_int_eq(tally.counts[SYZYGY_UNLISTED], 4);
}
END_TEST

START_TEST(verification_can_be_stopped)
{
    made_tables();
    made_sums();
    for (int looks = 0; looks < 8; looks++) {
        Tally tally = {.looks_left = looks};
        ck_assert(!verify(made_folder, &tally));
        ck_assert_int_eq(tally.counts[SYZYGY_INTACT], looks / 2);
        ck_assert_int_eq(tally.counts[SYZYGY_UNREADABLE], 0);
    }
}
END_TEST

START_TEST(shared_tables_are_those_of_their_list)
{
    char path[FILE_PATH_MAX];
    Tally tally = {.looks_left = 100000};
    if (!shared_tables(path)) // the list is in the folder above
        return;
    ck_assert(verify(path, &tally));
    ck_assert_int_eq(tally.counts[SYZYGY_INTACT], 92);
    ck_assert_str_eq(tally.bad, "");
}
END_TEST

Suite *suite_syzygy_verify(void);
Suite *suite_syzygy_verify(void)
{
    Suite *const suite = suite_create("syzygy_verify");
    TCase *const tcase = tcase_create("verify");
    tcase_add_checked_fixture(tcase, made_setup, made_teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, files_are_compared_with_the_list);
    tcase_add_test(tcase, one_altered_byte_anywhere_is_detected);
    tcase_add_test(tcase, unlisted_and_unreadable_files_are_reported);
    tcase_add_test(tcase, a_sum_of_another_kind_is_no_entry);
    tcase_add_test(tcase, verification_can_be_stopped);
    tcase_add_test(tcase, shared_tables_are_those_of_their_list);
    suite_add_tcase(suite, tcase);
    return suite;
}
