// SPDX-License-Identifier: GPL-3.0-or-later
/* What position learning does with its file when that is invalid, damaged, deleted, replaced or
 * locked by another program. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"
#include "chess/fen.h"
#include "learning/learn_fixture.h"
#include "learning/learning.h"

START_TEST(an_invalid_file_turns_learning_off_and_play_continues)
{
    store_file_write("something else entirely", 23);
    learn_set_options(LEARNING_LEARN, LEARN_BEBE);
    ck_assert(learning_apply(learn_learning(), learn_message));
    ck_assert_msg(strstr(learn_message, "error: MemoryFile: '") == learn_message, "%s",
                  learn_message);
    ck_assert_msg(strstr(learn_message, "; position learning is off") != NULL, "%s", learn_message);
    learn_search(LEARN_ROOT, 6);
    ck_assert_ptr_null(learning_table(learn_learning()));
    engine_new_game(learn_engine);
    ck_assert(!learning_apply(learn_learning(), learn_message)); // reported before
    remove(store_path);
    engine_new_game(learn_engine);
    ck_assert(learning_apply(learn_learning(), learn_message)); // and now it works
    ck_assert_int_eq(learning_state(learn_learning()).mode, LEARNING_LEARN);
}
END_TEST

/* Learns with a file of 500 positions, which is then damaged. */
static void learn_from_damaged_file(void)
{
    LearnStore *const store = store_open();
    store_write_made(store, 0, 500, 1000);
    learn_store_close(store);
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    store_damage(500);
}

/* The damage is reported, and the file is not written in later games. */
static void check_damage_is_noticed(void)
{
    size_t size;
    uint8_t *const before = store_file_read(&size);
    ck_assert(learning_apply(learn_learning(), learn_message));
    ck_assert_msg(strstr(learn_message, "error: MemoryFile: '") == learn_message, "%s",
                  learn_message);
    ck_assert_msg(strstr(learn_message, ", nothing is learned") != NULL, "%s", learn_message);
    ck_assert_int_eq(learning_state(learn_learning()).mode, LEARNING_READ);
    ck_assert_int_gt(learn_positions(), 100); // those before the damage
    learn_search(LEARN_ROOT, 6);
    engine_new_game(learn_engine);
    ck_assert(!learning_apply(learn_learning(), learn_message));
    ck_assert(learning_flush(learn_learning(), 10000));
    store_check_unchanged(before, size);
}

START_TEST(a_file_that_becomes_damaged_is_only_read)
{
    learn_from_damaged_file();
    engine_new_game(learn_engine);
    check_damage_is_noticed();
}
END_TEST

START_TEST(a_file_that_is_sound_again_is_written_in_the_next_game)
{
    size_t size;
    LearnStore *const store = store_open();
    store_write_made(store, 0, 5, 1000);
    learn_store_close(store);
    uint8_t *const sound = store_file_read(&size);
    learn_from_damaged_file();
    engine_new_game(learn_engine);
    check_damage_is_noticed();
    store_file_write(sound, size); // into the same file, as by cp
    engine_new_game(learn_engine);
    ck_assert(learning_apply(learn_learning(), learn_message));
    ck_assert_ptr_null(strstr(learn_message, "error"));
    ck_assert_int_eq(learning_state(learn_learning()).mode, LEARNING_LEARN);
    ck_assert_int_eq(learn_positions(), 5);
    free(sound);
}
END_TEST

START_TEST(after_a_failed_write_the_mode_is_read)
{
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    SqliteClient *const other = client_open(store_path);
    if (other == NULL)
        return;
    ck_assert(client_run(other, "DROP TABLE lesson"));
    client_close(other);
    learn_search(LEARN_ROOT, 6);
    ck_assert(learning_flush(learn_learning(), 10000));
    ck_assert_int_eq(learning_state(learn_learning()).mode, LEARNING_READ);
}
END_TEST

START_TEST(after_a_failed_write_a_mended_file_is_written_in_the_next_game)
{
    size_t size;
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    SqliteClient *const other = client_open(store_path);
    if (other == NULL)
        return;
    uint8_t *const sound = store_file_read(&size);
    ck_assert(client_run(other, "DROP TABLE lesson"));
    client_close(other);
    learn_search(LEARN_ROOT, 6);
    ck_assert(learning_flush(learn_learning(), 10000));
    store_file_write(sound, size);
    free(sound);
    engine_new_game(learn_engine);
    ck_assert(learning_apply(learn_learning(), learn_message));
    learn_search(LEARN_ROOT, 6);
    ck_assert(learning_flush(learn_learning(), 10000));
    ck_assert_int_eq(learning_state(learn_learning()).writer.written, 1);
}
END_TEST

START_TEST(a_damaged_row_is_skipped_with_a_message)
{
    store_make_file(3);
    SqliteClient *const other = client_open(store_path);
    if (other == NULL)
        return;
    ck_assert(client_run(other, "UPDATE lesson SET depth = depth + 1 WHERE id = 2"));
    client_close(other);
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    ck_assert_msg(strstr(learn_message, "', 1 damaged row skipped, mode learn") != NULL, "%s",
                  learn_message);
    ck_assert_int_eq(learning_state(learn_learning()).damaged, 1);
    ck_assert_int_eq(learn_positions(), 2);
}
END_TEST

