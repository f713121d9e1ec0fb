// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Words, numbers and lines. Number parsing is strict: the whole text must be one number. White
 * space is space, tab, CR, LF, VT and FF in every locale. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum { TEXT_INT_OK, TEXT_INT_NOT_A_NUMBER, TEXT_INT_TOO_SMALL, TEXT_INT_TOO_LARGE } TextInt;

/* A line buffer that grows as needed. Zero it before first use; text_line_free() empties it. */
typedef struct {
    char *text;      // the last line read, with a NUL; NULL before the first
    size_t length;   // bytes in it, without the NUL
    size_t capacity; // bytes allocated
    bool too_long;   // memory ran out for the last line: it was skipped; no text
} TextLine;

/* For strspn() and strcspn(): all white space, and the characters that separate fields of FEN. */
#define TEXT_SPACES " \t\r\n\v\f"
#define TEXT_BLANKS " \t\r\n"

/* True for the characters of TEXT_BLANKS. */
static inline bool text_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static inline bool text_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Length of the byte order mark of UTF-8 at the start of the text; 0 without one. */
size_t text_mark_length(const char *text);

/* Returns the next word at `*cursor` and moves the cursor past it, or NULL when only white space
 * remains. Writes a NUL into the text after the word. */
char *text_word(char **cursor);

/* The same, but a word may be enclosed in double quotes: it may then contain blanks, and two double
 * quotes mean one. The outer quotes are left out. */
char *text_quoted_word(char **cursor);

/* Cuts white space off both ends in place, and then a pair of double quotes around the whole text.
 * Returns the start of the rest. */
char *text_unquote(char *text);

/* Cuts white space off both ends in place and returns the start of the rest, which may be "". */
char *text_trim(char *text);

/* Joins the words of `text` by single blanks in place, up to the word `end`, in upper or lower
 * case, or to the end of the text. Returns the text after that word, or NULL if it is missing. */
char *text_join_words(char *text, const char *end);

/* Parses one decimal integer with an optional sign into `*out`. False, leaving `*out` unchanged,
 * when `text` is anything else or the number lies outside min..max. */
bool text_parse_int(const char *text, int64_t min, int64_t max, int64_t *out);

/* As text_parse_int(), but returns the reason of a failure and, for a number out of range, writes
 * the nearer limit to `*out`. */
TextInt text_clamp_int(const char *text, int64_t min, int64_t max, int64_t *out);

/* As text_parse_int() for one decimal number such as "0.5" or "1e-3"; "-0" is 0. */
bool text_parse_real(const char *text, double min, double max, double *out);

/* True when the texts are equal except for the case of ASCII letters. */
bool text_equal_nocase(const char *a, const char *b);

/* True when `part` is in `text`, except for the case of ASCII letters. */
bool text_contains_nocase(const char *text, const char *part);

/* Returns the ending of a noun after a number: "s", or nothing for one. */
static inline const char *text_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* Returns the number of bytes, at most `most`, with which to print the start of `text` (%.*s): all
 * of it, or whole letters of UTF-8. A text that is not UTF-8 may be cut at any byte. */
int text_cut(const char *text, int most);

/* Copies `src` to `dst`, cut to `size` - 1 bytes, and adds a NUL; `size` must not be 0. False if
 * `src` was cut. */
bool text_copy(char *dst, size_t size, const char *src);

/* Reads the next line of any length, without its LF or CR LF; NUL bytes inside become spaces. The
 * last line needs no line end. Waits for the bytes of a stream that does not block, too. False at
 * the end of the file, or, with `too_long`, without memory even for an empty text. Only one thread
 * may read from a stream. Hand-written because Windows has no getline(). */
bool text_line_read(TextLine *line, FILE *stream);

/* Frees the buffer and resets `line`. */
void text_line_free(TextLine *line);
