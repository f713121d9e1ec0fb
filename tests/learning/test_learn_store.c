// SPDX-License-Identifier: GPL-3.0-or-later
/* The file of learned positions in normal use; test_learn_store_faults.c tests the failures,
 * test_learn_store_sharing.c the use by several programs. */
#include "learning/learn_store.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "chess/fen.h"
#include "learning/learn_store_fixture.h"

static StoreContents contents;

/* Reads an open file into `contents`. */
static void read_all(LearnStore *store)
{
    ck_assert_int_eq(store_read(store, CONTENTS_MAX, &contents), LEARN_STORE_DONE);
}

/* Opens the file, reads it into `contents` and closes it. */
static void read_file(bool writes)
{
    char error[LEARN_STORE_ERROR_MAX];
    LearnStoreStatus status;
    LearnStore *const store = learn_store_open(store_path, writes, &status, error);
    ck_assert_msg(store != NULL, "%s", error);
    read_all(store);
    learn_store_close(store);
}

static void write_one(LearnStore *store, const LearnedPosition *learned, LearnPolicy policy)
{
    const LearnStoreRules rules = {.policy = policy, .capacity = 1000};
    ck_assert_int_eq(learn_store_write(store, learned, 1, rules), LEARN_STORE_DONE);
}

START_TEST(positions_survive_closing_the_file)
{
    LearnStore *const store = store_open();
    read_all(store);
    ck_assert_int_eq(contents.count, 0);
    store_write_made(store, 0, 50, 1000);
    learn_store_close(store);
    for (int writes = 0; writes < 2; writes++) {
        read_file(writes != 0);
        ck_assert_int_eq(contents.count, 50);
        ck_assert_int_eq(contents.skipped.damaged, 0);
        for (int i = 0; i < 50; i++) {
            const LearnedPosition made = make_learned((uint64_t)(49 - i)); // newest first
            ck_assert(learned_equal(&contents.positions[i], &made));
        }
    }
}
END_TEST

START_TEST(a_limited_read_gives_the_newest)
{
    LearnStore *const store = store_open();
    store_write_made(store, 0, 30, 1000);
    ck_assert_int_eq(store_read(store, 7, &contents), LEARN_STORE_DONE);
    ck_assert_int_eq(contents.count, 7);
    const LearnedPosition made = make_learned(29);
    ck_assert(learned_equal(&contents.positions[0], &made));
    learn_store_close(store);
}
END_TEST

static bool expect_next(void *ctx, const LearnedPosition *learned)
{
    uint64_t *const next = ctx;
    const LearnedPosition made = make_learned((*next)++);
    return learned_equal(learned, &made);
}

START_TEST(rows_can_be_read_oldest_first)
{
    uint64_t next = 0;
    LearnStoreSkipped skipped;
    LearnStore *const store = store_open();
    store_write_made(store, 0, 50, 1000);
    const LearnStoreReader reader = {.visit = expect_next,
                                     .ctx = &next,
                                     .limit = 40,
                                     .ms = INT64_MAX,
                                     .order = LEARN_OLDEST_FIRST};
    ck_assert_int_eq(learn_store_read(store, &reader, &skipped), LEARN_STORE_DONE);
    ck_assert_uint_eq(next, 40);
    learn_store_close(store);
}
END_TEST

static bool note_origin(void *ctx, const LearnedPosition *learned)
{
    char *const origins = ctx;
    origins[strlen(origins)] = learned->origin == ORIGIN_ADVICE ? 'a' : '-';
    return true;
}

