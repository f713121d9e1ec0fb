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

/* Length of the first `columns` fields with the commas between them; 0 when the row has fewer. */
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

/* Returns the slot of the row with this key, or the free slot where such a row belongs. */
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

/* Makes room for one more row and keeps at least half of the slots free. */
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

typedef enum { ROW_NEW, ROW_REPEATED, ROW_WRONG } RowKind;

/* Adds a row in memory. */
static RowKind insert_row(Results *results, const char *row, char *error)
{
    const size_t length = key_length(row, results->key_columns);
    if (results_columns(row) != results_columns(results->header)) {
        snprintf(error, RESULTS_ERROR_MAX, "a row with a wrong number of columns: %.200s", row);
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
        return ROW_REPEATED;
    snprintf(error, RESULTS_ERROR_MAX,
             "two different results of one observation: %.200s and %.200s", known, row);
    return ROW_WRONG;
}

/* Whether the line is a header, of this experiment or another: no field is a whole number. */
static bool is_header(const char *line)
{
    const int columns = results_columns(line);
    for (int i = 0; i < columns; i++) {
        char field[24];
        int64_t number;
        if (results_field(line, i, field, sizeof field) &&
            text_parse_int(field, INT64_MIN, INT64_MAX, &number))
            return false;
    }
    return true;
}

/* Adds a line of the file to the rows in memory; false, with the reason in `error`, on failure. */
static bool read_line(Results *results, const char *line, char *error)
{
    if (strcmp(line, results->header) == 0)
        return true;
    if (is_header(line)) {
        snprintf(error, RESULTS_ERROR_MAX, "a header of another experiment: %.200s", line);
        return false;
    }
    return insert_row(results, line, error) != ROW_WRONG;
}

/* Whether the first line is the header, or its beginning if the line has no end. */
static bool is_first_line(const Results *results, const TextLine *line, bool has_end)
{
    return strncmp(line->text, results->header, line->length + has_end) == 0;
}

/* Reads all complete lines and sets `*whole` to their length in bytes. A last line without a line
 * end is not read: it may be an incomplete row. */
static bool read_rows(Results *results, FILE *file, long *whole, char *error)
{
    TextLine line = {0};
    bool is_good = true;
    *whole = 0;
    while (is_good && text_line_read(&line, file)) {
        const bool has_end = !feof(file);
        results->is_torn = !has_end;
        if (*whole == 0 && !is_first_line(results, &line, has_end)) {
            snprintf(error, RESULTS_ERROR_MAX, "the first line must be: %.400s", results->header);
            is_good = false;
        }
        if (!has_end)
            break;
        is_good = is_good && read_line(results, line.text, error);
        *whole = ftell(file);
    }
    text_line_free(&line);
    if (is_good && !feof(file)) {
        snprintf(error, RESULTS_ERROR_MAX, "%s", ferror(file) ? strerror(errno) : "out of memory");
        return false;
    }
    return is_good;
}

/* Truncates the file to its complete lines and writes the header of a new file. */
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

/* Opens the file, locks it if it will be extended, and reads it. */
static bool load_file(Results *results, const ResultsFile *file, char *reason)
{
    results->file = file_open(file->path, file->mode == RESULTS_READ ? "rb" : "a+b");
    if (results->file == NULL || fseek(results->file, 0, SEEK_SET) != 0) {
        snprintf(reason, RESULTS_ERROR_MAX, "%s", strerror(errno));
        return false;
    }
    if (file->mode == RESULTS_EXTEND && !file_lock(results->file)) {
        snprintf(reason, RESULTS_ERROR_MAX, "another program is writing to it");
        return false;
    }
    long whole;
    if (!read_rows(results, results->file, &whole, reason))
        return false;
    if (file->mode == RESULTS_EXTEND)
        return prepare_file(results, whole, reason);
    fclose(results->file);
    results->file = NULL;
    return true;
}

bool results_open(Results *results, const ResultsFile *file, char *error)
{
    *results = (Results){.header = file->header, .key_columns = file->key_columns};
    mutex_init(&results->mutex);
    char reason[RESULTS_ERROR_MAX] = "out of memory";
    if (reserve(results) && (file->path == NULL || load_file(results, file, reason)))
        return true;
    snprintf(error, RESULTS_ERROR_MAX, "%.200s: %.300s",
             file->path != NULL ? file->path : "results", reason);
    results_close(results);
    return false;
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
    const RowKind kind = insert_row(results, row, error);
    if (results->has_failed) {
        snprintf(error, RESULTS_ERROR_MAX, "an earlier row could not be written");
    } else if (kind == ROW_NEW && results->file != NULL &&
               (fprintf(results->file, "%s\n", row) < 0 || fflush(results->file) != 0)) {
        snprintf(error, RESULTS_ERROR_MAX, "a row could not be written: %s", strerror(errno));
        results->has_failed = true;
    }
    const bool is_good = kind != ROW_WRONG && !results->has_failed;
    mutex_unlock(&results->mutex);
    return is_good;
}

bool results_are_whole(const Results *results, const char *path, size_t wanted, size_t found,
                       char *error)
{
    if (found == wanted)
        return true;
    snprintf(error, RESULTS_ERROR_MAX,
             "%.200s: %zu of %zu observations are missing, and %zu rows have other settings; all "
             "shards need the same options and the same program%s",
             path != NULL ? path : "no file, see --csv", wanted - found, wanted,
             results->count - found, results->is_torn ? "; the last line is incomplete" : "");
    return false;
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

int results_columns(const char *row)
{
    int columns = 1;
    for (; *row != '\0'; row++)
        columns += *row == ',';
    return columns;
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

int results_numbers(const char *row, int *numbers, int max_count, int most)
{
    const int count = results_columns(row);
    if (count > max_count)
        return 0;
    for (int i = 0; i < count; i++) {
        char item[32];
        int64_t number;
        if (!results_field(row, i, item, sizeof item) || !text_parse_int(item, 1, most, &number))
            return 0;
        for (int earlier = 0; earlier < i; earlier++)
            if (numbers[earlier] == number)
                return 0;
        numbers[i] = (int)number;
    }
    return count;
}
