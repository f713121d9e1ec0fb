// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Lessons in a file: an SQLite database of one table, which any program for such files can read and
 * several engines can use at once. A link-time seam: memory.c and memory_open.c, the only users of
 * that library, where it is there; memory_none.c where it is not.
 *
 * A file is not trusted: one that holds anything but our table is refused, every lesson has a
 * checksum and must name a position that can be and a move that is legal there. One that is damaged
 * is read as far as it goes and not written to. What was committed survives a kill at any instant
 * and, as far as the disk keeps its promises, a power cut. Lessons are ordered by when they came
 * into the file, not by any clock.
 *
 * A Memory is for one thread at a time, but for memory_hurry(). */

#include "engine/lesson.h"

typedef struct Memory Memory;

enum { MEMORY_ERROR_MAX = 512 };

typedef enum {
    MEMORY_DONE,
    MEMORY_BUSY,  // another program holds the file, and still did after some waiting
    MEMORY_FAILED // for good: no space, no permission, damage
} MemoryVerdict;

/* How a file is taken. */
typedef struct {
    LessonPolicy policy; // decides which of two lessons of one position stays
    int64_t max;         // lessons in the file; the oldest that are no advice go first
} MemoryTerms;

/* What a file holds. */
typedef struct {
    int64_t lessons;
    int64_t by_origin[LESSON_ORIGIN_NB];
    int64_t bytes;
} MemoryCounts;

enum { MEMORY_READ_MS = 4000 }; // that the protocol lets opening and reading a file take

/* Who wants to see lessons, newest first unless told. */
typedef struct {
    bool (*visit)(void *ctx, const Lesson *lesson); // says whether to go on
    void *ctx;
    int64_t limit; // of lessons
    int64_t ms;    // it may take; INT64_MAX: as long as it takes
    bool oldest_first;
} MemoryReader;

/* What else there was. */
typedef struct {
    int64_t faulty; // rows that are no lessons
    bool is_late;   // time was up before all was shown
} MemoryRest;

/* Whether the library is linked. */
bool memory_is_linked(void);

/* Opens the file, for writing, too, and making it where there is none if `writes`. A file that can
 * only be read, or that is damaged, is then opened for reading: memory_is_writable() tells. NULL
 * when it cannot be used; `*verdict` says whether it may be later. `error` (MEMORY_ERROR_MAX
 * bytes) is what is wrong, in words that follow the file's name, or "". Takes a few seconds at
 * most. */
Memory *memory_open(const char *path, bool writes, MemoryVerdict *verdict, char *error);

/* Closes the file; NULL may be given. */
void memory_close(Memory *memory);

bool memory_is_writable(const Memory *memory);

/* Shows the reader what it wants. */
MemoryVerdict memory_read(Memory *memory, const MemoryReader *reader, MemoryRest *rest);

/* Writes the lessons, all or none, and makes room for them. */
MemoryVerdict memory_write(Memory *memory, const Lesson *lessons, int count, MemoryTerms terms);

/* Forgets all lessons of a position as lesson_position() writes it, or all there are when it is
 * NULL;
 * `*forgotten` is their number. */
MemoryVerdict memory_forget(Memory *memory, const char *position, int64_t *forgotten);

MemoryVerdict memory_count(Memory *memory, MemoryCounts *counts);

/* True when another program has changed the file since it was opened or this was last asked. */
bool memory_has_changed(Memory *memory);

/* What went wrong in the last call, in words that follow the file's name. */
const char *memory_error(const Memory *memory);

/* Any thread: from now on nothing waits for other programs. */
void memory_hurry(Memory *memory);
