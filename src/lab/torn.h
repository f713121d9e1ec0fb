// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Torn entries: an entry with the lock word of one writer and the data word of another. For the
 * test, each stored result is a function of a key number and a small version number. So every entry
 * that is read can be checked: it must be one of the versions of its key. The versions of a key are
 * as similar as real results of one position: two moves, close scores, consecutive depths. */

#include "tt/tt.h"

typedef enum {
    TORN_FOLDED, // the engine's lock, made by tt.c: the data folded into the key
    TORN_XOR,    // key XOR data (Hyatt and Mann 2002); it does not check the subtree size
    TORN_BARE,   // the key alone, without protection
    TORN_LOCK_NB
} TornLock;

typedef enum {
    TORN_WHOLE,     // not torn: a version of the key
    TORN_SIZE_ONLY, // only the subtree size is wrong; it is stored in the lock word
    TORN_WRONG      // anything else is wrong: the data are of another position
} TornVerdict;

enum { TORN_VERSIONS = 256, TORN_KEYS = 64, TORN_PLACES = 8 }; // versions per key; keys; slots used

/* The name in options and results: "folded", "xor", "bare". */
const char *torn_lock_name(TornLock lock);

/* The table key of key number `key` (0..TORN_KEYS - 1). In tables of up to 65,536 slots, key
 * numbers that are equal modulo TORN_PLACES share a slot. */
Key torn_key(int key);

/* Version `version` (0..TORN_VERSIONS - 1) of the result of a key; all versions differ. */
TtData torn_version(int key, int version);

/* Classifies an entry that was read for a key. */
TornVerdict torn_judge(int key, const TtData *data);

/* A table with one of the locks. XOR and bare locks use only the first entry of a slot. */
typedef struct {
    TornLock lock;
    Tt tt;
} TornTable;

/* Allocates an empty table of 1 MiB; false when memory is short. Free with torn_destroy() in either
 * case. */
bool torn_create(TornTable *table, TornLock lock);
void torn_destroy(TornTable *table);

/* Stores a version. Any thread. */
void torn_store(TornTable *table, int key, int version, TtStats *stats);

/* Reads the entries of a key to `out` and returns their number, 0..2. Any thread. */
int torn_probe(TornTable *table, int key, TtData out[2], TtStats *stats);

typedef struct {
    uint64_t pairs;                    // pairs of words tested
    uint64_t accepted[TORN_WRONG + 1]; // pairs that a probe accepted, by verdict
} TornByHand;

/* Builds torn entries and probes them. Each has a lock word of one of TORN_PLACES keys. Its data
 * word is from another version of the same key, or from any version of one other key in the same
 * slot. All such pairs are tested. Then clears the table. One thread. */
TornByHand torn_by_hand(TornTable *table);
