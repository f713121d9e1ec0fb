// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/record_log.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "whole_file.h"

#define MAGIC "test-01\n"

enum { HEADER = 6 };

static char path[64];
static char error[RECORD_LOG_ERROR_MAX];
static RecordReader reader;

static void make_path(void)
{
    snprintf(path, sizeof path, "/tmp/palimpsest-records-%ld", (long)getpid());
    remove(path);
}

static void remove_path(void)
{
    remove(path);
}

/* Writes the bytes of record `i` and returns their number, from 1 to the largest size. */
static size_t fill(uint8_t *bytes, int i)
{
    Rng rng;
    rng_seed(&rng, (uint64_t)i);
    const size_t size = i % 50 == 7 ? RECORD_LOG_MAX_SIZE : 1 + (size_t)rng_below(&rng, 300);
    for (size_t k = 0; k < size; k++)
        bytes[k] = (uint8_t)rng_next(&rng);
    return size;
}

static void open_to_append(RecordWriter *writer)
{
    ck_assert_msg(record_log_append_open(writer, path, MAGIC, NULL, error), "%s", error);
}

static void append_records(int from, int to)
{
    static uint8_t bytes[RECORD_LOG_MAX_SIZE];
    RecordWriter writer;
    open_to_append(&writer);
    ck_assert_uint_eq(writer.count, (uint64_t)from);
    for (int i = from; i < to; i++)
        ck_assert(record_log_append(&writer, bytes, fill(bytes, i)));
    ck_assert_uint_eq(writer.count, (uint64_t)to);
    record_log_append_close(&writer);
}

static void expect_block(int i)
{
    static uint8_t bytes[RECORD_LOG_MAX_SIZE];
    const size_t size = fill(bytes, i);
    ck_assert_int_eq(record_log_read(&reader), RECORD_OK);
    ck_assert_uint_eq(reader.size, size);
    ck_assert_mem_eq(reader.bytes, bytes, size);
}

static void expect_records(int count)
{
    ck_assert_msg(record_log_read_open(&reader, path, MAGIC, error), "%s", error);
    for (int i = 0; i < count; i++)
        expect_block(i);
    ck_assert_int_eq(record_log_read(&reader), RECORD_END);
    ck_assert_int_eq(record_log_read(&reader), RECORD_END);
    record_log_read_close(&reader);
}

static long file_size(void)
{
    return (long)whole_file_size(path);
}

static void flip(long offset, int bits)
{
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    fseek(file, offset, SEEK_SET);
    const int c = getc(file);
    fseek(file, offset, SEEK_SET);
    putc(c ^ bits, file);
    fclose(file);
}

START_TEST(records_come_back_in_order_over_several_openings)
{
    append_records(0, 0);
    ck_assert_int_eq(file_size(), RECORD_LOG_MAGIC_SIZE);
    expect_records(0);
    append_records(0, 100);
    append_records(100, 100);
    append_records(100, 260);
    expect_records(260);
}
END_TEST

START_TEST(an_unfinished_record_is_reported_then_cut_off_by_the_next_append)
{
    append_records(0, 5);
    const long whole = file_size();
    append_records(5, 6);
    const long more = file_size();
    for (long size = whole + 1; size < more; size += size < whole + 10 ? 1 : 37) {
        ck_assert_int_eq(truncate(path, size), 0);
        ck_assert(record_log_read_open(&reader, path, MAGIC, error));
        for (int i = 0; i < 5; i++)
            expect_block(i);
        ck_assert_int_eq(record_log_read(&reader), RECORD_TRUNCATED);
        record_log_read_close(&reader);
        append_records(5, 6);
        ck_assert_int_eq(file_size(), more);
        expect_records(6);
    }
}
END_TEST

START_TEST(an_unfinished_magic_is_rewritten)
{
    for (size_t size = 0; size < RECORD_LOG_MAGIC_SIZE; size++) {
        whole_file_write(path, MAGIC, size);
        append_records(0, 2);
        expect_records(2);
    }
}
END_TEST

