// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Shared by mem_posix.c and mem_windows.c: sizes and addresses in whole huge pages. */

#include <stddef.h>
#include <stdint.h>

enum { HUGE_PAGE = 2 << 20 };

/* Rounds up to whole huge pages; 0 when the result plus one huge page does not fit a size_t. */
static inline size_t mem_whole_pages(size_t bytes)
{
    const size_t mask = HUGE_PAGE - 1;
    return bytes > SIZE_MAX - 2 * HUGE_PAGE ? 0 : (bytes + mask) & ~mask;
}

/* Writes to each page without changing its contents. */
static inline void mem_touch_pages(char *from, size_t bytes)
{
    enum { PAGE = 4096 }; // no supported system has smaller pages
    char zero = 0;
    __asm__("" : "+r"(zero)); // hides the 0 from the compiler, which would remove the writes
    for (size_t i = 0; i < bytes; i += PAGE)
        __atomic_fetch_or(&from[i], zero, __ATOMIC_RELAXED);
    if (bytes > 0)
        __atomic_fetch_or(&from[bytes - 1], zero, __ATOMIC_RELAXED);
}

/* Rounds an address up to the start of a huge page. */
static inline char *mem_align_up(char *p)
{
    return p + (-(uintptr_t)p & (HUGE_PAGE - 1));
}
