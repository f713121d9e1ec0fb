// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Hash files: what a transposition table knows, to be known again after a restart, in tables of any
 * size and scheme. Sparse: results from some depth on, with whole keys. What depends on how a
 * position came about is left out: of entries whose score may be that of a draw by repetition, and
 * of those whose score came from tablebases that may not be there next time, the move alone is
 * kept. A file is taken whole or refused with a reason, worded to follow the file's name; it is
 * written as a draft (file.h), so that a kill leaves the old one or the new one.
 *
 * The file is a magic and checksummed blocks (blocks.h), each beginning with a letter: one `h`,
 * head; any number of `r`, records; one `f`, foot, which counts them. Numbers are little-endian.
 * head: format version, Zobrist fingerprint, fingerprint of the evaluation, least depth, 8 bytes
 *       each
 * record: key 64 | move 16, score 16, eval 16, depth 8, bound 2, was on a PV 1, first level 1,
 *       0 4, lowest bits first | subtree size 16 as in entry.h
 * foot: records, those of a move alone among them, 8 bytes each
 * Records stand in the order of the table, which is that of their keys: any table is filled from
 * its beginning to its end. */

#include "tt/tt.h"

enum { HASHFILE_ERROR_MAX = 256 };

/* What is to be done with a file. */
typedef struct {
    const char *path;
    uint64_t evaluation; // eval_fingerprint() of what the scores rest on
    int min_depth;       // saving: results of this depth and more, 1..
    int64_t max_bytes;   // and a file no larger, be it by a greater depth
    /* Called now and then with how much is done; false: give up. NULL: not wanted. */
    bool (*goes_on)(void *ctx, uint64_t done, uint64_t total);
    void *ctx;
} HashFileTask;

/* What is in a file. */
typedef struct {
    uint64_t records;
    uint64_t moves; // of these, those of a move alone
    int64_t bytes;
    int min_depth; // of the results saved
} HashFileSummary;

/* Saves what `tt` holds. Searches may use the table meanwhile, though nothing may clear, move or
 * free it. False, with the reason in `error` (HASHFILE_ERROR_MAX bytes) and what was at the path
 * untouched, when that fails. */
bool hashfile_save(const HashFileTask *task, Tt *tt, HashFileSummary *out, char *error);

/* Reads a whole file and tells whether it is good and of this evaluation. */
bool hashfile_verify(const HashFileTask *task, HashFileSummary *out, char *error);

/* Verifies the file and then adds what it holds to the table, as tt_insert() does. False, with
 * the reason in `error` and the table as it was, when the file is refused or the task given up;
 * when the file changes after it was verified, the reason says so, and what was read until then has
 * been added. */
bool hashfile_load(const HashFileTask *task, Tt *tt, HashFileSummary *out, char *error);