START_TEST(another_kind_of_file_is_refused_and_unchanged)
{
    static const char *const OTHERS[] = {"x", "test-02\n", "test-01\rand more", "tes_",
                                         "PNG something that is quite long"};
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) {
        const size_t size = strlen(OTHERS[i]);
        size_t found_size;
        RecordWriter writer;
        whole_file_write(path, OTHERS[i], size);
        error[0] = '\0';
        ck_assert(!record_log_append_open(&writer, path, MAGIC, NULL, error));
        ck_assert_ptr_nonnull(strstr(error, path));
        error[0] = '\0';
        ck_assert(!record_log_read_open(&reader, path, MAGIC, error));
        ck_assert_ptr_nonnull(strstr(error, path));
        uint8_t *const found = whole_file_read(path, &found_size);
        ck_assert_uint_eq(found_size, size);
        ck_assert_mem_eq(found, OTHERS[i], size);
        free(found);
    }
}
END_TEST

START_TEST(a_failed_open_has_a_reason)
{
    RecordWriter writer;
    error[0] = '\0';
    ck_assert(!record_log_append_open(&writer, "/nonexistent/file", MAGIC, NULL, error));
    ck_assert_ptr_nonnull(strstr(error, "/nonexistent/file: "));
    ck_assert(!record_log_append_open(&writer, "/tmp", MAGIC, NULL, error));
    error[0] = '\0';
    ck_assert(!record_log_read_open(&reader, path, MAGIC, error));
    ck_assert_ptr_nonnull(strstr(error, path));
    ck_assert(!record_log_read_open(&reader, "/tmp", MAGIC, error));
}
END_TEST

START_TEST(an_error_about_a_long_path_keeps_its_reason)
{
    RecordWriter writer;
    char missing[2 * RECORD_LOG_ERROR_MAX];
    memset(missing, 'm', sizeof missing - 1);
    for (size_t i = 0; i < sizeof missing; i += 100) // no name is too long
        missing[i] = '/';
    missing[sizeof missing - 1] = '\0';
    ck_assert(!record_log_append_open(&writer, missing, MAGIC, NULL, error));
    ck_assert_ptr_nonnull(strstr(error, strerror(ENOENT)));
}
END_TEST

START_TEST(damage_is_reported_and_reading_continues)
{
    append_records(0, 5);
    uint8_t bytes[RECORD_LOG_MAX_SIZE];
    const long second = RECORD_LOG_MAGIC_SIZE + HEADER + (long)fill(bytes, 0);
    const long size = HEADER + (long)fill(bytes, 1);
    for (long offset = 2; offset < size; offset++) { // checksum and bytes
        flip(second + offset, 0x10);
        ck_assert(record_log_read_open(&reader, path, MAGIC, error));
        expect_block(0);
        ck_assert_int_eq(record_log_read(&reader), RECORD_DAMAGED);
        for (int i = 2; i < 5; i++)
            expect_block(i);
        ck_assert_int_eq(record_log_read(&reader), RECORD_END);
        record_log_read_close(&reader);
        if (offset == 2) {
            append_records(5, 6); // damage before the end is counted and stays in the file
            ck_assert_int_eq(truncate(path, file_size() - HEADER - (long)fill(bytes, 5)), 0);
        }
        flip(second + offset, 0x10);
    }
    expect_records(5);
}
END_TEST

/* Offset of record `i` in a file of whole records. */
static long record_start(int i)
{
    static uint8_t bytes[RECORD_LOG_MAX_SIZE];
    long offset = RECORD_LOG_MAGIC_SIZE;
    for (int k = 0; k < i; k++)
        offset += HEADER + (long)fill(bytes, k);
    return offset;
}

/* Checks that the file at `path` holds the records 0..count-1, with one damaged stretch in place of
 * `from`..`to`-1. */
