// SPDX-License-Identifier: GPL-3.0-or-later
/* The file of lessons as it is used. What happens when things go wrong: test_memory_faults.c. */
#include "learning/learn_store.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "chess/fen.h"
#include "learning/learn_store_fixture.h"

static Kept kept;

/* Reads a file that is open. */
static void read_all(LearnStore *memory)
{
    ck_assert_int_eq(memory_read_kept(memory, KEPT_MAX, &kept), LEARN_STORE_DONE);
}

/* Opens the file, reads it and closes it. */
static void read_file(bool writes)
{
    char error[LEARN_STORE_ERROR_MAX];
    LearnStoreStatus verdict;
    LearnStore *const memory = learn_store_open(memory_path, writes, &verdict, error);
    ck_assert_msg(memory != NULL, "%s", error);
    read_all(memory);
    learn_store_close(memory);
}

static void write_one(LearnStore *memory, const LearnedPosition *learned, LearnPolicy policy)
{
    const LearnStoreTerms terms = {.policy = policy, .max = 1000};
    ck_assert_int_eq(learn_store_write(memory, learned, 1, terms), LEARN_STORE_DONE);
}

START_TEST(lessons_outlive_the_program)
{
    LearnStore *const memory = memory_open_well();
    read_all(memory);
    ck_assert_int_eq(kept.count, 0);
    memory_write_made(memory, 0, 50, 1000);
    learn_store_close(memory);
    for (int writes = 0; writes < 2; writes++) {
        read_file(writes != 0);
        ck_assert_int_eq(kept.count, 50);
        ck_assert_int_eq(kept.rest.faulty, 0);
        for (int i = 0; i < 50; i++) {
            const LearnedPosition made = made_lesson((uint64_t)(49 - i)); // newest first
            ck_assert(same_lesson(&kept.positions[i], &made));
        }
    }
}
END_TEST

START_TEST(a_reader_that_wants_few_gets_the_newest)
{
    LearnStore *const memory = memory_open_well();
    memory_write_made(memory, 0, 30, 1000);
    ck_assert_int_eq(memory_read_kept(memory, 7, &kept), LEARN_STORE_DONE);
    ck_assert_int_eq(kept.count, 7);
    const LearnedPosition made = made_lesson(29);
    ck_assert(same_lesson(&kept.positions[0], &made));
    learn_store_close(memory);
}
END_TEST

static bool see_next(void *ctx, const LearnedPosition *learned)
{
    uint64_t *const next = ctx;
    const LearnedPosition made = made_lesson((*next)++);
    return same_lesson(learned, &made);
}

START_TEST(a_reader_may_have_the_oldest_first)
{
    uint64_t next = 0;
    LearnStoreRest rest;
    LearnStore *const memory = memory_open_well();
    memory_write_made(memory, 0, 50, 1000);
    const LearnStoreReader reader = {
        .visit = see_next, .ctx = &next, .limit = 40, .ms = INT64_MAX, .oldest_first = true};
    ck_assert_int_eq(learn_store_read(memory, &reader, &rest), LEARN_STORE_DONE);
    ck_assert_uint_eq(next, 40);
    learn_store_close(memory);
}
END_TEST

START_TEST(what_there_is_is_counted)
{
    LearnStoreCounts counts;
    LearnStore *const memory = memory_open_well();
    memory_write_made(memory, 0, 30, 1000);
    LearnedPosition advice = made_lesson(3);
    advice.origin = ORIGIN_ADVICE;
    write_one(memory, &advice, LEARN_BEBE);
    ck_assert_int_eq(learn_store_count(memory, &counts), LEARN_STORE_DONE);
    ck_assert_int_eq(counts.positions, 31);
    ck_assert_int_eq(counts.by_origin[ORIGIN_LEARNED], 30);
    ck_assert_int_eq(counts.by_origin[ORIGIN_ANALYSIS], 0);
    ck_assert_int_eq(counts.by_origin[ORIGIN_ADVICE], 1);
    size_t size;
    free(memory_slurp(&size));
    ck_assert_int_eq(counts.bytes, (int64_t)size);
    learn_store_close(memory);
}
END_TEST

