// SPDX-License-Identifier: GPL-3.0-or-later
/* The file of lessons when things go wrong. Each case is a complaint that users had about engines
 * which remember: files of no bytes, broken files, freezes, clashes between processes. The long
 * forms run with PALIMPSEST_SLOW. */
#include "learning/learn_store.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"
#include "learning/learn_store_fixture.h"

static Kept kept;
static char error[LEARN_STORE_ERROR_MAX];

static bool is_slow(void)
{
    return getenv("PALIMPSEST_SLOW") != NULL;
}

/* A file of the made lessons 0 .. count - 1. */
static void make_file(int count)
{
    LearnStore *const memory = memory_open_well();
    memory_write_made(memory, 0, count, 1000);
    learn_store_close(memory);
}

/* Nothing is kept but lessons made from seeds below `count`, none twice; returns how many. */
static int check_kept(int count)
{
    static bool is_there[KEPT_MAX];
    memset(is_there, 0, sizeof is_there);
    for (int i = 0; i < kept.count; i++) {
        bool is_known = false;
        for (int seed = 0; seed < count && !is_known; seed++) {
            const LearnedPosition made = made_lesson((uint64_t)seed);
            is_known = !is_there[seed] && same_lesson(&made, &kept.positions[i]);
            is_there[seed] |= is_known;
        }
        ck_assert_msg(is_known, "something false was read");
    }
    return kept.count;
}

/* ---- Damaged and foreign files ---- */

enum { DAMAGED_LESSONS = 12 };

/* Uses a file about which nothing is sure as an engine does: opens, reads, writes and reads it.
 * Whatever comes of that, nothing false is read. */
static void use_whatever_it_is(bool writes)
{
    LearnStoreStatus verdict;
    LearnStore *memory = learn_store_open(memory_path, writes, &verdict, error);
    if (memory == NULL) {
        ck_assert_int_ne(error[0], '\0');
        ck_assert_int_eq(verdict, LEARN_STORE_FAILED);
        return;
    }
    memory_read_kept(memory, KEPT_MAX, &kept);
    check_kept(DAMAGED_LESSONS);
    const LearnedPosition learned = made_lesson(DAMAGED_LESSONS);
    const LearnStoreTerms terms = {.policy = LEARN_BEBE, .max = 1000};
    const bool is_written = learn_store_is_writable(memory) &&
                            learn_store_write(memory, &learned, 1, terms) == LEARN_STORE_DONE;
    memory_read_kept(memory, KEPT_MAX, &kept);
    check_kept(DAMAGED_LESSONS + 1);
    if (is_written)
        ck_assert(same_lesson(&kept.positions[0], &learned));
    learn_store_close(memory);
}

START_TEST(no_altered_byte_makes_anything_false_be_read)
{
    size_t size;
    make_file(DAMAGED_LESSONS);
    uint8_t *const bytes = memory_slurp(&size);
    const uint8_t masks[] = {0x01, 0x80, 0xff};
    int count = 0;
    /* The short form takes every 97th byte, starting elsewhere for each mask, and all of the head.
     */
    for (size_t at = 0; at < size; at++) {
        for (size_t m = 0; m < 3; m++) {
            if (!is_slow() && at >= 100 && at % 97 != 31 * m)
                continue;
            count++;
            bytes[at] ^= masks[m];
            memory_spill(bytes, size);
            use_whatever_it_is(at % 2 == 0);
            bytes[at] ^= masks[m];
            char journal[MEMORY_PATH_MAX + 16];
            snprintf(journal, sizeof journal, "%s-journal", memory_path);
            ck_assert_int_ne(access(journal, F_OK), 0);
        }
    }
    memory_spill(bytes, size);
    free(bytes);
    printf("a memory file of %zu bytes altered in %d ways\n", size, count);
    LearnStore *const memory = memory_open_well();
    memory_read_kept(memory, KEPT_MAX, &kept);
    ck_assert_int_eq(check_kept(DAMAGED_LESSONS), DAMAGED_LESSONS);
    learn_store_close(memory);
}
END_TEST

