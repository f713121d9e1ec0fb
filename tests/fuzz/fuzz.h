// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the fuzz targets share: inputs as texts and files, and seeds. All targets are in one
 * program, which libFuzzer drives; the environment names the target (fuzz.c). A target ends the
 * process by assert() when a property does not hold. */

#include <stddef.h>
#include <stdint.h>

#include "chess/position.h"

#define TARGET(name, most)                                                                         \
    void fuzz_##name(const uint8_t *bytes, size_t size);                                           \
    void seed_##name(void);
#include "targets.def"
#undef TARGET

/* A copy of the bytes with a NUL after them, of exactly this size, so that the address sanitizer
 * sees each read beyond it. The caller frees it. */
char *fuzz_text(const uint8_t *bytes, size_t size);

/* Puts the bytes into a file in memory and returns its path, valid until the next call. */
const char *fuzz_file(const void *bytes, size_t size);

/* Puts an input into a record log (base/record_log.h) and returns its path. If the first byte is 0,
 * the others are the file, with its checksums. Otherwise the file has this magic and blocks with
 * correct checksums: each block of the input is its size in two bytes and its contents. */
const char *fuzz_record_log(const char *magic, const uint8_t *bytes, size_t size);

/* Writes a seed. */
void fuzz_seed(const void *bytes, size_t size);
void fuzz_seed_text(const char *text);

/* Writes the record log at `path` as two seeds, one of either form that fuzz_record_log() reads. */
void fuzz_seed_log(const char *path, const char *magic);

/* Plays a random game of at most `plies` moves from the start position and calls `visit` (may be
 * NULL) before each. Returns the number of moves. */
typedef void (*FuzzVisit)(void *ctx, const Position *pos, Move move);
int fuzz_random_game(uint64_t seed, int plies, FuzzVisit visit, void *ctx);