START_TEST(a_position_met_again_is_one_lesson_and_the_newest)
{
    LearnStore *const memory = memory_open_well();
    memory_write_made(memory, 0, 3, 1000);
    LearnedPosition again = made_lesson(0);
    again.score = 17;
    again.depth = 4;
    write_one(memory, &again, LEARN_BEBE);
    read_all(memory);
    ck_assert_int_eq(kept.count, 3);
    again.seen = 2;
    ck_assert(same_lesson(&kept.positions[0], &again));
    learn_store_close(memory);
}
END_TEST

START_TEST(mouse_keeps_the_deeper_lesson_and_counts_the_other)
{
    LearnStore *const memory = memory_open_well();
    LearnedPosition deep = made_lesson(0), shallow = deep;
    deep.depth = 20;
    shallow.depth = 19;
    shallow.score++;
    write_one(memory, &deep, LEARN_MOUSE);
    write_one(memory, &shallow, LEARN_MOUSE);
    read_all(memory);
    ck_assert_int_eq(kept.count, 1);
    deep.seen = 2;
    ck_assert(same_lesson(&kept.positions[0], &deep));
    learn_store_close(memory);
}
END_TEST

START_TEST(times_seen_do_not_overflow)
{
    LearnStore *const memory = memory_open_well();
    LearnedPosition learned = made_lesson(0);
    learned.seen = LEARNED_SEEN_MAX;
    write_one(memory, &learned, LEARN_BEBE);
    write_one(memory, &learned, LEARN_BEBE);
    read_all(memory);
    ck_assert(same_lesson(&kept.positions[0], &learned));
    learn_store_close(memory);
}
END_TEST

START_TEST(a_lesson_may_be_a_move_alone)
{
    LearnStore *const memory = memory_open_well();
    const LearnedPosition learned = learned_position_of(FEN_START, "b1c3", 0, 12);
    ck_assert_int_eq(learned.score, SCORE_NONE);
    write_one(memory, &learned, LEARN_BEBE);
    read_all(memory);
    ck_assert(same_lesson(&kept.positions[0], &learned));
    learn_store_close(memory);
}
END_TEST

START_TEST(chess960_is_remembered_as_it_was)
{
    LearnStore *const memory = memory_open_well();
    const char *const fens[] = {"1r2k2r/8/8/8/8/8/8/1R2K1R1 w GBhb - 0 1",
                                "1r2k2r/8/8/8/8/8/8/1R2K1R1 w G - 0 1",
                                "1r2k2r/8/8/8/8/8/8/1R2K1R1 w - - 0 1"};
    for (int i = 0; i < 3; i++) {
        const LearnedPosition learned =
            learned_position_of(fens[i], i == 2 ? "e1d1" : "e1g1", 50 + i, 12);
        write_one(memory, &learned, LEARN_BEBE);
        read_all(memory);
        ck_assert_int_eq(kept.count, i + 1);
        ck_assert(same_lesson(&kept.positions[0], &learned));
    }
    learn_store_close(memory);
}
END_TEST

START_TEST(the_oldest_go_first_and_advice_last)
{
    LearnStore *memory = memory_open_well();
    LearnedPosition advice = made_lesson(1000);
    advice.origin = ORIGIN_ADVICE;
    write_one(memory, &advice, LEARN_BEBE);
    for (uint64_t i = 0; i < 30; i++)
        memory_write_made(memory, i, 1, 10);
    read_all(memory);
    ck_assert_int_eq(kept.count, 10);
    for (int i = 0; i < 9; i++) {
        const LearnedPosition made = made_lesson((uint64_t)(29 - i));
        ck_assert(same_lesson(&kept.positions[i], &made));
    }
    ck_assert(same_lesson(&kept.positions[9], &advice));
    learn_store_close(memory);
    memory = memory_open_well(); // which must count anew
    memory_write_made(memory, 30, 25, 10);
    read_all(memory);
    ck_assert_int_eq(kept.count, 10);
    ck_assert(same_lesson(&kept.positions[9], &advice));
    const LearnStoreTerms terms = {.policy = LEARN_BEBE, .max = 1};
    LearnedPosition more[3];
    for (int i = 0; i < 3; i++) {
        more[i] = made_lesson(2000 + (uint64_t)i);
        more[i].origin = ORIGIN_ADVICE;
    }
    ck_assert_int_eq(learn_store_write(memory, more, 3, terms), LEARN_STORE_DONE);
    read_all(memory);
    ck_assert_int_eq(kept.count, 1);
    ck_assert(same_lesson(&kept.positions[0], &more[2]));
    learn_store_close(memory);
}
END_TEST