START_TEST(a_file_cut_short_anywhere_is_survived)
{
    size_t size;
    make_file(DAMAGED_LESSONS);
    uint8_t *const bytes = memory_slurp(&size);
    for (size_t length = 0; length < size; length += is_slow() ? 1 : length < 100 ? 7 : 251) {
        memory_spill(bytes, length);
        use_whatever_it_is(length % 2 == 0);
    }
    free(bytes);
}
END_TEST

START_TEST(random_rubbish_in_a_good_file_is_survived)
{
    size_t size;
    Rng rng;
    make_file(DAMAGED_LESSONS);
    uint8_t *const bytes = memory_slurp(&size), *const spoilt = malloc(size);
    rng_seed(&rng, 1987);
    for (int i = 0; i < (is_slow() ? 5000 : 200); i++) {
        memcpy(spoilt, bytes, size);
        const size_t from = (size_t)rng_below(&rng, size), most = size - from;
        const size_t length = (size_t)rng_below(&rng, most < 300 ? most + 1 : 300);
        for (size_t at = from; at < from + length; at++)
            spoilt[at] = (uint8_t)rng_next(&rng);
        memory_spill(spoilt, size);
        use_whatever_it_is(i % 2 == 0);
    }
    free(spoilt);
    free(bytes);
}
END_TEST

START_TEST(rows_that_were_tampered_with_are_left_out)
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
    make_file(DAMAGED_LESSONS);
    Foreigner *const foreigner = foreigner_open(memory_path);
    if (foreigner == NULL)
        return;
    ck_assert_msg(foreigner_run(foreigner, changes[_i]), "%s", changes[_i]);
    foreigner_close(foreigner);
    LearnStore *const memory = memory_open_well();
    ck_assert_int_eq(memory_read_kept(memory, KEPT_MAX, &kept), LEARN_STORE_DONE);
    ck_assert_int_eq(check_kept(DAMAGED_LESSONS), DAMAGED_LESSONS - 1);
    ck_assert_int_eq(kept.rest.faulty, 1);
    learn_store_close(memory);
}
END_TEST
enum { TAMPERINGS = 17 };

/* What the file says before and after must be the same, and so must be the answer of two tries. */
static void check_refused(const char *complaint)
{
    size_t size, later;
    LearnStoreStatus verdict;
    uint8_t *const before = memory_slurp(&size);
    for (int writes = 0; writes < 2; writes++) {
        ck_assert_ptr_null(learn_store_open(memory_path, writes != 0, &verdict, error));
        ck_assert_int_eq(verdict, LEARN_STORE_FAILED);
        ck_assert_msg(strstr(error, complaint) != NULL, "%s", error);
    }
    uint8_t *const after = memory_slurp(&later);
    ck_assert_uint_eq(size, later);
    ck_assert_mem_eq(before, after, size);
    free(before);
    free(after);
}

START_TEST(files_of_other_kinds_are_refused_and_left_alone)
{
    static const char *const contents[] = {
        "\x89PNG\r\n\x1a\n and more than that",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n", "SQLite format 2",
        "xy", // one byte alone SQLite takes for an empty file
    };
    for (int i = 0; i < 4; i++) {
        memory_spill(contents[i], strlen(contents[i]));
        check_refused("file is not a database");
    }
}
END_TEST

static const struct {
    const char *sql, *complaint;
} FOREIGN[] = {
    {"CREATE TABLE games (id)", "another program"},
    {"PRAGMA application_id = 77; CREATE TABLE games (id)", "another program"},
    {"PRAGMA application_id = 1346456649; CREATE TABLE lesson (id)", "something else"},
    {"PRAGMA application_id = 1346456649; PRAGMA user_version = 2", "newer version"},
};

START_TEST(databases_of_others_are_refused_and_left_alone)
{
    Foreigner *const foreigner = foreigner_open(memory_path);
    if (foreigner == NULL)
        return;
    ck_assert(foreigner_run(foreigner, FOREIGN[_i].sql));
    foreigner_close(foreigner);
    check_refused(FOREIGN[_i].complaint);
}
END_TEST

