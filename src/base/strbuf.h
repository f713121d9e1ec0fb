// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A text that grows, and JSON objects and CSV lines written into it. If memory is short or printf
 * fails, the text ends there and `is_cut` becomes true. */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Initialise it with zeros. */
typedef struct {
    char *text; // NULL while empty
    size_t length, capacity;
    bool is_cut; // the end is missing
} StrBuf;

/* Appends text, formatted as by printf. */
void strbuf_add(StrBuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same with a list of values. */
void strbuf_add_list(StrBuf *buf, const char *format, va_list values)
    __attribute__((format(printf, 2, 0)));

/* Appends `length` bytes. */
void strbuf_add_bytes(StrBuf *buf, const char *bytes, size_t length);

/* Empties the buffer, but keeps its memory for the next text. */
void strbuf_clear(StrBuf *buf);

/* Frees the text; the buffer is empty again. */
void strbuf_free(StrBuf *buf);

/* Append a member of a JSON object: `"name":value`, with a comma unless it is the first one. The
 * caller writes the braces. Bytes that are not UTF-8 are taken for Latin-1; a `text` of NULL is
 * written as null. */
void strbuf_json_text(StrBuf *buf, const char *name, const char *text);
void strbuf_json_int(StrBuf *buf, const char *name, int64_t number);
void strbuf_json_bool(StrBuf *buf, const char *name, bool value);
void strbuf_json_null(StrBuf *buf, const char *name);

/* Appends `"name":`, with a comma unless it is the first member; the caller appends the value. */
void strbuf_json_name(StrBuf *buf, const char *name);

/* Appends the text as a JSON string in quotes. */
void strbuf_json_string(StrBuf *buf, const char *text);

/* Appends a field of a CSV line, in quotes where they are needed, with a comma before it unless it
 * is the first of its line (RFC 4180). */
void strbuf_csv(StrBuf *buf, const char *text);