START_TEST(a_file_that_is_full_does_not_grow)
{
    size_t size, later;
    LearnStore *const memory = memory_open_well();
    for (uint64_t i = 0; i < 600; i += 20)
        memory_write_made(memory, i, 20, 300);
    free(memory_slurp(&size));
    for (uint64_t i = 600; i < 3000; i += 20)
        memory_write_made(memory, i, 20, 300);
    free(memory_slurp(&later));
    ck_assert_uint_le(later, size + size / 4);
    learn_store_close(memory);
}
END_TEST

START_TEST(a_clock_set_back_changes_nothing)
{
    LearnStore *const memory = memory_open_well();
    for (int i = 0; i < 20; i++) {
        LearnedPosition learned = made_lesson((uint64_t)i);
        learned.calendar_s = i % 3 == 0 ? -i : 1700000000 - 86400 * i;
        const LearnStoreTerms terms = {.policy = LEARN_CRAFTY, .max = 5};
        ck_assert_int_eq(learn_store_write(memory, &learned, 1, terms), LEARN_STORE_DONE);
        read_all(memory);
        ck_assert_int_eq(kept.count, i < 5 ? i + 1 : 5);
        ck_assert(same_lesson(&kept.positions[0], &learned));
    }
    learn_store_close(memory);
}
END_TEST

START_TEST(lessons_are_forgotten_one_by_one_or_all)
{
    int64_t forgotten;
    LearnStore *const memory = memory_open_well();
    memory_write_made(memory, 0, 400, 1000);
    LearnedPosition advice = made_lesson(3);
    advice.origin = ORIGIN_ADVICE;
    write_one(memory, &advice, LEARN_BEBE);
    ck_assert_int_eq(learn_store_forget(memory, advice.position, &forgotten), LEARN_STORE_DONE);
    ck_assert_int_eq(forgotten, 2);
    ck_assert_int_eq(learn_store_forget(memory, advice.position, &forgotten), LEARN_STORE_DONE);
    ck_assert_int_eq(forgotten, 0);
    read_all(memory);
    ck_assert_int_eq(kept.count, 399);
    size_t size, later;
    free(memory_slurp(&size));
    ck_assert_int_eq(learn_store_forget(memory, NULL, &forgotten), LEARN_STORE_DONE);
    ck_assert_int_eq(forgotten, 399);
    free(memory_slurp(&later));
    ck_assert_uint_lt(later, size / 2);
    read_all(memory);
    ck_assert_int_eq(kept.count, 0);
    memory_write_made(memory, 0, 1, 1000);
    read_all(memory);
    ck_assert_int_eq(kept.count, 1);
    learn_store_close(memory);
}
END_TEST

START_TEST(what_others_write_is_noticed)
{
    char error[LEARN_STORE_ERROR_MAX];
    LearnStoreStatus verdict;
    LearnStore *const one = memory_open_well();
    LearnStore *const other = memory_open_well();
    LearnStore *const reader = learn_store_open(memory_path, false, &verdict, error);
    ck_assert_ptr_nonnull(reader);
    memory_write_made(one, 0, 1, 1000);
    ck_assert(!learn_store_has_changed(one)); // it was itself
    ck_assert(learn_store_has_changed(other));
    ck_assert(learn_store_has_changed(reader));
    ck_assert(!learn_store_has_changed(reader));
    memory_write_made(other, 1, 1, 1000);
    for (int i = 0; i < 3; i++) {
        read_all(i == 0 ? one : i == 1 ? other : reader);
        ck_assert_int_eq(kept.count, 2);
    }
    learn_store_close(one);
    learn_store_close(other);
    learn_store_close(reader);
}
END_TEST

