// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/hashsave.h"

#include <check.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "chess/pos_from_fen.h"
#include "engine/engine_fixture.h"
#include "tt/hashfile_fixture.h"
#include "tt/resize.h"

/* A save that waits until the test releases it, and what its callbacks received. */
static struct {
    atomic_bool is_free;
    atomic_int outcomes;
    int waits;
    bool is_good;
    HashFileSummary sum;
    char error[HASHFILE_ERROR_MAX];
} observed;

static void stand_still(void *ctx, uint64_t done, uint64_t total)
{
    (void)ctx, (void)done, (void)total;
    while (!atomic_load(&observed.is_free))
        clock_sleep_ms(1);
}

static void note_outcome(void *ctx, const HashFileSummary *sum, const char *error)
{
    (void)ctx;
    observed.sum = *sum;
    observed.is_good = error == NULL;
    snprintf(observed.error, sizeof observed.error, "%s", error != NULL ? error : "");
    atomic_fetch_add(&observed.outcomes, 1);
}

static void let_go(void *ctx)
{
    (void)ctx;
    observed.waits++;
    atomic_store(&observed.is_free, true);
}

static void start_saving(const char *path)
{
    const HashSaveListener listener = {
        .progress = stand_still, .outcome = note_outcome, .awaited = let_go};
    const HashFileTask task = {.path = path, .min_depth = 1, .max_bytes = 1 << 30};
    atomic_store(&observed.is_free, false);
    ck_assert(engine_save_hash(engine, &task, &listener));
}

static void search_to(int depth)
{
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.limits.depth = depth;
    run_search(engine, &job);
    ck_assert_int_eq(run.done_count, 1);
}

static void setup(void)
{
    hash_enter(true);
    memset(&observed, 0, sizeof observed);
    engine_setup();
    search_to(9);
}

static void teardown(void)
{
    engine_teardown();
    hash_leave();
}

/* Returns the number of records of the file, which must be intact. */
static uint64_t records_of_file(void)
{
    HashFileTask task = {.path = hash_path};
    ck_assert_msg(engine_verify_hash_file(engine, &task, &hash_sum, hash_error), "%s", hash_error);
    return hash_sum.records;
}

START_TEST(searches_run_while_the_table_is_saved)
{
    start_saving(hash_path);
    search_to(10);
    ck_assert_int_eq(atomic_load(&observed.outcomes), 0);
    ck_assert_int_eq(observed.waits, 0);
    ck_assert(engine_await_save(engine));
    ck_assert_int_eq(atomic_load(&observed.outcomes), 1);
    ck_assert_int_eq(observed.waits, 1);
    ck_assert_uint_gt(records_of_file(), 100);
    ck_assert_uint_eq(observed.sum.records, hash_sum.records);
    ck_assert_int_eq(observed.sum.bytes, hash_sum.bytes);
}
END_TEST

/* A table that several threads write to while it is saved. */
START_TEST(a_table_in_use_is_saved_without_damage)
{
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.limits.infinite = true;
    engine_set_threads(engine, 3);
    for (int i = 0; i < 5; i++) {
        start_saving(hash_path);
        atomic_store(&observed.is_free, true);
        engine_start(engine, &job);
        while (atomic_load(&observed.outcomes) == i)
            clock_sleep_ms(1);
        ck_assert(observed.is_good);
        ck_assert_uint_eq(records_of_file(), observed.sum.records);
        stop_search(engine);
    }
}
END_TEST

static void change_size(void)
{
    bool kept;
    engine_set_hash(engine, 5, &kept);
}

static void change_scheme(void)
{
    engine_set_replacement(engine, REPLACE_TWO_BIG1);
}

static void clear(void)
{
    engine_clear_hash(engine);
}

static void begin_game(void)
{
    engine_new_game(engine);
}

static void change_network(void)
{
    engine_set_eval(engine, *engine_eval_source(engine));
}

static void save_again(void)
{
    start_saving(hash_path);
}

/* Without a wait there is no file yet. */
static void load(void)
{
    HashFileTask task = {.path = hash_path};
    ck_assert_msg(engine_load_hash(engine, &task, &hash_sum, hash_error), "%s", hash_error);
}

