// SPDX-License-Identifier: GPL-3.0-or-later
/* Large blocks of the WebAssembly build: ordinary memory of the C library. */

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <emscripten/heap.h>

#include "base/mem_pages.h"

void *mem_alloc_sparse(size_t bytes)
{
    const size_t size = mem_whole_pages(bytes);
    void *const block = size > 0 ? aligned_alloc(HUGE_PAGE, size) : NULL;
    if (block != NULL)
        memset(block, 0, size);
    else
        errno = ENOMEM;
    return block;
}

void *mem_alloc_large(size_t bytes, bool *huge)
{
    if (huge)
        *huge = false;
    return mem_alloc_sparse(bytes);
}

void mem_free_large(void *block, size_t bytes)
{
    (void)bytes;
    free(block);
}

void mem_zero_large(void *block, size_t bytes)
{
    memset(block, 0, bytes);
}

void mem_zero_sparse(void *from, size_t bytes)
{
    memset(from, 0, bytes);
}

void mem_touch(void *from, size_t bytes)
{
    (void)from, (void)bytes; // mem_alloc_sparse() has touched it
}

uint64_t mem_available(void)
{
    return emscripten_get_heap_max() - emscripten_get_heap_size();
}