START_TEST(advice_can_be_read_alone)
{
    LearnStoreSkipped skipped;
    LearnStore *const store = store_open();
    for (uint64_t number = 0; number < 2; number++) {
        LearnedPosition advice = make_learned(number);
        advice.origin = ORIGIN_ADVICE;
        write_one(store, &advice, LEARN_BEBE);
    }
    store_write_made(store, 10, 20, 1000);
    const struct {
        LearnOrder order;
        int64_t limit;
        const char *origins;
        bool has_more;
    } cases[] = {
        {LEARN_ADVICE, 1, "a", true},
        {LEARN_ADVICE, 2, "aa", false},
        {LEARN_ADVICE, INT64_MAX, "aa", false},
        {LEARN_NEWEST_FIRST, 5, "-----", true},
        {LEARN_NEWEST_FIRST, 22, "--------------------aa", false},
        {LEARN_OLDEST_FIRST, 3, "aa-", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char origins[100] = "";
        const LearnStoreReader reader = {.visit = note_origin,
                                         .ctx = origins,
                                         .limit = cases[i].limit,
                                         .ms = INT64_MAX,
                                         .order = cases[i].order};
        ck_assert_int_eq(learn_store_read(store, &reader, &skipped), LEARN_STORE_DONE);
        ck_assert_str_eq(origins, cases[i].origins);
        ck_assert(skipped.has_more == cases[i].has_more);
    }
    learn_store_close(store);
}
END_TEST

START_TEST(counts_match_the_contents)
{
    LearnStoreCounts counts;
    LearnStore *const store = store_open();
    store_write_made(store, 0, 30, 1000);
    LearnedPosition advice = make_learned(3);
    advice.origin = ORIGIN_ADVICE;
    write_one(store, &advice, LEARN_BEBE);
    ck_assert_int_eq(learn_store_count(store, &counts), LEARN_STORE_DONE);
    ck_assert_int_eq(counts.positions, 31);
    ck_assert_int_eq(counts.by_origin[ORIGIN_LEARNED], 30);
    ck_assert_int_eq(counts.by_origin[ORIGIN_ANALYSIS], 0);
    ck_assert_int_eq(counts.by_origin[ORIGIN_ADVICE], 1);
    size_t size;
    free(store_file_read(&size));
    ck_assert_int_eq(counts.bytes, (int64_t)size);
    learn_store_close(store);
}
END_TEST

START_TEST(a_repeated_position_keeps_one_row_and_becomes_the_newest)
{
    LearnStore *const store = store_open();
    store_write_made(store, 0, 3, 1000);
    LearnedPosition again = make_learned(0);
    again.score = 17;
    again.depth = 4;
    write_one(store, &again, LEARN_BEBE);
    read_all(store);
    ck_assert_int_eq(contents.count, 3);
    again.seen = 2;
    ck_assert(learned_equal(&contents.positions[0], &again));
    learn_store_close(store);
}
END_TEST

START_TEST(mouse_keeps_the_deeper_result_and_counts_the_other)
{
    LearnStore *const store = store_open();
    LearnedPosition deep = make_learned(0), shallow = deep;
    deep.depth = 20;
    shallow.depth = 19;
    shallow.score++;
    write_one(store, &deep, LEARN_MOUSE);
    write_one(store, &shallow, LEARN_MOUSE);
    read_all(store);
    ck_assert_int_eq(contents.count, 1);
    deep.seen = 2;
    ck_assert(learned_equal(&contents.positions[0], &deep));
    learn_store_close(store);
}
END_TEST

START_TEST(times_seen_do_not_overflow)
{
    LearnStore *const store = store_open();
    LearnedPosition learned = make_learned(0);
    learned.seen = LEARNED_SEEN_MAX;
    write_one(store, &learned, LEARN_BEBE);
    write_one(store, &learned, LEARN_BEBE);
    read_all(store);
    ck_assert(learned_equal(&contents.positions[0], &learned));
    learn_store_close(store);
}
END_TEST

static void import_one(LearnStore *store, const LearnedPosition *learned)
{
    const LearnStoreRules rules = {
        .policy = LEARN_BEBE, .is_import = true, .network = 0x1994, .capacity = 1000};
    ck_assert_int_eq(learn_store_write(store, learned, 1, rules), LEARN_STORE_DONE);
    read_all(store);
    ck_assert_int_eq(contents.count, 1);
}

START_TEST(a_record_that_is_imported_again_is_not_counted_twice)
{
    LearnStore *const store = store_open();
    LearnedPosition learned = make_learned(0);
    learned.seen = 3;
    import_one(store, &learned);
    import_one(store, &learned);
    ck_assert_int_eq(contents.positions[0].seen, 3);
    learned.seen = 5;
    import_one(store, &learned);
    ck_assert_int_eq(contents.positions[0].seen, 5);
    learned.calendar_s++; // after another search
    learned.seen = 6;
    import_one(store, &learned);
    ck_assert_int_eq(contents.positions[0].seen, 6);
    learned.calendar_s--; // an export from before it
    learned.seen = 5;
    import_one(store, &learned);
    ck_assert_int_eq(contents.positions[0].seen, 6);
    learn_store_close(store);
}
END_TEST

START_TEST(of_two_pieces_of_advice_the_newer_one_stays)
{
    LearnStore *const store = store_open();
    LearnedPosition newer = learned_position_of(FEN_START, "b1c3", 150, 12), older;
    newer.origin = ORIGIN_ADVICE;
    newer.calendar_s = 2000;
    older = learned_position_of(FEN_START, "g1f3", 20, 30);
    older.origin = ORIGIN_ADVICE;
    older.calendar_s = 1000;
    for (int i = 0; i < 2; i++) { // in both orders
        import_one(store, i == 0 ? &older : &newer);
        import_one(store, i == 0 ? &newer : &older);
        ck_assert_int_eq(contents.positions[0].move, newer.move);
        ck_assert_int_eq(contents.positions[0].calendar_s, 2000);
    }
    learn_store_close(store);
}
END_TEST

START_TEST(advice_without_a_number_keeps_the_score_of_the_same_move)
{
    LearnStore *const store = store_open();
    LearnedPosition first = learned_position_of(FEN_START, "b1c3", 150, 12), later;
    first.origin = ORIGIN_ADVICE;
    later = learned_position_of(FEN_START, "b1c3", SCORE_NONE, 20);
    later.origin = ORIGIN_ADVICE;
    later.keeps_score = true;
    import_one(store, &first);
    import_one(store, &later);
    ck_assert(learned_equal(&contents.positions[0], &first));
    later.keeps_score = false; // its score is near the draw
    import_one(store, &later);
    ck_assert_int_eq(contents.positions[0].score, SCORE_NONE);
    import_one(store, &first);
    later = learned_position_of(FEN_START, "g1f3", SCORE_NONE, 20);
    later.origin = ORIGIN_ADVICE;
    later.keeps_score = true;
    import_one(store, &later);
    ck_assert_int_eq(contents.positions[0].score, SCORE_NONE);
    ck_assert_int_eq(contents.positions[0].move, later.move);
    learn_store_close(store);
}
END_TEST

START_TEST(a_move_without_a_score_is_stored)
{
    LearnStore *const store = store_open();
    const LearnedPosition learned = learned_position_of(FEN_START, "b1c3", 0, 12);
    ck_assert_int_eq(learned.score, SCORE_NONE);
    write_one(store, &learned, LEARN_BEBE);
    read_all(store);
    ck_assert(learned_equal(&contents.positions[0], &learned));
    learn_store_close(store);
}
END_TEST

START_TEST(chess960_positions_survive_a_round_trip)
{
    LearnStore *const store = store_open();
    const char *const fens[] = {"1r2k2r/8/8/8/8/8/8/1R2K1R1 w GBhb - 0 1",
                                "1r2k2r/8/8/8/8/8/8/1R2K1R1 w G - 0 1",
                                "1r2k2r/8/8/8/8/8/8/1R2K1R1 w - - 0 1"};
    for (int i = 0; i < 3; i++) {
        const LearnedPosition learned =
            learned_position_of(fens[i], i == 2 ? "e1d1" : "e1g1", 50 + i, 12);
        write_one(store, &learned, LEARN_BEBE);
        read_all(store);
        ck_assert_int_eq(contents.count, i + 1);
        ck_assert(learned_equal(&contents.positions[0], &learned));
    }
    learn_store_close(store);
}
END_TEST

START_TEST(the_oldest_are_deleted_first_and_advice_last)
{
    LearnStore *store = store_open();
    LearnedPosition advice = make_learned(1000);
    advice.origin = ORIGIN_ADVICE;
    write_one(store, &advice, LEARN_BEBE);
    ck_assert_int_eq(learn_store_deleted(store), 0);
    for (uint64_t i = 0; i < 30; i++)
        store_write_made(store, i, 1, 10);
    ck_assert_int_eq(learn_store_deleted(store), 21);
    read_all(store);
    ck_assert_int_eq(contents.count, 10);
    for (int i = 0; i < 9; i++) {
        const LearnedPosition made = make_learned((uint64_t)(29 - i));
        ck_assert(learned_equal(&contents.positions[i], &made));
    }
    ck_assert(learned_equal(&contents.positions[9], &advice));
    learn_store_close(store);
    store = store_open(); // which must count the rows again
    store_write_made(store, 30, 25, 10);
    read_all(store);
    ck_assert_int_eq(contents.count, 10);
    ck_assert(learned_equal(&contents.positions[9], &advice));
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 1};
    LearnedPosition more[3];
    for (int i = 0; i < 3; i++) {
        more[i] = make_learned(2000 + (uint64_t)i);
        more[i].origin = ORIGIN_ADVICE;
    }
    ck_assert_int_eq(learn_store_write(store, more, 3, rules), LEARN_STORE_DONE);
    ck_assert_int_eq(learn_store_deleted(store), 25 + 12);
    read_all(store);
    ck_assert_int_eq(contents.count, 1);
    ck_assert(learned_equal(&contents.positions[0], &more[2]));
    learn_store_close(store);
}
END_TEST

