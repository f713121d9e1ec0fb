// SPDX-License-Identifier: GPL-3.0-or-later
/* Faults of hash files: no wrong entry is ever loaded, and the path always has the old file or the
 * new one. */
#define _GNU_SOURCE // unshare
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/record_log.h"
#include "chess/zobrist.h"
#include "skip.h"
#include "tt/hashfile_fixture.h"
#include "whole_file.h"

#define MAGIC "PALIHASH"
enum { VERSION = 2 };

static Tt from, to;
static uint8_t *before; // bytes of the table `to`

/* How compose() writes a file; a test may change it. */
static struct {
    size_t record_size;
    uint8_t record_letter;
    uint64_t missing; // records that only the foot counts
    uint64_t moves;   // records with only a move, as the foot counts them
} composed;

static void setup(void)
{
    composed.record_size = 18;
    composed.record_letter = 'r';
    composed.missing = composed.moves = 0;
    hash_enter(true);
    hash_make_table(&from, 2, REPLACE_THOMPSON);
    hash_make_table(&to, 2, REPLACE_THOMPSON);
    hash_fill(&to, 99, 1000);
    before = malloc(to.bytes);
    ck_assert_ptr_nonnull(before);
    memcpy(before, to.slots, to.bytes);
}

static void teardown(void)
{
    free(before);
    tt_free(&from);
    tt_free(&to);
    hash_leave();
}

/* Loading and verifying refuse the file with this reason, and the table is unchanged. */
static void expect_refused(const char *reason)
{
    hash_error[0] = '\0';
    ck_assert(!hash_verify());
    ck_assert_msg(strstr(hash_error, reason) != NULL, "%s", hash_error);
    hash_error[0] = '\0';
    ck_assert(!hash_load(&to));
    ck_assert_msg(strstr(hash_error, reason) != NULL, "%s", hash_error);
    ck_assert_mem_eq(before, to.slots, to.bytes);
}

/* Writes a file of `count` results to hash_path and returns its bytes, which the caller frees. */
static uint8_t *make_file(uint64_t seed, int count, size_t *size)
{
    hash_fill(&from, seed, count);
    ck_assert_msg(hash_save(&from, 1), "%s", hash_error);
    return whole_file_read(hash_path, size);
}

START_TEST(each_altered_byte_is_detected)
{
    static const uint8_t PATTERNS[] = {0x01, 0x80, 0xff};
    const int patterns = is_slow_run() ? 255 : 3;
    size_t size;
    uint8_t *const bytes = make_file(1, 60, &size);
    ck_assert_uint_gt(hash_sum.records, 20);
    for (size_t at = 0; at < size; at++)
        for (int i = 0; i < patterns; i++) {
            const uint8_t pattern = patterns == 3 ? PATTERNS[i] : (uint8_t)(i + 1);
            bytes[at] ^= pattern;
            hash_write(bytes, size);
            expect_refused("");
            bytes[at] ^= pattern;
        }
    hash_write(bytes, size);
    ck_assert(hash_load(&to));
    printf("each of %zu bytes of a hash file altered in %d ways\n", size, patterns);
    free(bytes);
}
END_TEST

START_TEST(truncated_and_extended_files_are_refused)
{
    size_t size;
    uint8_t *const bytes = make_file(2, 60, &size);
    hash_write(bytes, 0);
    expect_refused("is empty");
    for (size_t left = 1; left < size; left++) {
        hash_write(bytes, left);
        expect_refused("is ");
    }
    bytes[size] = 0;
    hash_write(bytes, size + 1);
    expect_refused("after its end");
    free(bytes);
}
END_TEST

START_TEST(a_file_without_one_of_its_blocks_is_refused)
{
    enum { BLOCK = 6 + 1 + 18 * ((RECORD_LOG_MAX_SIZE - 1) / 18) };
    const size_t first = RECORD_LOG_MAGIC_SIZE + 6 + 1 + 32; // after magic and head
    size_t size;
    uint8_t *const bytes = make_file(3, 40000, &size);
    ck_assert_uint_gt(size, first + 3 * BLOCK);
    memmove(bytes + first + BLOCK, bytes + first + 2 * BLOCK, size - first - 2 * BLOCK);
    hash_write(bytes, size - BLOCK);
    expect_refused("records are missing");
    free(bytes);
}
END_TEST

