// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/output.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"

enum {
    WAIT_MS = 100,     // between two tests whether the input has ended
    GIVE_UP_MS = 2000, // after the end of the input; some GUIs kill an engine 5 s after `quit`
    PLAIN_MAX = 4096,  // a line below this size, as all of a search are, needs no memory
};

void output_init(Output *out)
{
    mutex_init(&out->lock);
    mutex_init(&out->log_lock);
    atomic_store(&out->is_ending, false);
    atomic_store(&out->blocks_input, false);
    atomic_store(&out->is_unread, false);
    atomic_store(&out->has_failed, false);
    atomic_store(&out->is_incomplete, false);
    out->stream = stdout;
    out->log = NULL;
    out->has_log_failed = false;
    atomic_store(&out->log_error, 0);
    out->early = (StrBuf){0};
    out->keeps_early = true;
}

void output_claim(Output *out)
{
    FILE *const own = file_claim_stdout();
    if (own != NULL)
        out->stream = own;
}

void output_end(Output *out)
{
    atomic_store(&out->is_ending, true);
}

void output_close(Output *out)
{
    if (out->log != NULL)
        fclose(out->log);
    strbuf_free(&out->early);
    if (out->stream != stdout)
        fclose(out->stream);
    mutex_destroy(&out->log_lock);
    mutex_destroy(&out->lock);
}

/* Writes in parts that a pipe accepts as a whole, and never waits: nobody may read the pipe. */
static bool write_at_once(FILE *stream, const char *text, size_t length)
{
    errno = EAGAIN;
    while (length > 0) {
        const size_t part = length < FILE_WRITE_MAX ? length : FILE_WRITE_MAX;
        if (!file_is_writable(stream, 0) || fwrite(text, 1, part, stream) != part ||
            fflush(stream) != 0)
            return false;
        text += part;
        length -= part;
    }
    return true;
}

/* Appends the lines, of which there may be none. The lock is held. */
static void write_log(Output *out, const StrBuf *lines)
{
    static const char MISSING[] = "... lines are missing here\n";
    const bool is_written = write_at_once(out->log, lines->text, lines->length) &&
                            (!lines->is_cut || write_at_once(out->log, MISSING, strlen(MISSING)));
    if (!is_written && !out->has_log_failed) {
        out->has_log_failed = true;
        atomic_store(&out->log_error, errno);
    }
}

/* Writes the lines of `text` to the log, each after the time of day and an arrow: << output,
 * >> input. Keeps them if there was no log yet. */
static void log_lines(Output *out, const char *arrow, const char *text)
{
    char now[16];
    StrBuf lines = {0};
    mutex_lock(&out->log_lock);
    if (out->log != NULL || out->keeps_early) {
        clock_time_of_day(now, sizeof now);
        while (*text != '\0') {
            const size_t length = strcspn(text, "\n");
            strbuf_add(&lines, "%s %s ", now, arrow);
            strbuf_add_bytes(&lines, text, length);
            strbuf_add_bytes(&lines, "\n", 1);
            text += length + (text[length] == '\n');
        }
        out->keeps_early &= out->early.length + lines.length <= OUTPUT_EARLY_MAX;
    }
    if (out->log != NULL)
        write_log(out, &lines);
    else if (out->keeps_early) {
        if (lines.text != NULL)
            strbuf_add_bytes(&out->early, lines.text, lines.length);
        out->early.is_cut |= lines.is_cut;
    }
    mutex_unlock(&out->log_lock);
    strbuf_free(&lines);
}

/* Begins the first log with the lines from before it. The lock is held. */
static void log_early_lines(Output *out)
{
    out->early.is_cut |= !out->keeps_early && out->early.length > 0;
    write_log(out, &out->early);
    strbuf_free(&out->early);
    out->keeps_early = false;
}

/* Also true after a signal, which ends the program or the command. */
static bool has_input_ended(Output *out)
{
    return atomic_load(&out->is_ending) || interrupt_pending() ||
           (atomic_load(&out->blocks_input) && file_is_complete(stdin, 0));
}

/* Waits until the stream accepts a part. False when nobody reads it and the input or the command
 * has ended: then the next calls do not wait for long again. */
