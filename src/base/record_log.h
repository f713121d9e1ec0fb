// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A file that only grows: blocks of bytes, each with its length and checksum, after an 8-byte magic
 * that tells what they hold. A writer that dies leaves at most its last block unfinished; the next
 * one to open the file cuts that off and goes on. Damage costs the blocks it lies in and no others,
 * be it in their lengths: behind it the next block is found by its checksum. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { RECORD_LOG_MAGIC_SIZE = 8, RECORD_LOG_MAX_SIZE = 65535, RECORD_LOG_ERROR_MAX = 256 };

typedef struct {
    FILE *stream;
    uint64_t count; // blocks in the file, those found at opening included; a damaged stretch is one
} RecordWriter;

typedef enum {
    BLOCK_OK,
    BLOCK_END,      // clean end of the file
    BLOCK_DAMAGED,  // a stretch that is no block: skipped, the next one is good or the end
    BLOCK_TRUNCATED // the file ends inside this block; what is left holds no good one
} RecordStatus;

typedef struct {
    FILE *stream;
    uint8_t bytes[RECORD_LOG_MAX_SIZE]; // the last block
    size_t size;                        // 0 unless the last status was BLOCK_OK
    int64_t next;                       // where in the file the next one begins
    bool is_strict;                     // nothing is sought behind damage
} RecordReader;

/* Opens `path` to append, making it if need be; what lies behind the last good block is cut off, if
 * it is no more than one block can be. False, with the reason in `error` (RECORD_LOG_ERROR_MAX
 * bytes) and the file as it was, when it is more, or the file cannot be opened or is some other
 * one. */
bool record_log_append_open(RecordWriter *writer, const char *path, const char *magic, char *error);

/* Begins such a file on a stream that was opened, empty, by the caller, who also closes it. False
 * when the disk is full or fails. */
bool record_log_begin_writing(RecordWriter *writer, FILE *stream, const char *magic);

/* Appends a block of 1..RECORD_LOG_MAX_SIZE bytes and hands it to the system, so that it outlives
 * this process. False when the disk is full or fails; what was written before stays good. */
bool record_log_append(RecordWriter *writer, const void *bytes, size_t size);

/* Puts the file on the disk, to outlive a power cut too, and closes it. False when that fails. */
bool record_log_append_close(RecordWriter *writer);

/* Opens `path` to read from its first block. Errors as above. */
bool record_log_read_open(RecordReader *reader, const char *path, const char *magic, char *error);

/* Begins to read a file from its first block, on a stream that was opened by the caller, who also
 * closes it; for those who refuse a damaged file: behind damage nothing more is read. May be called
 * again to begin anew. False when it is another kind of file or cannot be read. */
bool record_log_begin_reading(RecordReader *reader, FILE *stream, const char *magic);

/* Reads the next block into `reader`. Finding it behind damage takes some 10 s a MB of damage. */
RecordStatus record_log_read(RecordReader *reader);

void record_log_read_close(RecordReader *reader);
