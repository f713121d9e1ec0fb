// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A thread that writes learned positions to the store, so that no move waits for the disk. It
 * writes queued positions as soon as the file is free, several in one transaction. While another
 * program locks the file, the writer tries again; after a failed write it stops. It reports each
 * problem once, see learn_writer_take_error(). Any thread may call these functions while the writer
 * exists. */

#include "learning/learn_store.h"

typedef struct LearnWriter LearnWriter;

enum { LEARN_WRITER_ERROR_MAX = LEARN_STORE_ERROR_MAX + 64 };

/* Starts a writer for `store`. The caller still owns the store, and closes it after
 * learn_writer_destroy(). NULL when memory or threads are short. */
LearnWriter *learn_writer_create(LearnStore *store, LearnStoreRules rules);

/* Writes queued positions for at most `ms` milliseconds, then ends the thread and frees the writer.
 * Positions that are still queued are lost. False when the thread hangs in a system call for 2 more
 * seconds: then writer and store are still in use, and the caller must not close the store. */
bool learn_writer_destroy(LearnWriter *writer, int64_t ms);

/* Queues a copy of a position. The position is lost when the queue is full (1024) or a write has
 * failed. Never waits for the file. */
void learn_writer_add(LearnWriter *writer, const LearnedPosition *learned);

/* Waits until the queue is empty, for at most `ms` milliseconds; false on timeout. */
bool learn_writer_flush(LearnWriter *writer, int64_t ms);

/* Lock and unlock the store: between the two calls the writer does not use the store, so the caller
 * may. learn_writer_lock() waits for a write in progress. */
void learn_writer_lock(LearnWriter *writer);
void learn_writer_unlock(LearnWriter *writer);

/* Moves the latest unreported problem to `text` (LEARN_WRITER_ERROR_MAX bytes), as a text that
 * follows the name of the file. False when there is no such problem. */
bool learn_writer_take_error(LearnWriter *writer, char *text);

/* Numbers of positions since the start of the writer. */
typedef struct {
    int64_t written, waiting, lost; // waiting: in the queue
    bool has_stopped;               // a write has failed: no further positions are written
} LearnWriterCounts;
LearnWriterCounts learn_writer_count(LearnWriter *writer);
