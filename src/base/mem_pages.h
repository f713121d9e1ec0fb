// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What mem_posix.c and mem_windows.c share: blocks are whole huge pages. */

#include <stddef.h>
#include <stdint.h>

enum { HUGE_PAGE = 2 << 20 };

/* Rounded up to whole huge pages, or 0 when that does not fit a size_t. */
static inline size_t mem_whole_pages(size_t bytes)
{
    const size_t mask = HUGE_PAGE - 1;
    return bytes > SIZE_MAX - 2 * HUGE_PAGE ? 0 : (bytes + mask) & ~mask;
}

/* Writes to each page without a change to what is in it. */
static inline void mem_touch_pages(char *from, size_t bytes)
{
    enum { PAGE = 4096 }; // none is smaller
    char nothing = 0;
    __asm__("" : "+r"(nothing)); // what the compiler knows to change nothing it leaves out
    for (size_t i = 0; i < bytes; i += PAGE)
        __atomic_fetch_or(&from[i], nothing, __ATOMIC_RELAXED);
    if (bytes > 0)
        __atomic_fetch_or(&from[bytes - 1], nothing, __ATOMIC_RELAXED);
}

static inline char *mem_align_up(char *p)
{
    return p + (-(uintptr_t)p & (HUGE_PAGE - 1));
}