START_TEST(an_empty_file_is_filled_by_who_learns_and_left_alone_by_who_reads)
{
    size_t size;
    char error[LEARN_STORE_ERROR_MAX];
    LearnStoreStatus verdict;
    LearnStoreCounts counts;
    memory_spill("", 0);
    LearnStore *const reader = learn_store_open(memory_path, false, &verdict, error);
    ck_assert_ptr_nonnull(reader);
    ck_assert_str_eq(error, "");
    read_all(reader);
    ck_assert_int_eq(kept.count, 0);
    ck_assert_int_eq(learn_store_count(reader, &counts), LEARN_STORE_DONE);
    ck_assert_int_eq(counts.positions, 0);
    free(memory_slurp(&size));
    ck_assert_uint_eq(size, 0);
    LearnStore *const learner = memory_open_well();
    memory_write_made(learner, 0, 2, 1000);
    learn_store_close(learner);
    ck_assert(learn_store_has_changed(reader));
    read_all(reader);
    ck_assert_int_eq(kept.count, 2);
    learn_store_close(reader);
}
END_TEST

START_TEST(a_reader_does_not_write)
{
    char error[LEARN_STORE_ERROR_MAX];
    LearnStoreStatus verdict;
    size_t size, later;
    int64_t forgotten;
    LearnStore *memory = memory_open_well();
    memory_write_made(memory, 0, 5, 1000);
    learn_store_close(memory);
    uint8_t *const before = memory_slurp(&size);
    memory = learn_store_open(memory_path, false, &verdict, error);
    ck_assert_ptr_nonnull(memory);
    ck_assert(!learn_store_is_writable(memory));
    const LearnedPosition learned = made_lesson(9);
    const LearnStoreTerms terms = {.policy = LEARN_BEBE, .max = 1};
    ck_assert_int_eq(learn_store_write(memory, &learned, 1, terms), LEARN_STORE_FAILED);
    ck_assert_int_eq(learn_store_forget(memory, NULL, &forgotten), LEARN_STORE_FAILED);
    ck_assert_str_eq(learn_store_error(memory), "is only read");
    learn_store_close(memory);
    uint8_t *const after = memory_slurp(&later);
    ck_assert_uint_eq(size, later);
    ck_assert_mem_eq(before, after, size);
    free(before);
    free(after);
}
END_TEST

/* SQLite itself would keep these in RAM or read more into the name. */
START_TEST(any_name_is_the_name_of_a_file)
{
    static const char *const names[] = {":memory:", "file:x.db?mode=memory", "a b'\"%s.db", "-"};
    char error[LEARN_STORE_ERROR_MAX];
    LearnStoreStatus verdict;
    char before[4096];
    ck_assert_ptr_nonnull(getcwd(before, sizeof before));
    ck_assert_int_eq(chdir(memory_folder), 0);
    for (int i = 0; i < 4; i++) {
        LearnStore *const memory = learn_store_open(names[i], true, &verdict, error);
        ck_assert_msg(memory != NULL, "%s %s", names[i], error);
        memory_write_made(memory, 0, 1, 1000);
        learn_store_close(memory);
        char path[64];
        snprintf(path, sizeof path, "./%s", names[i]);
        ck_assert_msg(access(path, F_OK) == 0, "%s", path);
    }
    ck_assert_int_eq(chdir(before), 0);
}
END_TEST

/* Crafty's permanent hash was silently of no use for two releases after its keys had changed. Here
 * a file whose keys are those of another program serves as well. */
START_TEST(files_do_not_depend_on_the_hash_function)
{
    LearnStore *memory = memory_open_well();
    memory_write_made(memory, 0, 20, 1000);
    learn_store_close(memory);
    Foreigner *const foreigner = foreigner_open(memory_path);
    if (foreigner == NULL)
        return;
    ck_assert(foreigner_run(foreigner, "UPDATE lesson SET key = id * 12345"));
    foreigner_close(foreigner);
    memory = memory_open_well();
    read_all(memory);
    ck_assert_int_eq(kept.count, 20);
    for (int i = 0; i < 20; i++) {
        const LearnedPosition made = made_lesson((uint64_t)(19 - i));
        ck_assert(same_lesson(&kept.positions[i], &made));
    }
    learn_store_close(memory);
}
END_TEST

