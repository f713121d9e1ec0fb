// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* All printing to standard output goes through this module. It writes whole lines and flushes them;
 * lines of different threads never mix. If there is a log file, all lines are copied to it, with
 * the time; the first that cannot be written is an error on the output. Lines from before the first
 * log file are kept, up to OUTPUT_EARLY_MAX bytes: GUIs send options in one burst, so lines arrive
 * before the file is open. Printing waits while nobody reads the output. When the input has ended,
 * or a signal ends the program or the command, it gives up after some seconds. This also holds when
 * the reader thread itself is printing, and so has not read the end yet. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "base/thread.h"

enum { OUTPUT_EARLY_MAX = 64 * 1024 };

typedef struct {
    Mutex lock; // of `stream`
    FILE *stream;
    Mutex log_lock;   // of the next four; the reader thread must not wait for `lock` while nobody
                      // reads
    FILE *log;        // or NULL
    StrBuf early;     // lines from before the first log
    bool keeps_early; // there was no log yet, and `early` has room
    bool has_log_failed;  // a line could not be written to this log
    atomic_int log_error; // then an errno, which the next line of output tells; 0: nothing to tell
    atomic_bool is_ending;
    atomic_bool blocks_input; // a print makes the reader thread wait, so that it cannot see the end
                              // of the input
    atomic_bool is_unread;    // nobody read the last output, so it was dropped
    atomic_bool has_failed;   // some output could not be written
    atomic_bool is_incomplete; // some output was left out for want of memory or of a reader
} Output;

/* Initialises the output: prints to stdout, no log. */
void output_init(Output *out);

/* Reserves standard output for this Output: whatever other code, such as a library, prints to
 * stdout goes to stderr from now on. At most once, before any thread starts. */
void output_claim(Output *out);

/* From now on, output that nobody reads for some seconds is dropped. Any thread. */
void output_end(Output *out);

/* Closes the log and the stream. */
void output_close(Output *out);

/* Prints one line, formatted as by printf, and adds the line end. Control characters are replaced
 * by question marks. Any thread. */
void output_line(Output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints the lines of the buffer in one piece and frees it. Control characters other than line ends
 * are replaced by question marks. If the buffer is cut, only an error is printed. Any thread. */
void output_block(Output *out, StrBuf *buf);

/* The same for the text of one line, without its end. */
void output_buffer_line(Output *out, StrBuf *buf);

/* Logs an input line. Any thread. */
void output_log_input(Output *out, const char *line);

/* Logs to the end of the file `path` from now on; the first log begins with the lines so far. ""
 * ends the log. False when the file cannot be opened, with the reason in errno; the old log then
 * stays in use. Any thread. */
bool output_set_log(Output *out, const char *path);
