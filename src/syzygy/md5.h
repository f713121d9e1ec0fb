// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* MD5 (Rivest, RFC 1321): for comparing files with lists of sums that others made. No longer safe
 * against forgers; against accidents checksum.h is faster. */

#include <stddef.h>
#include <stdint.h>

enum { MD5_BYTES = 16, MD5_BLOCK_BYTES = 64 };

typedef struct {
    uint32_t state[4];
    uint64_t length;                  // bytes taken in so far
    uint8_t pending[MD5_BLOCK_BYTES]; // the last length % MD5_BLOCK_BYTES of them
} Md5;

/* Begins a sum. */
void md5_start(Md5 *md5);

/* Takes in `size` bytes. */
void md5_add(Md5 *md5, const void *bytes, size_t size);

/* Writes the sum of all bytes taken in; `md5` must then be started anew. */
void md5_finish(Md5 *md5, uint8_t sum[MD5_BYTES]);
