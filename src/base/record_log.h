// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* An append-only file of records. It begins with an 8-byte magic that names its contents. Each
 * record is its length (2 bytes), the low half of the checksum64() of its bytes (4 bytes), both
 * little-endian, then its bytes. A crash while writing leaves at most one unfinished record,
 * which the next record_log_append_open() cuts off. Damage loses only the records it touches, even
 * when it changes a length: the reader searches for the next record with a correct checksum. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { RECORD_LOG_MAGIC_SIZE = 8, RECORD_LOG_MAX_SIZE = 65535, RECORD_LOG_ERROR_MAX = 256 };

typedef struct {
    FILE *stream;
    uint64_t count; // records in the file; a damaged stretch counts as one
} RecordWriter;

typedef enum {
    RECORD_OK,
    RECORD_END,       // clean end of the file
    RECORD_DAMAGED,   // damaged bytes were skipped; a good record or the end follows
    RECORD_TRUNCATED, // this record reaches beyond the end of the file and no good one was found
    RECORD_FAILED     // reading failed, for the reason in errno (ECANCELED: it was stopped); the
                      // file may have more records
} RecordStatus;

typedef struct {
    FILE *stream;
    uint8_t bytes[RECORD_LOG_MAX_SIZE]; // the last record
    size_t size;                        // 0 unless the last status was RECORD_OK
    int64_t next;                       // file offset of the next record; unused when strict
    bool is_strict;                     // stops at damage: does not search for the next record
    const atomic_bool *stop;            // true: record_log_read() fails; NULL until the caller sets
                                        // it; unused when strict
} RecordReader;

/* Opens `path` to append and creates it if missing. `magic` has RECORD_LOG_MAGIC_SIZE characters.
 * Cuts off the bytes after the last good record, if they are no more than the longest record.
 * False, with the reason in `error` (RECORD_LOG_ERROR_MAX bytes) and the file unchanged, when there
 * are more such bytes, another process is appending, the magic differs, opening, reading or writing
 * fails, or `*stop` is true while the file is read (`stop` may be NULL). */
bool record_log_append_open(RecordWriter *writer, const char *path, const char *magic,
                            const atomic_bool *stop, char *error);

/* Starts a log in an empty file, which the caller opens and closes. False when writing fails. */
bool record_log_begin_writing(RecordWriter *writer, FILE *stream, const char *magic);

/* Appends a record of 1..RECORD_LOG_MAX_SIZE bytes and passes it to the system, so that it survives
 * a crash of this process. False when writing fails; earlier records stay good. */
bool record_log_append(RecordWriter *writer, const void *bytes, size_t size);

/* Syncs the file to the disk, so that it survives a power cut, and closes it. False when either
 * fails. Does nothing after a failed record_log_append_open(). */
bool record_log_append_close(RecordWriter *writer);

/* Opens `path` to read from the first record. False, with the reason in `error`, when the magic
 * differs or the file cannot be read. End with record_log_read_close(). */
bool record_log_read_open(RecordReader *reader, const char *path, const char *magic, char *error);

/* Starts reading at the first record. Reading is strict: record_log_read() does not search for a
 * good record after damage, so the caller must not read further. The caller opens and closes the
 * stream. May be called again to start over. False when the magic differs or the stream cannot be
 * read. */
bool record_log_begin_reading(RecordReader *reader, FILE *stream, const char *magic);

/* Reads the next record into `reader`. After damage, the search for the next good record takes
 * about 10 s for each MB of damage. */
RecordStatus record_log_read(RecordReader *reader);

void record_log_read_close(RecordReader *reader);