START_TEST(a_file_that_was_emptied_has_room_again)
{
    int64_t forgotten;
    LearnStore *const store = store_open();
    store_write_made(store, 0, 10, 10);
    ck_assert_int_eq(learn_store_forget(store, NULL, &forgotten), LEARN_STORE_DONE);
    store_write_made(store, 10, 10, 10);
    read_all(store);
    ck_assert_int_eq(contents.count, 10);
    learn_store_close(store);
}
END_TEST

START_TEST(rows_of_others_count_towards_the_capacity)
{
    LearnStore *const store = store_open(), *const other = store_open();
    store_write_made(store, 0, 5, 10);
    store_write_made(other, 5, 5, 10);
    store_write_made(store, 10, 5, 10);
    read_all(store);
    ck_assert_int_eq(contents.count, 10);
    learn_store_close(other);
    learn_store_close(store);
}
END_TEST

START_TEST(a_file_that_is_full_does_not_grow)
{
    size_t size, later;
    LearnStore *const store = store_open();
    for (uint64_t i = 0; i < 600; i += 20)
        store_write_made(store, i, 20, 300);
    free(store_file_read(&size));
    for (uint64_t i = 600; i < 3000; i += 20)
        store_write_made(store, i, 20, 300);
    free(store_file_read(&later));
    ck_assert_uint_le(later, size + size / 4);
    learn_store_close(store);
}
END_TEST

