// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/record_log.h"

#include "base/checksum.h"
#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Length (2 bytes) and the low half of the checksum (4 bytes), lowest byte first; then the bytes.
 */
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

static uint32_t block_checksum(const uint8_t *bytes, size_t size)
{
    return (uint32_t)checksum64(bytes, size);
}

/* Sets the reason of a refusal; false, so that it can be returned. */
static bool refuse(const char *path, const char *reason, char *error)
{
    snprintf(error, RECORD_LOG_ERROR_MAX, "%s: %s", path, reason);
    return false;
}

static bool is_fitting(const uint8_t *header, const uint8_t *bytes, size_t size)
{
    return get_number(header + 2, 4) == block_checksum(bytes, size);
}

/* Reads a block into `bytes` (RECORD_LOG_MAX_SIZE). Nothing writes a block of no bytes, so a length
 * of 0 is damage. */
static RecordStatus read_block(FILE *stream, uint8_t *bytes, size_t *size)
{
    uint8_t header[HEADER_SIZE];
    const size_t got = fread(header, 1, HEADER_SIZE, stream);
    *size = 0;
    if (got < HEADER_SIZE)
        return got == 0 && !ferror(stream) ? BLOCK_END : BLOCK_TRUNCATED;
    const size_t length = (size_t)get_number(header, 2);
    if (fread(bytes, 1, length, stream) < length)
        return BLOCK_TRUNCATED;
    if (length == 0 || !is_fitting(header, bytes, length))
        return BLOCK_DAMAGED;
    *size = length;
    return BLOCK_OK;
}

/* Whether a good block begins at `at` in a file of `end` bytes. Most lengths found where none does
 * reach beyond the end of a small file, and need not be read. */
static bool is_block(FILE *stream, int64_t at, int64_t end, uint8_t *bytes)
{
    uint8_t header[HEADER_SIZE];
    if (fseeko(stream, (off_t)at, SEEK_SET) != 0 ||
        fread(header, 1, HEADER_SIZE, stream) < HEADER_SIZE)
        return false;
    const size_t length = (size_t)get_number(header, 2);
    return length > 0 && at + HEADER_SIZE + (int64_t)length <= end &&
           fread(bytes, 1, length, stream) == length && is_fitting(header, bytes, length);
}

/* After what should have been a block at `*next` turned out to be none: goes to the next one behind
 * it, wherever it begins, since the length read may be what is wrong. A false one is taken for it
 * once in 2^32 bytes. Without any, goes to the end of the file, and what was there is all it was:
 * `status`. */
static RecordStatus recover(FILE *stream, uint8_t *bytes, int64_t *next, RecordStatus status)
{
    if (ferror(stream) || fseeko(stream, 0, SEEK_END) != 0)
        return BLOCK_TRUNCATED;
    const int64_t end = ftello(stream);
    for (int64_t at = *next + 1; at + HEADER_SIZE < end && !ferror(stream); at++) {
        if (!is_block(stream, at, end, bytes))
            continue;
        *next = at;
        return fseeko(stream, (off_t)at, SEEK_SET) == 0 ? BLOCK_DAMAGED : BLOCK_TRUNCATED;
    }
    *next = end;
    return fseeko(stream, (off_t)end, SEEK_SET) == 0 ? status : BLOCK_TRUNCATED;
}

/* Reads the block that begins at `*next`, where the stream stands, and moves both on. */
static RecordStatus next_block(FILE *stream, uint8_t *bytes, size_t *size, int64_t *next)
{
    const RecordStatus status = read_block(stream, bytes, size);
    if (status == BLOCK_DAMAGED || status == BLOCK_TRUNCATED)
        return recover(stream, bytes, next, status);
    if (status == BLOCK_OK)
        *next += HEADER_SIZE + (int64_t)*size;
    return status;
}

/* Writes all the bytes to the end of the file, or none: a part of them is taken back. */
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
    errno = is_undone ? reason : errno; // if it is not, the next opening will cut it off
    return false;
}

/* Counts the blocks and finds the end of the last good one. Damage further up is left for the
 * reader to report. False when reading fails. */
