// SPDX-License-Identifier: GPL-3.0-or-later
/* In place of memory.c where SQLite is not to be had. */
#include <stdio.h>

#include "learning/learn_store.h"

bool learn_store_is_linked(void)
{
    return false;
}

LearnStore *learn_store_open(const char *path, bool writes, LearnStoreStatus *verdict, char *error)
{
    (void)path;
    (void)writes;
    *verdict = LEARN_STORE_FAILED;
    snprintf(error, LEARN_STORE_ERROR_MAX, "cannot be used: this program was built without SQLite");
    return NULL;
}

void learn_store_close(LearnStore *memory)
{
    (void)memory;
}

bool learn_store_is_writable(const LearnStore *memory)
{
    (void)memory;
    return false;
}

LearnStoreStatus learn_store_read(LearnStore *memory, const LearnStoreReader *reader,
                                  LearnStoreRest *rest)
{
    (void)memory;
    (void)reader;
    *rest = (LearnStoreRest){0};
    return LEARN_STORE_FAILED;
}

LearnStoreStatus learn_store_write(LearnStore *memory, const LearnedPosition *positions, int count,
                                   LearnStoreTerms terms)
{
    (void)memory;
    (void)positions;
    (void)count;
    (void)terms;
    return LEARN_STORE_FAILED;
}

LearnStoreStatus learn_store_forget(LearnStore *memory, const char *position, int64_t *forgotten)
{
    (void)memory;
    (void)position;
    *forgotten = 0;
    return LEARN_STORE_FAILED;
}

LearnStoreStatus learn_store_count(LearnStore *memory, LearnStoreCounts *counts)
{
    (void)memory;
    *counts = (LearnStoreCounts){0};
    return LEARN_STORE_FAILED;
}

bool learn_store_has_changed(LearnStore *memory)
{
    (void)memory;
    return false;
}

const char *learn_store_error(const LearnStore *memory)
{
    (void)memory;
    return "";
}

void learn_store_hurry(LearnStore *memory)
{
    (void)memory;
}
