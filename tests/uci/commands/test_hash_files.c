// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/hash_files.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/thread.h"
#include "short_memory.h"
#include "uci/options.h"

static Output out;
static Settings settings;

static void setup(void)
{
    output_init(&out);
    out.stream = tmpfile();
    ck_assert_ptr_nonnull(out.stream);
    Engine *const engine = engine_create(2);
    ck_assert_ptr_nonnull(engine);
    options_init(&settings, engine, &out);
}

static void teardown(void)
{
    engine_destroy(settings.engine);
    output_close(&out);
}

/* Sets an option; false when it keeps its value. */
static bool set(const char *name, const char *value)
{
    char text[80];
    snprintf(text, sizeof text, "name %s value %s", name, value);
    return options_set(&settings, text);
}

/* A change of HashFile saves the results to the old file. If that cannot even begin, they are not
 * lost: the end of the program saves them to the new file, whether or not that was loaded before.
 */
START_TEST(results_that_cannot_be_saved_to_the_old_file_go_to_the_new_one)
{
    static const char old[] = "hash-files-old.hash", new[] = "hash-files-new.hash";
    ck_assert(set("HashFile", old) && set("HashFile ReadOnly", "false"));
    ck_assert(set("HashFile Auto", "true"));
    hash_auto_load(&settings);
    hash_auto_note(&settings);
    if (!short_memory_begin())
        return;
    const bool is_saving = set("HashFile", new);
    short_memory_end();
    ck_assert(!is_saving);
    if (_i == 1)
        hash_auto_load(&settings);
    ck_assert(hash_auto_end(&settings));
    ck_assert(engine_end_save(settings.engine));
    ck_assert_int_eq(file_kind(old, NULL), FILE_MISSING);
    ck_assert_int_eq(file_kind(new, NULL), FILE_REGULAR);
    remove(new);
}
END_TEST

static void *unlock_later(void *lock)
{
    clock_sleep_ms(2500); // a save waits for two seconds
    close(*(int *)lock);
    return NULL;
}

/* The table is cleared while a save still waits for another process, in vain. */
START_TEST(results_of_a_save_that_fails_are_saved_before_the_table_is_cleared)
{
    static const char path[] = "hash-files-locked.hash";
    static const char draft[] = "hash-files-locked.hash" FILE_DRAFT_END;
    Thread thread;
    int lock = open(draft, O_RDWR | O_CREAT, 0600);
    ck_assert_int_ge(lock, 0);
    ck_assert_int_eq(flock(lock, LOCK_EX), 0);
    ck_assert(set("HashFile", path) && set("HashFile ReadOnly", "false"));
    ck_assert(set("HashFile Auto", "true") && set("HashFile Interval", "1"));
    hash_auto_load(&settings);
    hash_auto_note(&settings);
    settings.auto_hash_file.saved_ms -= 2000;
    hash_auto_tick(&settings);
    ck_assert(engine_is_saving(settings.engine));
    ck_assert(thread_start(&thread, unlock_later, &lock));
    hash_files_clear(&settings);
    thread_join(&thread);
    ck_assert_int_eq(file_kind(path, NULL), FILE_REGULAR);
    remove(path);
}
END_TEST

Suite *suite_hash_files(void);
Suite *suite_hash_files(void)
{
    Suite *suite = suite_create("hash_files");
    TCase *tcase = tcase_create("hash_files");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, results_that_cannot_be_saved_to_the_old_file_go_to_the_new_one, 0,
                        2);
    tcase_add_test(tcase, results_of_a_save_that_fails_are_saved_before_the_table_is_cleared);
    suite_add_tcase(suite, tcase);
    return suite;
}