START_TEST(missing_files_pipes_and_folders_are_refused_at_once)
{
    const int64_t start = clock_ms();
    expect_refused("cannot be read: No such file");
    ck_assert_int_eq(mkfifo(hash_path, 0600), 0); // opening it would block
    expect_refused("not a regular file");
    ck_assert(!hash_save(&from, 1));
    ck_assert_ptr_nonnull(strstr(hash_error, "not a regular file"));
    remove(hash_path);
    ck_assert_int_eq(mkdir(hash_path, 0700), 0);
    expect_refused("not a regular file");
    ck_assert(!hash_save(&from, 1));
    ck_assert_ptr_nonnull(strstr(hash_error, "not a regular file"));
    ck_assert_int_lt(clock_ms() - start, 5000);
}
END_TEST

START_TEST(other_kinds_of_files_are_refused)
{
    static const char text[] = "[Event \"A game\"]\n\n1. e4 e5 2. Nf3 *\n";
    static uint8_t zeros[1 << 20];
    hash_write((const uint8_t *)text, sizeof text);
    expect_refused("is not a hash file");
    hash_write(zeros, sizeof zeros);
    expect_refused("is not a hash file");
    memcpy(zeros, MAGIC, sizeof MAGIC - 1); // a correct magic, then zeros as after a power cut
    hash_write(zeros, sizeof zeros);
    expect_refused("is damaged");
}
END_TEST

