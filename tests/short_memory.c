// SPDX-License-Identifier: GPL-3.0-or-later
#include "short_memory.h"

#include "skip.h"

#if defined __linux__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__

#include <stdlib.h>
#include <sys/resource.h>

static void *taken; // a list: each block begins with the address of the next
static struct rlimit before;

bool short_memory_begin(void)
{
    if (getrlimit(RLIMIT_AS, &before) != 0)
        abort();
    const struct rlimit small = {.rlim_cur = 1 << 20, .rlim_max = before.rlim_max};
    if (setrlimit(RLIMIT_AS, &small) != 0)
        abort();
    /* Every small size: malloc() keeps freed blocks for requests of just their size. */
    for (size_t size = 1 << 20; size >= sizeof taken; size = size > 2048 ? size / 2 : size - 8)
        for (void **block = malloc(size); block != NULL; block = malloc(size)) {
            *block = taken;
            taken = block;
        }
    return true;
}

void short_memory_end(void)
{
    setrlimit(RLIMIT_AS, &before);
    while (taken != NULL) {
        void *const next = *(void **)taken;
        free(taken);
        taken = next;
    }
}

#else

bool short_memory_begin(void)
{
    skip_test("the memory of this process cannot be limited");
    return false;
}

void short_memory_end(void) {}

#endif
