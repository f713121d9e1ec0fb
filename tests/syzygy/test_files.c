// SPDX-License-Identifier: GPL-3.0-or-later
#include "syzygy/files.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/rng.h"
#include "syzygy/syzygy_fixture.h"

static void expect_fault(const char *name, const char *wanted)
{
    const SyzygyFile file = made_file(name);
    const char *const fault = syzygy_file_fault(&file);
    ck_assert_msg(wanted == NULL ? fault == NULL : fault != NULL && strstr(fault, wanted) != NULL,
                  "%s: %s", name, fault != NULL ? fault : "no fault");
}

START_TEST(good_tables_have_no_fault)
{
    made_tables();
    expect_fault("KBvK.rtbw", NULL);
    expect_fault("KBvK.rtbz", NULL);
    expect_fault("KNvK.rtbw", NULL);
    expect_fault("KNvK.rtbz", NULL);
}
END_TEST

START_TEST(faults_are_reported)
{
    uint8_t good[MADE_TABLE_BYTES + 64] = {0}, bytes[MADE_TABLE_BYTES + 64];
    made_table(good, 'B', false);

    made_write("KBvK.rtbw", good, 0);
    expect_fault("KBvK.rtbw", "is empty");
    for (size_t size = 1; size < MADE_TABLE_BYTES; size++) {
        made_write("KBvK.rtbw", good, size);
        expect_fault("KBvK.rtbw", size == 16 ? "is cut short" : "is cut short or too long");
    }
    made_write("KBvK.rtbw", good, MADE_TABLE_BYTES + 1);
    expect_fault("KBvK.rtbw", "too long");
    made_write("KBvK.rtbw", good, MADE_TABLE_BYTES + 64);
    expect_fault("KBvK.rtbw", "is too long");
    for (int i = 0; i < 4; i++) {
        memcpy(bytes, good, sizeof bytes);
        bytes[i] ^= 1;
        made_write("KBvK.rtbw", bytes, MADE_TABLE_BYTES);
        expect_fault("KBvK.rtbw", "has a wrong magic number");
    }
}
END_TEST

START_TEST(a_table_under_the_name_of_another_is_reported)
{
    uint8_t bytes[MADE_TABLE_BYTES];
    made_table(bytes, 'B', false);
    made_write("KNvK.rtbw", bytes, sizeof bytes);
    expect_fault("KNvK.rtbw", "of other material");
    made_write("KBvKB.rtbw", bytes, sizeof bytes);
    expect_fault("KBvKB.rtbw", "of other material");
    made_write("KPvK.rtbw", bytes, sizeof bytes);
    expect_fault("KPvK.rtbw", "of other material");
    made_write("KBvK.rtbz", bytes, sizeof bytes);
    expect_fault("KBvK.rtbz", "has a wrong magic number");
    made_table(bytes, 'B', true);
    made_write("KNvK.rtbz", bytes, sizeof bytes);
    expect_fault("KNvK.rtbz", "of other material");
}
END_TEST

START_TEST(entries_that_are_no_regular_files_are_reported)
{
    char path[512];
    snprintf(path, sizeof path, "%s/KBvK.rtbw", made_folder);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    expect_fault("KBvK.rtbw", "is a folder");
    expect_fault("KNvK.rtbw", "is not a readable file");
    snprintf(path, sizeof path, "%s/KQvK.rtbw", made_folder);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    expect_fault("KQvK.rtbw", "is not a readable file");
}
END_TEST

/* Tables of all kinds: the header implies exactly their real size. */
static bool check_shared(void *ctx, const SyzygyFile *file)
{
    (*(int *)ctx)++;
    const char *const fault = syzygy_file_fault(file);
    ck_assert_msg(fault == NULL, "%s %s", file->name, fault);
    size_t size;
    uint8_t *const bytes = made_read(file->path, &size);
    if (size > 1 << 18) { // smaller files test the same
        free(bytes);
        return true;
    }
    uint8_t *const longer = calloc(1, size + 64);
    memcpy(longer, bytes, size);
    made_write(file->name, longer, size + 64);
    expect_fault(file->name, "is too long");
    for (size_t less = 64; less < size; less = 4 * less + 64) {
        made_write(file->name, bytes, size - less);
        const SyzygyFile cut = made_file(file->name);
        ck_assert_msg(syzygy_file_fault(&cut) != NULL, "%s less %zu bytes", file->name, less);
    }
    free(bytes);
    free(longer);
    return true;
}

START_TEST(shared_tables_have_the_size_their_headers_imply)
{
    char path[FILE_PATH_MAX], error[SYZYGY_ERROR_MAX];
    int count = 0;
    if (!shared_tables(path))
        return;
    ck_assert(syzygy_files_visit(path, check_shared, &count, error));
    ck_assert_int_eq(count, 92);
}
END_TEST

