// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Large blocks of memory, taken straight from the system: zeroed for free, 2 MiB aligned and in
 * huge pages where those are to be had. A block the machine cannot back is refused at once rather
 * than promised and then paid for with the life of the process (Linux overcommits). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns `bytes` > 0 of zeroed memory, or NULL when the machine cannot back that many now, which
 * is not asked for 2 MiB and less. `huge` may be NULL; otherwise it tells whether huge pages were
 * granted. Free with mem_free_large(). */
void *mem_alloc_large(size_t bytes, bool *huge);

/* The same in ordinary pages, for a block most of which may never be touched: a huge page is zeroed
 * whole, and found by moving others, when its first byte is touched. */
void *mem_alloc_sparse(size_t bytes);

/* Gives back a block of either kind with the size asked for then; `block` may be NULL. */
void mem_free_large(void *block, size_t bytes);

/* Zeroes a whole block of either kind, of the size asked for then. No other thread may use it
 * meanwhile. The pages go back to the system, so their cost returns at the next touch; on Windows
 * they stay. */
void mem_zero_large(void *block, size_t bytes);

/* Zeroes `bytes` from anywhere within a block of either kind. No other thread may use them
 * meanwhile. Pages that lie whole among them go back to the system, so that what was never touched
 * stays so; not on Windows. */
void mem_zero_sparse(void *from, size_t bytes);

/* Has the system back `bytes` from anywhere within a block of either kind now, not at the first
 * touch of each page. What is in them stays, whatever other threads do with them meanwhile. */
void mem_touch(void *from, size_t bytes);

/* Bytes that could be allocated now without swapping, or UINT64_MAX when the system does not say.
 */
uint64_t mem_available(void);
