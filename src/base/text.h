// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Words, numbers and lines. Parsing is strict: a thing is either all a number or none. "White
 * space" is space, tab, CR, LF, VT and FF whatever the locale. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum { TEXT_INT_OK, TEXT_INT_NOT_A_NUMBER, TEXT_INT_TOO_SMALL, TEXT_INT_TOO_LARGE } TextInt;

/* A line buffer that grows as needed. Zero it before first use; text_line_free() empties it. */
typedef struct {
    char *text;      // the last line read, ended by a NUL; NULL before the first
    size_t length;   // bytes in it, not counting that NUL
    size_t capacity; // bytes allocated
} TextLine;

/* Returns the next word at `*cursor` and moves the cursor past it, or NULL when only white space is
 * left. The word is cut out in place: the text is written to. */
char *text_word(char **cursor);

/* Cuts white space off both ends in place and returns the start of what is left, perhaps "". */
char *text_trim(char *text);

/* Reads `text` as one decimal integer, with an optional sign and nothing else around it, into
 * `*out`. False, leaving `*out` alone, when it is not one or lies outside min..max. */
bool text_parse_int(const char *text, int64_t min, int64_t max, int64_t *out);

/* The same, but tells why not; for a number out of range `*out` becomes the nearer limit. */
TextInt text_clamp_int(const char *text, int64_t min, int64_t max, int64_t *out);

/* Reads `text` as one decimal number, "0.5" or "1e-3", in the same way. */
bool text_parse_real(const char *text, double min, double max, double *out);

/* Whether the two are equal but for the case of ASCII letters. */
bool text_equal_nocase(const char *a, const char *b);

/* Copies as much of `src` as fits, always ended by a NUL; `size` must not be 0. False if it was
 * cut. */
bool text_copy(char *dst, size_t size, const char *src);

/* Reads the next line of any length, without its LF or CR LF; NUL bytes inside become spaces. The
 * last line needs no line end. False at end of file, or when memory runs out. One thread per
 * stream. */
bool text_line_read(TextLine *line, FILE *stream);

/* Frees the buffer and leaves `line` as new. */
void text_line_free(TextLine *line);
