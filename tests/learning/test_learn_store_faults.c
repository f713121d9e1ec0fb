// SPDX-License-Identifier: GPL-3.0-or-later
/* Failures of the file of learned positions. Each case is a problem that users reported about
 * engines with learning files: empty files, damaged files, freezes, conflicts between processes.
 * The long forms run with PALIMPSEST_SLOW. */
#include "learning/learn_store.h"

#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "learning/learn_store_fixture.h"
#include "skip.h"

static StoreContents contents;
static char error[LEARN_STORE_ERROR_MAX];

/* ---- Damaged and foreign files ---- */

enum { DAMAGED_ROWS = 12 };

/* Opens, reads, writes and reads a damaged file, as an engine would. Any step may fail, but no
 * false row may be read. */
static void use_damaged_file(bool writes)
{
    LearnStoreStatus status;
    LearnStore *store = learn_store_open(store_path, writes, &status, error);
    if (store == NULL) {
        ck_assert_int_ne(error[0], '\0');
        ck_assert_int_eq(status, LEARN_STORE_FAILED);
        return;
    }
    store_read(store, CONTENTS_MAX, &contents);
    store_check_contents(&contents, DAMAGED_ROWS);
    const LearnedPosition learned = make_learned(DAMAGED_ROWS);
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 1000};
    const bool is_written = learn_store_is_writable(store) &&
                            learn_store_write(store, &learned, 1, rules) == LEARN_STORE_DONE;
    store_read(store, CONTENTS_MAX, &contents);
    store_check_contents(&contents, DAMAGED_ROWS + 1);
    if (is_written)
        ck_assert(learned_equal(&contents.positions[0], &learned));
    learn_store_close(store);
}

START_TEST(no_altered_byte_gives_a_false_row)
{
    size_t size;
    store_make_file(DAMAGED_ROWS);
    uint8_t *const bytes = store_file_read(&size);
    const uint8_t masks[] = {0x01, 0x80, 0xff};
    int count = 0;
    /* The short form takes every 97th byte, starting elsewhere for each mask, and all of the head.
     */
    for (size_t at = 0; at < size; at++) {
        for (size_t m = 0; m < 3; m++) {
            if (!is_slow_run() && at >= 100 && at % 97 != 31 * m)
                continue;
            count++;
            bytes[at] ^= masks[m];
            store_file_write(bytes, size);
            use_damaged_file(at % 2 == 0);
            bytes[at] ^= masks[m];
            char journal[STORE_PATH_MAX + 16];
            snprintf(journal, sizeof journal, "%s-journal", store_path);
            ck_assert_int_ne(access(journal, F_OK), 0);
        }
    }
    store_file_write(bytes, size);
    free(bytes);
    printf("a learning file of %zu bytes altered in %d ways\n", size, count);
    LearnStore *const store = store_open();
    store_read(store, CONTENTS_MAX, &contents);
    ck_assert_int_eq(store_check_contents(&contents, DAMAGED_ROWS), DAMAGED_ROWS);
    learn_store_close(store);
}
END_TEST

START_TEST(truncated_files_give_no_false_row)
{
    size_t size;
    store_make_file(DAMAGED_ROWS);
    uint8_t *const bytes = store_file_read(&size);
    for (size_t length = 0; length < size; length += is_slow_run() ? 1 : length < 100 ? 7 : 251) {
        store_file_write(bytes, length);
        use_damaged_file(length % 2 == 0);
    }
    free(bytes);
}
END_TEST

START_TEST(random_damage_gives_no_false_row)
{
    size_t size;
    Rng rng;
    store_make_file(DAMAGED_ROWS);
    uint8_t *const bytes = store_file_read(&size), *const spoilt = malloc(size);
    rng_seed(&rng, 1987);
    for (int i = 0; i < (is_slow_run() ? 5000 : 200); i++) {
        memcpy(spoilt, bytes, size);
        const size_t from = (size_t)rng_below(&rng, size), most = size - from;
        const size_t length = (size_t)rng_below(&rng, most < 300 ? most + 1 : 300);
        for (size_t at = from; at < from + length; at++)
            spoilt[at] = (uint8_t)rng_next(&rng);
        store_file_write(spoilt, size);
        use_damaged_file(i % 2 == 0);
    }
    free(spoilt);
    free(bytes);
}
END_TEST

