// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/block.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reserves space for `more` bytes and a NUL. */
static bool reserve(Block *block, size_t more)
{
    if (block->length + more < block->capacity)
        return true;
    const size_t capacity = 2 * (block->length + more) + 256;
    char *const text = realloc(block->text, capacity);
    if (text == NULL) {
        block->is_cut = true;
        return false;
    }
    block->text = text;
    block->capacity = capacity;
    return true;
}

void block_add_list(Block *block, const char *format, va_list values)
{
    va_list again;
    va_copy(again, values);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    block->is_cut |= length < 0; // for example, longer than an int can say
    if (length < 0 || !reserve(block, (size_t)length))
        return;
    vsnprintf(block->text + block->length, (size_t)length + 1, format, values);
    block->length += (size_t)length;
}

void block_add(Block *block, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    block_add_list(block, format, values);
    va_end(values);
}

void block_add_bytes(Block *block, const char *bytes, size_t length)
{
    if (!reserve(block, length))
        return;
    memcpy(block->text + block->length, bytes, length);
    block->length += length;
    block->text[block->length] = '\0';
}

void block_clear(Block *block)
{
    block->length = 0;
    block->is_cut = false;
    if (block->text != NULL)
        block->text[0] = '\0';
}

void block_free(Block *block)
{
    free(block->text);
    *block = (Block){0};
}

/* The last byte of the block; NUL when it is empty. */
static char last_byte(const Block *block)
{
    return block->length > 0 ? block->text[block->length - 1] : '\0';
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

void block_json_string(Block *block, const char *text)
{
    block_add(block, "\"");
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';) {
        const size_t length = utf8_length(at);
        if (*at == '"' || *at == '\\')
            block_add(block, "\\%c", *at);
        else if (*at < ' ' || *at == 0x7f || length == 0)
            block_add(block, "\\u%04x", *at);
        else
            block_add_bytes(block, (const char *)at, length);
        at += length > 0 ? length : 1;
    }
    block_add(block, "\"");
}

void block_json_name(Block *block, const char *name)
{
    const char before = last_byte(block);
    if (before != '\0' && before != '{' && before != '[' && before != '\n')
        block_add(block, ",");
    block_json_string(block, name);
    block_add(block, ":");
}

void block_json_text(Block *block, const char *name, const char *text)
{
    block_json_name(block, name);
    if (text == NULL)
        block_add(block, "null");
    else
        block_json_string(block, text);
}

void block_json_null(Block *block, const char *name)
{
    block_json_text(block, name, NULL);
}

void block_json_int(Block *block, const char *name, int64_t number)
{
    block_json_name(block, name);
    block_add(block, "%" PRId64, number);
}

void block_json_bool(Block *block, const char *name, bool value)
{
    block_json_name(block, name);
    block_add(block, value ? "true" : "false");
}

void block_csv(Block *block, const char *text)
{
    const char before = last_byte(block);
    if (before != '\0' && before != '\n')
        block_add(block, ",");
    if (text[strcspn(text, "\",\r\n")] == '\0' && *text != '\0') {
        block_add(block, "%s", text);
        return;
    }
    block_add(block, "\"");
    for (; *text != '\0'; text++)
        block_add(block, *text == '"' ? "\"\"" : "%c", *text);
    block_add(block, "\"");
}