START_TEST(damage_found_after_a_command_is_noticed_too)
{
    learn_from_damaged_file();
    ck_assert_ptr_nonnull(learning_lock_store(learn_learning()));
    learning_unlock_store(learn_learning(), true);
    ck_assert_int_eq(learning_state(learn_learning()).mode, LEARNING_READ);
    check_damage_is_noticed();
}
END_TEST

START_TEST(a_file_that_was_deleted_is_made_again_in_the_next_game)
{
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    learn_search(LEARN_ROOT, 6);
    ck_assert(learning_flush(learn_learning(), 5000));
    ck_assert_int_eq(remove(learning_options(learn_learning())->path), 0);
    engine_new_game(learn_engine);
    learning_apply(learn_learning(), learn_message);
    learn_search(LEARN_ROOT, 6);
    ck_assert(learning_flush(learn_learning(), 5000));
    ck_assert_int_eq(learning_state(learn_learning()).mode, LEARNING_LEARN);
    learn_reopen();
    learn_apply(LEARNING_READ, LEARN_BEBE);
    ck_assert_int_eq(learn_positions(), 1);
}
END_TEST

START_TEST(a_file_that_was_replaced_is_opened_in_the_next_game)
{
    char other[STORE_PATH_MAX + 8];
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    learn_search(LEARN_ROOT, 6);
    learn_reopen(); // writes and closes the file
    snprintf(other, sizeof other, "%s.old", store_path);
    ck_assert_int_eq(rename(store_path, other), 0);
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    ck_assert_int_eq(learn_positions(), 0);
    ck_assert_int_eq(rename(other, store_path), 0);
    engine_new_game(learn_engine);
    learning_apply(learn_learning(), learn_message);
    ck_assert_int_eq(learn_positions(), 1);
    learn_search("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 6);
    ck_assert(learning_flush(learn_learning(), 5000));
    ck_assert(!learning_take_error(learn_learning(), learn_message));
    learn_reopen();
    learn_apply(LEARNING_READ, LEARN_BEBE);
    ck_assert_int_eq(learn_positions(), 2);
}
END_TEST

START_TEST(a_locked_file_is_opened_in_a_later_game)
{
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    learn_search(LEARN_ROOT, 6);
    learn_reopen();
    SqliteClient *const other = client_lock("EXCLUSIVE");
    if (other == NULL)
        return;
    learn_set_options(LEARNING_LEARN, LEARN_BEBE);
    ck_assert(learning_apply(learn_learning(), learn_message));
    ck_assert_msg(strstr(learn_message, "is locked by another program; position learning is off") !=
                      NULL,
                  "%s", learn_message);
    learn_search(LEARN_ROOT, 6);
    client_unlock(other);
    engine_new_game(learn_engine);
    ck_assert(learning_apply(learn_learning(), learn_message));
    ck_assert_int_eq(learn_positions(), 1);
}
END_TEST

START_TEST(a_locked_file_leaves_the_table_unchanged)
{
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    learn_search(LEARN_ROOT, 6);
    ck_assert(learning_flush(learn_learning(), 10000));
    SqliteClient *const other = client_lock("EXCLUSIVE");
    if (other == NULL)
        return;
    ck_assert_ptr_nonnull(learning_lock_store(learn_learning()));
    learning_unlock_store(learn_learning(), true); // as if changed by a command
    ck_assert_int_eq(learn_positions(), 1);
    engine_new_game(learn_engine);
    ck_assert(learning_apply(learn_learning(), learn_message));
    const size_t length = strlen(learn_message), end = strlen("; 1 position loaded");
    ck_assert_ptr_nonnull(strstr(learn_message, "' is locked by another program; "));
    ck_assert_str_eq(learn_message + length - end, "; 1 position loaded");
    client_unlock(other);
    engine_new_game(learn_engine);
    ck_assert(!learning_apply(learn_learning(), learn_message));
    ck_assert_int_eq(learn_positions(), 1);
}
END_TEST

START_TEST(what_a_command_deletes_is_forgotten_after_the_lock)
{
    int64_t deleted;
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    learn_search(LEARN_ROOT, 6);
    ck_assert(learning_flush(learn_learning(), 10000));
    LearnStore *const store = learning_lock_store(learn_learning());
    ck_assert_int_eq(learn_store_forget(store, NULL, &deleted), LEARN_STORE_DONE);
    SqliteClient *const other = client_lock("EXCLUSIVE");
    learning_unlock_store(learn_learning(), true);
    if (other == NULL)
        return;
    ck_assert_int_eq(learn_positions(), 1);
    client_unlock(other);
    engine_new_game(learn_engine);
    ck_assert(!learning_apply(learn_learning(), learn_message));
    ck_assert_int_eq(learn_positions(), 0);
}
END_TEST

START_TEST(queued_positions_stay_known_while_the_file_is_locked)
{
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    LearnStore *const store = store_open();
    store_write_made(store, 0, 1, 1000);
    learn_store_close(store);
    SqliteClient *const other = client_lock("IMMEDIATE");
    if (other == NULL)
        return;
    const SearchJob job = learn_search(LEARN_ROOT, 6);
    engine_new_game(learn_engine);
    ck_assert(!learning_apply(learn_learning(), learn_message));
    ck_assert_ptr_nonnull(learned_table_find(learning_table(learn_learning()), job.root.key));
    ck_assert_int_eq(learn_positions(), 1);
    client_unlock(other);
    engine_new_game(learn_engine);
    ck_assert(!learning_apply(learn_learning(), learn_message));
    ck_assert_int_eq(learn_positions(), 2);
}
END_TEST

static void *unlock_soon(void *other)
{
    clock_sleep_ms(700);
    client_unlock(other);
    return NULL;
}

START_TEST(closing_waits_for_a_short_lock)
{
    Thread thread;
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    SqliteClient *const other = client_lock("IMMEDIATE");
    if (other == NULL)
        return;
    learn_search(LEARN_ROOT, 6);
    ck_assert(thread_start(&thread, unlock_soon, other));
    learn_reopen();
    thread_join(&thread);
    learn_apply(LEARNING_READ, LEARN_BEBE);
    ck_assert_int_eq(learn_positions(), 1);
}
END_TEST

START_TEST(closing_does_not_wait_for_a_long_lock)
{
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    SqliteClient *const other = client_lock("IMMEDIATE");
    if (other == NULL)
        return;
    learn_search(LEARN_ROOT, 6);
    const int64_t start_ms = clock_ms();
    learn_reopen();
    ck_assert_int_lt(clock_ms() - start_ms, 5000);
    client_unlock(other);
}
END_TEST

/* No search waits while another program locks the file; the queue is written after the lock. */
START_TEST(a_locked_file_delays_no_move)
{
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    SqliteClient *const other = client_lock("IMMEDIATE");
    if (other == NULL)
        return;
    int64_t longest_ms = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        const LearnedPosition learned = make_learned(seed);
        char fen[FEN_MAX];
        snprintf(fen, sizeof fen, "%s 0 1", learned.position);
        SearchJob job = run_job(&learn_run, fen);
        job.limits.depth = LEARNED_DEPTH_MIN + 3; // raises of alpha may take some plies
        const int64_t start_ms = clock_ms();
        run_search(learn_engine, &job);
        const int64_t took_ms = clock_ms() - start_ms;
        longest_ms = took_ms > longest_ms ? took_ms : longest_ms;
    }
    ck_assert_int_lt(longest_ms, 900); // a wait for the file takes a second
    ck_assert_int_gt(learn_positions(), 20);
    ck_assert(!learning_flush(learn_learning(), 2500));
    client_unlock(other);
    ck_assert(learning_flush(learn_learning(), 10000));
    ck_assert_int_eq(learning_state(learn_learning()).writer.written, learn_positions());
    ck_assert(learning_take_error(learn_learning(), learn_message));
    ck_assert_msg(strstr(learn_message, "new positions will be written later") != NULL, "%s",
                  learn_message);
}
END_TEST

