// SPDX-License-Identifier: GPL-3.0-or-later
/* The file of learned positions while other programs use it: locks, WAL mode, several writers. */
#include "learning/learn_store.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "learning/learn_store_fixture.h"

static StoreContents contents;
static char error[LEARN_STORE_ERROR_MAX];

/* Another program that is reading the file, so that no transaction can be committed; NULL as
 * client_open(). */
static SqliteClient *begin_reading(void)
{
    SqliteClient *const reader = client_open(store_path);
    if (reader != NULL)
        ck_assert(client_run(reader, "BEGIN; SELECT * FROM lesson"));
    return reader;
}

START_TEST(a_file_locked_for_writing_is_readable)
{
    store_make_file(5);
    SqliteClient *const other = client_open(store_path);
    if (other == NULL)
        return;
    ck_assert(client_run(other, "BEGIN IMMEDIATE"));
    LearnStore *const store = store_open();
    ck_assert_int_eq(store_read(store, CONTENTS_MAX, &contents), LEARN_STORE_DONE);
    ck_assert_int_eq(contents.count, 5);
    const LearnedPosition learned = make_learned(7);
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 1000};
    const int64_t start_ms = clock_ms();
    ck_assert_int_eq(learn_store_write(store, &learned, 1, rules), LEARN_STORE_BUSY);
    ck_assert_int_ge(clock_ms() - start_ms, 500);
    ck_assert_int_lt(clock_ms() - start_ms, 3000);
    ck_assert_str_eq(learn_store_error(store), "is locked by another program");
    learn_store_stop_waiting(store);
    const int64_t hurried_ms = clock_ms();
    ck_assert_int_eq(learn_store_write(store, &learned, 1, rules), LEARN_STORE_BUSY);
    ck_assert_int_lt(clock_ms() - hurried_ms, 300);
    ck_assert(client_run(other, "COMMIT"));
    ck_assert_int_eq(learn_store_write(store, &learned, 1, rules), LEARN_STORE_DONE);
    ck_assert_int_eq(store_read(store, CONTENTS_MAX, &contents), LEARN_STORE_DONE);
    ck_assert_int_eq(contents.count, 6);
    learn_store_close(store);
    client_close(other);
}
END_TEST

/* The commit fails while another program reads. */
START_TEST(rows_that_are_rolled_back_take_no_room)
{
    LearnStore *const store = store_open();
    store_write_made(store, 0, 10, 20);
    SqliteClient *const reader = begin_reading();
    if (reader == NULL)
        return;
    LearnedPosition made[10];
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 20};
    for (int i = 0; i < 10; i++)
        made[i] = make_learned(10 + (uint64_t)i);
    const int64_t changes = learn_store_changes(store);
    ck_assert_int_eq(learn_store_write(store, made, 10, rules), LEARN_STORE_BUSY);
    ck_assert_int_eq(learn_store_changes(store), changes);
    ck_assert(client_run(reader, "COMMIT"));
    client_close(reader);
    store_write_made(store, 10, 10, 20);
    ck_assert_int_eq(learn_store_changes(store), changes + 10);
    ck_assert_int_eq(store_read(store, 100, &contents), LEARN_STORE_DONE);
    ck_assert_int_eq(contents.count, 20);
    learn_store_close(store);
}
END_TEST

START_TEST(rows_whose_deletion_is_rolled_back_do_not_count_as_deleted)
{
    const LearnedPosition learned = make_learned(10);
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 5};
    LearnStore *const store = store_open();
    store_write_made(store, 0, 10, 20);
    SqliteClient *const reader = begin_reading();
    if (reader == NULL)
        return;
    ck_assert_int_eq(learn_store_write(store, &learned, 1, rules), LEARN_STORE_BUSY);
    client_close(reader);
    ck_assert_int_eq(learn_store_deleted(store), 0);
    ck_assert_int_eq(learn_store_write(store, &learned, 1, rules), LEARN_STORE_DONE);
    ck_assert_int_eq(learn_store_deleted(store), 6);
    learn_store_close(store);
}
END_TEST

/* Other programs would find the file locked for ever. */
START_TEST(a_write_that_fails_at_once_leaves_no_lock)
{
    const LearnedPosition learned = make_learned(0);
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 20};
    LearnStore *const store = store_open();
    SqliteClient *const other = client_open(store_path);
    if (other == NULL)
        return;
    ck_assert(client_run(other, "DROP TABLE lesson"));
    ck_assert_int_eq(learn_store_write(store, &learned, 1, rules), LEARN_STORE_FAILED);
    ck_assert(client_run(other, "BEGIN EXCLUSIVE; COMMIT"));
    client_close(other);
    learn_store_close(store);
}
END_TEST

START_TEST(an_exclusively_locked_file_opens_after_the_lock)
{
    LearnStoreStatus status;
    store_make_file(5);
    SqliteClient *const other = client_lock("EXCLUSIVE");
    if (other == NULL)
        return;
    for (int writes = 0; writes < 2; writes++) {
        const int64_t start_ms = clock_ms();
        ck_assert_ptr_null(learn_store_open(store_path, writes != 0, &status, error));
        ck_assert_int_lt(clock_ms() - start_ms, 4000);
        ck_assert_int_eq(status, LEARN_STORE_BUSY);
        ck_assert_str_eq(error, "is locked by another program");
    }
    client_unlock(other);
    learn_store_close(store_open());
}
END_TEST

/* Else every lock would make a caller read the file again. */
START_TEST(a_file_does_not_change_by_a_lock)
{
    store_make_file(5);
    LearnStore *const store = store_open();
    SqliteClient *const other = client_lock("EXCLUSIVE");
    if (other == NULL)
        return;
    ck_assert(!learn_store_has_changed(store));
    client_unlock(other);
    ck_assert(!learn_store_has_changed(store));
    learn_store_close(store);
}
END_TEST