START_TEST(a_file_of_ours_with_more_in_it_is_refused)
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
        remove(memory_path);
        make_file(3);
        Foreigner *const foreigner = foreigner_open(memory_path);
        if (foreigner == NULL)
            return;
        ck_assert_msg(foreigner_run(foreigner, additions[i]), "%s", additions[i]);
        foreigner_close(foreigner);
        check_refused(i == 6 ? "newer version" : i == 7 ? "another program" : "something else");
    }
}
END_TEST

START_TEST(what_is_no_file_is_refused)
{
    LearnStoreStatus verdict;
    const char *const paths[] = {memory_folder, "/dev/null", "/dev/zero", "/no such folder/m.db",
                                 "/dev/null/m.db"};
    for (int i = 0; i < 5; i++) {
        ck_assert_ptr_null(learn_store_open(paths[i], true, &verdict, error));
        ck_assert_int_eq(verdict, LEARN_STORE_FAILED);
        ck_assert_int_ne(error[0], '\0');
    }
    ck_assert_ptr_null(learn_store_open(memory_path, false, &verdict, error));
    ck_assert_str_eq(error, "is not there");
    ck_assert_int_ne(access(memory_path, F_OK), 0);
}
END_TEST

/* ---- Other programs ---- */

START_TEST(a_file_that_is_being_written_by_another_program_is_read)
{
    make_file(5);
    Foreigner *const other = foreigner_open(memory_path);
    if (other == NULL)
        return;
    ck_assert(foreigner_run(other, "BEGIN IMMEDIATE"));
    LearnStore *const memory = memory_open_well();
    ck_assert_int_eq(memory_read_kept(memory, KEPT_MAX, &kept), LEARN_STORE_DONE);
    ck_assert_int_eq(kept.count, 5);
    const LearnedPosition learned = made_lesson(7);
    const LearnStoreTerms terms = {.policy = LEARN_BEBE, .max = 1000};
    const int64_t start_ms = clock_ms();
    ck_assert_int_eq(learn_store_write(memory, &learned, 1, terms), LEARN_STORE_BUSY);
    ck_assert_int_ge(clock_ms() - start_ms, 500);
    ck_assert_int_lt(clock_ms() - start_ms, 3000);
    ck_assert_str_eq(learn_store_error(memory), "is held by another program");
    learn_store_hurry(memory);
    const int64_t hurried_ms = clock_ms();
    ck_assert_int_eq(learn_store_write(memory, &learned, 1, terms), LEARN_STORE_BUSY);
    ck_assert_int_lt(clock_ms() - hurried_ms, 300);
    ck_assert(foreigner_run(other, "COMMIT"));
    ck_assert_int_eq(learn_store_write(memory, &learned, 1, terms), LEARN_STORE_DONE);
    ck_assert_int_eq(memory_read_kept(memory, KEPT_MAX, &kept), LEARN_STORE_DONE);
    ck_assert_int_eq(kept.count, 6);
    learn_store_close(memory);
    foreigner_close(other);
}
END_TEST

START_TEST(a_file_that_another_program_has_for_itself_may_be_had_later)
{
    LearnStoreStatus verdict;
    make_file(5);
    Foreigner *const other = foreigner_open(memory_path);
    if (other == NULL)
        return;
    ck_assert(foreigner_run(other, "BEGIN EXCLUSIVE"));
    for (int writes = 0; writes < 2; writes++) {
        const int64_t start_ms = clock_ms();
        ck_assert_ptr_null(learn_store_open(memory_path, writes != 0, &verdict, error));
        ck_assert_int_lt(clock_ms() - start_ms, 4000);
        ck_assert_int_eq(verdict, LEARN_STORE_BUSY);
        ck_assert_str_eq(error, "is held by another program");
    }
    ck_assert(foreigner_run(other, "COMMIT"));
    foreigner_close(other);
    learn_store_close(memory_open_well());
}
END_TEST

