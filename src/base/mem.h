// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Large memory blocks, taken directly from the system: zeroed, aligned to 2 MiB, in huge pages
 * where the system grants them. A block larger than the available memory is refused at once. Linux
 * would otherwise promise it and kill the process later. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Allocates `bytes` > 0 of zeroed memory. Returns NULL, with errno ENOMEM, on failure and when more
 * is requested than mem_available(); blocks up to 2 MiB skip the latter check. `*huge` becomes true
 * when huge pages were granted (`huge` may be NULL). Free with mem_free_large(). */
void *mem_alloc_large(size_t bytes, bool *huge);

/* As mem_alloc_large(), but in ordinary pages, for blocks that stay mostly untouched. With huge
 * pages the first touch of any byte would make the system zero 2 MiB. */
void *mem_alloc_sparse(size_t bytes);

/* Frees a block of either kind; `bytes` is the allocated size. `block` may be NULL. */
void mem_free_large(void *block, size_t bytes);

/* Zeroes a whole block of either kind; `bytes` is the allocated size. No other thread may use the
 * block meanwhile. On Linux, gives the pages back; the system provides zeroed ones at the next
 * touch. */
void mem_zero_large(void *block, size_t bytes);

/* Zeroes `bytes` from any address `from` within a block of either kind. No other thread may use
 * them meanwhile. On Linux, gives whole pages back to the system instead of writing zeros. Pages
 * that were never used therefore still take no memory. */
void mem_zero_sparse(void *from, size_t bytes);

/* Makes the system provide the pages of `bytes` from any address `from` within a block now, not at
 * their first touch. The contents stay, and other threads may change them meanwhile. */
void mem_touch(void *from, size_t bytes);

/* Bytes that can be allocated now without swapping, within the limits of this process's control
 * groups (containers). UINT64_MAX when unknown. On systems other than Linux and Windows, all
 * physical memory. */
uint64_t mem_available(void);
