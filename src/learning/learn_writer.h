// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A thread that writes learned positions to the store, so that no move waits for the disk. It
 * writes queued positions as soon as the file is free, several in one transaction. While another
 * program locks the file, it retries; after a failed write it stops. It reports each problem once,
 * see learn_writer_take_error(). Any thread may call these functions while the writer exists. */

#include "learning/learn_store.h"

typedef struct LearnWriter LearnWriter;

enum { LEARN_WRITER_ERROR_MAX = LEARN_STORE_ERROR_MAX + 64 };

/* Starts a writer for `store`, which the caller keeps and closes after the writer has ended. NULL
 * when memory or a thread is missing. */
LearnWriter *learn_writer_create(LearnStore *store, LearnStoreRules rules);

/* Writes the queue for at most `ms` milliseconds, then ends the thread and frees the writer; what
 * is still queued is lost. False when the thread hangs in a system call: the caller must then leave
 * the store open. */
bool learn_writer_destroy(LearnWriter *writer, int64_t ms);

/* Queues a copy of a position. When the queue is full (1024) or writing has failed, the position is
 * lost. Never waits for the file. */
void learn_writer_add(LearnWriter *writer, const LearnedPosition *learned);

/* Waits until the queue is empty, for at most `ms` milliseconds; false when it is not empty. */
bool learn_writer_flush(LearnWriter *writer, int64_t ms);

/* Between these two calls the writer does not use the store, so the caller may. */
void learn_writer_lock(LearnWriter *writer);
void learn_writer_unlock(LearnWriter *writer);

/* Moves the latest unreported problem to `text` (LEARN_WRITER_ERROR_MAX bytes), in words that
 * follow the file's name. False when there is none. */
bool learn_writer_take_error(LearnWriter *writer, char *text);

/* Positions since the writer's start. */
typedef struct {
    int64_t written, waiting, lost; // waiting: in the queue
    bool has_stopped;               // a write has failed; nothing more is written
} LearnWriterCounts;
LearnWriterCounts learn_writer_count(LearnWriter *writer);
