// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* MD5 (Rivest, RFC 1321), to compare tablebase files with published lists of sums. Not safe against
 * forgery. For our own files, checksum.h is faster.
 *
 * This is our own implementation, although libraries offer MD5. Release binaries are static, some
 * of them for Windows, and a cryptographic library would be one more dependency for one rare
 * command. MD5 never changes, takes 80 lines, and the tests compare it with the sums in the RFC. */

#include <stddef.h>
#include <stdint.h>

enum { MD5_BYTES = 16, MD5_BLOCK_BYTES = 64 };

typedef struct {
    uint32_t state[4];
    uint64_t length;                  // bytes added so far
    uint8_t pending[MD5_BLOCK_BYTES]; // the last length % MD5_BLOCK_BYTES bytes, not yet digested
} Md5;

/* Begins a sum. */
void md5_start(Md5 *md5);

/* Adds `size` bytes. */
void md5_add(Md5 *md5, const void *bytes, size_t size);

/* Writes the sum of all bytes added. Call md5_start() before the next use. */
void md5_finish(Md5 *md5, uint8_t sum[MD5_BYTES]);