static void expect_all_but(int from, int to, int count)
{
    ck_assert_msg(record_log_read_open(&reader, path, MAGIC, error), "%s", error);
    for (int i = 0; i < from; i++)
        expect_block(i);
    ck_assert_int_eq(record_log_read(&reader), RECORD_DAMAGED);
    ck_assert_uint_eq(reader.size, 0);
    for (int i = to; i < count; i++)
        expect_block(i);
    ck_assert_int_eq(record_log_read(&reader), RECORD_END);
    record_log_read_close(&reader);
}

START_TEST(a_flipped_bit_of_a_length_loses_only_that_record)
{
    /* Record 7 has the largest size; one of its bits is tested. */
    static const int HITS[] = {0, 6, 8, 11, 7};
    const int hit = HITS[_i / 16], bit = hit == 7 ? 15 : _i % 16;
    append_records(0, 12);
    const long size = file_size();
    const long offset = record_start(hit) + bit / 8;
    flip(offset, 1 << bit % 8);
    if (hit == 11) {
        append_records(11, 12);
        expect_records(12);
        return;
    }
    expect_all_but(hit, hit + 1, 12);
    append_records(12, 12); // must not truncate the file
    ck_assert_int_eq(file_size(), size);
    expect_all_but(hit, hit + 1, 12);
    flip(offset, 1 << bit % 8);
    expect_records(12);
}
END_TEST

START_TEST(damage_over_several_records_is_reported_once)
{
    append_records(0, 12);
    const long from = record_start(2) + 1, to = record_start(6) - 1;
    const long size = file_size();
    for (long offset = from; offset < to; offset += 5)
        flip(offset, 0x55);
    expect_all_but(2, 6, 12);
    append_records(9, 10); // eight intact records and the damaged stretch
    ck_assert_int_gt(file_size(), size);
    ck_assert_int_eq(truncate(path, size), 0);
    expect_all_but(2, 6, 12);
}
END_TEST

/* A file that ends within a record may still hold whole records before its end. */
START_TEST(the_end_of_a_file_is_searched_for_records_before_it_is_cut_off)
{
    append_records(0, 6);
    const long size = file_size();
    flip(record_start(4) + 1, 0x80); // the record now reaches beyond the end
    expect_all_but(4, 5, 6);
    append_records(6, 6);
    ck_assert_int_eq(file_size(), size);
    flip(record_start(5) + 1, 0x80);
    append_records(4, 4); // no good record follows
    ck_assert_int_eq(file_size(), record_start(4));
    append_records(4, 6);
    expect_records(6);
}
END_TEST

/* A system that loses its power can leave zeros in a file. Searching them must take no minutes. */
START_TEST(a_long_hole_is_passed_quickly)
{
    enum { HOLE = 128 << 20 };
    static char rest[1 << 16];
    append_records(0, 6);
    const long hole = record_start(3), size = file_size();
    FILE *const file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, hole, SEEK_SET), 0);
    ck_assert_uint_eq(fread(rest, 1, sizeof rest, file), (size_t)(size - hole));
    ck_assert_int_eq(ftruncate(fileno(file), hole), 0);
    ck_assert_int_eq(fseek(file, hole + HOLE, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite(rest, 1, (size_t)(size - hole), file), (size_t)(size - hole));
    fclose(file);
    expect_all_but(3, 3, 6);
    append_records(7, 7); // six records and the hole
    ck_assert_int_eq(file_size(), size + HOLE);
}
END_TEST

START_TEST(damage_longer_than_one_record_is_refused_and_unchanged)
{
    enum { ROOM = HEADER + RECORD_LOG_MAX_SIZE };
    append_records(0, 5);
    const long whole = file_size();
    static uint8_t garbage[ROOM + 1]; // zeros are not a record
    RecordWriter writer;
    FILE *file = fopen(path, "ab");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(garbage, 1, sizeof garbage, file), sizeof garbage);
    fclose(file);
    error[0] = '\0';
    ck_assert(!record_log_append_open(&writer, path, MAGIC, NULL, error));
    ck_assert_msg(strstr(error, "damaged") != NULL, "%s", error);
    ck_assert_int_eq(file_size(), whole + ROOM + 1);
    ck_assert_int_eq(truncate(path, whole + ROOM), 0);
    append_records(5, 6);
    expect_records(6);
}
END_TEST

