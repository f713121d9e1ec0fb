// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A CSV file of results that grows row by row. The first columns of a row say what was observed and
 * are its key; the rest is the outcome. Rows reach the file as they are added, so that whatever
 * ends the program, only what was unfinished is lost; a file read back tells what need not be done
 * again. A file has one writer at a time. Files of one kind merge by concatenation: repeated
 * headers and repeated rows do no harm, and two rows with one key and different outcomes are an
 * error, as nearly everything here can be repeated; what counts seconds or threads' luck cannot. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/thread.h"

enum { RESULTS_ERROR_MAX = 512, RESULTS_ROW_MAX = 512 };

typedef struct {
    const char *header; // names of the columns, as in the file's first line
    int key_columns;
    char **rows; // in the order read and added, without line ends
    size_t count, capacity;
    size_t *slots; // hash index of the keys: row number + 1, 0 where free
    size_t slot_count;
    FILE *file; // NULL: rows are only read
    Mutex mutex;
} Results;

typedef enum { RESULTS_READ, RESULTS_EXTEND } ResultsMode;

/* Reads the file at `path`, whose columns are `header` (not copied), and with RESULTS_EXTEND opens
 * it for more rows: it may then be absent, no other program may have it open so (file_lock()), and
 * a last line without its end, left by a crash, is cut off. False with the reason in `error`
 * (RESULTS_ERROR_MAX bytes); nothing needs closing then. */
bool results_open(Results *results, const char *path, const char *header, int key_columns,
                  ResultsMode mode, char *error);

/* The row that begins with `key`, the first columns joined by commas; NULL when there is none. Any
 * thread. */
const char *results_find(Results *results, const char *key);

/* Adds a row and writes it through to the file. A row that is there already is left alone. False
 * with the reason in `error` (RESULTS_ERROR_MAX bytes) when it contradicts one that is there, or
 * could not be written. Any thread. */
bool results_add(Results *results, const char *row, char *error);

/* Closes the file and frees the rows. */
void results_close(Results *results);

/* Copies field `column` (from 0) of `row`; false when it is absent or does not fit. */
bool results_field(const char *row, int column, char *out, size_t size);
