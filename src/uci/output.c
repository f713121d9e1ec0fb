// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/output.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"

void output_init(Output *out)
{
    mutex_init(&out->lock);
    out->stream = stdout;
    out->log = NULL;
}

void output_claim(Output *out)
{
    FILE *const own = file_claim_stdout();
    if (own != NULL)
        out->stream = own;
}

void output_close(Output *out)
{
    if (out->log != NULL)
        fclose(out->log);
    if (out->stream != stdout)
        fclose(out->stream);
    mutex_destroy(&out->lock);
}

/* Writes the lines of `text` to the log, each behind the time of day and an arrow: << output,
 * >> input. */
static void log_lines(FILE *log, const char *arrow, const char *text)
{
    char now[16];
    clock_time_of_day(now, sizeof now);
    while (*text != '\0') {
        const int length = (int)strcspn(text, "\n");
        fprintf(log, "%s %s %.*s\n", now, arrow, length, text);
        text += length + (text[length] == '\n');
    }
    fflush(log);
}

void output_block(Output *out, Block *block)
{
    if (block->text != NULL) {
        mutex_lock(&out->lock);
        fwrite(block->text, 1, block->length, out->stream);
        fflush(out->stream);
        if (out->log != NULL)
            log_lines(out->log, "<<", block->text);
        mutex_unlock(&out->lock);
    }
    block_free(block);
}

/* Reserves space for `more` bytes and a NUL. */
static bool block_reserve(Block *block, size_t more)
{
    if (block->length + more < block->capacity)
        return true;
    const size_t capacity = 2 * (block->length + more) + 256;
    char *const text = realloc(block->text, capacity);
    if (text == NULL)
        return false;
    block->text = text;
    block->capacity = capacity;
    return true;
}

static void block_add_list(Block *block, const char *format, va_list values)
{
    va_list again;
    va_copy(again, values);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0 || !block_reserve(block, (size_t)length))
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

void block_free(Block *block)
{
    free(block->text);
    *block = (Block){0};
}

void output_line(Output *out, const char *format, ...)
{
    Block block = {0};
    va_list values;
    va_start(values, format);
    block_add_list(&block, format, values);
    va_end(values);
    for (size_t i = 0; i < block.length; i++) // input that is quoted may contain any byte
        if ((unsigned char)block.text[i] < ' ')
            block.text[i] = '?';
    block_add(&block, "\n");
    output_block(out, &block);
}

void output_log_input(Output *out, const char *line)
{
    mutex_lock(&out->lock);
    if (out->log != NULL)
        log_lines(out->log, ">>", *line != '\0' ? line : "\n");
    mutex_unlock(&out->lock);
}

bool output_set_log(Output *out, const char *path)
{
    FILE *const log = *path != '\0' ? file_open(path, "a") : NULL;
    if (*path != '\0' && log == NULL)
        return false;
    mutex_lock(&out->lock);
    if (out->log != NULL)
        fclose(out->log);
    out->log = log;
    mutex_unlock(&out->lock);
    return true;
}