START_TEST(altered_rows_are_skipped)
{
    static const char *const changes[] = {
        "UPDATE lesson SET score = score + 1 WHERE id = 5",
        "UPDATE lesson SET score = NULL WHERE id = 5",
        "UPDATE lesson SET score = 'good' WHERE id = 5",
        "UPDATE lesson SET score = 1e300 WHERE id = 5",
        "UPDATE lesson SET depth = depth + 1 WHERE id = 5",
        "UPDATE lesson SET depth = 9223372036854775807 WHERE id = 5",
        "UPDATE lesson SET network = network + 4294967296 WHERE id = 5",
        "UPDATE lesson SET move = 'a1a1' WHERE id = 5",
        "UPDATE lesson SET move = x'00' WHERE id = 5",
        "UPDATE lesson SET position = position || char(0) WHERE id = 5",
        "UPDATE lesson SET position = hex(zeroblob(40000)) WHERE id = 5",
        "UPDATE lesson SET position = '' WHERE id = 5",
        "UPDATE lesson SET origin = 7 WHERE id = 5",
        "UPDATE lesson SET checksum = 0 WHERE id = 5",
        "UPDATE lesson SET time = time + 1 WHERE id = 5",
        "UPDATE lesson SET seen = -1 WHERE id = 5",
        "UPDATE lesson SET fullmove = 0 WHERE id = 5",
    };
    store_make_file(DAMAGED_ROWS);
    SqliteClient *const client = client_open(store_path);
    if (client == NULL)
        return;
    ck_assert_msg(client_run(client, changes[_i]), "%s", changes[_i]);
    client_close(client);
    LearnStore *const store = store_open();
    ck_assert_int_eq(store_read(store, CONTENTS_MAX, &contents), LEARN_STORE_DONE);
    ck_assert_int_eq(store_check_contents(&contents, DAMAGED_ROWS), DAMAGED_ROWS - 1);
    ck_assert_int_eq(contents.skipped.damaged, 1);
    learn_store_close(store);
}
END_TEST
enum { CHANGE_COUNT = 17 };

START_TEST(replacing_a_damaged_row_deletes_no_other)
{
    enum { ROWS = 10 };
    store_make_file(ROWS);
    SqliteClient *const client = client_open(store_path);
    if (client == NULL)
        return;
    ck_assert(client_run(client, "UPDATE lesson SET checksum = 0 WHERE id = 5"));
    client_close(client);
    LearnStore *const store = store_open();
    store_write_made(store, 4, 1, ROWS); // the row with id 5
    ck_assert_int_eq(store_read(store, CONTENTS_MAX, &contents), LEARN_STORE_DONE);
    ck_assert_int_eq(contents.skipped.damaged, 0);
    ck_assert_int_eq(store_check_contents(&contents, ROWS), ROWS);
    learn_store_close(store);
}
END_TEST

START_TEST(a_file_that_becomes_damaged_is_not_written)
{
    size_t size;
    store_make_file(500);
    LearnStore *const store = store_open();
    ck_assert_int_eq(store_read(store, CONTENTS_MAX, &contents), LEARN_STORE_DONE);
    store_damage(500);
    uint8_t *const before = store_file_read(&size);
    ck_assert_int_eq(store_read(store, CONTENTS_MAX, &contents), LEARN_STORE_FAILED);
    ck_assert_int_gt(contents.count, 100); // those before the damage
    ck_assert(!learn_store_is_writable(store));
    const LearnedPosition learned = make_learned(501);
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 1000};
    ck_assert_int_eq(learn_store_write(store, &learned, 1, rules), LEARN_STORE_FAILED);
    learn_store_close(store);
    store_check_unchanged(before, size);
}
END_TEST

START_TEST(a_file_that_loses_its_table_is_not_written)
{
    size_t size;
    const LearnedPosition learned = make_learned(5);
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 1000};
    store_make_file(5);
    uint8_t *const good = store_file_read(&size);
    LearnStore *const store = store_open();
    SqliteClient *const other = client_open(store_path);
    if (other == NULL)
        return;
    ck_assert(client_run(other, "DROP TABLE lesson"));
    ck_assert(learn_store_has_changed(store)); // SQLite notices that there is no table
    ck_assert_int_eq(store_read(store, CONTENTS_MAX, &contents), LEARN_STORE_FAILED);
    ck_assert(!learn_store_is_writable(store));
    client_close(other);
    store_file_write(good, size); // what was read of it before may be out of date
    ck_assert_int_eq(learn_store_write(store, &learned, 1, rules), LEARN_STORE_FAILED);
    learn_store_close(store);
    store_check_unchanged(good, size);
}
END_TEST

