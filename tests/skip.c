// SPDX-License-Identifier: GPL-3.0-or-later
#include "skip.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static atomic_int *skipped; // in shared memory, since libcheck runs each test in a child process

void skip_init(void)
{
    void *const memory =
        mmap(NULL, sizeof *skipped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    skipped = memory != MAP_FAILED ? memory : NULL;
}

void skip_test(const char *why, ...)
{
    va_list arguments;
    va_start(arguments, why);
    fputs("skipped: ", stdout);
    vprintf(why, arguments);
    putchar('\n');
    va_end(arguments);
    if (skipped != NULL)
        atomic_fetch_add(skipped, 1);
}

int skip_count(void)
{
    return skipped != NULL ? atomic_load(skipped) : 0;
}

bool is_slow_run(void)
{
    const char *const slow = getenv("PALIMPSEST_SLOW");
    return slow != NULL && slow[0] != '\0';
}