START_TEST(a_damaged_last_record_is_cut_off)
{
    for (int bit = 0; bit < 8; bit++) {
        for (long back = 0; back < 3; back++) { // the last byte, and each byte of the length
            append_records(bit == 0 && back == 0 ? 0 : 6, 6);
            flip(back == 0 ? file_size() - 1 : record_start(5) + back - 1, 1 << bit);
            append_records(5, 6);
            expect_records(6);
        }
    }
}
END_TEST

START_TEST(close_reports_whether_the_records_are_on_the_disk)
{
    RecordWriter writer;
    open_to_append(&writer);
    ck_assert(record_log_append_close(&writer));
    ck_assert(record_log_append_close(&writer)); // already closed
    open_to_append(&writer);
    close(fileno(writer.stream)); // simulates a failing disk
    ck_assert(!record_log_append_close(&writer));
}
END_TEST

START_TEST(records_survive_a_killed_writer)
{
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        uint8_t bytes[RECORD_LOG_MAX_SIZE];
        RecordWriter writer;
        if (record_log_append_open(&writer, path, MAGIC, NULL, error))
            for (int i = 0; i < 10; i++)
                record_log_append(&writer, bytes, fill(bytes, i));
        raise(SIGKILL);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    expect_records(10);
    append_records(10, 12);
    expect_records(12);
}
END_TEST

START_TEST(records_can_be_written_to_a_stream_of_the_caller)
{
    uint8_t bytes[RECORD_LOG_MAX_SIZE];
    RecordWriter writer;
    FILE *const file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert(record_log_begin_writing(&writer, file, MAGIC));
    for (int i = 0; i < 12; i++)
        ck_assert(record_log_append(&writer, bytes, fill(bytes, i)));
    ck_assert_uint_eq(writer.count, 12);
    fclose(file);
    expect_records(12);
    append_records(12, 14);
    expect_records(14);
}
END_TEST

START_TEST(a_strict_reader_stops_at_damage)
{
    append_records(0, 5);
    const long second = record_start(1), end = record_start(2);
    FILE *const file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    setvbuf(file, NULL, _IONBF, 0);
    for (long offset = second; offset < end; offset++) {
        flip(offset, 1);
        ck_assert(record_log_begin_reading(&reader, file, MAGIC));
        expect_block(0);
        const RecordStatus status = record_log_read(&reader);
        ck_assert(status == RECORD_DAMAGED || status == RECORD_TRUNCATED);
        ck_assert_uint_eq(reader.size, 0);
        flip(offset, 1);
    }
    for (int round = 0; round < 2; round++) {
        ck_assert(record_log_begin_reading(&reader, file, MAGIC));
        for (int i = 0; i < 5; i++)
            expect_block(i);
        ck_assert_int_eq(record_log_read(&reader), RECORD_END);
    }
    ck_assert(!record_log_begin_reading(&reader, file, "other-01"));
    fclose(file);
}
END_TEST

START_TEST(a_read_error_is_not_the_end_of_the_file)
{
    RecordStatus status;
    append_records(0, 12); // one of them is larger than the buffer of a stream
    ck_assert(record_log_read_open(&reader, path, MAGIC, error));
    expect_block(0);
    const int nowhere = open("/dev/null", O_WRONLY);
    ck_assert_int_ge(dup2(nowhere, fileno(reader.stream)), 0); // as on a failing disk
    do
        status = record_log_read(&reader);
    while (status == RECORD_OK);
    ck_assert_int_eq(errno, EBADF);
    ck_assert_int_eq(status, RECORD_FAILED);
    ck_assert_uint_eq(reader.size, 0);
    record_log_read_close(&reader);
    close(nowhere);
}
END_TEST

