// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A set of random 64-bit keys, each with how often it was added; grows as needed. 0 is a key like
 * any other. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t key;
    uint32_t count; // 0: an empty place
} KeysetEntry;

/* All zero is an empty set. */
typedef struct {
    KeysetEntry *entries;
    size_t capacity; // places, a power of two or 0
    size_t size;     // different keys
    uint64_t total;  // keys added
} Keyset;

/* Adds `key`; `*seen` (may be NULL) tells whether it was there. False when memory is short. */
bool keyset_add(Keyset *set, uint64_t key, bool *seen);

/* Drops the keys that have a bit of `mask` set, as if they had never been added. False, with the
 * set as it was, when memory is short. */
bool keyset_thin(Keyset *set, uint64_t mask);

void keyset_free(Keyset *set);
