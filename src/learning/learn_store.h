// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Lessons in a file: an SQLite database of one table, which any program for such files can read and
 * several engines can use at once. A link-time seam: memory.c and learn_store_open.c, the only
 * users of that library, where it is there; memory_none.c where it is not.
 *
 * A file is not trusted: one that holds anything but our table is refused, every lesson has a
 * checksum and must name a position that can be and a move that is legal there. One that is damaged
 * is read as far as it goes and not written to. What was committed survives a kill at any instant
 * and, as far as the disk keeps its promises, a power cut. Lessons are ordered by when they came
 * into the file, not by any clock.
 *
 * A LearnStore is for one thread at a time, but for learn_store_hurry(). */

#include "learning/learned_position.h"

typedef struct LearnStore LearnStore;

enum { LEARN_STORE_ERROR_MAX = 512 };

typedef enum {
    LEARN_STORE_DONE,
    LEARN_STORE_BUSY,  // another program holds the file, and still did after some waiting
    LEARN_STORE_FAILED // for good: no space, no permission, damage
} LearnStoreStatus;

/* How a file is taken. */
typedef struct {
    LearnPolicy policy; // decides which of two lessons of one position stays
    int64_t max;        // lessons in the file; the oldest that are no advice go first
} LearnStoreTerms;

/* What a file holds. */
typedef struct {
    int64_t positions;
    int64_t by_origin[ORIGIN_NB];
    int64_t bytes;
} LearnStoreCounts;

enum { LEARN_STORE_READ_MS = 4000 }; // that the protocol lets opening and reading a file take

/* Who wants to see lessons, newest first unless told. */
typedef struct {
    bool (*visit)(void *ctx, const LearnedPosition *learned); // says whether to go on
    void *ctx;
    int64_t limit; // of lessons
    int64_t ms;    // it may take; INT64_MAX: as long as it takes
    bool oldest_first;
} LearnStoreReader;

/* What else there was. */
typedef struct {
    int64_t faulty; // rows that are no lessons
    bool is_late;   // time was up before all was shown
} LearnStoreRest;

/* Whether the library is linked. */
bool learn_store_is_linked(void);

/* Opens the file, for writing, too, and making it where there is none if `writes`. A file that can
 * only be read, or that is damaged, is then opened for reading: learn_store_is_writable() tells.
 * NULL when it cannot be used; `*verdict` says whether it may be later. `error`
 * (LEARN_STORE_ERROR_MAX bytes) is what is wrong, in words that follow the file's name, or "".
 * Takes a few seconds at most. */
LearnStore *learn_store_open(const char *path, bool writes, LearnStoreStatus *verdict, char *error);

/* Closes the file; NULL may be given. */
void learn_store_close(LearnStore *memory);

bool learn_store_is_writable(const LearnStore *memory);

/* Shows the reader what it wants. */
LearnStoreStatus learn_store_read(LearnStore *memory, const LearnStoreReader *reader,
                                  LearnStoreRest *rest);

/* Writes the lessons, all or none, and makes room for them. */
LearnStoreStatus learn_store_write(LearnStore *memory, const LearnedPosition *positions, int count,
                                   LearnStoreTerms terms);

/* Forgets all lessons of a position as learned_position_text() writes it, or all there are when it
 * is NULL;
 * `*forgotten` is their number. */
LearnStoreStatus learn_store_forget(LearnStore *memory, const char *position, int64_t *forgotten);

LearnStoreStatus learn_store_count(LearnStore *memory, LearnStoreCounts *counts);

/* True when another program has changed the file since it was opened or this was last asked. */
bool learn_store_has_changed(LearnStore *memory);

/* What went wrong in the last call, in words that follow the file's name. */
const char *learn_store_error(const LearnStore *memory);

/* Any thread: from now on nothing waits for other programs. */
void learn_store_hurry(LearnStore *memory);