START_TEST(a_file_left_in_write_ahead_mode_is_used)
{
    make_file(5);
    Foreigner *const other = foreigner_open(memory_path);
    if (other == NULL)
        return;
    ck_assert(foreigner_run(other, "PRAGMA journal_mode = WAL; DELETE FROM lesson WHERE id = 1"));
    LearnStore *memory = memory_open_well(); // the other still has it open
    memory_write_made(memory, 5, 1, 1000);
    learn_store_close(memory);
    foreigner_close(other);
    memory = memory_open_well();
    ck_assert_int_eq(memory_read_kept(memory, KEPT_MAX, &kept), LEARN_STORE_DONE);
    ck_assert_int_eq(kept.count, 5);
    learn_store_close(memory);
}
END_TEST

/* A child process that writes its own lessons one by one, however long others are in the way. */
static pid_t start_writer(uint64_t first, int count)
{
    fflush(NULL);
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
    LearnStoreStatus verdict;
    LearnStore *const memory = learn_store_open(memory_path, true, &verdict, error);
    const LearnStoreTerms terms = {.policy = LEARN_BEBE, .max = 100000};
    for (int i = 0; memory != NULL && i < count; i++) {
        const LearnedPosition learned = made_lesson(first + (uint64_t)i);
        do
            verdict = learn_store_write(memory, &learned, 1, terms);
        while (verdict == LEARN_STORE_BUSY);
        if (verdict != LEARN_STORE_DONE)
            _exit(1);
    }
    _exit(memory != NULL ? 0 : 2);
}

static void expect_success(pid_t pid)
{
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}

START_TEST(engines_that_learn_at_once_lose_nothing)
{
    enum { WRITERS = 3, EACH = 100 };
    pid_t pids[WRITERS];
    make_file(1);
    for (int i = 0; i < WRITERS; i++)
        pids[i] = start_writer((uint64_t)(1 + i * EACH), EACH);
    for (int i = 0; i < WRITERS; i++)
        expect_success(pids[i]);
    LearnStore *const memory = memory_open_well();
    ck_assert_int_eq(memory_read_kept(memory, KEPT_MAX, &kept), LEARN_STORE_DONE);
    ck_assert_int_eq(check_kept(1 + WRITERS * EACH), 1 + WRITERS * EACH);
    learn_store_close(memory);
}
END_TEST

START_TEST(engines_that_make_the_file_at_once_agree)
{
    for (int round = 0; round < 10; round++) {
        remove(memory_path);
        const pid_t one = start_writer(0, 5), other = start_writer(5, 5);
        expect_success(one);
        expect_success(other);
        LearnStore *const memory = memory_open_well();
        ck_assert_int_eq(memory_read_kept(memory, KEPT_MAX, &kept), LEARN_STORE_DONE);
        ck_assert_int_eq(check_kept(10), 10);
        learn_store_close(memory);
    }
}
END_TEST

/* ---- Kills ---- */

enum { KILL_LESSONS = 800 }; // of so many no two are of one position

/* A child that writes lessons for ever and tells after each how many are committed. */
static pid_t start_victim(uint64_t first, int *tells)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    fflush(NULL);
    const pid_t pid = fork();
    if (pid != 0) {
        close(ends[1]);
        *tells = ends[0];
        return pid;
    }
    LearnStoreStatus verdict;
    LearnStore *const memory = learn_store_open(memory_path, true, &verdict, error);
    const LearnStoreTerms terms = {.policy = LEARN_BEBE, .max = 100000};
    for (uint64_t i = first; memory != NULL && i < KILL_LESSONS; i++) {
        const LearnedPosition learned = made_lesson(i);
        if (learn_store_write(memory, &learned, 1, terms) != LEARN_STORE_DONE)
            _exit(1);
        const char mark = '.';
        if (write(ends[1], &mark, 1) != 1)
            _exit(2);
    }
    pause();
    _exit(3);
}

static int count_marks(int tells)
{
    char marks[512];
    int count = 0;
    for (ssize_t got = read(tells, marks, sizeof marks); got > 0;
         got = read(tells, marks, sizeof marks))
        count += (int)got;
    close(tells);
    return count;
}

