// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/keyset.h"

#include <stdlib.h>

#include "base/bits.h"

enum { CAPACITY_FIRST = 1024 };

/* The entry of `key`, or the empty entry where it belongs, by linear probing. At least one entry
 * must be empty. The high bits give the index, because keyset_thin() leaves only keys whose low
 * bits are 0. */
static KeysetEntry *find(const Keyset *set, uint64_t key)
{
    size_t i = (size_t)mulhi64(key, set->capacity);
    while (set->entries[i].count > 0 && set->entries[i].key != key)
        i = (i + 1) & (set->capacity - 1);
    return &set->entries[i];
}

/* Moves the keys with key & mask == 0 to a new array of `capacity` entries and drops the others. */
static bool rebuild(Keyset *set, size_t capacity, uint64_t mask)
{
    Keyset fresh = {.entries = calloc(capacity, sizeof *fresh.entries), .capacity = capacity};
    if (fresh.entries == NULL)
        return false;
    for (size_t i = 0; i < set->capacity; i++) {
        const KeysetEntry entry = set->entries[i];
        if (entry.count == 0 || (entry.key & mask) != 0)
            continue;
        *find(&fresh, entry.key) = entry;
        fresh.size++;
        fresh.total += entry.count;
    }
    free(set->entries);
    *set = fresh;
    return true;
}

bool keyset_add(Keyset *set, uint64_t key, bool *seen)
{
    if (2 * set->size >= set->capacity &&
        !rebuild(set, set->capacity > 0 ? 2 * set->capacity : CAPACITY_FIRST, 0))
        return false;
    KeysetEntry *entry = find(set, key);
    if (seen != NULL)
        *seen = entry->count > 0;
    set->size += entry->count == 0;
    set->total++;
    entry->key = key;
    entry->count += entry->count < UINT32_MAX;
    return true;
}

bool keyset_thin(Keyset *set, uint64_t mask)
{
    return set->capacity == 0 || rebuild(set, set->capacity, mask);
}

void keyset_free(Keyset *set)
{
    free(set->entries);
    *set = (Keyset){0};
}
