// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Torn entries: the lock word of one writer beside the data word of another. Each stored result is
 * a function of a key number and a small version number. The versions of a key are as similar as
 * real results of one position: two moves, close scores, consecutive depths. So every entry read
 * can be checked: it must be one of the versions of its key. */

#include "tt/tt.h"

typedef enum {
    TORN_FOLDED, // the engine's lock: data folded into the key, by tt.c itself
    TORN_XOR,    // key XOR data
    TORN_BARE,   // the key, unprotected
    TORN_LOCK_NB
} TornLock;

typedef enum {
    TORN_WHOLE,     // a version of the key
    TORN_SIZE_ONLY, // wrong only in the subtree size, which shares a word with the lock
    TORN_WRONG      // of another position
} TornVerdict;

enum { TORN_VERSIONS = 256, TORN_KEYS = 64, TORN_PLACES = 8 };

/* The name in options and results: "folded", "xor", "bare". */
const char *torn_lock_name(TornLock lock);

/* The table key of key number `key` (0..TORN_KEYS-1). Numbers equal modulo TORN_PLACES share a slot
 * in tables of up to 65,536 slots. */
Key torn_key(int key);

/* The result of version `version` (0..TORN_VERSIONS-1) of a key; all versions differ. */
TtData torn_version(int key, int version);

/* Classifies an entry that was read for a key. */
TornVerdict torn_judge(int key, const TtData *data);

/* A table with one of the locks. XOR and bare locks use only the first entry of a slot. */
typedef struct {
    TornLock lock;
    Tt tt;
} TornTable;

/* Allocates the table; false when memory is short. */
bool torn_create(TornTable *table, TornLock lock);
void torn_destroy(TornTable *table);

/* Stores a version. Any thread. */
void torn_store(TornTable *table, int key, int version, TtStats *stats);

/* Reads the entries of a key to `out` and returns their number, 0..2. Any thread. */
int torn_probe(TornTable *table, int key, TtData out[2], TtStats *stats);

typedef struct {
    uint64_t pairs;                    // tested
    uint64_t accepted[TORN_WRONG + 1]; // by verdict
} TornByHand;

/* For TORN_PLACES keys, combines the lock word of each version with the data word of each other
 * version of the key and of each version of another key in the slot, and probes the result. Clears
 * the table. One thread. */
TornByHand torn_by_hand(TornTable *table);