/* Checks that two attempts to open the file fail with `complaint` and leave it unchanged. */
static void check_refused(const char *complaint)
{
    size_t size;
    LearnStoreStatus status;
    uint8_t *const before = store_file_read(&size);
    for (int writes = 0; writes < 2; writes++) {
        ck_assert_ptr_null(learn_store_open(store_path, writes != 0, &status, error));
        ck_assert_int_eq(status, LEARN_STORE_FAILED);
        ck_assert_msg(strstr(error, complaint) != NULL, "%s", error);
    }
    store_check_unchanged(before, size);
}

START_TEST(files_that_are_no_databases_are_refused_unchanged)
{
    static const char *const texts[] = {
        "\x89PNG\r\n\x1a\n and more than that",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n", "SQLite format 2",
        "xy", // SQLite treats a file of one byte as empty
    };
    for (int i = 0; i < 4; i++) {
        store_file_write(texts[i], strlen(texts[i]));
        check_refused("file is not a database");
    }
}
END_TEST

static const struct {
    const char *sql, *complaint;
} FOREIGN[] = {
    {"CREATE TABLE games (id)", "another program"},
    {"PRAGMA application_id = 77; CREATE TABLE games (id)", "another program"},
    {"PRAGMA application_id = 77", "another program"},
    {"PRAGMA user_version = 1", "another program"},
    {"PRAGMA application_id = 1346456649; CREATE TABLE lesson (id)", "other data"},
    {"PRAGMA application_id = 1346456649; PRAGMA user_version = 2", "newer version"},
};

START_TEST(databases_of_other_programs_are_refused_unchanged)
{
    SqliteClient *const client = client_open(store_path);
    if (client == NULL)
        return;
    ck_assert(client_run(client, FOREIGN[_i].sql));
    client_close(client);
    check_refused(FOREIGN[_i].complaint);
}
END_TEST

START_TEST(files_with_a_changed_schema_are_refused)
{
    static const char *const additions[] = {
        "CREATE TRIGGER t AFTER INSERT ON lesson BEGIN DELETE FROM lesson; END",
        "CREATE VIEW v AS SELECT * FROM lesson",
        "CREATE TABLE other (id)",
        "CREATE INDEX i ON lesson (move)",
        "ALTER TABLE lesson ADD COLUMN more",
        "DROP TABLE lesson",
        "PRAGMA user_version = 2",
        "PRAGMA application_id = 2",
    };
    for (int i = 0; i < 8; i++) {
        remove(store_path);
        store_make_file(3);
        SqliteClient *const client = client_open(store_path);
        if (client == NULL)
            return;
        ck_assert_msg(client_run(client, additions[i]), "%s", additions[i]);
        client_close(client);
        check_refused(i == 6 ? "newer version" : i == 7 ? "another program" : "other data");
    }
}
END_TEST

START_TEST(folders_devices_and_missing_files_are_refused)
{
    LearnStoreStatus status;
    const char *const paths[] = {store_folder, "/dev/null", "/dev/zero", "/no such folder/m.db",
                                 "/dev/null/m.db"};
    for (int i = 0; i < 5; i++) {
        ck_assert_ptr_null(learn_store_open(paths[i], true, &status, error));
        ck_assert_int_eq(status, LEARN_STORE_FAILED);
        ck_assert_int_ne(error[0], '\0');
    }
    ck_assert_ptr_null(learn_store_open(store_path, false, &status, error));
    ck_assert_str_eq(error, "does not exist");
    ck_assert_int_ne(access(store_path, F_OK), 0);
}
END_TEST

/* ---- Kills ---- */

enum { KILL_POSITIONS = 800 }; // no two of these have the same position

/* A child that writes positions until it is killed and sends a mark after each commit. */
static pid_t start_victim(uint64_t first, int *mark_pipe)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    fflush(NULL);
    const pid_t pid = fork();
    if (pid != 0) {
        close(ends[1]);
        *mark_pipe = ends[0];
        return pid;
    }
    LearnStoreStatus status;
    LearnStore *const store = learn_store_open(store_path, true, &status, error);
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 100000};
    for (uint64_t i = first; store != NULL && i < KILL_POSITIONS; i++) {
        const LearnedPosition learned = make_learned(i);
        if (learn_store_write(store, &learned, 1, rules) != LEARN_STORE_DONE)
            _exit(1);
        const char mark = '.';
        if (write(ends[1], &mark, 1) != 1)
            _exit(2);
    }
    pause();
    _exit(3);
}

