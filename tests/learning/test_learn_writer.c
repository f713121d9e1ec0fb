// SPDX-License-Identifier: GPL-3.0-or-later
#include "learning/learn_writer.h"

#include <check.h>

#include "base/clock.h"
#include "base/thread.h"
#include "learning/learn_store_fixture.h"

static const LearnStoreRules RULES = {.policy = LEARN_BEBE, .capacity = 100000};
static StoreContents contents;
static LearnStore *store;
static LearnWriter *writer;

static void setup(void)
{
    store_setup();
    store = store_open();
    writer = learn_writer_create(store, RULES);
    ck_assert_ptr_nonnull(writer);
}

static void teardown(void)
{
    if (writer != NULL)
        ck_assert(learn_writer_destroy(writer, 5000));
    learn_store_close(store);
    store_teardown();
}

static void add(int first, int count)
{
    for (int i = first; i < first + count; i++) {
        const LearnedPosition learned = make_learned((uint64_t)i);
        learn_writer_add(writer, &learned);
    }
}

/* Number of rows, read through a second store. */
static int count_rows(void)
{
    LearnStore *const other = store_open();
    ck_assert_int_eq(store_read(other, CONTENTS_MAX, &contents), LEARN_STORE_DONE);
    learn_store_close(other);
    return contents.count;
}

START_TEST(queued_positions_are_written)
{
    char error_text[LEARN_WRITER_ERROR_MAX];
    add(0, 200);
    ck_assert(learn_writer_flush(writer, 10000));
    ck_assert_int_eq(count_rows(), 200);
    const LearnedPosition last = make_learned(199);
    ck_assert(learned_equal(&contents.positions[0], &last));
    const LearnWriterCounts counts = learn_writer_count(writer);
    ck_assert_int_eq(counts.written, 200);
    ck_assert_int_eq(counts.waiting + counts.lost, 0);
    ck_assert(!counts.has_stopped);
    ck_assert(!learn_writer_take_error(writer, error_text));
}
END_TEST

START_TEST(the_queue_goes_round_without_loss)
{
    for (int i = 0; i < 1020; i++) { // almost to the end of the queue
        add(0, 1);
        if (i % 500 == 499)
            ck_assert(learn_writer_flush(writer, 10000));
    }
    ck_assert(learn_writer_flush(writer, 10000));
    learn_writer_lock(writer);
    add(0, 200);
    learn_writer_unlock(writer);
    ck_assert(learn_writer_flush(writer, 10000));
    ck_assert_int_eq(count_rows(), 200);
}
END_TEST

START_TEST(destroy_writes_the_queue)
{
    add(0, 200);
    ck_assert(learn_writer_destroy(writer, 10000));
    writer = NULL;
    ck_assert_int_eq(count_rows(), 200);
}
END_TEST

START_TEST(an_idle_writer_ends_at_once)
{
    add(0, 1);
    ck_assert(learn_writer_flush(writer, 10000));
    clock_sleep_ms(20); // the thread waits for more
    const int64_t start_ms = clock_ms();
    ck_assert(learn_writer_destroy(writer, 10000));
    writer = NULL;
    ck_assert_int_lt(clock_ms() - start_ms, 5000);
}
END_TEST

START_TEST(adding_never_waits_for_the_file)
{
    learn_writer_lock(writer); // the writer cannot use the file
    static LearnedPosition positions[2000];
    for (int i = 0; i < 2000; i++)
        positions[i] = make_learned((uint64_t)i);
    const int64_t start_ms = clock_ms();
    for (int i = 0; i < 2000; i++)
        learn_writer_add(writer, &positions[i]);
    ck_assert_int_lt(clock_ms() - start_ms, 500);
    ck_assert(!learn_writer_flush(writer, 50));
    LearnWriterCounts counts = learn_writer_count(writer);
    ck_assert_int_eq(counts.waiting, 1024);
    ck_assert_int_eq(counts.written, 0);
    learn_writer_unlock(writer);
    ck_assert(learn_writer_flush(writer, 20000));
    counts = learn_writer_count(writer);
    ck_assert_int_eq(counts.written + counts.lost, 2000);
    ck_assert_int_le(count_rows(), counts.written);
    ck_assert_int_gt(contents.count, counts.written * 9 / 10); // random games repeat some positions
}
END_TEST