Suite *suite_learning_file(void);
Suite *suite_learning_file(void)
{
    Suite *const suite = suite_create("learning_file");
    TCase *const tcase = tcase_create("learning_file");
    tcase_add_checked_fixture(tcase, learn_setup, learn_teardown);
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    if (!store_tests_can_run(tcase))
        return suite;
    tcase_add_test(tcase, an_invalid_file_turns_learning_off_and_play_continues);
    tcase_add_test(tcase, a_file_that_becomes_damaged_is_only_read);
    tcase_add_test(tcase, a_file_that_is_sound_again_is_written_in_the_next_game);
    tcase_add_test(tcase, after_a_failed_write_the_mode_is_read);
    tcase_add_test(tcase, after_a_failed_write_a_mended_file_is_written_in_the_next_game);
    tcase_add_test(tcase, a_damaged_row_is_skipped_with_a_message);
    tcase_add_test(tcase, damage_found_after_a_command_is_noticed_too);
    tcase_add_test(tcase, a_file_that_was_deleted_is_made_again_in_the_next_game);
    tcase_add_test(tcase, a_file_that_was_replaced_is_opened_in_the_next_game);
    tcase_add_test(tcase, a_locked_file_is_opened_in_a_later_game);
    tcase_add_test(tcase, a_locked_file_leaves_the_table_unchanged);
    tcase_add_test(tcase, what_a_command_deletes_is_forgotten_after_the_lock);
    tcase_add_test(tcase, queued_positions_stay_known_while_the_file_is_locked);
    tcase_add_test(tcase, closing_waits_for_a_short_lock);
    tcase_add_test(tcase, closing_does_not_wait_for_a_long_lock);
    tcase_add_test(tcase, a_locked_file_delays_no_move);
    return suite;
}