static int count_marks(int mark_pipe)
{
    char marks[512];
    int count = 0;
    for (ssize_t got = read(mark_pipe, marks, sizeof marks); got > 0;
         got = read(mark_pipe, marks, sizeof marks))
        count += (int)got;
    close(mark_pipe);
    return count;
}

/* After kill -9 the file contains every committed position, and at most one more, whose mark was
 * not sent yet. Every second time a reader opens the file first. */
START_TEST(kill_9_at_any_instant_loses_nothing_committed)
{
    Rng rng;
    rng_seed(&rng, 9);
    int committed = 0, all = 0;
    store_make_file(0);
    for (int round = 0; round < (is_slow_run() ? 200 : 12); round++) {
        int mark_pipe, exit_status;
        const pid_t pid = start_victim((uint64_t)committed, &mark_pipe);
        const struct timespec nap = {.tv_nsec = (long)rng_below(&rng, 30000000)};
        nanosleep(&nap, NULL);
        ck_assert_int_eq(kill(pid, SIGKILL), 0);
        ck_assert_int_eq(waitpid(pid, &exit_status, 0), pid);
        ck_assert(WIFSIGNALED(exit_status));
        const int marks = count_marks(mark_pipe);
        committed += marks;
        all += marks;
        LearnStoreStatus status;
        LearnStore *const store = learn_store_open(store_path, round % 2 == 0, &status, error);
        ck_assert_msg(store != NULL, "round %d: %s", round, error);
        ck_assert_str_eq(error, "");
        ck_assert_int_eq(store_read(store, CONTENTS_MAX, &contents), LEARN_STORE_DONE);
        ck_assert_int_eq(contents.skipped.damaged, 0);
        ck_assert_int_ge(contents.count, committed);
        ck_assert_int_le(contents.count, committed + 1);
        for (int i = 0; i < contents.count; i++) {
            const LearnedPosition made = make_learned((uint64_t)(contents.count - 1 - i));
            ck_assert(learned_equal(&contents.positions[i], &made));
        }
        committed = contents.count;
        learn_store_close(store);
        if (committed > KILL_POSITIONS - 200) {
            remove(store_path);
            store_make_file(0);
            committed = 0;
        }
    }
    ck_assert_int_gt(all, 0);
}
END_TEST

/* ---- Disks ---- */

/* Writes until the file size limit of 60,000 bytes. Returns the number of committed positions,
 * which must still be readable, or 0 on any other failure. */
static int fill_disk(void)
{
    const struct rlimit limit = {60000, 60000};
    LearnStoreStatus status;
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 0;
    LearnStore *const store = learn_store_open(store_path, true, &status, error);
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 100000};
    int written = 0;
    for (; written < CONTENTS_MAX; written++) {
        const LearnedPosition learned = make_learned((uint64_t)written);
        status = learn_store_write(store, &learned, 1, rules);
        if (status != LEARN_STORE_DONE)
            break;
    }
    const bool is_reported = status == LEARN_STORE_FAILED && learn_store_error(store)[0] != '\0';
    if (!is_reported || store_read(store, CONTENTS_MAX, &contents) != LEARN_STORE_DONE ||
        contents.count != written)
        return 0;
    learn_store_close(store);
    return written < 250 ? written : 0;
}

START_TEST(a_full_disk_keeps_what_was_written)
{
    const int written = store_in_child(fill_disk);
    ck_assert_int_gt(written, 10);
    LearnStore *const store = store_open();
    ck_assert_int_eq(store_read(store, CONTENTS_MAX, &contents), LEARN_STORE_DONE);
    ck_assert_int_eq(store_check_contents(&contents, 250), written);
    store_write_made(store, (uint64_t)written, 5, 1000);
    learn_store_close(store);
}
END_TEST

static char syncs[64]; // what was synchronised: 'f' a file, 'd' a folder

static void note_sync(int fd)
{
    struct stat status;
    const size_t count = strlen(syncs);
    if (fstat(fd, &status) == 0 && count + 1 < sizeof syncs)
        syncs[count] = S_ISDIR(status.st_mode) ? 'd' : 'f';
}

/* In place of those of the C library, for all suites: they note the call and do the same. */
__attribute__((visibility("default"))) int fsync(int fd)
{
    note_sync(fd);
    return (int)syscall(SYS_fsync, fd);
}

