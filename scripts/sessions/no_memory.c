// SPDX-License-Identifier: GPL-3.0-or-later
/* A library for LD_PRELOAD, which faults.py builds: one allocation of a program fails, that of the
 * number in the environment variable NO_MEMORY_AT, libraries included. With NO_MEMORY_COUNT the
 * number of all allocations is written to that file at the end. Needs glibc. */

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

static atomic_long allocations;
static long wanted; // 0 until the program starts

__attribute__((constructor)) static void begin(void)
{
    const char *const at = getenv("NO_MEMORY_AT");
    wanted = at != NULL ? atol(at) : -1;
}

__attribute__((destructor)) static void end(void)
{
    const char *const path = getenv("NO_MEMORY_COUNT");
    const long count = allocations;
    FILE *const file = path != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fprintf(file, "%ld\n", count);
        fclose(file);
    }
}

static bool fails(void)
{
    if (wanted == 0 || ++allocations != wanted)
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return fails() ? NULL : __libc_realloc(block, size);
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    if (fails())
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}