START_TEST(the_system_clock_does_not_affect_the_order)
{
    LearnStore *const store = store_open();
    for (int i = 0; i < 20; i++) {
        LearnedPosition learned = make_learned((uint64_t)i);
        learned.calendar_s = i % 3 == 0 ? -i : 1700000000 - 86400 * i;
        const LearnStoreRules rules = {.policy = LEARN_CRAFTY, .capacity = 5};
        ck_assert_int_eq(learn_store_write(store, &learned, 1, rules), LEARN_STORE_DONE);
        read_all(store);
        ck_assert_int_eq(contents.count, i < 5 ? i + 1 : 5);
        ck_assert(learned_equal(&contents.positions[0], &learned));
    }
    learn_store_close(store);
}
END_TEST

START_TEST(one_position_or_all_can_be_deleted)
{
    int64_t forgotten;
    LearnStore *const store = store_open();
    store_write_made(store, 0, 400, 1000);
    LearnedPosition advice = make_learned(3);
    advice.origin = ORIGIN_ADVICE;
    write_one(store, &advice, LEARN_BEBE);
    ck_assert_int_eq(learn_store_forget(store, advice.position, &forgotten), LEARN_STORE_DONE);
    ck_assert_int_eq(forgotten, 2);
    ck_assert_int_eq(learn_store_forget(store, advice.position, &forgotten), LEARN_STORE_DONE);
    ck_assert_int_eq(forgotten, 0);
    read_all(store);
    ck_assert_int_eq(contents.count, 399);
    size_t size, later;
    free(store_file_read(&size));
    ck_assert_int_eq(learn_store_forget(store, NULL, &forgotten), LEARN_STORE_DONE);
    ck_assert_int_eq(forgotten, 399);
    free(store_file_read(&later));
    ck_assert_uint_lt(later, size / 2);
    read_all(store);
    ck_assert_int_eq(contents.count, 0);
    store_write_made(store, 0, 1, 1000);
    read_all(store);
    ck_assert_int_eq(contents.count, 1);
    learn_store_close(store);
}
END_TEST

