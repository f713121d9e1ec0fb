// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/strbuf.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reserves space for `more` bytes and a NUL. */
static bool reserve(StrBuf *buf, size_t more)
{
    if (buf->is_cut)
        return false;
    if (buf->length + more < buf->capacity)
        return true;
    const size_t capacity = 2 * (buf->length + more) + 256;
    char *const text = realloc(buf->text, capacity);
    if (text == NULL) {
        buf->is_cut = true;
        return false;
    }
    buf->text = text;
    buf->capacity = capacity;
    return true;
}

void strbuf_add_list(StrBuf *buf, const char *format, va_list values)
{
    va_list again;
    va_copy(again, values);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    buf->is_cut |= length < 0; // for example, longer than an int can say
    if (length < 0 || !reserve(buf, (size_t)length))
        return;
    vsnprintf(buf->text + buf->length, (size_t)length + 1, format, values);
    buf->length += (size_t)length;
}

void strbuf_add(StrBuf *buf, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    strbuf_add_list(buf, format, values);
    va_end(values);
}

void strbuf_add_bytes(StrBuf *buf, const char *bytes, size_t length)
{
    if (!reserve(buf, length))
        return;
    memcpy(buf->text + buf->length, bytes, length);
    buf->length += length;
    buf->text[buf->length] = '\0';
}

void strbuf_clear(StrBuf *buf)
{
    buf->length = 0;
    buf->is_cut = false;
    if (buf->text != NULL)
        buf->text[0] = '\0';
}

void strbuf_free(StrBuf *buf)
{
    free(buf->text);
    *buf = (StrBuf){0};
}

/* The last byte of the buffer; NUL when it is empty. */
static char last_byte(const StrBuf *buf)
{
    return buf->length > 0 ? buf->text[buf->length - 1] : '\0';
}

/* Length of the UTF-8 character at `text`; 0 when the bytes there are not UTF-8. */
static size_t utf8_length(const unsigned char *text)
{
    if (text[0] < 0x80)
        return 1;
    const size_t length = text[0] >= 0xc2 && text[0] <= 0xdf   ? 2
                          : text[0] >= 0xe0 && text[0] <= 0xef ? 3
                          : text[0] >= 0xf0 && text[0] <= 0xf4 ? 4
                                                               : 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    const bool is_refused = (text[0] == 0xe0 && text[1] < 0xa0) ||  // longer than needed
                            (text[0] == 0xed && text[1] >= 0xa0) || // a surrogate
                            (text[0] == 0xf0 && text[1] < 0x90) ||  // longer than needed
                            (text[0] == 0xf4 && text[1] >= 0x90);   // beyond U+10FFFF
    return is_refused ? 0 : length;
}

void strbuf_json_string(StrBuf *buf, const char *text)
{
    strbuf_add(buf, "\"");
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';) {
        const size_t length = utf8_length(at);
        if (*at == '"' || *at == '\\')
            strbuf_add(buf, "\\%c", *at);
        else if (*at < ' ' || *at == 0x7f || length == 0)
            strbuf_add(buf, "\\u%04x", *at);
        else
            strbuf_add_bytes(buf, (const char *)at, length);
        at += length > 0 ? length : 1;
    }
    strbuf_add(buf, "\"");
}

void strbuf_json_name(StrBuf *buf, const char *name)
{
    const char before = last_byte(buf);
    if (before != '\0' && before != '{' && before != '[' && before != '\n')
        strbuf_add(buf, ",");
    strbuf_json_string(buf, name);
    strbuf_add(buf, ":");
}

void strbuf_json_text(StrBuf *buf, const char *name, const char *text)
{
    strbuf_json_name(buf, name);
    if (text == NULL)
        strbuf_add(buf, "null");
    else
        strbuf_json_string(buf, text);
}

void strbuf_json_null(StrBuf *buf, const char *name)
{
    strbuf_json_text(buf, name, NULL);
}

void strbuf_json_int(StrBuf *buf, const char *name, int64_t number)
{
    strbuf_json_name(buf, name);
    strbuf_add(buf, "%" PRId64, number);
}

void strbuf_json_bool(StrBuf *buf, const char *name, bool value)
{
    strbuf_json_name(buf, name);
    strbuf_add(buf, value ? "true" : "false");
}

void strbuf_csv(StrBuf *buf, const char *text)
{
    const char before = last_byte(buf);
    if (before != '\0' && before != '\n')
        strbuf_add(buf, ",");
    if (text[strcspn(text, "\",\r\n")] == '\0' && *text != '\0') {
        strbuf_add(buf, "%s", text);
        return;
    }
    strbuf_add(buf, "\"");
    for (; *text != '\0'; text++)
        strbuf_add(buf, *text == '"' ? "\"\"" : "%c", *text);
    strbuf_add(buf, "\"");
}
