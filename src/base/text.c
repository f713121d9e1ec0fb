// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

size_t text_mark_length(const char *text)
{
    static const char MARK[] = "\xef\xbb\xbf";
    return strncmp(text, MARK, strlen(MARK)) == 0 ? strlen(MARK) : 0;
}

char *text_word(char **cursor)
{
    char *start = *cursor;
    while (is_space(*start))
        start++;
    char *end = start;
    while (*end && !is_space(*end))
        end++;
    *cursor = *end ? end + 1 : end;
    *end = '\0';
    return start == end ? NULL : start;
}

char *text_quoted_word(char **cursor)
{
    char *const start = *cursor + strspn(*cursor, TEXT_SPACES);
    if (*start != '"')
        return text_word(cursor);
    char *from = start + 1, *to = from;
    while (*from != '\0' && (*from != '"' || from[1] == '"')) {
        from += *from == '"';
        *to++ = *from++;
    }
    *cursor = *from != '\0' ? from + 1 : from;
    *to = '\0';
    return start + 1;
}

char *text_unquote(char *text)
{
    char *const whole = text_trim(text);
    const size_t length = strlen(whole);
    if (length < 2 || whole[0] != '"' || whole[length - 1] != '"')
        return whole;
    whole[length - 1] = '\0';
    return whole + 1;
}

char *text_trim(char *text)
{
    while (is_space(*text))
        text++;
    char *end = text + strlen(text);
    while (end > text && is_space(end[-1]))
        end--;
    *end = '\0';
    return text;
}

char *text_join_words(char *text, const char *end)
{
    char *to = text, *cursor = text, *word = text_word(&cursor);
    while (word != NULL && !text_equal_nocase(word, end)) {
        const size_t length = strlen(word);
        if (to != text)
            *to++ = ' ';
        memmove(to, word, length);
        to += length;
        word = text_word(&cursor);
    }
    *to = '\0';
    return word != NULL ? cursor : NULL;
}

TextInt text_clamp_int(const char *text, int64_t min, int64_t max, int64_t *out)
{
    const bool is_negative = *text == '-';
    const char *digit = text + (*text == '-' || *text == '+');
    if (!*digit)
        return TEXT_INT_NOT_A_NUMBER;

    uint64_t size = 0; // saturates at UINT64_MAX, which exceeds any limit
    for (; *digit; digit++) {
        if (!text_is_digit(*digit))
            return TEXT_INT_NOT_A_NUMBER;
        const uint64_t unit = (uint64_t)(*digit - '0');
        size = size > (UINT64_MAX - unit) / 10 ? UINT64_MAX : size * 10 + unit;
    }

    /* A number that does not fit an int64_t exceeds the limit on the side of its sign. */
    const bool fits = size <= (uint64_t)INT64_MAX + is_negative;
    const int64_t value = (int64_t)(is_negative ? -size : size);
    if (fits ? value < min : is_negative) {
        *out = min;
        return TEXT_INT_TOO_SMALL;
    }
    if (!fits || value > max) {
        *out = max;
        return TEXT_INT_TOO_LARGE;
    }
    *out = value;
    return TEXT_INT_OK;
}

bool text_parse_int(const char *text, int64_t min, int64_t max, int64_t *out)
{
    int64_t value;
    if (text_clamp_int(text, min, max, &value) != TEXT_INT_OK)
        return false;
    *out = value;
    return true;
}

/* strtod() alone would also accept blanks, hexadecimal numbers and "nan". */
bool text_parse_real(const char *text, double min, double max, double *out)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || text[strspn(text, "0123456789.eE+-")] != '\0' ||
        value < min || value > max)
        return false;
    *out = value + 0.0; // never -0, which differs from 0 when bytes are compared
    return true;
}

bool text_equal_nocase(const char *a, const char *b)
{
    for (; *a && lower(*a) == lower(*b); a++)
        b++;
    return lower(*a) == lower(*b);
}

static bool begins_nocase(const char *text, const char *part)
{
    while (*part != '\0' && lower(*text) == lower(*part)) {
        text++;
        part++;
    }
    return *part == '\0';
}

bool text_contains_nocase(const char *text, const char *part)
{
    bool is_found = begins_nocase(text, part);
    while (!is_found && *text != '\0')
        is_found = begins_nocase(++text, part);
    return is_found;
}

static bool is_inside_letter(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

int text_cut(const char *text, int most)
{
    int length = 0;
    while (length < most && text[length] != '\0')
        length++;
    int start = length; // of the letter that would be cut
    while (start > 0 && length - start < 3 && is_inside_letter(text[start]))
        start--;
    return is_inside_letter(text[length]) && (unsigned char)text[start] >= 0xc2 ? start : length;
}

bool text_copy(char *dst, size_t size, const char *src)
{
    const size_t length = strlen(src);
    const size_t kept = length < size ? length : size - 1;
    memcpy(dst, src, kept);
    dst[kept] = '\0';
    return kept == length;
}

enum { LINE_ROOM = 8192 }; // ordinary lines never need more, so memory cannot run out for them

/* Appends `c`; false when memory runs out. */
static bool line_append(TextLine *line, char c)
{
    if (line->length == line->capacity) {
        const size_t capacity = line->capacity ? 2 * line->capacity : LINE_ROOM;
        char *const text = realloc(line->text, capacity);
        if (!text)
            return false;
        line->text = text;
        line->capacity = capacity;
    }
    line->text[line->length++] = c;
    return true;
}

/* Empties the line and returns the memory that ordinary lines do not need. */
static void line_shrink(TextLine *line)
{
    char *const text = line->capacity > LINE_ROOM ? realloc(line->text, LINE_ROOM) : NULL;
    if (text != NULL) {
        line->text = text;
        line->capacity = LINE_ROOM;
    }
    line->length = 0;
}

/* As getc(), but waits for the bytes of a stream that does not block. */
static int next_byte(FILE *stream)
{
    int c = getc(stream);
    while (c == EOF && file_await_bytes(stream))
        c = getc(stream);
    return c;
}

bool text_line_read(TextLine *line, FILE *stream)
{
    line->length = 0;
    line->too_long = false;
    int c = next_byte(stream);
    if (c == EOF)
        return false;
    for (; c != EOF && c != '\n'; c = next_byte(stream))
        if (!line->too_long)
            line->too_long = !line_append(line, c == '\0' ? ' ' : (char)c);
    if (line->length > 0 && line->text[line->length - 1] == '\r')
        line->length--;
    /* Append the NUL, which may need a larger buffer, but do not count it. */
    if (line->too_long || !line_append(line, '\0')) {
        line->too_long = true;
        line_shrink(line);
        if (!line_append(line, '\0'))
            return false;
    }
    line->length--;
    return true;
}

void text_line_free(TextLine *line)
{
    free(line->text);
    *line = (TextLine){0};
}