/* What was committed is there after kill -9, and at most one lesson more, which was about to be
 * told. Every other time the file is first opened by a program that only reads. */
START_TEST(kill_9_at_any_instant_loses_nothing_committed)
{
    Rng rng;
    rng_seed(&rng, 9);
    int committed = 0;
    make_file(0);
    for (int round = 0; round < (is_slow() ? 200 : 12); round++) {
        int tells, status;
        const pid_t pid = start_victim((uint64_t)committed, &tells);
        const struct timespec nap = {.tv_nsec = (long)rng_below(&rng, 30000000)};
        nanosleep(&nap, NULL);
        ck_assert_int_eq(kill(pid, SIGKILL), 0);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert(WIFSIGNALED(status));
        committed += count_marks(tells);
        LearnStoreStatus verdict;
        LearnStore *const memory = learn_store_open(memory_path, round % 2 == 0, &verdict, error);
        ck_assert_msg(memory != NULL, "round %d: %s", round, error);
        ck_assert_str_eq(error, "");
        ck_assert_int_eq(memory_read_kept(memory, KEPT_MAX, &kept), LEARN_STORE_DONE);
        ck_assert_int_eq(kept.rest.faulty, 0);
        ck_assert_int_ge(kept.count, committed);
        ck_assert_int_le(kept.count, committed + 1);
        for (int i = 0; i < kept.count; i++) {
            const LearnedPosition made = made_lesson((uint64_t)(kept.count - 1 - i));
            ck_assert(same_lesson(&kept.positions[i], &made));
        }
        committed = kept.count;
        learn_store_close(memory);
        if (committed > KILL_LESSONS - 200) {
            remove(memory_path);
            make_file(0);
            committed = 0;
        }
    }
}
END_TEST

/* ---- Disks ---- */

/* Runs `body` in a child, where limits and identities may change; its result is the status. */
static int in_child(int (*body)(void))
{
    int status;
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0)
        _exit(body());
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFEXITED(status), "the child died of signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

/* Writes until the disk is full, which it is from 60,000 bytes on. What was committed before stays;
 * returns how many lessons that are, or 0 when something is wrong. */
static int fill_disk(void)
{
    const struct rlimit limit = {60000, 60000};
    LearnStoreStatus verdict;
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 0;
    LearnStore *const memory = learn_store_open(memory_path, true, &verdict, error);
    const LearnStoreTerms terms = {.policy = LEARN_BEBE, .max = 100000};
    int written = 0;
    for (; written < KEPT_MAX; written++) {
        const LearnedPosition learned = made_lesson((uint64_t)written);
        verdict = learn_store_write(memory, &learned, 1, terms);
        if (verdict != LEARN_STORE_DONE)
            break;
    }
    const bool is_told = verdict == LEARN_STORE_FAILED && learn_store_error(memory)[0] != '\0';
    if (!is_told || memory_read_kept(memory, KEPT_MAX, &kept) != LEARN_STORE_DONE ||
        kept.count != written)
        return 0;
    learn_store_close(memory);
    return written < 250 ? written : 0;
}

START_TEST(a_full_disk_keeps_what_was_written)
{
    const int written = in_child(fill_disk);
    ck_assert_int_gt(written, 10);
    LearnStore *const memory = memory_open_well();
    ck_assert_int_eq(memory_read_kept(memory, KEPT_MAX, &kept), LEARN_STORE_DONE);
    ck_assert_int_eq(check_kept(250), written);
    memory_write_made(memory, (uint64_t)written, 5, 1000);
    learn_store_close(memory);
}
END_TEST

/* Root may write everywhere: becomes somebody else. False where that is not to be had. */
static bool become_nobody(void)
{
    return geteuid() != 0 || (setgid(65534) == 0 && setuid(65534) == 0);
}