START_TEST(an_empty_file_that_is_locked_is_read_after_the_lock)
{
    LearnStoreStatus status;
    fclose(fopen(store_path, "wb"));
    LearnStore *const store = learn_store_open(store_path, false, &status, error);
    SqliteClient *const other = client_open(store_path);
    if (other == NULL)
        return;
    ck_assert_ptr_nonnull(store);
    ck_assert(client_run(other, "BEGIN EXCLUSIVE"));
    ck_assert_int_eq(store_read(store, CONTENTS_MAX, &contents), LEARN_STORE_BUSY);
    ck_assert_str_eq(learn_store_error(store), "is locked by another program");
    ck_assert(client_run(other, "COMMIT"));
    ck_assert_int_eq(store_read(store, CONTENTS_MAX, &contents), LEARN_STORE_DONE);
    ck_assert_int_eq(contents.count, 0);
    client_close(other);
    learn_store_close(store);
}
END_TEST

START_TEST(a_file_in_wal_mode_is_usable)
{
    store_make_file(5);
    SqliteClient *const other = client_open(store_path);
    if (other == NULL)
        return;
    ck_assert(client_run(other, "PRAGMA journal_mode = WAL; DELETE FROM lesson WHERE id = 1"));
    LearnStore *store = store_open(); // the client still has it open
    store_write_made(store, 5, 1, 1000);
    learn_store_close(store);
    client_close(other);
    store = store_open();
    ck_assert_int_eq(store_read(store, CONTENTS_MAX, &contents), LEARN_STORE_DONE);
    ck_assert_int_eq(contents.count, 5);
    learn_store_close(store);
}
END_TEST

/* In WAL mode a copy of the file alone may lack the newest positions. */
START_TEST(a_writer_ends_wal_mode)
{
    size_t size;
    store_make_file(5);
    SqliteClient *const other = client_open(store_path);
    if (other == NULL)
        return;
    ck_assert(client_run(other, "PRAGMA journal_mode = WAL; DELETE FROM lesson WHERE id = 1"));
    client_close(other);
    learn_store_close(store_open());
    uint8_t *const bytes = store_file_read(&size);
    ck_assert_uint_eq(bytes[18], 1); // format for writers and for readers; 2 is WAL
    ck_assert_uint_eq(bytes[19], 1);
    free(bytes);
}
END_TEST

/* A child process that writes its own positions one by one and retries while the file is locked. */
static pid_t start_writer(uint64_t first, int count)
{
    fflush(NULL);
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
    LearnStoreStatus status;
    LearnStore *const store = learn_store_open(store_path, true, &status, error);
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 100000};
    for (int i = 0; store != NULL && i < count; i++) {
        const LearnedPosition learned = make_learned(first + (uint64_t)i);
        do
            status = learn_store_write(store, &learned, 1, rules);
        while (status == LEARN_STORE_BUSY);
        if (status != LEARN_STORE_DONE)
            _exit(1);
    }
    _exit(store != NULL ? 0 : 2);
}

static void expect_success(pid_t pid)
{
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}

START_TEST(simultaneous_writers_lose_nothing)
{
    enum { WRITERS = 3, EACH = 100 };
    pid_t pids[WRITERS];
    store_make_file(1);
    for (int i = 0; i < WRITERS; i++)
        pids[i] = start_writer((uint64_t)(1 + i * EACH), EACH);
    for (int i = 0; i < WRITERS; i++)
        expect_success(pids[i]);
    LearnStore *const store = store_open();
    ck_assert_int_eq(store_read(store, CONTENTS_MAX, &contents), LEARN_STORE_DONE);
    ck_assert_int_eq(store_check_contents(&contents, 1 + WRITERS * EACH), 1 + WRITERS * EACH);
    learn_store_close(store);
}
END_TEST

START_TEST(simultaneous_creation_is_safe)
{
    for (int round = 0; round < 10; round++) {
        remove(store_path);
        const pid_t one = start_writer(0, 5), other = start_writer(5, 5);
        expect_success(one);
        expect_success(other);
        LearnStore *const store = store_open();
        ck_assert_int_eq(store_read(store, CONTENTS_MAX, &contents), LEARN_STORE_DONE);
        ck_assert_int_eq(store_check_contents(&contents, 10), 10);
        learn_store_close(store);
    }
}
END_TEST

Suite *suite_learn_store_sharing(void);
Suite *suite_learn_store_sharing(void)
{
    Suite *const suite = suite_create("learn_store_sharing");
    TCase *const tcase = tcase_create("learn_store_sharing");
    tcase_add_checked_fixture(tcase, store_setup, store_teardown);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    if (!store_tests_can_run(tcase))
        return suite;
    tcase_add_test(tcase, a_file_locked_for_writing_is_readable);
    tcase_add_test(tcase, rows_that_are_rolled_back_take_no_room);
    tcase_add_test(tcase, rows_whose_deletion_is_rolled_back_do_not_count_as_deleted);
    tcase_add_test(tcase, a_write_that_fails_at_once_leaves_no_lock);
    tcase_add_test(tcase, an_exclusively_locked_file_opens_after_the_lock);
    tcase_add_test(tcase, a_file_does_not_change_by_a_lock);
    tcase_add_test(tcase, an_empty_file_that_is_locked_is_read_after_the_lock);
    tcase_add_test(tcase, a_file_in_wal_mode_is_usable);
    tcase_add_test(tcase, a_writer_ends_wal_mode);
    tcase_add_test(tcase, simultaneous_writers_lose_nothing);
    tcase_add_test(tcase, simultaneous_creation_is_safe);
    return suite;
}
