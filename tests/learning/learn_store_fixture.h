// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* For the tests of position learning: a temporary folder, learned positions, and SQLite files as
 * other programs use them. */

#include <check.h>
#include <stdint.h>

#include "learning/learn_store.h"

enum { STORE_PATH_MAX = 128 };

extern char store_folder[STORE_PATH_MAX]; // temporary folder of the running test
extern char store_path[STORE_PATH_MAX];   // a file in it, "m.db"

/* Creates and removes the temporary folder, before and after each test. */
void store_setup(void);
void store_teardown(void);

/* A learned position of a random game. Equal seeds give equal results. */
LearnedPosition make_learned(uint64_t seed);

/* A learned position from a FEN and a legal move. */
LearnedPosition learned_position_of(const char *fen, const char *move, Score score, int depth);

bool learned_equal(const LearnedPosition *a, const LearnedPosition *b);

/* Opens store_path for writing. The test fails if that is impossible or gives a message. */
LearnStore *store_open(void);

/* Writes make_learned(first) .. make_learned(first + count - 1) with the policy Bebe and a capacity
 * of `max`. */
void store_write_made(LearnStore *store, uint64_t first, int count, int64_t max);

/* Writes make_learned(0) .. make_learned(count - 1) to a new file. */
void store_make_file(int count);

/* True when the program is built with SQLite. Otherwise adds one test to `tcase`, which is counted
 * as skipped, for all tests that need SQLite. */
bool store_tests_can_run(TCase *tcase);

/* Commits make_learned(seed) and overwrites a page in the middle of the table, as a fault of the
 * disk would. Stores that are open notice the commit, and read the file again. */
void store_damage(uint64_t seed);

/* Rows of a file, newest first, at most `limit`. */
enum { CONTENTS_MAX = 2000 };
typedef struct {
    LearnedPosition positions[CONTENTS_MAX];
    int count;
    LearnStoreSkipped skipped;
} StoreContents;
LearnStoreStatus store_read(LearnStore *store, int64_t limit, StoreContents *contents);

/* The contents must have only positions of make_learned() with seeds below `count`, none twice.
 * Returns their number. */
int store_check_contents(const StoreContents *contents, int count);

/* Another program that uses an SQLite file, by the shared library. NULL when that library is
 * missing: the test is then counted as skipped and must return. */
typedef struct SqliteClient SqliteClient;
SqliteClient *client_open(const char *path);

/* Opens store_path and locks it in SQLite's mode `how`, IMMEDIATE or EXCLUSIVE; NULL as above.
 * client_unlock() commits and closes. */
SqliteClient *client_lock(const char *how);
void client_unlock(SqliteClient *client);

/* Runs SQL statements; false if one fails. */
bool client_run(SqliteClient *client, const char *sql);
void client_close(SqliteClient *client);

/* Reads store_path into a buffer that the caller frees, and writes it. */
uint8_t *store_file_read(size_t *size);
void store_file_write(const void *bytes, size_t size);

/* The file must still have the bytes `before`, which store_file_read() returned. Frees them. */
void store_check_unchanged(uint8_t *before, size_t size);

/* Runs `body` in a child process, which may change its limits and user; returns its status. */
int store_in_child(int (*body)(void));

/* Does the same as a user who is not root, because root may write everywhere. The status must be 0.
 * If the user cannot be changed, the test is counted as skipped. */
void store_check_as_user(int (*body)(void));
