// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the tests of hash files share: a folder of their own, tables full of made-up results, and
 * the whole of a file as bytes. */

#include <stdint.h>

#include "base/rng.h"
#include "tt/hashfile.h"

enum { FIXTURE_EVALUATION = 77 }; // what the made-up scores rest on

extern char hash_folder[64], hash_path[80], hash_beside[80]; // the file, and its draft
extern char hash_error[HASHFILE_ERROR_MAX];
extern HashFileSummary hash_sum;

/* Before each test and after it: an empty folder, and none. The former by preference in memory when
 * the test keeps to a few MB, so that it does not wait for a busy disk. */
void hash_enter(bool is_small);
void hash_leave(void);

/* Makes an empty table. */
void hash_make_table(Tt *table, uint64_t mib, Replacement replacement);

/* Stores `count` results of all kinds under random keys. */
void hash_fill(Tt *table, uint64_t seed, int count);

/* Saves to hash_path from that depth on, loads from it, verifies it. */
bool hash_save(Tt *table, int min_depth);
bool hash_load(Tt *table);
bool hash_verify(void);

/* Reads the file at `path` into memory that the caller frees. */
uint8_t *hash_read(const char *path, size_t *size);

/* Makes hash_path a file of those bytes. */
void hash_write(const uint8_t *bytes, size_t size);

/* True when the long forms of tests are wanted. */
bool hash_is_slow(void);
