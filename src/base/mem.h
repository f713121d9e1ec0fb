// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Large memory blocks, taken directly from the system: zeroed, aligned to 2 MiB, in huge pages
 * where the system grants them. A block larger than the available memory is refused at once. Linux
 * would otherwise promise it and kill the process later. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns `bytes` > 0 of zeroed memory, or NULL when less is available. Blocks up to 2 MiB are
 * tried without that check. `*huge` (may be NULL) becomes true when huge pages were granted. Free
 * with mem_free_large(). */
void *mem_alloc_large(size_t bytes, bool *huge);

/* As mem_alloc_large(), but in ordinary pages, for blocks that stay mostly untouched. The first
 * touch of a huge page would cost the zeroing of 2 MiB. */
void *mem_alloc_sparse(size_t bytes);

/* Frees a block of either kind; `bytes` is the allocated size. `block` may be NULL. */
void mem_free_large(void *block, size_t bytes);

/* Zeroes a whole block of either kind; `bytes` is the allocated size. No other thread may use the
 * block meanwhile. Linux takes the pages back and provides zeroed ones at the next touch. */
void mem_zero_large(void *block, size_t bytes);

/* Zeroes `bytes` anywhere within a block of either kind. No other thread may use them meanwhile. On
 * Linux, whole pages among them go back to the system, so an untouched page stays untouched. */
void mem_zero_sparse(void *from, size_t bytes);

/* Makes the system provide the pages of `bytes` anywhere within a block now, not at their first
 * touch. The contents stay, and other threads may change them meanwhile. */
void mem_touch(void *from, size_t bytes);

/* Bytes that can be allocated now without swapping, within the limits of the process's group;
 * UINT64_MAX when unknown. */
uint64_t mem_available(void);
