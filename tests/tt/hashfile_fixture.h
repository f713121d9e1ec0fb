// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Shared by the tests of hash files: a folder of their own, tables of random results, and files as
 * bytes. */

#include <stdint.h>

#include "base/rng.h"
#include "tt/hashfile.h"

enum { FIXTURE_EVALUATION = 77 }; // fingerprint of the evaluation

extern char hash_folder[64];
extern char hash_path[80], hash_beside[96]; // of the file, and of its draft
extern char hash_error[HASHFILE_ERROR_MAX];
extern HashFileSummary hash_sum;

/* Setup and teardown: makes an empty folder and removes it. `is_small`: the test writes a few MB
 * only, so the folder is in memory if possible and does not wait for a busy disk. */
void hash_enter(bool is_small);
void hash_leave(void);

/* Makes an empty table. */
void hash_make_table(Tt *table, uint64_t mib, Replacement replacement);

/* Stores `count` results of all kinds under random keys. */
void hash_fill(Tt *table, uint64_t seed, int count);

/* Saves to hash_path from `min_depth` on, loads from it, verifies it. */
bool hash_save(Tt *table, int min_depth);
bool hash_load(Tt *table);
bool hash_verify(void);

/* Writes these bytes to hash_path. */
void hash_write(const uint8_t *bytes, size_t size);