static bool wait_for_reader(Output *out)
{
    int64_t waited_ms = atomic_load(&out->is_unread) && has_input_ended(out) ? GIVE_UP_MS : 0;
    bool is_ready = file_is_writable(out->stream, 0);
    while (!is_ready && waited_ms < GIVE_UP_MS) {
        is_ready = file_is_writable(out->stream, WAIT_MS);
        waited_ms += has_input_ended(out) ? WAIT_MS : 0;
    }
    atomic_store(&out->is_unread, !is_ready);
    return is_ready;
}

/* Writes in parts that a pipe accepts as a whole, so that no write can wait for ever. */
static void write_parts(Output *out, const char *text, size_t length)
{
    while (length > 0) {
        const size_t part = length < FILE_WRITE_MAX ? length : FILE_WRITE_MAX;
        if (!wait_for_reader(out)) {
            atomic_store(&out->is_incomplete, true);
            return;
        }
        if (fwrite(text, 1, part, out->stream) != part || fflush(out->stream) != 0)
            atomic_store(&out->has_failed, true);
        text += part;
        length -= part;
    }
}

/* Replaces control characters, and line ends too if the text is one line. */
static void replace_controls(char *text, size_t length, bool is_line)
{
    for (size_t i = 0; i < length; i++) // input that is quoted may contain any byte
        if ((unsigned char)text[i] < ' ' && (is_line || text[i] != '\n'))
            text[i] = '?';
}

/* Prints, once for each log, that lines are missing in it. */
static void tell_log_error(Output *out)
{
    char text[200];
    const int error = atomic_exchange(&out->log_error, 0);
    if (error == 0)
        return;
    const int length = snprintf(text, sizeof text,
                                "info string error: cannot write to the log file, lines are missing"
                                " in it: %.80s\n",
                                strerror(error));
    write_parts(out, text, (size_t)length);
}

static void print(Output *out, const char *text, size_t length)
{
    mutex_lock(&out->lock);
    write_parts(out, text, length);
    log_lines(out, "<<", text);
    tell_log_error(out);
    mutex_unlock(&out->lock);
}

/* Prints and frees the buffer: lines, or the text of one line. */
static void print_buffer(Output *out, StrBuf *buf, bool is_line)
{
    static const char SHORT[] = "info string error: out of memory for the output\n";
    if (buf->text != NULL)
        replace_controls(buf->text, buf->length, is_line);
    if (is_line)
        strbuf_add(buf, "\n");
    if (buf->is_cut) {
        atomic_store(&out->is_incomplete, true);
        print(out, SHORT, strlen(SHORT));
    } else if (buf->text != NULL) {
        print(out, buf->text, buf->length);
    }
    strbuf_free(buf);
}

void output_block(Output *out, StrBuf *buf)
{
    print_buffer(out, buf, false);
}

void output_buffer_line(Output *out, StrBuf *buf)
{
    print_buffer(out, buf, true);
}

/* Prints a line that is too long for the stack. */
static void print_long(Output *out, const char *format, va_list values)
{
    StrBuf buf = {0};
    strbuf_add_list(&buf, format, values);
    output_buffer_line(out, &buf);
}

void output_line(Output *out, const char *format, ...)
{
    char text[PLAIN_MAX];
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (length >= 0 && length < PLAIN_MAX - 1) { // room for the line end
        replace_controls(text, (size_t)length, true);
        text[length] = '\n';
        text[length + 1] = '\0';
        print(out, text, (size_t)length + 1);
        return;
    }
    va_start(values, format);
    print_long(out, format, values);
    va_end(values);
}

void output_log_input(Output *out, const char *line)
{
    log_lines(out, ">>", *line != '\0' ? line : "\n");
}

bool output_set_log(Output *out, const char *path)
{
    FILE *const log = *path != '\0' ? file_open(path, "a") : NULL;
    if (*path != '\0' && log == NULL)
        return false;
    mutex_lock(&out->log_lock);
    if (out->log != NULL)
        fclose(out->log);
    out->log = log;
    out->has_log_failed = false;
    if (log != NULL)
        log_early_lines(out);
    mutex_unlock(&out->log_lock);
    return true;
}
