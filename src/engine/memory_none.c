// SPDX-License-Identifier: GPL-3.0-or-later
/* In place of memory.c where SQLite is not to be had. */
#include <stdio.h>

#include "engine/memory.h"

bool memory_is_linked(void)
{
    return false;
}

Memory *memory_open(const char *path, bool writes, MemoryVerdict *verdict, char *error)
{
    (void)path;
    (void)writes;
    *verdict = MEMORY_FAILED;
    snprintf(error, MEMORY_ERROR_MAX, "cannot be used: this program was built without SQLite");
    return NULL;
}

void memory_close(Memory *memory)
{
    (void)memory;
}

bool memory_is_writable(const Memory *memory)
{
    (void)memory;
    return false;
}

MemoryVerdict memory_read(Memory *memory, const MemoryReader *reader, MemoryRest *rest)
{
    (void)memory;
    (void)reader;
    *rest = (MemoryRest){0};
    return MEMORY_FAILED;
}

MemoryVerdict memory_write(Memory *memory, const Lesson *lessons, int count, MemoryTerms terms)
{
    (void)memory;
    (void)lessons;
    (void)count;
    (void)terms;
    return MEMORY_FAILED;
}

MemoryVerdict memory_forget(Memory *memory, const char *position, int64_t *forgotten)
{
    (void)memory;
    (void)position;
    *forgotten = 0;
    return MEMORY_FAILED;
}

MemoryVerdict memory_count(Memory *memory, MemoryCounts *counts)
{
    (void)memory;
    *counts = (MemoryCounts){0};
    return MEMORY_FAILED;
}

bool memory_has_changed(Memory *memory)
{
    (void)memory;
    return false;
}

const char *memory_error(const Memory *memory)
{
    (void)memory;
    return "";
}

void memory_hurry(Memory *memory)
{
    (void)memory;
}