__attribute__((visibility("default"))) int fdatasync(int fd)
{
    note_sync(fd);
    return (int)syscall(SYS_fdatasync, fd);
}

/* The journal, then the file, then the folder without the journal: else a loss of power might undo
 * what was committed. */
START_TEST(a_commit_is_on_the_disk)
{
    LearnStore *const store = store_open();
    memset(syncs, 0, sizeof syncs);
    store_write_made(store, 0, 1, 1000);
    ck_assert_msg(strstr(syncs, "ff") != NULL || strstr(syncs, "fdf") != NULL, "%s", syncs);
    ck_assert_int_eq(syncs[strlen(syncs) - 1], 'd');
    learn_store_close(store);
}
END_TEST

/* 0: the file was opened for reading, with a message. */
static int use_read_only_file(void)
{
    LearnStoreStatus status;
    LearnStore *const store = learn_store_open(store_path, true, &status, error);
    if (store == NULL || learn_store_is_writable(store) || strstr(error, "is read-only") == NULL)
        return 1;
    if (store_read(store, CONTENTS_MAX, &contents) != LEARN_STORE_DONE || contents.count != 5)
        return 2;
    learn_store_close(store);
    return 0;
}

/* 0: the file was not created, with a message that gives the true reason. */
static int create_in_read_only_folder(void)
{
    char wanted[LEARN_STORE_ERROR_MAX];
    LearnStoreStatus status;
    LearnStore *const store = learn_store_open(store_path, true, &status, error);
    snprintf(wanted, sizeof wanted, "cannot be created: %s", strerror(EACCES));
    return store == NULL && status == LEARN_STORE_FAILED && strcmp(error, wanted) == 0 ? 0 : 1;
}

START_TEST(a_read_only_file_is_readable)
{
    store_make_file(5);
    ck_assert_int_eq(chmod(store_path, 0444), 0);
    store_check_as_user(use_read_only_file);
}
END_TEST

START_TEST(a_file_in_a_read_only_folder_is_readable)
{
    store_make_file(5);
    ck_assert_int_eq(chmod(store_path, 0666), 0);
    ck_assert_int_eq(chmod(store_folder, 0555), 0);
    store_check_as_user(use_read_only_file);
}
END_TEST

START_TEST(no_file_is_created_in_a_read_only_folder)
{
    ck_assert_int_eq(chmod(store_folder, 0555), 0);
    store_check_as_user(create_in_read_only_folder);
}
END_TEST

Suite *suite_learn_store_faults(void);
Suite *suite_learn_store_faults(void)
{
    Suite *const suite = suite_create("learn_store_faults");
    TCase *const tcase = tcase_create("learn_store_faults");
    tcase_add_checked_fixture(tcase, store_setup, store_teardown);
    tcase_set_timeout(tcase, is_slow_run() ? 1200 : 60);
    suite_add_tcase(suite, tcase);
    if (!store_tests_can_run(tcase))
        return suite;
    tcase_add_test(tcase, no_altered_byte_gives_a_false_row);
    tcase_add_test(tcase, truncated_files_give_no_false_row);
    tcase_add_test(tcase, random_damage_gives_no_false_row);
    tcase_add_loop_test(tcase, altered_rows_are_skipped, 0, CHANGE_COUNT);
    tcase_add_test(tcase, replacing_a_damaged_row_deletes_no_other);
    tcase_add_test(tcase, a_file_that_becomes_damaged_is_not_written);
    tcase_add_test(tcase, a_file_that_loses_its_table_is_not_written);
    tcase_add_test(tcase, files_that_are_no_databases_are_refused_unchanged);
    tcase_add_loop_test(tcase, databases_of_other_programs_are_refused_unchanged, 0,
                        (int)(sizeof FOREIGN / sizeof FOREIGN[0]));
    tcase_add_test(tcase, files_with_a_changed_schema_are_refused);
    tcase_add_test(tcase, folders_devices_and_missing_files_are_refused);
    tcase_add_test(tcase, kill_9_at_any_instant_loses_nothing_committed);
    tcase_add_test(tcase, a_full_disk_keeps_what_was_written);
    tcase_add_test(tcase, a_commit_is_on_the_disk);
    tcase_add_test(tcase, a_read_only_file_is_readable);
    tcase_add_test(tcase, a_file_in_a_read_only_folder_is_readable);
    tcase_add_test(tcase, no_file_is_created_in_a_read_only_folder);
    return suite;
}