/* Whatever a random header says, a file that was cut is too short for it. */
START_TEST(cut_files_with_damaged_headers_are_refused)
{
    char path[FILE_PATH_MAX], name[FILE_PATH_MAX + 32];
    static const char *const names[] = {"KPvKP.rtbw", "KQvKR.rtbz", "KNvKN.rtbw", "KBBvKN.rtbz"};
    if (!shared_tables(path))
        return;
    Rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < 4; i++) {
        size_t size;
        snprintf(name, sizeof name, "%s/%s", path, names[i]);
        uint8_t *const bytes = made_read(name, &size);
        const size_t kept = size < 3088 ? size : 3088;
        for (int round = 0; round < 200; round++) {
            uint8_t *const copy = malloc(kept);
            memcpy(copy, bytes, kept);
            for (int j = 0; j < 4; j++)
                copy[5 + rng_below(&rng, 60)] = (uint8_t)rng_next(&rng);
            made_write(names[i], copy, kept);
            const SyzygyFile file = made_file(names[i]);
            const char *const fault = syzygy_file_fault(&file);
            ck_assert_msg(kept == size || fault != NULL, "%s, round %d", names[i], round);
            free(copy);
        }
        free(bytes);
    }
}
END_TEST

/* Names in the order of the calls, each after a blank. */
static bool note_name(void *ctx, const SyzygyFile *file)
{
    char *const names = ctx;
    strcat(names, " ");
    strcat(names, file->name);
    return strcmp(file->name, "KNvK.rtbz") != 0;
}

/* Four parts whose values have 2^62 bytes each: their sum is 0 in 64 bits. */
START_TEST(sizes_that_wrap_around_are_reported)
{
    static const uint8_t HEAD[] = {0x71, 0xe8, 0x23, 0x5d, 3};
    static const uint8_t MEN[] = {0, 0x66, 0x11, 0xee}; // both orders of a file of the pawn
    static const uint8_t PART[] = {0, 31, 31, 0, 0, 0, 0, 0x80, 1, 1, 0, 0, 0, 0};
    uint8_t bytes[1 << 16] = {0};
    size_t at = 0;
    memcpy(bytes, HEAD, sizeof HEAD);
    at += sizeof HEAD;
    for (int i = 0; i < 4; i++, at += sizeof MEN)
        memcpy(bytes + at, MEN, sizeof MEN);
    at += at & 1;
    for (int i = 0; i < 8; i++, at += sizeof PART)
        memcpy(bytes + at, PART, sizeof PART);
    for (size_t size = 80; size < sizeof bytes; size += 64) {
        made_write("KPvK.rtbw", bytes, size);
        expect_fault("KPvK.rtbw", "has a damaged header");
    }
}
END_TEST

START_TEST(table_files_of_all_folders_are_visited)
{
    char names[512] = "", list[512], error[SYZYGY_ERROR_MAX];
    const uint8_t byte = 0;
    uint8_t bytes[MADE_TABLE_BYTES];
    made_table(bytes, 'B', false);
    made_write("KBvK.rtbw", bytes, sizeof bytes);
    made_write("KvKB.rtbw", &byte, 1);
    made_write("KBvK.rtbw.part", &byte, 1);
    made_write("KBvK", &byte, 1);
    made_write("README", &byte, 1);
    snprintf(list, sizeof list, ":%s::%s/.:", made_folder, made_folder);
    ck_assert(syzygy_files_visit(list, note_name, names, error));
    ck_assert_str_eq(names, " KBvK.rtbw KBvK.rtbw");
    ck_assert_str_eq(error, "");

    snprintf(list, sizeof list, "%s:%s/none", made_folder, made_folder);
    ck_assert(!syzygy_files_visit(list, note_name, names, error));
    ck_assert_ptr_nonnull(strstr(error, "cannot read the folder"));
    ck_assert_ptr_nonnull(strstr(error, "/none'"));

    made_write("KNvK.rtbz", &byte, 1); // ends the visit
    ck_assert(!syzygy_files_visit(made_folder, note_name, names, error));
    ck_assert_str_eq(error, "");
}
END_TEST

Suite *suite_syzygy_files(void);
Suite *suite_syzygy_files(void)
{
    Suite *const suite = suite_create("syzygy_files");
    TCase *const tcase = tcase_create("files");
    tcase_add_checked_fixture(tcase, made_setup, made_teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, good_tables_have_no_fault);
    tcase_add_test(tcase, faults_are_reported);
    tcase_add_test(tcase, a_table_under_the_name_of_another_is_reported);
    tcase_add_test(tcase, entries_that_are_no_regular_files_are_reported);
    tcase_add_test(tcase, shared_tables_have_the_size_their_headers_imply);
    tcase_add_test(tcase, cut_files_with_damaged_headers_are_refused);
    tcase_add_test(tcase, sizes_that_wrap_around_are_reported);
    tcase_add_test(tcase, table_files_of_all_folders_are_visited);
    suite_add_tcase(suite, tcase);
    return suite;
}