static bool scan(RecordWriter *writer, int64_t *end)
{
    uint8_t bytes[RECORD_LOG_MAX_SIZE];
    size_t size;
    int64_t next = RECORD_LOG_MAGIC_SIZE;
    uint64_t passed = 0; // with what may be nothing but the rest
    *end = next;
    for (;;) {
        const RecordStatus status = next_block(writer->stream, bytes, &size, &next);
        if (status == BLOCK_END || status == BLOCK_TRUNCATED)
            break;
        passed++;
        if (status == BLOCK_OK) {
            *end = next;
            writer->count = passed;
        }
    }
    return !ferror(writer->stream);
}

/* Cuts off what lies behind `end`. */
static bool cut_off(FILE *stream, int64_t end, const char *path, char *error)
{
    const int64_t size = lseek(fileno(stream), 0, SEEK_END);
    if (size - end > CUT_MAX)
        return refuse(path, "damaged at its end, and more than a last block cut short", error);
    if (size > end && ftruncate(fileno(stream), (off_t)end) != 0)
        return refuse(path, strerror(errno), error);
    return true;
}

/* Makes the open file ready for appending to; errors as record_log_append_open(). */
static bool prepare(RecordWriter *writer, const char *path, const char *magic, char *error)
{
    if (!file_lock(writer->stream)) // to append to it, too
        return refuse(path, "another process is writing to it", error);
    if (fseek(writer->stream, 0, SEEK_SET) != 0) // some systems begin at the end
        return refuse(path, strerror(errno), error);
    char found[RECORD_LOG_MAGIC_SIZE];
    const size_t got = fread(found, 1, sizeof found, writer->stream);
    if (ferror(writer->stream))
        return refuse(path, strerror(errno), error);
    if (memcmp(found, magic, got) != 0)
        return refuse(path, "is another kind of file", error);
    int64_t end = 0;
    if (got == sizeof found && !scan(writer, &end))
        return refuse(path, strerror(errno), error);
    if (!cut_off(writer->stream, end, path, error))
        return false;
    if (end == 0 && !write_whole(writer->stream, (const uint8_t *)magic, RECORD_LOG_MAGIC_SIZE))
        return refuse(path, strerror(errno), error);
    return true;
}

bool record_log_append_open(RecordWriter *writer, const char *path, const char *magic, char *error)
{
    assert(strlen(magic) == RECORD_LOG_MAGIC_SIZE);
    *writer = (RecordWriter){.stream = file_open(path, "a+b")};
    if (writer->stream == NULL)
        return refuse(path, strerror(errno), error);
    if (prepare(writer, path, magic, error))
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
    uint8_t block[HEADER_SIZE + RECORD_LOG_MAX_SIZE];
    put_number(block, size, 2);
    put_number(block + 2, block_checksum(bytes, size), 4);
    memcpy(block + HEADER_SIZE, bytes, size);
    if (!write_whole(writer->stream, block, HEADER_SIZE + size))
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

/* Whether the stream goes on with the magic. */
static bool has_magic(FILE *stream, const char *magic)
{
    char found[RECORD_LOG_MAGIC_SIZE];
    return fread(found, 1, sizeof found, stream) == sizeof found &&
           memcmp(found, magic, sizeof found) == 0;
}

bool record_log_begin_reading(RecordReader *reader, FILE *stream, const char *magic)
{
    assert(strlen(magic) == RECORD_LOG_MAGIC_SIZE);
    reader->stream = stream;
    reader->is_strict = true;
    reader->size = 0;
    reader->next = RECORD_LOG_MAGIC_SIZE;
    return fseeko(stream, 0, SEEK_SET) == 0 && has_magic(stream, magic);
}

bool record_log_read_open(RecordReader *reader, const char *path, const char *magic, char *error)
{
    assert(strlen(magic) == RECORD_LOG_MAGIC_SIZE);
    reader->is_strict = false;
    reader->size = 0;
    reader->next = RECORD_LOG_MAGIC_SIZE;
    reader->stream = file_open(path, "rb");
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
        return read_block(reader->stream, reader->bytes, &reader->size);
    return next_block(reader->stream, reader->bytes, &reader->size, &reader->next);
}

void record_log_read_close(RecordReader *reader)
{
    if (reader->stream != NULL)
        fclose(reader->stream);
    reader->stream = NULL;
}
