// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the tests of the long memory share: a folder of their own, lessons, files. */

#include <stdint.h>

#include "learning/learn_store.h"

enum { MEMORY_PATH_MAX = 128 };

extern char memory_folder[MEMORY_PATH_MAX]; // of the running test
extern char memory_path[MEMORY_PATH_MAX];   // a file in it, "m.db"

/* Before each test and after it: an empty folder, and none. */
void memory_enter(void);
void memory_leave(void);

/* The same lesson for the same seed, another position for every other one. */
LearnedPosition made_lesson(uint64_t seed);

/* A lesson of the position. */
LearnedPosition learned_position_of(const char *fen, const char *move, Score score, int depth);

bool same_lesson(const LearnedPosition *a, const LearnedPosition *b);

/* Opens memory_path for writing; fails the test where that is not to be had without complaint. */
LearnStore *memory_open_well(void);

/* Writes the made lessons first .. first + count - 1 by the rules of Bebe, at most `max` in all. */
void memory_write_made(LearnStore *memory, uint64_t first, int count, int64_t max);

/* What a file holds, newest first. */
enum { KEPT_MAX = 2000 };
typedef struct {
    LearnedPosition positions[KEPT_MAX];
    int count;
    LearnStoreRest rest;
} Kept;
LearnStoreStatus memory_read_kept(LearnStore *memory, int64_t limit, Kept *kept);

/* Any SQLite database, by the library loaded for the purpose: a program of another make. NULL when
 * it is not to be had, which is said. */
typedef struct Foreigner Foreigner;
Foreigner *foreigner_open(const char *path);

/* One that holds memory_path from now on, IMMEDIATE or EXCLUSIVE as SQLite calls it, and its end.
 */
Foreigner *foreigner_hold(const char *how);
void foreigner_let_go(Foreigner *foreigner);

/* Carries out statements; false when they are refused. */
bool foreigner_run(Foreigner *foreigner, const char *sql);
void foreigner_close(Foreigner *foreigner);

/* The whole file in memory, to be freed, and back. */
uint8_t *memory_slurp(size_t *size);
void memory_spill(const void *bytes, size_t size);