/* Writes a file with correct checksums, this head and these records of 18 bytes each. */
static void compose(const uint64_t head[4], const uint8_t *records, size_t count)
{
    RecordWriter writer;
    uint8_t part[1 + 32];
    const uint64_t foot[2] = {count + composed.missing, composed.moves};
    FILE *const file = fopen(hash_path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert(record_log_begin_writing(&writer, file, MAGIC));
    part[0] = 'h';
    memcpy(part + 1, head, 32);
    ck_assert(record_log_append(&writer, part, sizeof part));
    for (size_t i = 0; i < count; i++) {
        part[0] = composed.record_letter;
        memcpy(part + 1, records + 18 * i, 18);
        ck_assert(record_log_append(&writer, part, 1 + composed.record_size));
    }
    part[0] = 'f';
    memcpy(part + 1, foot, sizeof foot);
    ck_assert(record_log_append(&writer, part, 1 + sizeof foot));
    fclose(file);
}

/* A sound record of a lower bound. */
static const uint8_t SOUND[18] = {1,
                                  2,
                                  3,
                                  4,
                                  5,
                                  6,
                                  7,
                                  8,
                                  /* move */ 9,
                                  3,
                                  /* score */ 90,
                                  0,
                                  /* eval */ 20,
                                  0,
                                  /* depth */ 7,
                                  /* bound, level */ 0x0a,
                                  /* size */ 5,
                                  0};

START_TEST(files_of_another_version_network_or_hashing_are_refused)
{
    const uint64_t good[4] = {VERSION, zobrist_fingerprint(), FIXTURE_EVALUATION, 6};
    static const char *const reasons[] = {"version", "other Zobrist keys", "another network"};
    for (int i = 0; i < 3; i++) {
        uint64_t head[4];
        memcpy(head, good, sizeof head);
        head[i]++;
        compose(head, SOUND, 1);
        expect_refused(reasons[i]);
    }
    uint64_t old[4];
    memcpy(old, good, sizeof old);
    old[0] = 1; // its keys told fewer positions apart
    compose(old, SOUND, 1);
    expect_refused("has version 1 ");
    compose(good, SOUND, 1);
    ck_assert_msg(hash_load(&to), "%s", hash_error);
    ck_assert_uint_eq(hash_sum.records, 1);
}
END_TEST

START_TEST(an_impossible_least_depth_is_refused)
{
    static const uint64_t DEPTHS[] = {0, 257, UINT64_C(1) << 32 | 6, UINT64_MAX};
    for (int i = 0; i < 4; i++) {
        const uint64_t head[4] = {VERSION, zobrist_fingerprint(), FIXTURE_EVALUATION, DEPTHS[i]};
        compose(head, SOUND, 1);
        expect_refused("is damaged");
    }
}
END_TEST

/* Impossible records under correct checksums. */
START_TEST(impossible_records_are_refused)
{
    static const struct {
        int at;
        uint8_t byte, next;
    } FAULTS[] = {
        {10, 2, 0},       // the score of a draw
        {10, 0xfe, 0xff}, // the same, negative
        {10, 0x20, 0x4e}, // a tablebase win
        {10, 0x01, 0x7d}, // beyond mate
        {12, 0x20, 0x4e}, // an evaluation out of range
        {14, 0, 0x0a},    // no depth
        {15, 0x08, 5},    // a score without a bound
        {15, 0x1a, 5},    // unused bits are set
    };
    const uint64_t head[4] = {VERSION, zobrist_fingerprint(), FIXTURE_EVALUATION, 6};
    for (size_t i = 0; i < sizeof FAULTS / sizeof FAULTS[0]; i++) {
        uint8_t records[36];
        memcpy(records, SOUND, 18);
        memcpy(records + 18, SOUND, 18);
        records[18 + FAULTS[i].at] = FAULTS[i].byte;
        records[18 + FAULTS[i].at + 1] = FAULTS[i].next;
        compose(head, records, 2);
        expect_refused("is damaged");
    }
}
END_TEST

START_TEST(a_record_of_another_size_is_refused)
{
    const uint64_t head[4] = {VERSION, zobrist_fingerprint(), FIXTURE_EVALUATION, 6};
    for (composed.record_size = 17; composed.record_size <= 19; composed.record_size += 2) {
        compose(head, SOUND, 1);
        expect_refused("is damaged");
    }
}
END_TEST

START_TEST(a_block_of_an_unknown_kind_is_refused)
{
    const uint64_t head[4] = {VERSION, zobrist_fingerprint(), FIXTURE_EVALUATION, 6};
    composed.record_letter = 'x';
    compose(head, SOUND, 1);
    expect_refused("is damaged");
}
END_TEST

/* The numbers of records in the foot show whether blocks are missing. */
START_TEST(a_foot_with_other_numbers_of_records_or_moves_is_refused)
{
    const uint64_t head[4] = {VERSION, zobrist_fingerprint(), FIXTURE_EVALUATION, 6};
    for (int i = 0; i < 2; i++) {
        composed.missing = i == 0;
        composed.moves = i == 1;
        compose(head, SOUND, 1);
        expect_refused("is damaged: records are missing");
    }
}
END_TEST

/* Damages the file during the second pass. */
static bool damage_late(void *ctx, uint64_t done, uint64_t total)
{
    bool *const is_damaged = ctx;
    if (done > total / 2 && !*is_damaged) {
        FILE *const file = fopen(hash_path, "r+b");
        ck_assert_ptr_nonnull(file);
        fseek(file, -1000, SEEK_END);
        const int byte = getc(file);
        fseek(file, -1000, SEEK_END);
        putc(byte ^ 1, file);
        fclose(file);
        *is_damaged = true;
    }
    return true;
}

START_TEST(a_file_that_changes_while_it_is_read_is_refused)
{
    bool is_damaged = false;
    size_t size;
    tt_free(&from);
    hash_make_table(&from, 16, REPLACE_THOMPSON);
    free(make_file(4, 500000, &size));
    ck_assert_uint_gt(size, 3 << 20);
    const HashFileTask task = {.path = hash_path,
                               .evaluation = FIXTURE_EVALUATION,
                               .goes_on = damage_late,
                               .ctx = &is_damaged};
    ck_assert(!hashfile_load(&task, &to, &hash_sum, hash_error));
    ck_assert_msg(strstr(hash_error, "is damaged; part of it was loaded") != NULL, "%s",
                  hash_error);
}
END_TEST

/* Saves two tables in turn until the process is killed; or once, and returns the time it took.
 */
static Tt *saved_in_turn(void)
{
    static Tt tables[2];
    for (int i = 0; i < 2; i++) {
        hash_make_table(&tables[i], 4, REPLACE_THOMPSON);
        hash_fill(&tables[i], (uint64_t)i + 5, 20000 + 40000 * i);
    }
    return tables;
}

START_TEST(after_a_kill_the_file_is_the_old_or_the_new_one)
{
    const int kills = is_slow_run() ? 200 : 20;
    Tt *const tables = saved_in_turn();
    uint64_t records[2], found[2] = {0};
    int drafts = 0;
    Rng rng;
    rng_seed(&rng, 6);
    const int64_t start_us = clock_us();
    for (int i = 0; i < 2; i++) {
        ck_assert(hash_save(&tables[i], 1));
        records[i] = hash_sum.records;
    }
    const uint64_t two_us = (uint64_t)(clock_us() - start_us);
    uint64_t longest_us = 2 * two_us < 500000 ? 2 * two_us : 500000;
    ck_assert_uint_ne(records[0], records[1]);
    int i = 0;
    for (; i < kills || found[0] == 0 || found[1] == 0; i++) {
        ck_assert_int_lt(i, 3 * kills);
        if (i >= kills) // the machine is slower now than during the timing
            longest_us += two_us;
        const pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0)
            for (int turn = 0;; turn++)
                hash_save(&tables[turn % 2], 1);
        usleep((useconds_t)rng_below(&rng, longest_us));
        kill(child, SIGKILL);
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
        drafts += access(hash_beside, F_OK) == 0;
        ck_assert_msg(hash_verify(), "after kill %d: %s", i, hash_error);
        ck_assert(hash_sum.records == records[0] || hash_sum.records == records[1]);
        found[hash_sum.records == records[1]]++;
    }
    printf("%d kills while saving, %d of them with a file half written\n", i, drafts);
    ck_assert_int_gt(drafts, i / 4);     // most kills hit a file being written
    ck_assert(hash_save(&tables[0], 1)); // drafts left behind do not matter
    ck_assert_int_ne(access(hash_beside, F_OK), 0);
    ck_assert(hash_verify());
    for (int table = 0; table < 2; table++)
        tt_free(&tables[table]);
}
END_TEST