START_TEST(changes_by_other_programs_are_detected)
{
    char error[LEARN_STORE_ERROR_MAX];
    LearnStoreStatus status;
    LearnStore *const one = store_open();
    LearnStore *const other = store_open();
    LearnStore *const reader = learn_store_open(store_path, false, &status, error);
    ck_assert_ptr_nonnull(reader);
    store_write_made(one, 0, 1, 1000);
    ck_assert(!learn_store_has_changed(one)); // its own change
    ck_assert(learn_store_has_changed(other));
    ck_assert(learn_store_has_changed(reader));
    ck_assert(!learn_store_has_changed(reader));
    store_write_made(other, 1, 1, 1000);
    for (int i = 0; i < 3; i++) {
        read_all(i == 0 ? one : i == 1 ? other : reader);
        ck_assert_int_eq(contents.count, 2);
    }
    learn_store_close(one);
    learn_store_close(other);
    learn_store_close(reader);
}
END_TEST

/* As `cp` does. SQLite does not notice it where the headers of both files have the same counters,
 * as after equally many commits. */
START_TEST(a_file_overwritten_by_another_is_noticed)
{
    const LearnedPosition old = make_learned(0), new = make_learned(1), next = make_learned(2);
    size_t size;
    LearnStore *store = store_open();
    write_one(store, &new, LEARN_BEBE);
    learn_store_close(store);
    uint8_t *const bytes = store_file_read(&size);
    ck_assert_int_eq(unlink(store_path), 0);

    for (int writes = 0; writes < 2; writes++) {
        store = store_open();
        write_one(store, &old, LEARN_BEBE);
        read_all(store);
        ck_assert(!learn_store_has_changed(store));
        store_file_write(bytes, size);
        if (writes != 0)
            write_one(store, &next, LEARN_BEBE);
        ck_assert(learn_store_has_changed(store));
        ck_assert(!learn_store_has_changed(store));
        for (int reads = 0; reads < 2; reads++) {
            read_all(store);
            ck_assert_int_eq(contents.count, 1 + writes);
            ck_assert_int_eq(contents.skipped.damaged, 0);
            ck_assert(learned_equal(&contents.positions[writes], &new));
            learn_store_close(store);
            store = store_open();
        }
        learn_store_close(store);
        ck_assert_int_eq(unlink(store_path), 0);
    }
    store = store_open();
    store_file_write("other", 5);
    ck_assert(learn_store_has_changed(store));
    ck_assert(!learn_store_has_changed(store));
    store_file_write(bytes, size);
    ck_assert(learn_store_has_changed(store));
    learn_store_close(store);
    free(bytes);
}
END_TEST

