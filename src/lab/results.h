// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The CSV file of an experiment: one observation a row. It is also kept in memory, with an index by
 * key. The first columns of a row are its key, which identifies the observation; the other columns
 * are its outcome.
 *
 * Each row is written to the file at once. So a crash loses only unfinished observations, and the
 * next run with this file does not repeat the others. A file has one writer at a time.
 *
 * Files with the same header can be concatenated, to merge runs on several machines: repeated
 * headers and repeated rows are ignored. The header of another experiment is an error, and so are
 * two rows with equal keys and different outcomes, because an observation must be reproducible.
 * Times and effects of thread scheduling are not, so files with them cannot always be merged. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/thread.h"

enum { RESULTS_ERROR_MAX = 512, RESULTS_ROW_MAX = 512 };

typedef enum { RESULTS_READ, RESULTS_EXTEND } ResultsMode;

/* How to open a file of results. */
typedef struct {
    const char *path;   // NULL: no file; results are kept only in memory
    const char *header; // names of the columns, the first line of the file; must outlive Results
    int key_columns;
    ResultsMode mode;
} ResultsFile;

typedef struct {
    const char *header;
    int key_columns;
    char **rows; // in the order read and added, without line ends
    size_t count, capacity;
    size_t *slots; // hash index of the keys: row number + 1, 0 when free
    size_t slot_count;
    FILE *file;      // NULL: rows are not written
    bool has_failed; // a row could not be written
    bool is_torn;    // the last line of the file had no end and was left out
    Mutex mutex;
} Results;

/* Reads the file. RESULTS_READ: the file must exist, and rows added later are not written to it.
 * RESULTS_EXTEND: creates the file if absent, locks it against other writers (file_lock()) and
 * removes an incomplete last line. False, with the reason in `error` (RESULTS_ERROR_MAX bytes), on
 * failure; then nothing needs closing. */
bool results_open(Results *results, const ResultsFile *file, char *error);

/* Returns the row whose key columns, joined by commas, equal `key`; NULL if absent. Valid until
 * results_close(). Any thread. */
const char *results_find(Results *results, const char *key);

/* Adds a row and writes it to the file. Does nothing when the same row exists. False, with the
 * reason in `error` (RESULTS_ERROR_MAX bytes), when a row with the same key and another outcome
 * exists, the number of columns is wrong, memory is short or writing fails. After that nothing more
 * is written, because the file may end within a row, which the next run removes. Any thread. */
bool results_add(Results *results, const char *row, char *error);

/* Whether a file of joined shards is complete: has `wanted` observations, of which `found` are in
 * the results. If not, `error` (RESULTS_ERROR_MAX bytes) says how many are missing, and how many
 * rows have other keys. */
bool results_are_whole(const Results *results, const char *path, size_t wanted, size_t found,
                       char *error);

/* Closes and unlocks the file and frees the rows. */
void results_close(Results *results);

/* Number of fields of a comma-separated row. */
int results_columns(const char *row);

/* Reads a comma-separated list of whole numbers, each from 1 to `most`, into `numbers`. Returns how
 * many there are; 0 when there are more than `max_count`, a field is no such number or a number is
 * repeated. */
int results_numbers(const char *row, int *numbers, int max_count, int most);

/* Copies field `column` (from 0) of `row` to `out` (`size` bytes); false when the field is absent
 * or too long. */
bool results_field(const char *row, int column, char *out, size_t size);