static void verify(void)
{
    records_of_file();
}

static void (*const COMMANDS[])(void) = {change_size,    change_scheme, clear, begin_game,
                                         change_network, save_again,    load,  verify};

START_TEST(commands_wait_until_the_table_is_saved)
{
    start_saving(hash_path);
    COMMANDS[_i]();
    ck_assert_int_eq(observed.waits, 1);
    atomic_store(&observed.is_free, true);
    engine_await_save(engine);
    ck_assert(observed.is_good);
    ck_assert_uint_gt(observed.sum.records, 100);
}
END_TEST

START_TEST(a_search_does_not_free_the_old_table_that_is_being_saved)
{
    Tt *const tt = engine_table(engine);
    uint64_t shares;
    ck_assert(tt_resize_keeping(tt, 5));
    start_saving(hash_path);
    tt_shares_left(tt, &shares);
    for (uint64_t i = 0; i < shares; i++)
        tt_migrate_share(tt, i);
    search_to(1);
    ck_assert_ptr_nonnull(tt->migration);
    ck_assert(engine_await_save(engine));
    search_to(1);
    ck_assert_ptr_null(tt->migration);
}
END_TEST

START_TEST(a_save_that_takes_too_long_is_cancelled)
{
    start_saving(hash_path);
    atomic_store(&observed.is_free, true);
    engine_limit_saves(engine, 60000);
    ck_assert(engine_end_save(engine));
    const uint64_t records = records_of_file();
    engine_clear_hash(engine);
    start_saving(hash_path);
    while (access(hash_beside, F_OK) != 0)
        clock_sleep_ms(1);
    engine_limit_saves(engine, 1);
    clock_sleep_ms(2);
    atomic_store(&observed.is_free, true);
    ck_assert(!engine_end_save(engine));
    ck_assert_int_eq(atomic_load(&observed.outcomes), 2);
    ck_assert_str_eq(observed.error, "is not written: stopped");
    ck_assert_uint_eq(records_of_file(), records);
    ck_assert_int_ne(access(hash_beside, F_OK), 0);
}
END_TEST

/* Starts a save that takes `ms` more than usual; false when it was given up. */
static bool save_slowly(int ms)
{
    start_saving(hash_path);
    clock_sleep_ms(ms);
    atomic_store(&observed.is_free, true);
    const bool is_good = engine_await_save(engine);
    ck_assert(is_good || strcmp(observed.error, "is not written: stopped") == 0);
    return is_good;
}

START_TEST(a_limit_is_one_of_all_saves_together)
{
    start_saving(hash_path);
    engine_limit_saves(engine, 2000);
    atomic_store(&observed.is_free, true);
    ck_assert(engine_await_save(engine));
    ck_assert(save_slowly(800));
    ck_assert(!save_slowly(1400));
    ck_assert(!save_slowly(20)); // nothing is left
    engine_limit_saves(engine, 60000);
    ck_assert(save_slowly(0));
    ck_assert_uint_gt(records_of_file(), 100);
}
END_TEST

START_TEST(a_failed_save_is_reported_once)
{
    start_saving("/tmp/no such folder of palimpsest/a.hash");
    ck_assert(!engine_await_save(engine));
    ck_assert_int_eq(atomic_load(&observed.outcomes), 1);
    ck_assert_str_eq(observed.error, "cannot be written: No such file or directory");
    ck_assert(engine_await_save(engine));
}
END_TEST

/* A bug reported for other engines: "same time to reach same depth after load". */
START_TEST(a_loaded_table_saves_nodes)
{
    engine_new_game(engine);
    search_to(12);
    const uint64_t first = run_last(&run)->nodes;
    start_saving(hash_path);
    ck_assert(engine_await_save(engine));
    engine_new_game(engine);
    bool kept;
    engine_set_hash(engine, 7, &kept);
    HashFileTask task = {.path = hash_path};
    ck_assert(engine_load_hash(engine, &task, &hash_sum, hash_error));
    ck_assert_uint_eq(engine_set_hash(engine, 23, &kept), 23); // a resize keeps the entries
    search_to(12);
    ck_assert_uint_lt(run_last(&run)->nodes, first / 3);
}
END_TEST

