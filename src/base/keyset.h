// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A hash set of 64-bit keys that counts how often each was added. It grows as needed. The keys must
 * be well distributed, because their bits are the hash. 0 is a valid key. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t key;
    uint32_t count; // 0: empty entry
} KeysetEntry;

/* All zero is an empty set. */
typedef struct {
    KeysetEntry *entries;
    size_t capacity; // entries allocated, a power of two or 0
    size_t size;     // distinct keys
    uint64_t total;  // keys added, repetitions included
} Keyset;

/* Adds `key`. Sets `*seen` (may be NULL) to whether the set already contained the key. False when
 * memory is short. */
bool keyset_add(Keyset *set, uint64_t key, bool *seen);

/* Removes all keys with key & mask != 0, as if they had never been added. False, with the set
 * unchanged, when memory is short. */
bool keyset_thin(Keyset *set, uint64_t mask);

/* Frees the entries and leaves an empty set. */
void keyset_free(Keyset *set);
