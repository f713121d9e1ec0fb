// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/output.h"

#include <stdarg.h>
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
