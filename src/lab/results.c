// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/text.h"

enum { FIRST_SLOTS = 1024 };

/* Bytes before the comma that ends the first `columns` fields, or before the row's end when it has
 * no more than those; 0 when it has fewer. */
static size_t key_length(const char *row, int columns)
{
    const char *end = row;
    for (int i = 1;; i++) {
        end += strcspn(end, ",");
        if (i == columns)
            return (size_t)(end - row);
        if (*end == '\0')
            return 0;
        end++;
    }
}

static int count_columns(const char *row)
{
    int columns = 1;
    for (; *row != '\0'; row++)
        columns += *row == ',';
    return columns;
}

/* The slot of the row with this key, or the free one where it belongs. */
static size_t *find_slot(const Results *results, const char *key, size_t length)
{
    size_t i = checksum64(key, length) & (results->slot_count - 1);
    while (results->slots[i] != 0) {
        const char *const row = results->rows[results->slots[i] - 1];
        if (key_length(row, results->key_columns) == length && memcmp(row, key, length) == 0)
            break;
        i = (i + 1) & (results->slot_count - 1);
    }
    return &results->slots[i];
}

/* Makes room for one more row; at least half of the slots stay free. */
static bool reserve(Results *results)
{
    if (results->count < results->capacity)
        return true;
    const size_t capacity = results->capacity == 0 ? FIRST_SLOTS / 2 : 2 * results->capacity;
    char **const rows = realloc(results->rows, capacity * sizeof *rows);
    if (rows == NULL)
        return false;
    results->rows = rows;
    size_t *const slots = calloc(2 * capacity, sizeof *slots);
    if (slots == NULL)
        return false;
    free(results->slots);
    results->slots = slots;
    results->slot_count = 2 * capacity;
    results->capacity = capacity;
    for (size_t i = 0; i < results->count; i++)
        *find_slot(results, rows[i], key_length(rows[i], results->key_columns)) = i + 1;
    return true;
}

typedef enum { ROW_NEW, ROW_KNOWN, ROW_WRONG } RowKind;

/* Takes a row into memory. */
static RowKind take_row(Results *results, const char *row, char *error)
{
    const size_t length = key_length(row, results->key_columns);
    if (count_columns(row) != count_columns(results->header)) {
        snprintf(error, RESULTS_ERROR_MAX, "a row has other columns: %.200s", row);
        return ROW_WRONG;
    }
    char *const copy = strdup(row);
    if (copy == NULL || !reserve(results)) {
        free(copy);
        snprintf(error, RESULTS_ERROR_MAX, "out of memory");
        return ROW_WRONG;
    }
    size_t *const slot = find_slot(results, row, length);
    if (*slot == 0) {
        results->rows[results->count++] = copy;
        *slot = results->count;
        return ROW_NEW;
    }
    free(copy);
    const char *const known = results->rows[*slot - 1];
    if (strcmp(known, row) == 0)
        return ROW_KNOWN;
    snprintf(error, RESULTS_ERROR_MAX, "two outcomes of one observation: %.200s and %.200s", known,
             row);
    return ROW_WRONG;
}

/* Reads all whole lines; `*whole` becomes the number of bytes they take. */
static bool read_rows(Results *results, FILE *file, long *whole, char *error)
{
    TextLine line = {0};
    bool is_good = true;
    *whole = 0;
    // A line that ends with the file has no line end: it may be half a row.
    while (is_good && text_line_read(&line, file) && !feof(file)) {
        if (*whole == 0 && strcmp(line.text, results->header) != 0) {
            snprintf(error, RESULTS_ERROR_MAX, "the first line is not: %.400s", results->header);
            is_good = false;
        }
        if (is_good && strcmp(line.text, results->header) != 0)
            is_good = take_row(results, line.text, error) != ROW_WRONG;
        *whole = ftell(file);
    }
    text_line_free(&line);
    if (is_good && !feof(file)) {
        snprintf(error, RESULTS_ERROR_MAX, "%s", ferror(file) ? strerror(errno) : "out of memory");
        return false;
    }
    return is_good;
}

/* Cuts the file to its whole lines and gives a new one its header. */
static bool prepare_file(Results *results, long whole, char *error)
{
    bool is_good =
        ftruncate(fileno(results->file), whole) == 0 && fseek(results->file, 0, SEEK_END) == 0;
    if (is_good && whole == 0)
        is_good = fprintf(results->file, "%s\n", results->header) > 0 && fflush(results->file) == 0;
    if (!is_good)
        snprintf(error, RESULTS_ERROR_MAX, "%s", strerror(errno));
    return is_good;
}

bool results_open(Results *results, const char *path, const char *header, int key_columns,
                  ResultsMode mode, char *error)
{
    *results = (Results){.header = header, .key_columns = key_columns};
    mutex_init(&results->mutex);
    FILE *const file = fopen(path, mode == RESULTS_READ ? "r" : "a+");
    char reason[RESULTS_ERROR_MAX];
    long whole;
    bool is_good = file != NULL && fseek(file, 0, SEEK_SET) == 0;
    snprintf(reason, sizeof reason, "%s", is_good ? "out of memory" : strerror(errno));
    if (is_good && mode == RESULTS_EXTEND && !file_lock(file)) {
        snprintf(reason, sizeof reason, "another program is writing to it");
        is_good = false;
    }
    is_good = is_good && reserve(results) && read_rows(results, file, &whole, reason);
    results->file = file;
    if (is_good && mode == RESULTS_EXTEND)
        is_good = prepare_file(results, whole, reason);
    if (file != NULL && (!is_good || mode == RESULTS_READ)) {
        fclose(file);
        results->file = NULL;
    }
    if (!is_good) {
        snprintf(error, RESULTS_ERROR_MAX, "%.200s: %.300s", path, reason);
        results_close(results);
    }
    return is_good;
}

const char *results_find(Results *results, const char *key)
{
    mutex_lock(&results->mutex);
    const size_t slot = *find_slot(results, key, strlen(key));
    const char *const row = slot == 0 ? NULL : results->rows[slot - 1];
    mutex_unlock(&results->mutex);
    return row;
}

bool results_add(Results *results, const char *row, char *error)
{
    mutex_lock(&results->mutex);
    const RowKind kind = take_row(results, row, error);
    bool is_good = kind != ROW_WRONG;
    if (kind == ROW_NEW && results->file != NULL &&
        (fprintf(results->file, "%s\n", row) < 0 || fflush(results->file) != 0)) {
        snprintf(error, RESULTS_ERROR_MAX, "a row could not be written: %s", strerror(errno));
        is_good = false;
    }
    mutex_unlock(&results->mutex);
    return is_good;
}

void results_close(Results *results)
{
    if (results->file != NULL)
        fclose(results->file);
    for (size_t i = 0; i < results->count; i++)
        free(results->rows[i]);
    free(results->rows);
    free(results->slots);
    mutex_destroy(&results->mutex);
    *results = (Results){0};
}

bool results_field(const char *row, int column, char *out, size_t size)
{
    for (; column > 0; column--) {
        row += strcspn(row, ",");
        if (*row == '\0')
            return false;
        row++;
    }
    const size_t length = strcspn(row, ",");
    if (length >= size)
        return false;
    memcpy(out, row, length);
    out[length] = '\0';
    return true;
}