/* 0: the file was read, not written to, and that was said. */
static int use_what_must_not_be_written(void)
{
    LearnStoreStatus verdict;
    if (!become_nobody())
        return 77;
    LearnStore *const memory = learn_store_open(memory_path, true, &verdict, error);
    if (memory == NULL || learn_store_is_writable(memory) || strstr(error, "is only read") == NULL)
        return 1;
    if (memory_read_kept(memory, KEPT_MAX, &kept) != LEARN_STORE_DONE || kept.count != 5)
        return 2;
    learn_store_close(memory);
    return 0;
}

static int make_what_must_not_be_made(void)
{
    LearnStoreStatus verdict;
    if (!become_nobody())
        return 77;
    LearnStore *const memory = learn_store_open(memory_path, true, &verdict, error);
    return memory == NULL && verdict == LEARN_STORE_FAILED && strstr(error, "cannot be") != NULL
               ? 0
               : 1;
}

static void expect_unless_skipped(int status)
{
    if (status == 77)
        puts("skipped: cannot become another user");
    else
        ck_assert_int_eq(status, 0);
}

START_TEST(a_file_that_must_not_be_written_is_read)
{
    make_file(5);
    ck_assert_int_eq(chmod(memory_path, 0444), 0);
    expect_unless_skipped(in_child(use_what_must_not_be_written));
}
END_TEST

START_TEST(a_file_in_a_folder_that_must_not_be_written_is_read)
{
    make_file(5);
    ck_assert_int_eq(chmod(memory_path, 0666), 0);
    ck_assert_int_eq(chmod(memory_folder, 0555), 0);
    expect_unless_skipped(in_child(use_what_must_not_be_written));
}
END_TEST

START_TEST(a_folder_that_must_not_be_written_gets_no_file)
{
    ck_assert_int_eq(chmod(memory_folder, 0555), 0);
    expect_unless_skipped(in_child(make_what_must_not_be_made));
}
END_TEST

Suite *suite_learn_store_faults(void);
Suite *suite_learn_store_faults(void)
{
    Suite *const suite = suite_create("learn_store_faults");
    TCase *const tcase = tcase_create("memory_faults");
    tcase_add_checked_fixture(tcase, memory_enter, memory_leave);
    tcase_set_timeout(tcase, is_slow() ? 1200 : 60);
    if (!learn_store_is_linked()) {
        puts("skipped: memory_faults: built without SQLite");
        return suite;
    }
    tcase_add_test(tcase, no_altered_byte_makes_anything_false_be_read);
    tcase_add_test(tcase, a_file_cut_short_anywhere_is_survived);
    tcase_add_test(tcase, random_rubbish_in_a_good_file_is_survived);
    tcase_add_loop_test(tcase, rows_that_were_tampered_with_are_left_out, 0, TAMPERINGS);
    tcase_add_test(tcase, files_of_other_kinds_are_refused_and_left_alone);
    tcase_add_loop_test(tcase, databases_of_others_are_refused_and_left_alone, 0,
                        (int)(sizeof FOREIGN / sizeof FOREIGN[0]));
    tcase_add_test(tcase, a_file_of_ours_with_more_in_it_is_refused);
    tcase_add_test(tcase, what_is_no_file_is_refused);
    tcase_add_test(tcase, a_file_that_is_being_written_by_another_program_is_read);
    tcase_add_test(tcase, a_file_that_another_program_has_for_itself_may_be_had_later);
    tcase_add_test(tcase, a_file_left_in_write_ahead_mode_is_used);
    tcase_add_test(tcase, engines_that_learn_at_once_lose_nothing);
    tcase_add_test(tcase, engines_that_make_the_file_at_once_agree);
    tcase_add_test(tcase, kill_9_at_any_instant_loses_nothing_committed);
    tcase_add_test(tcase, a_full_disk_keeps_what_was_written);
    tcase_add_test(tcase, a_file_that_must_not_be_written_is_read);
    tcase_add_test(tcase, a_file_in_a_folder_that_must_not_be_written_is_read);
    tcase_add_test(tcase, a_folder_that_must_not_be_written_gets_no_file);
    suite_add_tcase(suite, tcase);
    return suite;
}
