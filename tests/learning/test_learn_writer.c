// SPDX-License-Identifier: GPL-3.0-or-later
#include "learning/learn_writer.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"
#include "learning/learn_store_fixture.h"

static const LearnStoreTerms TERMS = {.policy = LEARN_BEBE, .max = 100000};
static Kept kept;
static LearnStore *memory;
static LearnWriter *writer;

static void setup(void)
{
    memory_enter();
    memory = memory_open_well();
    writer = learn_writer_create(memory, TERMS);
    ck_assert_ptr_nonnull(writer);
}

static void teardown(void)
{
    if (writer != NULL)
        ck_assert(learn_writer_destroy(writer, 5000));
    learn_store_close(memory);
    memory_leave();
}

static void note(int first, int count)
{
    for (int i = first; i < first + count; i++) {
        const LearnedPosition learned = made_lesson((uint64_t)i);
        learn_writer_add(writer, &learned);
    }
}

/* What the file holds by another program's account. */
static int count_kept(void)
{
    LearnStore *const other = memory_open_well();
    ck_assert_int_eq(memory_read_kept(other, KEPT_MAX, &kept), LEARN_STORE_DONE);
    learn_store_close(other);
    return kept.count;
}

START_TEST(what_is_noted_is_written_soon)
{
    char notice[LEARN_WRITER_ERROR_MAX];
    note(0, 200);
    ck_assert(learn_writer_flush(writer, 10000));
    ck_assert_int_eq(count_kept(), 200);
    const LearnedPosition last = made_lesson(199);
    ck_assert(same_lesson(&kept.positions[0], &last));
    const LearnWriterCounts counts = learn_writer_count(writer);
    ck_assert_int_eq(counts.written, 200);
    ck_assert_int_eq(counts.waiting + counts.lost, 0);
    ck_assert(!counts.has_stopped);
    ck_assert(!learn_writer_take_error(writer, notice));
}
END_TEST

START_TEST(a_scribe_that_is_dismissed_writes_first)
{
    note(0, 200);
    ck_assert(learn_writer_destroy(writer, 10000));
    writer = NULL;
    ck_assert_int_eq(count_kept(), 200);
}
END_TEST

START_TEST(noting_never_waits)
{
    learn_writer_lock(writer); // the file is not to be had at all
    static LearnedPosition positions[2000];
    for (int i = 0; i < 2000; i++)
        positions[i] = made_lesson((uint64_t)i);
    const int64_t start_ms = clock_ms();
    for (int i = 0; i < 2000; i++)
        learn_writer_add(writer, &positions[i]);
    ck_assert_int_lt(clock_ms() - start_ms, 500);
    ck_assert(!learn_writer_flush(writer, 50));
    LearnWriterCounts counts = learn_writer_count(writer);
    ck_assert_int_ge(counts.waiting, 1000);
    ck_assert_int_eq(counts.written, 0);
    learn_writer_unlock(writer);
    ck_assert(learn_writer_flush(writer, 20000));
    counts = learn_writer_count(writer);
    ck_assert_int_eq(counts.written + counts.lost, 2000);
    ck_assert_int_le(count_kept(), counts.written);
    ck_assert_int_gt(kept.count, counts.written * 9 / 10); // some positions came twice
}
END_TEST

START_TEST(a_busy_file_is_tried_again_and_that_is_told_once)
{
    char notice[LEARN_WRITER_ERROR_MAX];
    Foreigner *const other = foreigner_hold("IMMEDIATE");
    if (other == NULL)
        return;
    note(0, 3);
    ck_assert(
        !learn_writer_flush(writer, 3500)); // two tries, in each of which it waits for a second
    ck_assert(learn_writer_take_error(writer, notice));
    ck_assert_str_eq(notice, "is held by another program; what is learned waits");
    ck_assert(!learn_writer_flush(writer, 2000));
    ck_assert(!learn_writer_take_error(writer, notice));
    foreigner_let_go(other);
    ck_assert(learn_writer_flush(writer, 10000));
    ck_assert_int_eq(count_kept(), 3);
}
END_TEST

START_TEST(a_scribe_that_is_dismissed_does_not_wait_for_others_for_long)
{
    Foreigner *const other = foreigner_hold("IMMEDIATE");
    if (other == NULL)
        return;
    note(0, 3);
    const int64_t start_ms = clock_ms();
    ck_assert(learn_writer_destroy(writer, 200));
    ck_assert_int_lt(clock_ms() - start_ms, 1500);
    writer = NULL;
    foreigner_let_go(other);
    ck_assert_int_eq(count_kept(), 0);
}
END_TEST

static void *let_go_later(void *other)
{
    clock_sleep_ms(1600); // longer than one try
    foreigner_let_go(other);
    return NULL;
}

START_TEST(a_scribe_that_is_dismissed_waits_for_others_while_it_may)
{
    Thread thread;
    Foreigner *const other = foreigner_hold("IMMEDIATE");
    if (other == NULL)
        return;
    note(0, 3);
    ck_assert(thread_start(&thread, let_go_later, other));
    ck_assert(learn_writer_destroy(writer, 10000));
    writer = NULL;
    thread_join(&thread);
    ck_assert_int_eq(count_kept(), 3);
}
END_TEST

START_TEST(a_scribe_that_cannot_write_stops_and_tells_it_once)
{
    char notice[LEARN_WRITER_ERROR_MAX], error[LEARN_STORE_ERROR_MAX];
    LearnStoreStatus verdict;
    LearnStore *const reader = learn_store_open(memory_path, false, &verdict, error);
    LearnWriter *const own = writer;
    writer = learn_writer_create(reader, TERMS);
    note(0, 3);
    ck_assert(learn_writer_flush(writer, 10000)); // nothing waits any more
    note(3, 3);
    ck_assert(learn_writer_flush(writer, 10000));
    ck_assert(learn_writer_take_error(writer, notice));
    ck_assert_str_eq(notice, "is only read; nothing more is learned");
    ck_assert(!learn_writer_take_error(writer, notice));
    const LearnWriterCounts counts = learn_writer_count(writer);
    ck_assert(counts.has_stopped);
    ck_assert_int_eq(counts.lost, 6);
    ck_assert(learn_writer_destroy(writer, 1000));
    learn_store_close(reader);
    writer = own;
}
END_TEST

Suite *suite_learn_writer(void);
Suite *suite_learn_writer(void)
{
    Suite *const suite = suite_create("learn_writer");
    TCase *const tcase = tcase_create("scribe");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    if (!learn_store_is_linked()) {
        puts("skipped: scribe: built without SQLite");
        return suite;
    }
    tcase_add_test(tcase, what_is_noted_is_written_soon);
    tcase_add_test(tcase, a_scribe_that_is_dismissed_writes_first);
    tcase_add_test(tcase, noting_never_waits);
    tcase_add_test(tcase, a_busy_file_is_tried_again_and_that_is_told_once);
    tcase_add_test(tcase, a_scribe_that_is_dismissed_does_not_wait_for_others_for_long);
    tcase_add_test(tcase, a_scribe_that_is_dismissed_waits_for_others_while_it_may);
    tcase_add_test(tcase, a_scribe_that_cannot_write_stops_and_tells_it_once);
    suite_add_tcase(suite, tcase);
    return suite;
}
