// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A text that grows, and JSON objects and CSV lines written into it. If memory is short or printf
 * fails, the text is left out and `is_cut` becomes true. */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Initialise it with zeros. */
typedef struct {
    char *text; // NULL while empty
    size_t length, capacity;
    bool is_cut; // some text is missing
} Block;

/* Appends text, formatted as by printf. */
void block_add(Block *block, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same with a list of values. */
void block_add_list(Block *block, const char *format, va_list values)
    __attribute__((format(printf, 2, 0)));

/* Appends `length` bytes. */
void block_add_bytes(Block *block, const char *bytes, size_t length);

/* Empties the block, but keeps its memory for the next text. */
void block_clear(Block *block);

/* Frees the text; the block is empty again. */
void block_free(Block *block);

/* Append a member of a JSON object: `"name":value`, with a comma if a member stands before it. The
 * caller writes the braces. Bytes that are not UTF-8 are taken for Latin-1; a `text` of NULL is
 * written as null. */
void block_json_text(Block *block, const char *name, const char *text);
void block_json_int(Block *block, const char *name, int64_t number);
void block_json_bool(Block *block, const char *name, bool value);
void block_json_null(Block *block, const char *name);

/* Appends `"name":`, with a comma if a member stands before it; the caller appends the value. */
void block_json_name(Block *block, const char *name);

/* Appends the text as a JSON string in quotes. */
void block_json_string(Block *block, const char *text);

/* Appends a field of a CSV line, in quotes where they are needed, with a comma before it unless it
 * is the first of its line (RFC 4180). */
void block_csv(Block *block, const char *text);