START_TEST(only_a_writer_fills_an_empty_file)
{
    size_t size;
    char error[LEARN_STORE_ERROR_MAX];
    LearnStoreStatus status;
    LearnStoreCounts counts;
    store_file_write("", 0);
    LearnStore *const reader = learn_store_open(store_path, false, &status, error);
    ck_assert_ptr_nonnull(reader);
    ck_assert_str_eq(error, "");
    read_all(reader);
    ck_assert_int_eq(contents.count, 0);
    ck_assert_int_eq(learn_store_count(reader, &counts), LEARN_STORE_DONE);
    ck_assert_int_eq(counts.positions, 0);
    free(store_file_read(&size));
    ck_assert_uint_eq(size, 0);
    LearnStore *const learner = store_open();
    store_write_made(learner, 0, 2, 1000);
    learn_store_close(learner);
    ck_assert(learn_store_has_changed(reader));
    read_all(reader);
    ck_assert_int_eq(contents.count, 2);
    learn_store_close(reader);
}
END_TEST

START_TEST(a_reader_does_not_write)
{
    char error[LEARN_STORE_ERROR_MAX];
    LearnStoreStatus status;
    size_t size;
    int64_t forgotten;
    LearnStore *store = store_open();
    store_write_made(store, 0, 5, 1000);
    learn_store_close(store);
    uint8_t *const before = store_file_read(&size);
    store = learn_store_open(store_path, false, &status, error);
    ck_assert_ptr_nonnull(store);
    ck_assert(!learn_store_is_writable(store));
    const LearnedPosition learned = make_learned(9);
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 1};
    ck_assert_int_eq(learn_store_write(store, &learned, 1, rules), LEARN_STORE_FAILED);
    ck_assert_int_eq(learn_store_forget(store, NULL, &forgotten), LEARN_STORE_FAILED);
    ck_assert_str_eq(learn_store_error(store), "is open for reading only");
    learn_store_close(store);
    store_check_unchanged(before, size);
}
END_TEST

/* SQLite would treat the first two as URIs or databases in RAM. */
START_TEST(special_names_of_sqlite_are_plain_file_names)
{
    static const char *const names[] = {":memory:", "file:x.db?mode=memory", "a b'\"%s.db", "-"};
    char error[LEARN_STORE_ERROR_MAX];
    LearnStoreStatus status;
    char before[4096];
    ck_assert_ptr_nonnull(getcwd(before, sizeof before));
    ck_assert_int_eq(chdir(store_folder), 0);
    for (int i = 0; i < 4; i++) {
        LearnStore *const store = learn_store_open(names[i], true, &status, error);
        ck_assert_msg(store != NULL, "%s %s", names[i], error);
        store_write_made(store, 0, 1, 1000);
        learn_store_close(store);
        char path[64];
        snprintf(path, sizeof path, "./%s", names[i]);
        ck_assert_msg(access(path, F_OK) == 0, "%s", path);
    }
    ck_assert_int_eq(chdir(before), 0);
}
END_TEST

/* Crafty's permanent hash silently stopped working for two releases after a change of its keys. Our
 * files must work with any keys. */
START_TEST(files_do_not_depend_on_the_hash_function)
{
    LearnStore *store = store_open();
    store_write_made(store, 0, 20, 1000);
    learn_store_close(store);
    SqliteClient *const client = client_open(store_path);
    if (client == NULL)
        return;
    ck_assert(client_run(client, "UPDATE lesson SET key = id * 12345"));
    client_close(client);
    store = store_open();
    read_all(store);
    ck_assert_int_eq(contents.count, 20);
    for (int i = 0; i < 20; i++) {
        const LearnedPosition made = make_learned((uint64_t)(19 - i));
        ck_assert(learned_equal(&contents.positions[i], &made));
    }
    learn_store_close(store);
}
END_TEST

enum { MANY = 20000 };

static bool count_position(void *ctx, const LearnedPosition *learned)
{
    (void)learned;
    ++*(int *)ctx;
    return true;
}