START_TEST(of_a_cleared_table_nothing_is_saved)
{
    start_saving(hash_path);
    ck_assert(engine_await_save(engine));
    HashFileTask task = {.path = hash_path};
    ck_assert(engine_load_hash(engine, &task, &hash_sum, hash_error));
    ck_assert(engine_has_loaded_hash(engine));
    engine_clear_hash(engine);
    ck_assert(!engine_has_loaded_hash(engine));
    start_saving(hash_path);
    ck_assert(engine_await_save(engine));
    ck_assert_uint_eq(records_of_file(), 0);
}
END_TEST

START_TEST(a_file_of_another_evaluation_is_refused)
{
    HashFileTask task = {.path = hash_path};
    static Network network;
    network_randomise(&network, 1);
    start_saving(hash_path);
    ck_assert(engine_await_save(engine));
    engine_set_eval(engine, (EvalSource){.network = &network});
    ck_assert(!engine_load_hash(engine, &task, &hash_sum, hash_error));
    ck_assert_str_eq(hash_error, "was made with another network");
    ck_assert(!engine_has_loaded_hash(engine));
}
END_TEST

START_TEST(a_load_that_fails_does_not_forget_the_file_before)
{
    start_saving(hash_path);
    ck_assert(engine_await_save(engine));
    HashFileTask task = {.path = hash_path};
    ck_assert(engine_load_hash(engine, &task, &hash_sum, hash_error));
    task.path = hash_beside; // no such file
    ck_assert(!engine_load_hash(engine, &task, &hash_sum, hash_error));
    ck_assert(engine_has_loaded_hash(engine)); // its entries are still in the table
}
END_TEST

/* Listens to engine_on_clear(). */
static void save_before_clear(void *ctx)
{
    (void)ctx;
    start_saving(hash_path);
    atomic_store(&observed.is_free, true);
    ck_assert(engine_await_save(engine));
}

/* Under the name of the new network the entries would be loaded as its results. */
START_TEST(what_a_change_of_network_saves_is_of_the_old_network)
{
    static Network network;
    network_randomise(&network, 1);
    const uint64_t old = eval_fingerprint(engine_eval_source(engine));
    engine_on_clear(engine, save_before_clear, NULL);
    engine_set_eval(engine, (EvalSource){.network = &network});
    const HashFileTask task = {.path = hash_path, .evaluation = old};
    ck_assert_msg(hashfile_verify(&task, &hash_sum, hash_error), "%s", hash_error);
    ck_assert_uint_gt(hash_sum.records, 100);
}
END_TEST

Suite *suite_hashsave(void);
Suite *suite_hashsave(void)
{
    Suite *const suite = suite_create("hashsave");
    TCase *const tcase = tcase_create("hashsave");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, searches_run_while_the_table_is_saved);
    tcase_add_test(tcase, a_table_in_use_is_saved_without_damage);
    tcase_add_loop_test(tcase, commands_wait_until_the_table_is_saved, 0,
                        sizeof COMMANDS / sizeof COMMANDS[0]);
    tcase_add_test(tcase, a_search_does_not_free_the_old_table_that_is_being_saved);
    tcase_add_test(tcase, a_save_that_takes_too_long_is_cancelled);
    tcase_add_test(tcase, a_limit_is_one_of_all_saves_together);
    tcase_add_test(tcase, a_failed_save_is_reported_once);
    tcase_add_test(tcase, a_loaded_table_saves_nodes);
    tcase_add_test(tcase, of_a_cleared_table_nothing_is_saved);
    tcase_add_test(tcase, a_file_of_another_evaluation_is_refused);
    tcase_add_test(tcase, a_load_that_fails_does_not_forget_the_file_before);
    tcase_add_test(tcase, what_a_change_of_network_saves_is_of_the_old_network);
    suite_add_tcase(suite, tcase);
    return suite;
}