START_TEST(a_locked_file_is_retried_and_each_lock_reported_once)
{
    char error_text[LEARN_WRITER_ERROR_MAX];
    SqliteClient *const other = client_lock("IMMEDIATE");
    if (other == NULL)
        return;
    add(0, 3);
    ck_assert(
        !learn_writer_flush(writer, 3500)); // two tries, in each of which it waits for a second
    ck_assert(learn_writer_take_error(writer, error_text));
    ck_assert_str_eq(error_text,
                     "is locked by another program; new positions will be written later");
    ck_assert(!learn_writer_flush(writer, 2000));
    ck_assert(!learn_writer_take_error(writer, error_text));
    client_unlock(other);
    ck_assert(learn_writer_flush(writer, 10000));
    ck_assert_int_eq(count_rows(), 3);
    SqliteClient *const next = client_lock("IMMEDIATE");
    add(3, 1);
    ck_assert(!learn_writer_flush(writer, 1500));
    ck_assert(learn_writer_take_error(writer, error_text));
    client_unlock(next);
}
END_TEST

START_TEST(destroy_stops_waiting_for_a_lock_at_its_time_limit)
{
    SqliteClient *const other = client_lock("IMMEDIATE");
    if (other == NULL)
        return;
    add(0, 3);
    const int64_t start_ms = clock_ms();
    ck_assert(learn_writer_destroy(writer, 200));
    writer = NULL;
    ck_assert_int_lt(clock_ms() - start_ms, 1500);
    client_unlock(other);
    ck_assert_int_eq(count_rows(), 0);
}
END_TEST

static void *unlock_later(void *other)
{
    clock_sleep_ms(1600); // longer than one try
    client_unlock(other);
    return NULL;
}

START_TEST(destroy_waits_for_a_lock_within_its_time_limit)
{
    Thread thread;
    SqliteClient *const other = client_lock("IMMEDIATE");
    if (other == NULL)
        return;
    add(0, 3);
    ck_assert(thread_start(&thread, unlock_later, other));
    ck_assert(learn_writer_destroy(writer, 10000));
    writer = NULL;
    thread_join(&thread);
    ck_assert_int_eq(count_rows(), 3);
}
END_TEST

START_TEST(a_failed_write_stops_the_writer_and_is_reported_once)
{
    char error_text[LEARN_WRITER_ERROR_MAX], error[LEARN_STORE_ERROR_MAX];
    LearnStoreStatus status;
    LearnStore *const reader = learn_store_open(store_path, false, &status, error);
    LearnWriter *const own = writer;
    writer = learn_writer_create(reader, RULES);
    add(0, 3);
    ck_assert(learn_writer_flush(writer, 10000)); // the queue is empty
    add(3, 3);
    ck_assert(learn_writer_flush(writer, 10000));
    ck_assert(learn_writer_take_error(writer, error_text));
    ck_assert_str_eq(error_text, "is open for reading only; no more positions are written");
    ck_assert(!learn_writer_take_error(writer, error_text));
    const LearnWriterCounts counts = learn_writer_count(writer);
    ck_assert(counts.has_stopped);
    ck_assert_int_eq(counts.lost, 6);
    ck_assert(learn_writer_destroy(writer, 1000));
    learn_store_close(reader);
    writer = own;
}
END_TEST

/* The failed transaction has only a part of a long queue. */
START_TEST(every_queued_position_is_lost_when_a_write_fails)
{
    char error[LEARN_STORE_ERROR_MAX];
    LearnStoreStatus status;
    LearnStore *const reader = learn_store_open(store_path, false, &status, error);
    LearnWriter *const own = writer;
    writer = learn_writer_create(reader, RULES);
    learn_writer_lock(writer);
    add(0, 200);
    learn_writer_unlock(writer);
    ck_assert(learn_writer_flush(writer, 10000));
    ck_assert_int_eq(learn_writer_count(writer).lost, 200);
    ck_assert(learn_writer_destroy(writer, 1000));
    learn_store_close(reader);
    writer = own;
}
END_TEST

Suite *suite_learn_writer(void);
Suite *suite_learn_writer(void)
{
    Suite *const suite = suite_create("learn_writer");
    TCase *const tcase = tcase_create("learn_writer");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    if (!store_tests_can_run(tcase))
        return suite;
    tcase_add_test(tcase, queued_positions_are_written);
    tcase_add_test(tcase, the_queue_goes_round_without_loss);
    tcase_add_test(tcase, destroy_writes_the_queue);
    tcase_add_test(tcase, an_idle_writer_ends_at_once);
    tcase_add_test(tcase, adding_never_waits_for_the_file);
    tcase_add_test(tcase, a_locked_file_is_retried_and_each_lock_reported_once);
    tcase_add_test(tcase, destroy_stops_waiting_for_a_lock_at_its_time_limit);
    tcase_add_test(tcase, destroy_waits_for_a_lock_within_its_time_limit);
    tcase_add_test(tcase, a_failed_write_stops_the_writer_and_is_reported_once);
    tcase_add_test(tcase, every_queued_position_is_lost_when_a_write_fails);
    return suite;
}