/* Users reported other engines that froze for minutes with large files. */
START_TEST(a_read_stops_at_its_time_limit)
{
    LearnStore *const store = store_open();
    for (uint64_t i = 0; i < MANY; i += 1000)
        store_write_made(store, i, 1000, MANY);
    int count = 0;
    const LearnStoreReader reader = {
        .visit = count_position, .ctx = &count, .limit = MANY, .ms = 0};
    LearnStoreSkipped skipped;
    ck_assert_int_eq(learn_store_read(store, &reader, &skipped), LEARN_STORE_DONE);
    ck_assert(skipped.timed_out);
    ck_assert_int_lt(count, MANY / 2);
    read_all(store); // the limit does not apply to the next read
    ck_assert_int_eq(contents.count, CONTENTS_MAX);
    learn_store_close(store);
}
END_TEST

/* Users reported other engines that needed ten seconds and more at the first move. */
START_TEST(twenty_thousand_positions_are_read_in_two_seconds)
{
    LearnStore *store = store_open();
    for (uint64_t i = 0; i < MANY; i += 1000)
        store_write_made(store, i, 1000, MANY);
    learn_store_close(store);
    const int64_t start_ms = clock_ms();
    int count = 0;
    const LearnStoreReader reader = {
        .visit = count_position, .ctx = &count, .limit = MANY, .ms = INT64_MAX};
    LearnStoreSkipped skipped;
    store = store_open();
    ck_assert_int_eq(learn_store_read(store, &reader, &skipped), LEARN_STORE_DONE);
    ck_assert(!skipped.timed_out);
    learn_store_close(store);
    ck_assert_int_gt(count, MANY * 9 / 10); // random games lead to some positions twice
    ck_assert_int_lt(clock_ms() - start_ms, 2000);
}
END_TEST

Suite *suite_learn_store(void);
Suite *suite_learn_store(void)
{
    Suite *const suite = suite_create("learn_store");
    TCase *const tcase = tcase_create("learn_store");
    tcase_add_checked_fixture(tcase, store_setup, store_teardown);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    if (!store_tests_can_run(tcase))
        return suite;
    tcase_add_test(tcase, positions_survive_closing_the_file);
    tcase_add_test(tcase, a_limited_read_gives_the_newest);
    tcase_add_test(tcase, rows_can_be_read_oldest_first);
    tcase_add_test(tcase, advice_can_be_read_alone);
    tcase_add_test(tcase, counts_match_the_contents);
    tcase_add_test(tcase, a_repeated_position_keeps_one_row_and_becomes_the_newest);
    tcase_add_test(tcase, mouse_keeps_the_deeper_result_and_counts_the_other);
    tcase_add_test(tcase, times_seen_do_not_overflow);
    tcase_add_test(tcase, a_record_that_is_imported_again_is_not_counted_twice);
    tcase_add_test(tcase, of_two_pieces_of_advice_the_newer_one_stays);
    tcase_add_test(tcase, advice_without_a_number_keeps_the_score_of_the_same_move);
    tcase_add_test(tcase, a_move_without_a_score_is_stored);
    tcase_add_test(tcase, chess960_positions_survive_a_round_trip);
    tcase_add_test(tcase, the_oldest_are_deleted_first_and_advice_last);
    tcase_add_test(tcase, a_file_that_was_emptied_has_room_again);
    tcase_add_test(tcase, rows_of_others_count_towards_the_capacity);
    tcase_add_test(tcase, a_file_that_is_full_does_not_grow);
    tcase_add_test(tcase, the_system_clock_does_not_affect_the_order);
    tcase_add_test(tcase, one_position_or_all_can_be_deleted);
    tcase_add_test(tcase, changes_by_other_programs_are_detected);
    tcase_add_test(tcase, a_file_overwritten_by_another_is_noticed);
    tcase_add_test(tcase, only_a_writer_fills_an_empty_file);
    tcase_add_test(tcase, a_reader_does_not_write);
    tcase_add_test(tcase, special_names_of_sqlite_are_plain_file_names);
    tcase_add_test(tcase, files_do_not_depend_on_the_hash_function);
    tcase_add_test(tcase, a_read_stops_at_its_time_limit);
    tcase_add_test(tcase, twenty_thousand_positions_are_read_in_two_seconds);
    return suite;
}
