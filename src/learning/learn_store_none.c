// SPDX-License-Identifier: GPL-3.0-or-later
/* learn_store.h for builds without SQLite: every call fails. */
#include "learning/learn_store.h"

#include <stdio.h>

bool learn_store_is_linked(void)
{
    return false;
}

LearnStore *learn_store_open(const char *path, bool writes, LearnStoreStatus *status, char *error)
{
    (void)path;
    (void)writes;
    *status = LEARN_STORE_FAILED;
    snprintf(error, LEARN_STORE_ERROR_MAX, "cannot be used: this program was built without SQLite");
    return NULL;
}

void learn_store_close(LearnStore *store)
{
    (void)store;
}

bool learn_store_is_writable(const LearnStore *store)
{
    (void)store;
    return false;
}

LearnStoreStatus learn_store_read(LearnStore *store, const LearnStoreReader *reader,
                                  LearnStoreSkipped *skipped)
{
    (void)store;
    (void)reader;
    *skipped = (LearnStoreSkipped){0};
    return LEARN_STORE_FAILED;
}

LearnStoreStatus learn_store_write(LearnStore *store, const LearnedPosition *positions, int count,
                                   LearnStoreRules rules)
{
    (void)store;
    (void)positions;
    (void)count;
    (void)rules;
    return LEARN_STORE_FAILED;
}

int64_t learn_store_deleted(const LearnStore *store)
{
    (void)store;
    return 0;
}

LearnStoreStatus learn_store_forget(LearnStore *store, const char *position, int64_t *forgotten)
{
    (void)store;
    (void)position;
    *forgotten = 0;
    return LEARN_STORE_FAILED;
}

LearnStoreStatus learn_store_count(LearnStore *store, LearnStoreCounts *counts)
{
    (void)store;
    *counts = (LearnStoreCounts){0};
    return LEARN_STORE_FAILED;
}

bool learn_store_has_changed(LearnStore *store)
{
    (void)store;
    return false;
}

bool learn_store_has_moved(LearnStore *store)
{
    (void)store;
    return false;
}

int64_t learn_store_changes(const LearnStore *store)
{
    (void)store;
    return 0;
}

const char *learn_store_error(const LearnStore *store)
{
    (void)store;
    return "";
}

void learn_store_stop_waiting(LearnStore *store)
{
    (void)store;
}
