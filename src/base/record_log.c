// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/record_log.h"

#include "base/checksum.h"
#include "base/file.h"
#include "base/interrupt.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A record is its length (2 bytes), the low half of the checksum (4 bytes), both little-endian,
 * then its bytes. */
enum { HEADER_SIZE = 6, CUT_MAX = HEADER_SIZE + RECORD_LOG_MAX_SIZE };

static void put_number(uint8_t *bytes, uint64_t number, int size)
{
    for (int i = 0; i < size; i++)
        bytes[i] = (uint8_t)(number >> 8 * i);
}

static uint64_t get_number(const uint8_t *bytes, int size)
{
    uint64_t number = 0;
    for (int i = 0; i < size; i++)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

static uint32_t record_checksum(const uint8_t *bytes, size_t size)
{
    return (uint32_t)checksum64(bytes, size);
}

/* Writes the reason to `error` and returns false. */
static bool refuse(const char *path, const char *reason, char *error)
{
    snprintf(error, RECORD_LOG_ERROR_MAX, "%.*s: %s", RECORD_LOG_ERROR_MAX - 80, path, reason);
    return false;
}

static bool matches_checksum(const uint8_t *header, const uint8_t *bytes, size_t size)
{
    return get_number(header + 2, 4) == record_checksum(bytes, size);
}

/* What a read that got too few bytes means. */
static RecordStatus cut_short(FILE *stream)
{
    return ferror(stream) ? RECORD_FAILED : RECORD_TRUNCATED;
}

/* Reads a record into `bytes` (RECORD_LOG_MAX_SIZE). Empty records are never written, so a length
 * of 0 is damage. */
static RecordStatus read_record(FILE *stream, uint8_t *bytes, size_t *size)
{
    uint8_t header[HEADER_SIZE];
    const size_t got = fread(header, 1, HEADER_SIZE, stream);
    *size = 0;
    if (got < HEADER_SIZE)
        return got == 0 && !ferror(stream) ? RECORD_END : cut_short(stream);
    const size_t length = (size_t)get_number(header, 2);
    if (fread(bytes, 1, length, stream) < length)
        return cut_short(stream);
    if (length == 0 || !matches_checksum(header, bytes, length))
        return RECORD_DAMAGED;
    *size = length;
    return RECORD_OK;
}

/* A part of a file in memory. It moves on, so that any record at `place` lies in it as a whole. */
typedef struct {
    FILE *stream;
    uint8_t *bytes; // WINDOW_SIZE
    size_t place, count;
} LogWindow;

enum { WINDOW_SIZE = 4 * CUT_MAX };

/* Reads on when less than the longest record is left, until the end of the file. */
static void window_fill(LogWindow *window)
{
    const size_t left = window->count - window->place;
    if (left >= CUT_MAX || feof(window->stream))
        return;
    memmove(window->bytes, window->bytes + window->place, left);
    window->place = 0;
    window->count = left + fread(window->bytes + left, 1, WINDOW_SIZE - left, window->stream);
}

/* True when a good record begins at the place of the window. */
static bool is_record(const LogWindow *window)
{
    const uint8_t *const header = window->bytes + window->place;
    const size_t length = (size_t)get_number(header, 2);
    return length > 0 && HEADER_SIZE + length <= window->count - window->place &&
           matches_checksum(header, header + HEADER_SIZE, length);
}

/* Returns the offset of the next good record in the stream, which is at `offset`; -1 if there is
 * none, or when `stop` is set. Tries every offset, because the length of a bad record may be wrong.
 * Random bytes pass as a record with probability 2^-32. */
static int64_t find_record(FILE *stream, int64_t offset, const atomic_bool *stop,
                           uint8_t bytes[WINDOW_SIZE])
{
    LogWindow window = {.stream = stream, .bytes = bytes};
    for (window_fill(&window); window.place + HEADER_SIZE < window.count; window_fill(&window)) {
        if (interrupt_is_set(stop))
            return -1;
        if (is_record(&window))
            return offset;
        window.place++;
        offset++;
    }
    return -1;
}

/* The record at `*next` is bad: moves stream and `*next` to the next good record and returns
 * RECORD_DAMAGED. Without a good record moves to the end of the file and returns `status`;
 * RECORD_FAILED when reading fails or memory runs out. */
static RecordStatus recover(FILE *stream, int64_t *next, const atomic_bool *stop,
                            RecordStatus status)
{
    uint8_t *const bytes = malloc(WINDOW_SIZE);
    if (bytes == NULL || fseeko(stream, (off_t)*next + 1, SEEK_SET) != 0) {
        free(bytes);
        return RECORD_FAILED;
    }
    const int64_t found = find_record(stream, *next + 1, stop, bytes);
    free(bytes);
    const bool is_found = found >= 0;
    if (ferror(stream) ||
        fseeko(stream, is_found ? (off_t)found : 0, is_found ? SEEK_SET : SEEK_END) != 0)
        return RECORD_FAILED;
    *next = ftello(stream);
    return is_found ? RECORD_DAMAGED : status;
}

/* Reads the record at `*next`, where the stream is, and advances both to the next good record.
 * RECORD_FAILED when `stop` is set. */
static RecordStatus next_record(FILE *stream, uint8_t *bytes, size_t *size, int64_t *next,
                                const atomic_bool *stop)
{
    RecordStatus status = read_record(stream, bytes, size);
    if (status == RECORD_DAMAGED || status == RECORD_TRUNCATED)
        status = recover(stream, next, stop, status);
    else if (status == RECORD_OK)
        *next += HEADER_SIZE + (int64_t)*size;
    if (!interrupt_is_set(stop))
        return status;
    *size = 0;
    errno = ECANCELED;
    return RECORD_FAILED;
}

/* Appends all the bytes or, on failure, none: a partial write is cut off again. */
static bool write_whole(FILE *stream, const uint8_t *bytes, size_t size)
{
    const int file = fileno(stream);
    size_t done = 0;
    while (done < size) {
        const ssize_t written = write(file, bytes + done, size - done);
        if (written > 0)
            done += (size_t)written;
        else if (written == 0 || errno != EINTR)
            break;
    }
    if (done == size)
        return true;
    const int reason = errno;
    const off_t end = lseek(file, 0, SEEK_END) - (off_t)done;
    const bool is_undone = ftruncate(file, end) == 0 && lseek(file, end, SEEK_SET) == end;
    errno = is_undone ? reason : errno; // else the next record_log_append_open() cuts it off
    return false;
}

/* Counts the records and finds the end of the last good one. Ignores damage before that, which
 * readers report. False when reading fails. */
static bool scan(RecordWriter *writer, const atomic_bool *stop, int64_t *end)
{
    uint8_t bytes[RECORD_LOG_MAX_SIZE];
    size_t size;
    int64_t next = RECORD_LOG_MAGIC_SIZE;
    uint64_t passed = 0; // records and damaged stretches, including damage at the end
    *end = next;
    for (;;) {
        const RecordStatus status = next_record(writer->stream, bytes, &size, &next, stop);
        if (status != RECORD_OK && status != RECORD_DAMAGED)
            return status != RECORD_FAILED;
        passed++;
        if (status == RECORD_OK) {
            *end = next;
            writer->count = passed;
        }
    }
}

/* Cuts off the bytes from `end` on. */
static bool cut_off(FILE *stream, int64_t end, const char *path, char *error)
{
    const int64_t size = lseek(fileno(stream), 0, SEEK_END);
    if (size - end > CUT_MAX)
        return refuse(path, "damaged at its end, by more than one unfinished record", error);
    if (size > end && ftruncate(fileno(stream), (off_t)end) != 0)
        return refuse(path, strerror(errno), error);
    return true;
}

/* Prepares the open file for appending. Errors as record_log_append_open(). */
static bool prepare(RecordWriter *writer, const char *path, const char *magic,
                    const atomic_bool *stop, char *error)
{
    if (!file_lock(writer->stream)) // another process may be appending
        return refuse(path, "another process is writing to it", error);
    if (fseek(writer->stream, 0, SEEK_SET) != 0) // in append mode some systems start at the end
        return refuse(path, strerror(errno), error);
    char found[RECORD_LOG_MAGIC_SIZE];
    const size_t got = fread(found, 1, sizeof found, writer->stream);
    if (ferror(writer->stream))
        return refuse(path, strerror(errno), error);
    if (memcmp(found, magic, got) != 0)
        return refuse(path, "is another kind of file", error);
    int64_t end = 0;
    if (got == sizeof found && !scan(writer, stop, &end))
        return refuse(path, strerror(errno), error);
    if (!cut_off(writer->stream, end, path, error))
        return false;
    if (end == 0 && !write_whole(writer->stream, (const uint8_t *)magic, RECORD_LOG_MAGIC_SIZE))
        return refuse(path, strerror(errno), error);
    return true;
}

bool record_log_append_open(RecordWriter *writer, const char *path, const char *magic,
                            const atomic_bool *stop, char *error)
{
    assert(strlen(magic) == RECORD_LOG_MAGIC_SIZE);
    *writer = (RecordWriter){.stream = file_open(path, "a+b")};
    if (writer->stream == NULL)
        return refuse(path, strerror(errno), error);
    if (prepare(writer, path, magic, stop, error))
        return true;
    fclose(writer->stream);
    writer->stream = NULL;
    return false;
}

bool record_log_begin_writing(RecordWriter *writer, FILE *stream, const char *magic)
{
    assert(strlen(magic) == RECORD_LOG_MAGIC_SIZE);
    *writer = (RecordWriter){.stream = stream};
    return write_whole(stream, (const uint8_t *)magic, RECORD_LOG_MAGIC_SIZE);
}

bool record_log_append(RecordWriter *writer, const void *bytes, size_t size)
{
    assert(size >= 1 && size <= RECORD_LOG_MAX_SIZE);
    uint8_t record[HEADER_SIZE + RECORD_LOG_MAX_SIZE];
    put_number(record, size, 2);
    put_number(record + 2, record_checksum(bytes, size), 4);
    memcpy(record + HEADER_SIZE, bytes, size);
    if (!write_whole(writer->stream, record, HEADER_SIZE + size))
        return false;
    writer->count++;
    return true;
}

bool record_log_append_close(RecordWriter *writer)
{
    if (writer->stream == NULL)
        return true;
    const bool is_on_disk = file_sync(writer->stream);
    const bool is_closed = fclose(writer->stream) == 0;
    writer->stream = NULL;
    return is_on_disk && is_closed;
}

/* True when the magic comes next in the stream. */
static bool has_magic(FILE *stream, const char *magic)
{
    char found[RECORD_LOG_MAGIC_SIZE];
    return fread(found, 1, sizeof found, stream) == sizeof found &&
           memcmp(found, magic, sizeof found) == 0;
}

/* Sets all fields but `bytes`, which is large. */
static void start_reading(RecordReader *reader, FILE *stream, bool is_strict)
{
    reader->stream = stream;
    reader->stop = NULL;
    reader->is_strict = is_strict;
    reader->size = 0;
    reader->next = RECORD_LOG_MAGIC_SIZE;
}

bool record_log_begin_reading(RecordReader *reader, FILE *stream, const char *magic)
{
    assert(strlen(magic) == RECORD_LOG_MAGIC_SIZE);
    start_reading(reader, stream, true);
    return fseeko(stream, 0, SEEK_SET) == 0 && has_magic(stream, magic);
}

bool record_log_read_open(RecordReader *reader, const char *path, const char *magic, char *error)
{
    assert(strlen(magic) == RECORD_LOG_MAGIC_SIZE);
    start_reading(reader, file_open(path, "rb"), false);
    if (reader->stream == NULL)
        return refuse(path, strerror(errno), error);
    if (has_magic(reader->stream, magic))
        return true;
    refuse(path, ferror(reader->stream) ? strerror(errno) : "is another kind of file", error);
    record_log_read_close(reader);
    return false;
}

RecordStatus record_log_read(RecordReader *reader)
{
    if (reader->is_strict)
        return read_record(reader->stream, reader->bytes, &reader->size);
    return next_record(reader->stream, reader->bytes, &reader->size, &reader->next, reader->stop);
}

void record_log_read_close(RecordReader *reader)
{
    if (reader->stream != NULL)
        fclose(reader->stream);
    reader->stream = NULL;
}