enum { MANY = 20000 };

static bool count_lesson(void *ctx, const LearnedPosition *learned)
{
    (void)learned;
    ++*(int *)ctx;
    return true;
}

/* Others froze for minutes over large files. */
START_TEST(a_reader_in_a_hurry_gets_what_there_is_time_for)
{
    LearnStore *const memory = memory_open_well();
    for (uint64_t i = 0; i < MANY; i += 1000)
        memory_write_made(memory, i, 1000, MANY);
    int count = 0;
    const LearnStoreReader reader = {.visit = count_lesson, .ctx = &count, .limit = MANY, .ms = 0};
    LearnStoreRest rest;
    ck_assert_int_eq(learn_store_read(memory, &reader, &rest), LEARN_STORE_DONE);
    ck_assert(rest.is_late);
    ck_assert_int_lt(count, MANY / 2);
    read_all(memory); // and there is no limit to what comes after
    ck_assert_int_eq(kept.count, KEPT_MAX);
    learn_store_close(memory);
}
END_TEST

/* What others took ten seconds and more for, at the first move. */
START_TEST(many_lessons_are_read_in_no_time)
{
    LearnStore *memory = memory_open_well();
    for (uint64_t i = 0; i < MANY; i += 1000)
        memory_write_made(memory, i, 1000, MANY);
    learn_store_close(memory);
    const int64_t start_ms = clock_ms();
    int count = 0;
    const LearnStoreReader reader = {
        .visit = count_lesson, .ctx = &count, .limit = MANY, .ms = INT64_MAX};
    LearnStoreRest rest;
    memory = memory_open_well();
    ck_assert_int_eq(learn_store_read(memory, &reader, &rest), LEARN_STORE_DONE);
    ck_assert(!rest.is_late);
    learn_store_close(memory);
    ck_assert_int_gt(count, MANY * 9 / 10); // random games lead to some positions twice
    ck_assert_int_lt(clock_ms() - start_ms, 2000);
}
END_TEST

Suite *suite_learn_store(void);
Suite *suite_learn_store(void)
{
    Suite *const suite = suite_create("learn_store");
    TCase *const tcase = tcase_create("memory");
    tcase_add_checked_fixture(tcase, memory_enter, memory_leave);
    tcase_set_timeout(tcase, 60);
    if (!learn_store_is_linked()) {
        puts("skipped: memory: built without SQLite");
        return suite;
    }
    tcase_add_test(tcase, lessons_outlive_the_program);
    tcase_add_test(tcase, a_reader_that_wants_few_gets_the_newest);
    tcase_add_test(tcase, a_reader_may_have_the_oldest_first);
    tcase_add_test(tcase, what_there_is_is_counted);
    tcase_add_test(tcase, a_position_met_again_is_one_lesson_and_the_newest);
    tcase_add_test(tcase, mouse_keeps_the_deeper_lesson_and_counts_the_other);
    tcase_add_test(tcase, times_seen_do_not_overflow);
    tcase_add_test(tcase, a_lesson_may_be_a_move_alone);
    tcase_add_test(tcase, chess960_is_remembered_as_it_was);
    tcase_add_test(tcase, the_oldest_go_first_and_advice_last);
    tcase_add_test(tcase, a_file_that_is_full_does_not_grow);
    tcase_add_test(tcase, a_clock_set_back_changes_nothing);
    tcase_add_test(tcase, lessons_are_forgotten_one_by_one_or_all);
    tcase_add_test(tcase, what_others_write_is_noticed);
    tcase_add_test(tcase, an_empty_file_is_filled_by_who_learns_and_left_alone_by_who_reads);
    tcase_add_test(tcase, a_reader_does_not_write);
    tcase_add_test(tcase, any_name_is_the_name_of_a_file);
    tcase_add_test(tcase, files_do_not_depend_on_the_hash_function);
    tcase_add_test(tcase, a_reader_in_a_hurry_gets_what_there_is_time_for);
    tcase_add_test(tcase, many_lessons_are_read_in_no_time);
    suite_add_tcase(suite, tcase);
    return suite;
}
