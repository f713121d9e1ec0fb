// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The thread that writes lessons into a file while the engine plays on. Nobody waits for it in
 * play: what is noted is written as soon as the file can be had, several lessons in one
 * transaction. Where another program holds the file it tries again, and where writing fails for
 * good it stops; either is said once, when asked for. */

#include "engine/memory.h"

typedef struct Scribe Scribe;

enum { SCRIBE_NOTICE_MAX = MEMORY_ERROR_MAX + 64 };

/* A scribe for the file, which stays the caller's. NULL when there is no memory or thread. */
Scribe *scribe_create(Memory *memory, MemoryTerms terms);

/* Lets it write what it still has for at most so long, then ends it. What could not be written is
 * lost to the file. False when the thread hangs in the system: the file must then be left alone. */
bool scribe_destroy(Scribe *scribe, int64_t ms);

/* Takes over a lesson; where more than a thousand wait already, or writing has failed for good, it
 * is lost to the file. Never waits for the file. */
void scribe_note(Scribe *scribe, const Lesson *lesson);

/* Waits until all is written that was noted, but no longer than so; false when something is not. */
bool scribe_await(Scribe *scribe, int64_t ms);

/* Between these two the file is the caller's alone. */
void scribe_lock(Scribe *scribe);
void scribe_unlock(Scribe *scribe);

/* What went wrong since the last call, once, in words that follow the file's name. False when
 * nothing did. `text` holds SCRIBE_NOTICE_MAX bytes. */
bool scribe_take_notice(Scribe *scribe, char *text);

/* Lessons in the file by this scribe; noted and not yet written. */
typedef struct {
    int64_t written, waiting, lost;
    bool has_stopped; // writing has failed for good
} ScribeCounts;
ScribeCounts scribe_count(Scribe *scribe);
