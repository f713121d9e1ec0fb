// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Hash files: save the transposition table and load it after a restart, into a table of any size
 * and scheme. A file contains the results of at least a given depth, with whole keys, in the form
 * of record.h.
 *
 * A file is loaded completely or refused. The reason is a text that follows the name of the file in
 * messages. Saving writes a draft and renames it (file.h), so a killed process leaves the old file
 * or the new one. The draft is locked: only one process at a time can save to a file.
 *
 * Format: the magic "PALIHASH" (8 bytes) and checksummed blocks (record_log.h). Each block begins
 * with a letter: one `h`, the head; any number of `r`, records; one `f`, the foot. Numbers are
 * little-endian and have 8 bytes.
 *
 * head: format version (2), zobrist_fingerprint(), eval_fingerprint(), least depth
 *
 * record: key and result, RECORD_SIZE bytes as record_encode() writes them (record.h)
 *
 * foot: number of records, number of records with a move only
 *
 * Records are in the order of the slots of the saved table: their keys ascend, except within a
 * slot. Records kept from an old file may come a little later.
 *
 * Files of version 1 are refused. They may hold results of another position under a key: one with
 * another fifty-move counter, or in Chess960 with another castling rook. */

#include "tt/tt.h"

enum { HASHFILE_ERROR_MAX = 256 };

/* Arguments of the functions below. */
typedef struct {
    const char *path;
    uint64_t evaluation; // eval_fingerprint() of the evaluation that the scores depend on
    int min_depth;       // saving: least depth of results, 1..255
    int64_t max_bytes;   // saving: the least depth is raised until the file fits
    /* Saving: the file keeps those of its records that the table does not have, and is refused if
     * it is damaged or of another evaluation. Waits two seconds while another process writes it. */
    bool keeps_old;
    /* Called repeatedly with the progress, `done` of `total` units; false ends the task. NULL: not
     * called. */
    bool (*goes_on)(void *ctx, uint64_t done, uint64_t total);
    void *ctx;
} HashFileTask;

/* Contents of a file. */
typedef struct {
    uint64_t records;
    uint64_t moves; // number of records with a move only
    int64_t bytes;
    int min_depth; // least depth of the saved results
} HashFileSummary;

/* Saves the table. Searches may use it at the same time; no thread may clear, resize or free it. On
 * failure returns false with the reason in `error` (HASHFILE_ERROR_MAX bytes), and the old file
 * stays. */
bool hashfile_save(const HashFileTask *task, Tt *tt, HashFileSummary *out, char *error);

/* True for a file that begins as a hash file. */
bool hashfile_is_one(const char *path);

/* Returns true when hashfile_save() can begin to write the file `path`. Otherwise returns false
 * with the reason in `error` (HASHFILE_ERROR_MAX bytes). */
bool hashfile_can_save(const char *path, const Tt *tt, char *error);

/* Reads a whole file. Returns true when it is intact and of this evaluation, else false with the
 * reason in `error` (HASHFILE_ERROR_MAX bytes). */
bool hashfile_verify(const HashFileTask *task, HashFileSummary *out, char *error);

/* Verifies the file, then inserts its records as tt_insert() does. On failure returns false with
 * the reason in `error` (HASHFILE_ERROR_MAX bytes) and leaves the table unchanged. Exception: if
 * the file changes after the verification, `error` says that a part was loaded. */
bool hashfile_load(const HashFileTask *task, Tt *tt, HashFileSummary *out, char *error);
