// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The one way out: whole lines to where stdout led, flushed, never mixed between threads, and
 * copied with the time to the log file when there is one. */

#include <stdbool.h>
#include <stdio.h>

#include "base/thread.h"

typedef struct {
    Mutex lock;
    FILE *stream;
    FILE *log; // NULL: no log
} Output;

/* Text under construction. Zero it before use. */
typedef struct {
    char *text; // NULL while empty
    size_t length, capacity;
} Block;

/* Lines go to stdout, until output_claim(). */
void output_init(Output *out);

/* Keeps what stdout leads to for this output alone: anything else that is printed there, as by a
 * library, goes to stderr from now on. Once a process, before its threads. */
void output_claim(Output *out);

/* Closes the log, if any. */
void output_close(Output *out);

/* Prints one line, formatted as by printf; the line end is added. Any thread. */
void output_line(Output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints the whole block with no other thread's line in between, and frees it. */
void output_block(Output *out, Block *block);

/* Appends to the log what the GUI said. */
void output_log_input(Output *out, const char *line);

/* Logs to the end of the file `path` from now on, or nowhere when it is "". False when it cannot be
 * opened; the log is then as before. */
bool output_set_log(Output *out, const char *path);

/* Appends to the block, formatted as by printf. When memory runs out the text is dropped. */
void block_add(Block *block, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Frees the text; the block is as new. */
void block_free(Block *block);
