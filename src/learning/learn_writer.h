// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The thread that writes lessons into a file while the engine plays on. Nobody waits for it in
 * play: what is noted is written as soon as the file can be had, several lessons in one
 * transaction. Where another program holds the file it tries again, and where writing fails for
 * good it stops; either is said once, when asked for. */

#include "learning/learn_store.h"

typedef struct LearnWriter LearnWriter;

enum { LEARN_WRITER_ERROR_MAX = LEARN_STORE_ERROR_MAX + 64 };

/* A scribe for the file, which stays the caller's. NULL when there is no memory or thread. */
LearnWriter *learn_writer_create(LearnStore *memory, LearnStoreTerms terms);

/* Lets it write what it still has for at most so long, then ends it. What could not be written is
 * lost to the file. False when the thread hangs in the system: the file must then be left alone. */
bool learn_writer_destroy(LearnWriter *writer, int64_t ms);

/* Takes over a lesson; where more than a thousand wait already, or writing has failed for good, it
 * is lost to the file. Never waits for the file. */
void learn_writer_add(LearnWriter *writer, const LearnedPosition *learned);

/* Waits until all is written that was noted, but no longer than so; false when something is not. */
bool learn_writer_flush(LearnWriter *writer, int64_t ms);

/* Between these two the file is the caller's alone. */
void learn_writer_lock(LearnWriter *writer);
void learn_writer_unlock(LearnWriter *writer);

/* What went wrong since the last call, once, in words that follow the file's name. False when
 * nothing did. `text` holds LEARN_WRITER_ERROR_MAX bytes. */
bool learn_writer_take_error(LearnWriter *writer, char *text);

/* Lessons in the file by this scribe; noted and not yet written. */
typedef struct {
    int64_t written, waiting, lost;
    bool has_stopped; // writing has failed for good
} LearnWriterCounts;
LearnWriterCounts learn_writer_count(LearnWriter *writer);
