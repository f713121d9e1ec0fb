// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A hash set of random 64-bit keys that counts how often each was added; it grows as needed. 0 is a
 * valid key. */

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
    uint64_t total;  // keys added, with repetitions
} Keyset;

/* Adds `key`; sets `*seen` (may be NULL) to whether the set held it before. False when memory is
 * short. */
bool keyset_add(Keyset *set, uint64_t key, bool *seen);

/* Removes the keys that have a bit of `mask` set, as if they had never been added. False, with the
 * set unchanged, when memory is short. */
bool keyset_thin(Keyset *set, uint64_t mask);

void keyset_free(Keyset *set);