/* The old file is unchanged, and no other file exists. */
static void expect_old_file(const uint8_t *bytes, size_t size)
{
    size_t found_size;
    uint8_t *const found = whole_file_read(hash_path, &found_size);
    ck_assert(size == found_size && memcmp(bytes, found, size) == 0);
    free(found);
    ck_assert_int_ne(access(hash_beside, F_OK), 0);
}

START_TEST(a_save_beyond_the_file_size_limit_keeps_the_old_file)
{
    const struct rlimit unlimited = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    size_t size;
    uint8_t *const bytes = make_file(7, 20000, &size);
    const size_t step = size / (is_slow_run() ? 200 : 20);
    file_outlive_limits();
    for (size_t limit = 0; limit < size; limit += step) {
        const struct rlimit small = {.rlim_cur = limit, .rlim_max = RLIM_INFINITY};
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
        const bool is_saved = hash_save(&from, 1);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
        ck_assert(!is_saved);
        ck_assert_msg(strstr(hash_error, "cannot be written: ") != NULL, "%s", hash_error);
        expect_old_file(bytes, size);
    }
    ck_assert(hash_save(&from, 1));
    expect_old_file(bytes, size);
    free(bytes);
}
END_TEST

static void write_text(const char *path, const char *format, unsigned number)
{
    FILE *const file = fopen(path, "w");
    if (file == NULL)
        return;
    fprintf(file, format, number);
    fclose(file);
}

/* Moves this process into a user namespace in which it may mount; root needs none. */
static bool enter_mount_namespace(void)
{
    const unsigned user = geteuid(), group = getegid();
    if (unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) != 0)
        return false;
    if (user != 0) {
        write_text("/proc/self/setgroups", "deny", 0);
        write_text("/proc/self/uid_map", "0 %u 1", user);
        write_text("/proc/self/gid_map", "0 %u 1", group);
    }
    return geteuid() == 0 && getegid() == 0 &&
           mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* Runs in a child process that mounts a disk of 64 KiB. Returns 0 on success, 2 when it may not
 * mount. */
static int fill_disk(void)
{
    if (!enter_mount_namespace() || mount("none", hash_folder, "tmpfs", 0, "size=64k") != 0)
        return 2;
    size_t size;
    uint8_t *const bytes = make_file(8, 500, &size);
    hash_fill(&from, 9, 20000);
    for (int i = 0; i < 3; i++) {
        ck_assert(!hash_save(&from, 1));
        ck_assert_str_eq(hash_error, "cannot be written: No space left on device");
        expect_old_file(bytes, size);
    }
    ck_assert(hash_verify());
    free(bytes);
    return 0;
}