START_TEST(a_reader_can_be_stopped)
{
    atomic_bool stop = false;
    append_records(0, 3);
    ck_assert(record_log_read_open(&reader, path, MAGIC, error));
    reader.stop = &stop;
    expect_block(0);
    atomic_store(&stop, true);
    ck_assert_int_eq(record_log_read(&reader), RECORD_FAILED);
    ck_assert_int_eq(errno, ECANCELED);
    ck_assert_uint_eq(reader.size, 0);
    record_log_read_close(&reader);
    RecordWriter writer;
    ck_assert(!record_log_append_open(&writer, path, MAGIC, &stop, error));
    expect_records(3);
}
END_TEST

START_TEST(a_second_writer_is_refused)
{
    RecordWriter first, second;
    open_to_append(&first);
    ck_assert(!record_log_append_open(&second, path, MAGIC, NULL, error));
    record_log_append_close(&first);
    open_to_append(&second);
    record_log_append_close(&second);
}
END_TEST

START_TEST(a_failed_append_leaves_the_file_unchanged)
{
    append_records(0, 5);
    const long size = file_size();
    const struct rlimit small = {.rlim_cur = (rlim_t)size + 100, .rlim_max = RLIM_INFINITY};
    const struct rlimit unlimited = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    uint8_t bytes[200] = {0};
    RecordWriter writer;
    open_to_append(&writer);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    ck_assert(!record_log_append(&writer, bytes, sizeof bytes));
    ck_assert_int_eq(file_size(), size);
    ck_assert_uint_eq(writer.count, 5);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
    ck_assert(record_log_append(&writer, bytes, 1));
    record_log_append_close(&writer);
    ck_assert_int_eq(file_size(), size + HEADER + 1);
}
END_TEST

Suite *suite_record_log(void);
Suite *suite_record_log(void)
{
    Suite *suite = suite_create("record_log");
    TCase *tcase = tcase_create("records");
    tcase_add_checked_fixture(tcase, make_path, remove_path);
    tcase_set_timeout(tcase, 20);
    tcase_add_test(tcase, records_come_back_in_order_over_several_openings);
    tcase_add_test(tcase, an_unfinished_record_is_reported_then_cut_off_by_the_next_append);
    tcase_add_test(tcase, an_unfinished_magic_is_rewritten);
    tcase_add_test(tcase, another_kind_of_file_is_refused_and_unchanged);
    tcase_add_test(tcase, a_failed_open_has_a_reason);
    tcase_add_test(tcase, an_error_about_a_long_path_keeps_its_reason);
    tcase_add_test(tcase, damage_is_reported_and_reading_continues);
    tcase_add_loop_test(tcase, a_flipped_bit_of_a_length_loses_only_that_record, 0, 4 * 16 + 1);
    tcase_add_test(tcase, damage_over_several_records_is_reported_once);
    tcase_add_test(tcase, the_end_of_a_file_is_searched_for_records_before_it_is_cut_off);
    tcase_add_test(tcase, a_long_hole_is_passed_quickly);
    tcase_add_test(tcase, damage_longer_than_one_record_is_refused_and_unchanged);
    tcase_add_test(tcase, a_damaged_last_record_is_cut_off);
    tcase_add_test(tcase, close_reports_whether_the_records_are_on_the_disk);
    tcase_add_test(tcase, records_survive_a_killed_writer);
    tcase_add_test(tcase, records_can_be_written_to_a_stream_of_the_caller);
    tcase_add_test(tcase, a_strict_reader_stops_at_damage);
    tcase_add_test(tcase, a_read_error_is_not_the_end_of_the_file);
    tcase_add_test(tcase, a_reader_can_be_stopped);
    tcase_add_test(tcase, a_second_writer_is_refused);
    tcase_add_test(tcase, a_failed_append_leaves_the_file_unchanged);
    suite_add_tcase(suite, tcase);
    return suite;
}