START_TEST(a_full_disk_keeps_the_old_file)
{
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        _exit(fill_disk());
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    if (WEXITSTATUS(status) == 2)
        skip_test("this account may not mount a small disk");
    else
        ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

/* Runs in a child process, which gives up root rights if it has them. */
static int use_read_only_folder(const uint8_t *bytes, size_t size)
{
    if (geteuid() == 0 && setuid(65534) != 0)
        return 2;
    ck_assert(!hash_save(&from, 1));
    ck_assert_str_eq(hash_error, "cannot be written: Permission denied");
    expect_old_file(bytes, size);
    ck_assert(hash_verify());
    ck_assert(hash_load(&to));
    return 0;
}

START_TEST(a_file_in_a_read_only_folder_can_be_loaded)
{
    size_t size;
    uint8_t *const bytes = make_file(10, 500, &size);
    ck_assert_int_eq(chmod(hash_path, 0444), 0);
    ck_assert_int_eq(chmod(hash_folder, 0555), 0);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        _exit(use_read_only_folder(bytes, size));
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(chmod(hash_folder, 0755), 0);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    free(bytes);
}
END_TEST

START_TEST(a_file_that_another_process_is_writing_is_not_written)
{
    FileDraft draft;
    size_t size;
    uint8_t *const bytes = make_file(11, 500, &size);
    ck_assert(file_draft(&draft, hash_path));
    ck_assert(!hash_save(&from, 1));
    ck_assert_str_eq(hash_error, "cannot be written: another process is writing it");
    file_discard(&draft);
    expect_old_file(bytes, size);
    ck_assert(hash_save(&from, 1));
    free(bytes);
}
END_TEST

static FileDraft draft_of_another;
static bool is_held;

static bool release(void *ctx, uint64_t done, uint64_t total)
{
    (void)ctx, (void)done, (void)total;
    if (is_held)
        file_discard(&draft_of_another);
    is_held = false;
    return true;
}

START_TEST(a_save_that_keeps_records_waits_for_another_process)
{
    size_t size;
    uint8_t *const bytes = make_file(11, 500, &size);
    tt_clear(&from);
    is_held = file_draft(&draft_of_another, hash_path);
    ck_assert(is_held);
    const HashFileTask task = {.path = hash_path,
                               .evaluation = FIXTURE_EVALUATION,
                               .min_depth = 1,
                               .max_bytes = INT64_MAX,
                               .keeps_old = true,
                               .goes_on = release};
    ck_assert_msg(hashfile_save(&task, &from, &hash_sum, hash_error), "%s", hash_error);
    expect_old_file(bytes, size); // the table is empty, so the file has only what it had
    free(bytes);
}
END_TEST

START_TEST(processes_that_save_one_file_at_once_never_damage_it)
{
    enum { WRITERS = 3 };
    const int looks = is_slow_run() ? 3000 : 300;
    Tt *const tables = saved_in_turn();
    ck_assert(hash_save(&tables[0], 1));
    pid_t children[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        ck_assert_int_ge(children[i], 0);
        for (int turn = i; children[i] == 0; turn++)
            hash_save(&tables[turn % 2], 1);
    }
    int good = 0;
    while (good < looks && hash_verify())
        good++;
    for (int i = 0; i < WRITERS; i++) {
        kill(children[i], SIGKILL);
        waitpid(children[i], NULL, 0);
    }
    ck_assert_msg(good == looks, "look %d: %s", good, hash_error);
    for (int i = 0; i < 2; i++)
        tt_free(&tables[i]);
}
END_TEST

Suite *suite_hashfile_faults(void);
Suite *suite_hashfile_faults(void)
{
    Suite *const suite = suite_create("hashfile_faults");
    TCase *const tcase = tcase_create("hashfile_faults");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, each_altered_byte_is_detected);
    tcase_add_test(tcase, truncated_and_extended_files_are_refused);
    tcase_add_test(tcase, a_file_without_one_of_its_blocks_is_refused);
    tcase_add_test(tcase, missing_files_pipes_and_folders_are_refused_at_once);
    tcase_add_test(tcase, other_kinds_of_files_are_refused);
    tcase_add_test(tcase, files_of_another_version_network_or_hashing_are_refused);
    tcase_add_test(tcase, an_impossible_least_depth_is_refused);
    tcase_add_test(tcase, impossible_records_are_refused);
    tcase_add_test(tcase, a_record_of_another_size_is_refused);
    tcase_add_test(tcase, a_block_of_an_unknown_kind_is_refused);
    tcase_add_test(tcase, a_foot_with_other_numbers_of_records_or_moves_is_refused);
    tcase_add_test(tcase, a_file_that_changes_while_it_is_read_is_refused);
    tcase_add_test(tcase, after_a_kill_the_file_is_the_old_or_the_new_one);
    tcase_add_test(tcase, a_save_beyond_the_file_size_limit_keeps_the_old_file);
    tcase_add_test(tcase, a_full_disk_keeps_the_old_file);
    tcase_add_test(tcase, a_file_in_a_read_only_folder_can_be_loaded);
    tcase_add_test(tcase, a_file_that_another_process_is_writing_is_not_written);
    tcase_add_test(tcase, a_save_that_keeps_records_waits_for_another_process);
    tcase_add_test(tcase, processes_that_save_one_file_at_once_never_damage_it);
    suite_add_tcase(suite, tcase);
    return suite;
}
